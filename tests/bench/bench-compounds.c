/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each row is the worst of a format that we know, told by the session's receiver
 * (who is believed) or by somebody else, to a sender of 16 streams whose packets have all been
 * told of already.  News are paid for by what was sent: the last rows say what they cost, for
 * each packet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <glib.h>

#include "bench-compounds.h"
#include "core/gcc/sender.h"
#include "wire/ccfb.h"
#include "wire/feedback-rtcp.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"
#include "wire/xr-rle.h"
#include "wire/xr-times.h"

#define STREAMS 16
#define PACKETS 4096                    /* of each */
#define MEDIA 0x11000000u
#define PEER 0x70656572u
#define STRANGER 0x12345678u
#define ROUNDS 400
#define SMALL 1500
#define LARGE 65000

static RccFeedback feedback;
static RccGccSender sender;
static RccTime now;

static gdouble
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
}

/* --- compounds ------------------------------------------------------------ */

typedef gsize (*Make) (guint32 from, guint n, guint8 *out, gsize size);

/* 31 blocks in each RR, of all streams in turn, and news each time. */
static gsize
reports (guint32 from, guint n, guint8 *out, gsize size)
{
  static guint call;
  RccReportBlock blocks[31];

  for (guint i = 0; i < 31; i++) {
    call++;
    blocks[i] = (RccReportBlock) { .ssrc = MEDIA + (31 * n + i) % STREAMS, .fraction = 9,
      .lost = (gint32) (call % 100), .highest_seq = PACKETS - 2 - call % 16 };
  }
  return rcc_rtcp_build_rr (out, size, from, blocks, 31);
}

static gsize
remb (guint32 from, guint n, guint8 *out, gsize size)
{
  guint32 ssrcs[255];

  for (guint i = 0; i < 255; i++)       /* ours is the last */
    ssrcs[i] = i < 254 ? 0x55000000u + i * 7919 : MEDIA;
  return rcc_remb_build (out, size, from, 1000000 + n, ssrcs, 255);
}

static gsize
tmmbr (guint32 from, guint n, guint8 *out, gsize size)
{
  RccTmmbrEntry entries[16];

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    entries[i] = (RccTmmbrEntry) { MEDIA + i % STREAMS, 1000000 + n * 64 + i * 1000, 40 };
  return rcc_tmmbr_build (out, size, from, false, entries, G_N_ELEMENTS (entries));
}

/* 24 bytes that name 8191 packets. */
static gsize
twcc (guint32 from, guint n, guint8 *out, gsize size)
{
  static const guint8 message[24] = { 0x8f, 205, 0, 5, 0, 0, 0, 0, MEDIA >> 24, 0, 0, 0,
    0, 0, 0x1f, 0xff, 0, 0, 0, 0, 0x1f, 0xff, 0, 0 };

  if (size < sizeof message)
    return 0;
  memcpy (out, message, sizeof message);
  rcc_put32 (out + 4, from);
  rcc_put16 (out + 12, (guint16) (n * 8191));
  return sizeof message;
}

static gsize
twcc_received (guint32 from, guint n, guint8 *out, gsize size)
{
  const RccTwcc head = { .sender_ssrc = from, .media_ssrc = MEDIA,
    .base_seq = (guint16) (n * 500) };
  static RccTwccStatus statuses[500];
  guint done;

  for (guint i = 0; i < 500; i++)
    statuses[i] = (RccTwccStatus) { true, (gint64) i * 250 };
  return rcc_twcc_build (out, size, &head, statuses, 500, &done);
}

static gsize
ccfb (guint32 from, guint n, guint8 *out, gsize size)
{
  RccCcfbReport r[600];
  gsize used = rcc_ccfb_begin (out, size, from);

  for (guint i = 0; i < G_N_ELEMENTS (r); i++)
    r[i] = (RccCcfbReport) { true, RCC_ECN_NOT_ECT, i * RCC_MSEC };
  used = used ? rcc_ccfb_add (out, size, used, MEDIA + n % STREAMS, (guint16) (n * 600 % PACKETS),
      r, G_N_ELEMENTS (r)) : 0;
  return used ? rcc_ccfb_end (out, size, used, 65536) : 0;
}

/* Blocks of one run each: 16 bytes for 16383 numbers. */
static gsize
xr_runs (guint32 from, guint n, guint8 *out, gsize size)
{
  guint8 block[16] = { 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0x3f, 0xff, 0x7f, 0xff, 0, 0 };
  const gsize used = rcc_xr_begin (out, size, from);

  if (used == 0 || size < used + sizeof block)
    return 0;
  rcc_put32 (block + 4, MEDIA + n % STREAMS);
  memcpy (out + used, block, sizeof block);
  rcc_rtcp_put_header (out, RCC_RTCP_XR, 0, used + sizeof block);
  return used + sizeof block;
}

static bool
ticks_of (void *user, guint16 seq, guint32 *ticks)
{
  *ticks = 90u * seq;
  return true;
}

static gsize
xr_times (guint32 from, guint n, guint8 *out, gsize size)
{
  const RccXrRange range = { MEDIA + n % STREAMS, 0, 300, 0 };
  guint16 end;
  const gsize used = rcc_xr_begin (out, size, from);

  return used ? rcc_xr_times_add (out, size, used, &range, ticks_of, NULL, &end) : 0;
}

/* The least there is: packets of four bytes. */
static gsize
byes (guint32 from, guint n, guint8 *out, gsize size)
{
  static const guint8 bye[4] = { 0x80, 203, 0, 0 };

  if (size < sizeof bye)
    return 0;
  memcpy (out, bye, sizeof bye);
  return sizeof bye;
}

static const struct {
  const gchar *name;
  Make make;
} formats[] = {
  { "RR, 31 blocks", reports }, { "REMB, 255 SSRCs", remb }, { "TMMBR, 16 entries", tmmbr },
  { "TWCC, 24 B that name 8191", twcc }, { "TWCC, all received", twcc_received },
  { "RFC 8888", ccfb }, { "XR, runs of 16383", xr_runs }, { "XR, receipt times", xr_times },
  { "BYE of 4 B", byes },
};

/* As many of them as @most bytes have room for, behind an RR that says nothing. */
static gsize
compound (Make make, guint32 from, guint first, guint8 *out, gsize most)
{
  gsize used = rcc_rtcp_build_rr (out, most, from, NULL, 0), more;

  for (guint n = first; (more = make (from, n, out + used, most - used)) > 0; n++)
    used += more;
  return used;
}

/* --- the sender ----------------------------------------------------------- */

static void
send_packets (guint n)
{
  static guint16 seqs[STREAMS], transport;

  for (guint i = 0; i < n; i++) {
    const RccRtp rtp = { .ssrc = MEDIA + i % STREAMS, .seq = seqs[i % STREAMS]++ };
    const RccPacket packet = { .ssrc = rtp.ssrc, .size = 1200, .sent = now,
      .arrived = RCC_NEVER };

    now += 10 * RCC_USEC;
    rcc_feedback_sent (&feedback, &rtp, transport++,
        &(RccPacket) { .size = 1200, .sent = now });
    rcc_tell (&sender.sender, on_sent, &packet);
  }
}

static void
begin (void)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccConfig limits = { 100000, 1000000, 100000000 };

  rcc_feedback_clear (&feedback);
  rcc_feedback_init (&feedback, g_realloc);
  rcc_gcc_sender_init (&sender, &config, &limits);
  now = 1000 * RCC_SEC;
  for (guint i = 0; i < STREAMS; i++)
    rcc_feedback_clock_rate (&feedback, MEDIA + i, 90000);
  send_packets (STREAMS * PACKETS);
}

static gdouble
hear (const guint8 *bytes, gsize size)
{
  const gdouble start = cpu_ns ();

  rcc_feedback_rtcp (&feedback, (RccBytes) { bytes, size }, 0, now, &sender.sender);
  return cpu_ns () - start;
}

static gint
by_value (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static void
measure (const gchar *name, Make make, guint32 from, gsize most)
{
  static guint8 bytes[LARGE];
  gdouble times[ROUNDS];
  gsize size = 0;

  begin ();
  for (guint i = 0; i < ROUNDS; i++) {
    now += 20 * RCC_MSEC;
    /* the first ones make @from the one who tells, and all known */
    size = compound (make, i < 200 ? PEER : from, i < 200 ? i * 300 : i, bytes, most);
    times[i] = hear (bytes, size);
  }
  qsort (times + 200, ROUNDS - 200, sizeof times[0], by_value);
  printf ("%-28s %-10s %7zu %10.1f %10.1f %7.2f\n", name, from == PEER ? "receiver" : "stranger",
      size, times[300] / 1e3, MIN (2 + 0.05 * size, 200), times[300] / 1e3
      / MIN (2 + 0.05 * size, 200));
}

/* Each round's packets are told of for the first time, in @format. */
static void
measure_news (const gchar *name, bool lost, guint n)
{
  static guint8 bytes[LARGE];
  gdouble times[ROUNDS];
  guint16 base = 0;
  gsize size = 0;

  begin ();
  base = (guint16) (STREAMS * PACKETS);
  for (guint i = 0; i < ROUNDS; i++) {
    const RccTwcc head = { .sender_ssrc = PEER, .media_ssrc = MEDIA, .base_seq = base };
    static RccTwccStatus statuses[2000];
    guint done = 0;

    send_packets (n);
    now += 20 * RCC_MSEC;
    for (guint k = 0; k < n; k++)
      statuses[k] = lost && k + 1 < n ? (RccTwccStatus) { 0 }
          : (RccTwccStatus) { true, (gint64) (now / 1000 + k) };
    size = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, NULL, 0);
    size += rcc_twcc_build (bytes + size, sizeof bytes - size, &head, statuses, n, &done);
    base = (guint16) (base + n);
    times[i] = hear (bytes, size);
    g_assert (done == n);
  }
  qsort (times, ROUNDS, sizeof times[0], by_value);
  printf ("%-28s %-10s %7zu %10.1f %10u %7.1f\n", name, "receiver", size, times[ROUNDS / 2] / 1e3, n,
      times[ROUNDS / 2] / n);
}

void
bench_compounds (void)
{
  printf ("%-28s %-10s %7s %10s %10s %7s\n", "compound of", "from", "bytes", "us", "bound, us",
      "of it");
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    measure (formats[i].name, formats[i].make, PEER, SMALL);
    measure (formats[i].name, formats[i].make, PEER, LARGE);
    measure (formats[i].name, formats[i].make, STRANGER, SMALL);
    measure (formats[i].name, formats[i].make, STRANGER, LARGE);
  }
  printf ("\n%-28s %-10s %7s %10s %10s %7s\n", "news of", "from", "bytes", "us", "packets",
      "ns each");
  measure_news ("TWCC, lost", true, 2000);
  measure_news ("TWCC, received", false, 500);
  rcc_feedback_clear (&feedback);
}
