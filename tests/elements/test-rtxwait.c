/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The wait of a jitterbuffer for copies (bin/rtxwait.h). Its clock is the machine's: what is
 * asserted holds however late that is.
 */
#include <gst/rtp/rtp.h>

#include "rig.h"
#include "rtpcc/bin/rtxwait.h"

#define LEAST 200
#define LOOKS (250 * 1000)              /* us: it looks at each packet, 200 ms apart */

static GstHarness *
begin (guint most)
{
  GstHarness *h = gst_harness_new ("rtpjitterbuffer");

  g_object_set (h->element, "latency", LEAST, NULL);
  gst_rtp_cc_bin_rtx_wait (h->element, most);
  gst_harness_set_src_caps_str (h, "application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=VP8,payload=96");
  return h;
}

static guint
latency_after (GstHarness *h, GstBuffer *buffer)        /* takes it */
{
  guint latency;

  g_usleep (LOOKS);
  gst_harness_push (h, buffer);
  g_object_get (h->element, "latency", &latency, NULL);
  return latency;
}

static GstBuffer *
copy_of (guint16 seq)
{
  GstBuffer *copy = rtp_packet (5, seq, seq * 3000, FALSE, 100);

  GST_BUFFER_FLAG_SET (copy, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  return copy;
}

static void
ask (GstHarness *h, guint seq)
{
  gst_harness_push_upstream_event (h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, seq, NULL)));
}

static GstBuffer *
packet (guint16 seq)
{
  return rtp_packet (5, seq, seq * 3000, FALSE, 100);
}

/* By RTX, or by who does not know RFC 4588: the packet itself, once more. */
static GstBuffer *(*const sent_again[]) (guint16 seq) = { copy_of, packet };

TEST_EACH (test_grows_with_late_copies, G_N_ELEMENTS (sent_again))
{
  GstHarness *h = begin (10000);

  gst_harness_push (h, packet (1));
  ask (h, 2);
  ask (h, 3);
  g_usleep (400 * 1000);
  fail_unless_equals_int (latency_after (h, sent_again[__i__] (2)), LEAST);
  fail_unless (latency_after (h, sent_again[__i__] (3)) >= (400 + LOOKS / 1000) * 3 / 2);
  gst_harness_teardown (h);
}

TEST (test_no_further_than_it_may)
{
  GstHarness *h = begin (LEAST + 70);

  gst_harness_push (h, rtp_packet (5, 1, 1 * 3000, FALSE, 100));
  ask (h, 2);
  ask (h, 3);
  g_usleep (LOOKS);
  gst_harness_push (h, copy_of (2));
  fail_unless_equals_int (latency_after (h, copy_of (3)), LEAST + 70);
  gst_harness_teardown (h);
}

/* Copies that nobody asked for, and what is none. */
TEST (test_forged)
{
  GstHarness *h = begin (10000);
  GstBuffer *bytes;

  gst_harness_push (h, rtp_packet (5, 1, 1 * 3000, FALSE, 100));
  ask (h, 7);
  gst_harness_push_upstream_event (h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_STRING, "2", NULL)));
  for (guint size = 0; size < 16; size++) {
    bytes = gst_buffer_new_allocate (NULL, size, NULL);
    gst_buffer_memset (bytes, 0, 0, size);
    GST_BUFFER_FLAG_SET (bytes, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
    gst_harness_push (h, bytes);
  }
  for (guint16 seq = 2; seq < 7; seq++)
    gst_harness_push (h, copy_of (seq));
  fail_unless_equals_int (latency_after (h, copy_of (0)), LEAST);
  gst_harness_teardown (h);
}

/* Who sets the latency has set the least. */
TEST (test_latency_of_others)
{
  GstHarness *h = begin (10000);

  gst_harness_push (h, rtp_packet (5, 1, 1 * 3000, FALSE, 100));
  g_object_set (h->element, "latency", 900, NULL);
  fail_unless_equals_int (latency_after (h, rtp_packet (5, 2, 2 * 3000, FALSE, 100)), 900);
  g_object_set (h->element, "latency", 50, NULL);
  fail_unless_equals_int (latency_after (h, rtp_packet (5, 3, 3 * 3000, FALSE, 100)), 50);
  gst_harness_teardown (h);
}

TEST_MAIN (rtxwait);
