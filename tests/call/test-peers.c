/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Feedback for screamtx, which reads num_reports as one less than there are.
 */
#include "peers.h"

#include "wire/rtcp.h"

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
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/peers/each-block-says-one-less", each_block_says_one_less);
  g_test_add_func ("/peers/what-it-cannot-read-is-refused", what_it_cannot_read_is_refused);
  g_test_add_func ("/peers/by-name", peers_by_name);
  return g_test_run ();
}
