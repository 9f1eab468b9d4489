/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/rtxwait.h"

#include <gst/rtp/gstrtpbuffer.h>

#include "core/rtx-wait.h"

#define LOOK (200 * RCC_MSEC)

typedef struct
{
  /* Requests leave in the thread of the jitterbuffer's timers. The clock is read under it. */
  GMutex lock;
  RccRtxWait wait;
  RccTime looked;
  guint set, most;              /* ms; set: the latency that we gave it */
} Waiter;

static RccTime
clock_now (void)
{
  return (RccTime) g_get_monotonic_time () * RCC_USEC;
}

static void
waiter_free (gpointer data)
{
  Waiter *w = data;

  g_mutex_clear (&w->lock);
  g_free (w);
}

static GstPadProbeReturn
on_event (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  const GstStructure *s = gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info));
  Waiter *w = data;
  guint seq;

  if (!s || !gst_structure_has_name (s, "GstRTPRetransmissionRequest")
      || !gst_structure_get_uint (s, "seqnum", &seq))
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&w->lock);
  rcc_rtx_wait_ask (&w->wait, (guint16) seq, clock_now ());
  g_mutex_unlock (&w->lock);
  return GST_PAD_PROBE_OK;
}

/* A latency that is not what we gave it is somebody else's, and the new least. */
static guint
choose (Waiter * w, guint latency)
{
  const RccTime now = clock_now ();

  if (latency != w->set)
    rcc_rtx_wait_limit (&w->wait, latency * RCC_MSEC, w->most * RCC_MSEC);
  w->set = (guint) (rcc_rtx_wait (&w->wait, now) / RCC_MSEC);
  w->looked = now;
  return w->set;
}

static void
look (Waiter * w, GstElement * jitterbuffer)
{
  guint latency, wait;

  g_object_get (jitterbuffer, "latency", &latency, NULL);
  g_mutex_lock (&w->lock);
  wait = choose (w, latency);
  g_mutex_unlock (&w->lock);
  if (wait == latency)
    return;
  GST_INFO_OBJECT (jitterbuffer, "waits for %u ms, as copies take that long", wait);
  g_object_set (jitterbuffer, "latency", wait, NULL);
}

static GstPadProbeReturn
on_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  Waiter *w = data;
  guint8 seq[2];

  if (gst_buffer_extract (buffer, 2, seq, sizeof seq) == sizeof seq) {
    g_mutex_lock (&w->lock);
    if (GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION))
      rcc_rtx_wait_copy (&w->wait, GST_READ_UINT16_BE (seq), clock_now ());
    else
      rcc_rtx_wait_packet (&w->wait, GST_READ_UINT16_BE (seq), clock_now ());
    g_mutex_unlock (&w->lock);
  }
  if (clock_now () - w->looked >= LOOK)
    look (w, GST_PAD_PARENT (pad));
  return GST_PAD_PROBE_OK;
}

void
gst_rtp_cc_bin_rtx_wait (GstElement * jitterbuffer, guint most)
{
  GstPad *pad = gst_element_get_static_pad (jitterbuffer, "sink");
  Waiter *w = g_new0 (Waiter, 1);

  g_mutex_init (&w->lock);
  w->most = most;
  g_object_get (jitterbuffer, "latency", &w->set, NULL);
  rcc_rtx_wait_init (&w->wait, w->set * RCC_MSEC, most * RCC_MSEC);
  /* Pictures are not spaced by their packets: what it expects next would be asked for in vain. */
  g_object_set (jitterbuffer, "rtx-next-seqnum", FALSE, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, w, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_event, w, NULL);
  g_object_set_data_full (G_OBJECT (jitterbuffer), "rtpcc-rtx-wait", w, waiter_free);
  gst_object_unref (pad);
}
