/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each reader takes its own type and format of RTCP and no other, whatever follows.
 */
#include "wire-test.h"
#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/nack.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"
#include "wire/xr-rtt.h"

#define OURS 0x11111111u
#define MEDIA 0xaaaa0000u

static bool
nack (const RccRtcpPacket *p)
{
  RccNack nack;

  return rcc_nack_parse (p, &nack);
}

static bool
remb (const RccRtcpPacket *p)
{
  RccRemb remb;

  return rcc_remb_parse (p, &remb);
}

static bool
tmmbr (const RccRtcpPacket *p)
{
  RccTmmbr tmmbr;

  return rcc_tmmbr_parse (p, &tmmbr) && !tmmbr.notification;
}

static bool
tmmbn (const RccRtcpPacket *p)
{
  RccTmmbr tmmbr;

  return rcc_tmmbr_parse (p, &tmmbr) && tmmbr.notification;
}

static bool
twcc (const RccRtcpPacket *p)
{
  RccTwcc twcc;

  return rcc_twcc_parse (p, &twcc);
}

static bool
ccfb (const RccRtcpPacket *p)
{
  RccCcfb ccfb;

  return rcc_ccfb_parse (p, &ccfb);
}

static bool
ecn (const RccRtcpPacket *p)
{
  RccEcnFeedback fb;

  return rcc_ecn_parse (p, &fb);
}

static bool
xr (const RccRtcpPacket *p)
{
  RccXr xr;

  return rcc_xr_parse (p, &xr);
}

static bool
feedback (const RccRtcpPacket *p)
{
  RccRtcpFeedback fb;

  return rcc_rtcp_feedback (p, &fb);
}

static bool
report (const RccRtcpPacket *p)
{
  RccRtcpReport report;

  return rcc_rtcp_report (p, &report);
}

static gsize
build_ccfb (guint8 *out, gsize size)
{
  const RccCcfbReport reports[2] = { { .received = true }, { .received = false } };
  gsize used = rcc_ccfb_begin (out, size, OURS);

  used = rcc_ccfb_add (out, size, used, MEDIA, 7, reports, 2);
  return rcc_ccfb_end (out, size, used, 12345);
}

static gsize
build_twcc (guint8 *out, gsize size)
{
  const RccTwccStatus statuses[2] = { { true, 64000 }, { true, 65000 } };
  const RccTwcc head = { .sender_ssrc = OURS, .media_ssrc = MEDIA, .base_seq = 7 };
  guint done;

  return rcc_twcc_build (out, size, &head, statuses, 2, &done);
}

/* @count -1: bits that the type has another use for. */
static void
only (const guint8 *data, gsize size, bool (*reads) (const RccRtcpPacket *p), guint type,
    gint count)
{
  guint8 bytes[256];

  g_assert_cmpuint (size, >, 0);
  memcpy (bytes, data, size);
  for (guint t = 192; t < 224; t++)
    for (guint n = 0; n < 32; n++) {
      RccBytes rest = { bytes, size };
      RccRtcpPacket p;

      bytes[0] = (guint8) (0x80 | n);
      bytes[1] = (guint8) t;
      if (rcc_rtcp_next (&rest, &p))
        g_assert_cmpint (reads (&p), ==, t == type && (count < 0 || n == (guint) count));
      else
        g_assert_false (t == type && (gint) n == count);
    }
}

static void
each_reads_its_own (void)
{
  const guint32 ssrcs[] = { MEDIA };
  const guint16 seqs[] = { 1, 2, 9 };
  const RccTmmbrEntry entry = { .ssrc = MEDIA, .bps = 100000, .overhead = 40 };
  const RccEcnFeedback marks = { .counters = { .ssrc = MEDIA } };
  guint8 b[256];
  gsize n;

  only (b, rcc_nack_build (b, sizeof b, OURS, MEDIA, seqs, 3), nack, 205, 1);
  only (b, rcc_tmmbr_build (b, sizeof b, OURS, false, &entry, 1), tmmbr, 205, 3);
  only (b, rcc_tmmbr_build (b, sizeof b, OURS, true, &entry, 1), tmmbn, 205, 4);
  only (b, rcc_ecn_build (b, sizeof b, &marks), ecn, 205, 8);
  only (b, build_ccfb (b, sizeof b), ccfb, 205, 11);
  only (b, build_twcc (b, sizeof b), twcc, 205, 15);
  only (b, rcc_remb_build (b, sizeof b, OURS, 500000, ssrcs, 1), remb, 206, 15);
  n = rcc_xr_begin (b, sizeof b, OURS);
  only (b, rcc_xr_rrtr_add (b, sizeof b, n, 77), xr, 207, -1);
}

/* RFC 4585 6.1 and RFC 3550 6.4: two types each, whatever the format or count is. */
static void
what_begins_alike_is_two_types (void)
{
  guint8 bytes[64] = { 0x80, 0, 0, 15 };

  for (guint t = 192; t < 224; t++)
    for (guint n = 0; n < 32; n++) {
      RccRtcpPacket p;

      bytes[0] = (guint8) (0x80 | n);
      bytes[1] = (guint8) t;
      p = only_packet (bytes, sizeof bytes);
      g_assert_cmpint (feedback (&p), ==, t == 205 || t == 206);
      g_assert_cmpint (report (&p), ==, t == 200 || t == 201);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/types/each-reads-its-own", each_reads_its_own);
  g_test_add_func ("/types/what-begins-alike-is-two-types", what_begins_alike_is_two_types);
  return g_test_run ();
}
