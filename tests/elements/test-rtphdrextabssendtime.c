/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rig.h"
#include <gst/rtp/rtp.h>

#include "wire/rtp.h"

#define RTP_CAPS "application/x-rtp, media=(string)video, " \
  "encoding-name=(string)H264, clock-rate=(int)90000, payload=(int)96, " \
  "packetization-mode=(string)1, extmap-3=(string)" RCC_ABS_SEND_TIME_URI

/* 65.25 s: 1.25 s modulo 64 s, 1.25 * 2^18 ticks. */
#define NOW (65 * GST_SECOND + GST_SECOND / 4)
#define TICKS 0x50000

/* Extensions read the default system clock, which is this one here. */
static GstClock *
use_test_clock (void)
{
  GstClock *clock = gst_test_clock_new_with_start_time (NOW);

  gst_system_clock_set_default (clock);
  return clock;
}

static void
drop_test_clock (GstClock *clock)
{
  gst_system_clock_set_default (NULL);
  gst_object_unref (clock);
}

static GstRTPHeaderExtension *
create (guint id)
{
  GstRTPHeaderExtension *ext =
      gst_rtp_header_extension_create_from_uri (RCC_ABS_SEND_TIME_URI);

  fail_unless (ext != NULL, "not found by its URI");
  assert_equals_string (gst_rtp_header_extension_get_uri (ext),
      RCC_ABS_SEND_TIME_URI);
  gst_rtp_header_extension_set_id (ext, id);
  return ext;
}

TEST (test_write)
{
  GstClock *clock = use_test_clock ();
  GstRTPHeaderExtension *ext = create (3);
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (0, 0, 0);
  GstRTPHeaderExtensionFlags flags[] = { GST_RTP_HEADER_EXTENSION_ONE_BYTE,
    GST_RTP_HEADER_EXTENSION_TWO_BYTE
  };
  guint8 data[5] = { 0, 0, 0, 0xaa, 0xaa };
  guint i;

  assert_equals_int (gst_rtp_header_extension_get_max_size (ext, buffer), 3);
  for (i = 0; i < 2; i++) {
    fail_unless (gst_rtp_header_extension_get_supported_flags (ext) & flags[i]);
    memset (data, 0, 3);
    assert_equals_int (gst_rtp_header_extension_write (ext, buffer, flags[i],
            buffer, data, sizeof data), 3);
    assert_equals_int (rcc_be24 (data), TICKS);
    assert_equals_int (data[3], 0xaa);
  }
  /* 64 s later the same; room for two bytes is too little. */
  gst_test_clock_set_time (GST_TEST_CLOCK (clock), NOW + 64 * GST_SECOND);
  fail_unless (gst_rtp_header_extension_write (ext, buffer, flags[0], buffer,
          data, 3) == 3);
  assert_equals_int (rcc_be24 (data), TICKS);
  fail_unless (gst_rtp_header_extension_write (ext, buffer, flags[0], buffer,
          data, 2) < 0);

  gst_buffer_unref (buffer);
  gst_object_unref (ext);
  drop_test_clock (clock);
}

static GstClockTime
reference_of (GstBuffer *buffer, guint *count)
{
  GstCaps *caps = gst_caps_from_string ("timestamp/x-abs-send-time");
  GstReferenceTimestampMeta *meta =
      gst_buffer_get_reference_timestamp_meta (buffer, caps);

  *count = gst_buffer_get_n_meta (buffer,
      GST_REFERENCE_TIMESTAMP_META_API_TYPE);
  gst_caps_unref (caps);
  return meta ? meta->timestamp : GST_CLOCK_TIME_NONE;
}

TEST (test_read)
{
  GstRTPHeaderExtension *ext = create (3);
  GstBuffer *buffer = gst_buffer_new ();
  GstRTPHeaderExtensionFlags flags = GST_RTP_HEADER_EXTENSION_ONE_BYTE;
  const guint8 one[] = { 5, 0, 0 }, two[] = { 6, 0, 0 };
  guint8 long_one[300] = { 9 };
  guint n;
  gsize size;

  /* Sizes that are none of ours leave no trace and stop nothing. */
  for (size = 0; size <= sizeof long_one; size += size == 2 ? 2 : 1) {
    fail_unless (gst_rtp_header_extension_read (ext, flags, long_one, size,
            buffer));
    fail_unless (reference_of (buffer, &n) == GST_CLOCK_TIME_NONE && n == 0);
  }

  fail_unless (gst_rtp_header_extension_read (ext, flags, one, 3, buffer));
  assert_equals_uint64 (reference_of (buffer, &n), GST_SECOND * 5 / 4);
  /* A frame's later packet: one meta, the later time. */
  fail_unless (gst_rtp_header_extension_read (ext, flags, two, 3, buffer));
  assert_equals_uint64 (reference_of (buffer, &n), GST_SECOND * 3 / 2);
  assert_equals_int (n, 1);
  gst_buffer_unref (buffer);
  gst_object_unref (ext);
}

TEST (test_caps)
{
  GstRTPHeaderExtension *ext = create (5);
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-rtp");
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  fail_unless (gst_rtp_header_extension_set_caps_from_attributes (ext, caps));
  assert_equals_string (gst_structure_get_string (s, "extmap-5"),
      RCC_ABS_SEND_TIME_URI);
  fail_unless (gst_rtp_header_extension_set_attributes_from_caps (ext, caps));
  gst_caps_unref (caps);
  gst_object_unref (ext);
}

static GstBuffer *
h264_frame (gsize size)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (frame, 0, 0x11, size);
  gst_buffer_fill (frame, 0, "\0\0\0\1\x65", 5);
  GST_BUFFER_PTS (frame) = 0;
  return frame;
}

/* Caps downstream that name the URI are all that a payloader needs, and the
 * depayloader gives back what it wrote. */
TEST (test_payloader_and_depayloader)
{
  GstClock *clock = use_test_clock ();
  GstHarness *pay = gst_harness_new ("rtph264pay");
  GstHarness *depay = gst_harness_new ("rtph264depay");
  GstBuffer *buffer;
  guint packets = 0, n;

  g_object_set (pay->element, "mtu", 200, NULL);
  gst_harness_set_caps_str (pay, "video/x-h264, stream-format=(string)"
      "byte-stream, alignment=(string)au", RTP_CAPS);
  gst_harness_set_caps_str (depay, RTP_CAPS, "video/x-h264, stream-format="
      "(string)byte-stream, alignment=(string)au");
  assert_equals_int (gst_harness_push (pay, h264_frame (1000)), GST_FLOW_OK);

  while ((buffer = gst_harness_try_pull (pay))) {
    GstMapInfo info;
    RccBytes value;
    RccRtp rtp;

    fail_unless (gst_buffer_map (buffer, &info, GST_MAP_READ));
    fail_unless (rcc_rtp_parse ((RccBytes) { info.data, info.size }, &rtp));
    assert_equals_int (rtp.ext_profile, 0xbede);
    fail_unless (rcc_rtp_ext (&rtp, 3, &value));
    assert_equals_int (value.size, 3);
    assert_equals_int (rcc_be24 (value.data), TICKS);
    gst_buffer_unmap (buffer, &info);
    packets++;
    assert_equals_int (gst_harness_push (depay, buffer), GST_FLOW_OK);
  }
  fail_unless (packets >= 5, "%u packets", packets);

  buffer = gst_harness_pull (depay);
  assert_equals_uint64 (reference_of (buffer, &n), GST_SECOND * 5 / 4);
  gst_buffer_unref (buffer);
  gst_harness_teardown (pay);
  gst_harness_teardown (depay);
  drop_test_clock (clock);
}

/* Elements of every wrong size, and a truncated one, from the network. */
TEST (test_depayloader_with_hostile_elements)
{
  GstHarness *h = gst_harness_new ("rtph264depay");
  guint8 packet[] = { 0x90, 0xe0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 0xbe, 0xde, 0, 1,
    0, 0, 0, 0, 0x65, 0x88, 0x80, 0x10
  };
  guint length, n;

  gst_harness_set_caps_str (h, RTP_CAPS, "video/x-h264, stream-format="
      "(string)byte-stream, alignment=(string)nal");
  for (length = 0; length < 16; length++) {
    GstBuffer *out;

    packet[3]++;
    packet[7]++;
    packet[16] = 3 << 4 | length;
    assert_equals_int (gst_harness_push (h, gst_buffer_new_memdup (packet,
                sizeof packet)), GST_FLOW_OK);
    out = gst_harness_try_pull (h);
    fail_unless (out != NULL, "length %u", length);
    fail_unless ((reference_of (out, &n) != GST_CLOCK_TIME_NONE) ==
        (length == 2), "length %u", length);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
}

TEST_MAIN (abs_send_time);
