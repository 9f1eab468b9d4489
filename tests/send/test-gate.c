/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The breaker's gate: what passes, what is dropped and counted, what each stream may send.
 * The breaker itself is core's.
 */
#include <glib.h>

#include "send/gate.h"
#include "wire/rtcp.h"

#define S RCC_SEC
#define MS RCC_MSEC
#define VIDEO 0x11u
#define AUDIO 0x22u

static RccGate gate;
static guint16 seqs[2];

static void
begin (gboolean enforce)
{
  const RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);

  rcc_gate_clear (&gate);
  gate.enforce = enforce;
  rcc_gate_start (&gate, &config, 0, 0);
  seqs[0] = seqs[1] = 0;
}

/* 100 B; @update: what is said to it. */
static gboolean
pass (guint32 ssrc, RccTime now, RccUpdate *update)
{
  guint16 *seq = &seqs[ssrc == AUDIO];
  const RccRtp rtp = { .ssrc = ssrc, .seq = ++*seq, .timestamp = (guint32) (now / MS * 90),
    .header_size = 12 };

  *update = (RccUpdate) { 0 };
  return rcc_gate_rtp (&gate, &rtp, 100, 90000, now, update);
}

/* A report that nothing of @ssrc has come since the one before. */
static RccUpdate
report_loss (guint32 ssrc, guint16 highest, RccTime now)
{
  const RccReportBlock block = { .ssrc = ssrc, .fraction = 255, .lost = highest,
    .highest_seq = highest };
  guint8 bytes[256];
  gsize size = rcc_rtcp_build_rr (bytes, sizeof bytes, 99, &block, 1);

  size += rcc_rtcp_build_cname (bytes + size, sizeof bytes - size, 99, "r");
  return rcc_gate_rtcp (&gate, (RccBytes) { bytes, size }, 0, now);
}

/* The video's receiver hears nothing of it for ten reports: the breaker opens. */
static RccTime
open_it (void)
{
  RccUpdate update;
  RccTime now = 0;

  for (guint i = 0; i < 1000 && gate.breaker.state != RCC_BREAKER_OPEN; i++, now += 10 * MS) {
    pass (VIDEO, now, &update);
    if (i % 50 == 49)
      report_loss (VIDEO, 1, now);
  }
  g_assert_cmpint (gate.breaker.state, ==, RCC_BREAKER_OPEN);
  return now;
}

static void
what_is_stopped_is_dropped (void)
{
  RccUpdate update;
  RccTime now;

  begin (TRUE);
  g_assert_null (rcc_gate_stream (&gate, VIDEO));
  g_assert_true (pass (VIDEO, 0, &update));
  g_assert_nonnull (rcc_gate_stream (&gate, VIDEO));
  g_assert_cmpuint (rcc_gate_allows (&gate, rcc_gate_stream (&gate, VIDEO)), ==, UINT32_MAX);
  g_assert_false (rcc_gate_is_shut (&gate));
  now = open_it ();
  g_assert_cmpuint (gate.packets_dropped, ==, 0);
  g_assert_false (pass (VIDEO, now, &update));
  g_assert_false (pass (VIDEO, now, &update));
  g_assert_cmpuint (gate.packets_dropped, ==, 2);
  g_assert_cmpuint (gate.bytes_dropped, ==, 200);
  g_assert_cmpuint (rcc_gate_allows (&gate, rcc_gate_stream (&gate, VIDEO)), ==, 0);
  g_assert_true (rcc_gate_is_shut (&gate));
}

static void
who_only_notifies_drops_nothing (void)
{
  RccUpdate update;
  RccTime now;

  begin (FALSE);
  now = open_it ();
  g_assert_true (pass (VIDEO, now, &update));
  g_assert_cmpuint (gate.packets_dropped, ==, 0);
  g_assert_cmpuint (rcc_gate_allows (&gate, rcc_gate_stream (&gate, VIDEO)), ==, UINT32_MAX);
}

/* What is stopped stays so over a restart that is held. */
static void
a_restart_may_be_held (void)
{
  const RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccUpdate update;

  begin (TRUE);
  open_it ();
  rcc_gate_start (&gate, &config, 3 * S, 0);
  g_assert_false (pass (VIDEO, 0, &update));
  g_assert_cmpuint (gate.packets_dropped, ==, 1);
  rcc_gate_start (&gate, &config, 0, 0);
  g_assert_true (pass (VIDEO, 0, &update));
  g_assert_cmpuint (gate.packets_dropped, ==, 0);
}

int
main (int argc, char **argv)
{
  rcc_gate_init (&gate, g_realloc);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gate/what-is-stopped-is-dropped", what_is_stopped_is_dropped);
  g_test_add_func ("/gate/who-only-notifies", who_only_notifies_drops_nothing);
  g_test_add_func ("/gate/a-restart-may-be-held", a_restart_may_be_held);
  return g_test_run ();
}
