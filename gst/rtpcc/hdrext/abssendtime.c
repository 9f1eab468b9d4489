/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtphdrextabssendtime
 * @title: rtphdrextabssendtime
 * @short_description: abs-send-time RTP header extension
 *
 * Says in every RTP packet when it left:
 * `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`, 24 bits of seconds in 6.18 fixed
 * point. The value wraps every 64 s. Receive-side congestion control (REMB) lives on it. One-byte
 * and two-byte headers.
 *
 * A payloader creates this element by itself when the caps downstream of it name the URI in an
 * `extmap-N` field. N is from 1 to 14, or to 255 with two-byte headers. A depayloader does when
 * the caps that it receives do.
 *
 * ## Writing
 *
 * The payloader stamps a packet when it makes it, with the default system clock
 * (monotonic; #gst_system_clock_set_default() replaces it).  Receivers only use
 * differences, so the epoch does not matter.  A pacer downstream overwrites the
 * three bytes at departure.
 *
 * ## Reading
 *
 * Adds a #GstReferenceTimestampMeta with the caps `timestamp/x-abs-send-time` to the depayloaded
 * buffer. It has the send time, in ns modulo 64 s, of the last packet that went into the buffer.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! x264enc tune=zerolatency ! rtph264pay \
 *   ! "application/x-rtp,\
 *   extmap-3=(string)http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time" \
 *   ! rtph264depay ! fakesink
 * ]|
 */
#include <gst/rtp/rtp.h>

#include "rtpcc/common/elements.h"
#include "wire/rtp.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_hdrext_abs_send_time_debug);
#define GST_CAT_DEFAULT gst_rtp_hdrext_abs_send_time_debug

#define GST_TYPE_RTP_HDREXT_ABS_SEND_TIME \
  (gst_rtp_hdrext_abs_send_time_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpHdrextAbsSendTime, gst_rtp_hdrext_abs_send_time,
    GST, RTP_HDREXT_ABS_SEND_TIME, GstRTPHeaderExtension);

struct _GstRtpHdrextAbsSendTime
{
  GstRTPHeaderExtension parent;

  GstClock *clock;
};

static GstStaticCaps reference_caps =
GST_STATIC_CAPS ("timestamp/x-abs-send-time");

G_DEFINE_TYPE_WITH_CODE (GstRtpHdrextAbsSendTime, gst_rtp_hdrext_abs_send_time,
    GST_TYPE_RTP_HEADER_EXTENSION,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_hdrext_abs_send_time_debug,
        "rtphdrextabssendtime", 0, "abs-send-time RTP header extension"));
/* Above none, or payloaders would not pick it from an extmap by themselves. */
GST_ELEMENT_REGISTER_DEFINE (rtphdrextabssendtime, "rtphdrextabssendtime",
    GST_RANK_MARGINAL, GST_TYPE_RTP_HDREXT_ABS_SEND_TIME);

static GstRTPHeaderExtensionFlags
get_supported_flags (GstRTPHeaderExtension * ext)
{
  return GST_RTP_HEADER_EXTENSION_ONE_BYTE | GST_RTP_HEADER_EXTENSION_TWO_BYTE;
}

static gsize
get_max_size (GstRTPHeaderExtension * ext, const GstBuffer * input_meta)
{
  return RCC_ABS_SEND_TIME_SIZE;
}

static gssize
write_ext (GstRTPHeaderExtension * ext, const GstBuffer * input_meta,
    GstRTPHeaderExtensionFlags write_flags, GstBuffer * output, guint8 * data,
    gsize size)
{
  GstRtpHdrextAbsSendTime *self = GST_RTP_HDREXT_ABS_SEND_TIME (ext);

  if (size < RCC_ABS_SEND_TIME_SIZE)
    return -1;
  rcc_put24 (data, rcc_abs_send_time (gst_clock_get_time (self->clock)));
  return RCC_ABS_SEND_TIME_SIZE;
}

static gboolean
read_ext (GstRTPHeaderExtension * ext, GstRTPHeaderExtensionFlags read_flags,
    const guint8 * data, gsize size, GstBuffer * buffer)
{
  GstReferenceTimestampMeta *meta;
  GstClockTime sent;
  GstCaps *caps;

  if (size != RCC_ABS_SEND_TIME_SIZE) {
    GST_DEBUG_OBJECT (ext, "ignoring an element of %" G_GSIZE_FORMAT " bytes, "
        "abs-send-time has 3", size);
    return TRUE;
  }

  sent = (GstClockTime) rcc_abs_send_time_to_ns (rcc_be24 (data));
  caps = gst_static_caps_get (&reference_caps);
  meta = gst_buffer_get_reference_timestamp_meta (buffer, caps);
  if (meta)
    meta->timestamp = sent;
  else
    gst_buffer_add_reference_timestamp_meta (buffer, caps, sent,
        GST_CLOCK_TIME_NONE);
  gst_caps_unref (caps);
  return TRUE;
}

static gboolean
set_caps_from_attributes (GstRTPHeaderExtension * ext, GstCaps * caps)
{
  return gst_rtp_header_extension_set_caps_from_attributes_helper (ext, caps,
      "");
}

static void
finalize (GObject * object)
{
  gst_object_unref (GST_RTP_HDREXT_ABS_SEND_TIME (object)->clock);
  G_OBJECT_CLASS (gst_rtp_hdrext_abs_send_time_parent_class)->finalize (object);
}

static void
gst_rtp_hdrext_abs_send_time_init (GstRtpHdrextAbsSendTime * self)
{
  self->clock = gst_system_clock_obtain ();
}

static void
gst_rtp_hdrext_abs_send_time_class_init (GstRtpHdrextAbsSendTimeClass * klass)
{
  GstRTPHeaderExtensionClass *ext_class =
      GST_RTP_HEADER_EXTENSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  ext_class->get_supported_flags = get_supported_flags;
  ext_class->get_max_size = get_max_size;
  ext_class->write = write_ext;
  ext_class->read = read_ext;
  ext_class->set_caps_from_attributes = set_caps_from_attributes;

  gst_rtp_header_extension_class_set_uri (ext_class, RCC_ABS_SEND_TIME_URI);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "Absolute send time", GST_RTP_HDREXT_ELEMENT_CLASS,
      "Says in every RTP packet when it left (abs-send-time)", "The gst-rtpcc maintainers");
}
