/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * "It can be applied to any other rate control algorithm" (the paper's section 7).
 */
#include <glib.h>
#include "core/fbra/probe.h"
#include "core/gcc/sender.h"
#include "link.h"

#define DELAY (50 * RCC_MSEC)

static const RccConfig limits = { 10000, 100000, 2000000 };

static RccFbraProbe p;

/* GCC over the link, its target through the probe: one is told what the other is. */
static RccGccSender gcc;

static RccUpdate
both_config (RccSender *s, const RccConfig *config, RccTime at)
{
  return rcc_tell (&p.sender, on_config, config, at);
}

static RccUpdate
both_sent (RccSender *s, const RccPacket *packet)
{
  RccPacket plain = *packet;

  plain.probe = 0;                      /* GCC has clusters of its own */
  rcc_tell (&gcc.sender, on_sent, &plain);
  return rcc_tell (&p.sender, on_sent, packet);
}

static RccUpdate
both_report (RccSender *s, const RccReport *r, RccTime at)
{
  rcc_tell (&gcc.sender, on_report, r, at);
  return rcc_tell (&p.sender, on_report, r, at);
}

static RccUpdate
both_feedback (RccSender *s, const RccPacket *packets, size_t n, RccTime at)
{
  static RccPacket plain[PENDING];

  for (gsize i = 0; i < n; i++) {
    plain[i] = packets[i];
    plain[i].probe = 0;
  }
  rcc_tell (&gcc.sender, on_feedback, plain, n, at);
  return rcc_tell (&p.sender, on_feedback, packets, n, at);
}

static RccUpdate
both_rtcp (RccSender *s, const RccRtcp *r, RccTime at)
{
  rcc_fbra_external (&p, gcc.target_bps, at);
  return rcc_tell (&p.sender, on_rtcp, r, at);
}

static RccTime
both_deadline (const RccSender *s)
{
  return MIN (rcc_deadline (&gcc.sender), rcc_deadline (&p.sender));
}

static RccUpdate
both_on_deadline (RccSender *s, RccTime at)
{
  rcc_tell (&gcc.sender, on_deadline, at);
  rcc_fbra_external (&p, gcc.target_bps, at);
  return rcc_tell (&p.sender, on_deadline, at);
}

static const RccSenderOps both_ops = {
  .on_config = both_config, .on_sent = both_sent, .on_report = both_report,
  .on_feedback = both_feedback, .on_rtcp = both_rtcp, .deadline = both_deadline,
  .on_deadline = both_on_deadline,
};

/* Kbit/s of 1000 in 40 s, then of 500 in 20. */
typedef struct {
  double good, later, bad;              /* of the packets sent, lost or late: per cent */
} Outcome;

static Outcome
gcc_call (gboolean parity_first)
{
  static const Step steps[] = { { 0, 1000000 }, { 40 * RCC_SEC, 500000 }, { 0, 0 } };
  static const guint none = 0;
  static RccSender both = { .ops = &both_ops };
  static Link l;
  const RccFbraProbeConfig probe_config = rcc_fbra_probe_config ();
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  Outcome o;

  rcc_fbra_probe_init (&p, &probe_config, &limits);
  config.probe_factor = 0;              /* no clusters: the parity is the probe */
  rcc_gcc_sender_init (&gcc, &config, &limits);
  rcc_fbra_external (&p, gcc.target_bps, 0);
  l = (Link) { .sender = parity_first ? &both : &gcc.sender, .owd = DELAY,
    .target = parity_first ? &p.target_bps : &gcc.target_bps,
    .fec = parity_first ? &p.fec_bps : &none, .n = parity_first ? &p.fec_interval : &none,
    .schedule = steps };
  link_start (&l);
  while (l.now < 40 * RCC_SEC) {
    link_step (&l);
    g_assert_cmpuint (p.target_bps, <=, p.external_bps);
  }
  o.good = 8e-3 * (double) l.media_good / 40;
  while (l.now < 60 * RCC_SEC)
    link_step (&l);
  o.later = 8e-3 * (double) l.media_good / 20 - 2 * o.good;
  o.bad = 100.0 * (double) (l.packets_lost + l.packets_late) / (double) l.packets_sent;
  g_test_message ("GCC %s: %.0f kbit/s of 1000, then %.0f of 500; %.1f %% parity, lost or"
      " late %.2f %%, probes %" G_GUINT64_FORMAT ", passed %" G_GUINT64_FORMAT,
      parity_first ? "with parity first" : "alone", o.good, o.later,
      100.0 * (double) l.parity_sent / (double) (l.parity_sent + l.media_sent), o.bad,
      p.probes, p.probes_passed);
  return o;
}

/* What it costs is the parity and a report per step; what it must not cost is the rate. */
static void
gcc_climbs_through_it (void)
{
  const Outcome alone = gcc_call (FALSE), probed = gcc_call (TRUE);

  g_assert_cmpuint (p.probes_passed, >, 10);
  g_assert_cmpfloat (probed.good, >, 0.8 * alone.good);
  g_assert_cmpfloat (probed.later, >, 0.8 * alone.later);
  g_assert_cmpfloat (probed.bad, <, alone.bad + 1.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra-probe-gcc/gcc-climbs-through-it", gcc_climbs_through_it);
  return g_test_run ();
}
