/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What screamtx gets: feedback, whose num_reports it reads as one less than there are, and packets of
 * one SSRC alone.
 */
#include "peers.h"
#include "screamtx.h"

#include "wire/rtcp.h"

#define SSRC 10

typedef struct {
  guint8 bytes[256];
  RccRtcpPacket packet;
  RccCcfb ccfb;
} Message;

/* Blocks of so many reports; @cut bytes before the timestamp are gone. */
static void
make (Message *m, const guint *reports, guint n, guint cut)
{
  const RccCcfbReport received[8] = { { .received = true } };
  gsize size = rcc_ccfb_begin (m->bytes, sizeof m->bytes, 1);
  RccBytes rest;

  for (guint i = 0; i < n; i++)
    size = rcc_ccfb_add (m->bytes, sizeof m->bytes, size, 10 + i, 65530, received, reports[i]);
  size = rcc_ccfb_end (m->bytes, sizeof m->bytes, size - cut, 7);
  rest = (RccBytes) { m->bytes, size };
  g_assert_true (rcc_rtcp_next (&rest, &m->packet));
  g_assert_true (rcc_ccfb_parse (&m->packet, &m->ccfb));
}

static void
each_block_says_one_less (void)
{
  Message m, before;

  make (&m, (guint[]) { 3, 1, 8 }, 3, 0);
  before = m;
  g_assert_true (call_peer_scream_ccfb (m.bytes, &before.ccfb));
  g_assert_cmpuint (GST_READ_UINT16_BE (m.bytes + 8 + 6), ==, 2);
  g_assert_cmpuint (GST_READ_UINT16_BE (m.bytes + 24 + 6), ==, 0);
  g_assert_cmpuint (GST_READ_UINT16_BE (m.bytes + 36 + 6), ==, 7);
  /* and nothing else is another */
  for (guint at = 8; at <= 36; at += at == 8 ? 16 : 12)
    GST_WRITE_UINT16_BE (m.bytes + at + 6, GST_READ_UINT16_BE (m.bytes + at + 6) + 1);
  g_assert_cmpmem (m.bytes, m.packet.whole.size, before.bytes, before.packet.whole.size);
}

static void
what_it_cannot_read_is_refused (void)
{
  Message m;

  make (&m, (guint[]) { 3, 0 }, 2, 0);
  g_assert_false (call_peer_scream_ccfb (m.bytes, &m.ccfb));
  make (&m, (guint[]) { 2, 8 }, 2, 4);  /* claims more than is there */
  g_assert_false (call_peer_scream_ccfb (m.bytes, &m.ccfb));
}

/* --- packets, past an element in screamtx's place ---------------------------- */

typedef struct {
  GstElement *peer;
  GstPad *before, *sink, *src, *after;  /* before and after are the neighbours' */
  guint in, out;                        /* packets: into the peer, out of it or past it */
} Path;

static GstFlowReturn
into_peer (GstPad *sink, GstObject *parent, GstBuffer *buffer)
{
  Path *path = g_object_get_data (G_OBJECT (sink), "path");

  path->in++;
  return gst_pad_push (path->src, buffer);
}

static GstFlowReturn
out_of_peer (GstPad *after, GstObject *parent, GstBuffer *buffer)
{
  Path *path = g_object_get_data (G_OBJECT (after), "path");

  path->out++;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstPad *
make_sink (const char *name, Path *path, GstPadChainFunction chain)
{
  GstPad *pad = gst_pad_new (name, GST_PAD_SINK);

  g_object_set_data (G_OBJECT (pad), "path", path);
  gst_pad_set_chain_function (pad, chain);
  return pad;
}

static void
make_path (Path *path)
{
  *path = (Path) {
    .peer = gst_object_ref_sink (gst_bin_new ("peer")),
    .before = gst_object_ref_sink (gst_pad_new ("before", GST_PAD_SRC)),
    .sink = make_sink ("sink", path, into_peer), .src = gst_pad_new ("src", GST_PAD_SRC),
    .after = gst_object_ref_sink (make_sink ("after", path, out_of_peer)),
  };
  gst_element_add_pad (path->peer, path->sink);
  gst_element_add_pad (path->peer, path->src);
  gst_pad_link (path->before, path->sink);
  gst_pad_link (path->src, path->after);
  for (guint i = 0; i < 4; i++)
    gst_pad_set_active ((GstPad *[]) { path->before, path->sink, path->src, path->after }[i], TRUE);
  call_screamtx_guard (path->peer, SSRC);
}

static void
begin_stream (GstPad *pad)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start ("video"));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

static GstFlowReturn
push (GstPad *pad, guint32 ssrc)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (12);

  ssrc = GUINT32_TO_BE (ssrc);
  gst_buffer_fill (buffer, 8, &ssrc, sizeof ssrc);
  return gst_pad_push (pad, buffer);
}

static void
drop_path (Path *path)
{
  gst_object_unref (path->peer);
  gst_object_unref (path->before);
  gst_object_unref (path->after);
}

static void
copies_go_past_it (void)
{
  Path path;

  make_path (&path);
  begin_stream (path.before);
  begin_stream (path.src);
  g_assert_cmpint (push (path.before, SSRC), ==, GST_FLOW_OK);
  g_assert_cmpint (push (path.before, SSRC + 1), ==, GST_FLOW_OK);
  g_assert_cmpuint (path.in, ==, 1);
  g_assert_cmpuint (path.out, ==, 2);
  drop_path (&path);
}

static void
what_leaves_behind_the_end_is_taken (void)
{
  Path path;

  make_path (&path);
  begin_stream (path.src);
  gst_pad_send_event (path.after, gst_event_new_eos ());
  g_assert_cmpint (push (path.src, SSRC), ==, GST_FLOW_OK);
  g_assert_cmpuint (path.out, ==, 0);
  drop_path (&path);
}

static void
peers_by_name (void)
{
  g_assert_cmpstr (call_peer_find ("rtpgccbwe")->row.feedbacks[0], ==, "twcc");
  g_assert_cmpstr (call_peer_find ("screamtx")->row.feedbacks[0], ==, "ccfb");
  g_assert_null (call_peer_find ("gcc"));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/peers/each-block-says-one-less", each_block_says_one_less);
  g_test_add_func ("/peers/what-it-cannot-read-is-refused", what_it_cannot_read_is_refused);
  g_test_add_func ("/peers/copies-go-past-it", copies_go_past_it);
  g_test_add_func ("/peers/what-leaves-behind-the-end-is-taken", what_leaves_behind_the_end_is_taken);
  g_test_add_func ("/peers/by-name", peers_by_name);
  return g_test_run ();
}
