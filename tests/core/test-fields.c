/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The names in statistics and in CSV, which programs of others read.
 */
#include "../fields.h"
#include "core/breaker/breaker.h"
#include "core/fbra/cnadu.h"
#include "core/fbra/fbra.h"
#include "core/fbra/config.h"
#include "core/fbra/probe.h"
#include "core/fbra/fecmetrics.h"
#include "core/gcc/config.h"
#include "core/gcc/delay.h"
#include "core/gcc/receiver.h"
#include "core/gcc/sender.h"
#include "core/sbpn/sbpn.h"
#include "core/sbpn/owd.h"
#include "core/nada/nada.h"
#include "core/scream/scream.h"
#include "core/tfrc/tfrc.h"

static void
breaker (void)
{
  assert_fields (rcc_breaker_fields,
      "state, reason, sending, td ns, tdr ns, report-interval ns, rtcp-size B, "
      "circuit-breaker-trigger-count");
  assert_fields (rcc_breaker_stream_fields,
      "ssrc, state, reason, loss-ratio, rtt ns, tcp-bitrate bit/s, send-bitrate bit/s, ceiling bit/s, "
      "packet-size B, frame-interval ns, cb-interval, media-timeout, reports-unreceived, "
      "report-count");
}

static void
cnadu (void)
{
  assert_fields (rcc_cnadu_fields,
      "target-bitrate bit/s, goodput bit/s, rtt ns, rtt-p75 ns, rtt-p90 ns, late-ratio, "
      "loss-event-rate, equation-bitrate bit/s, reason, report-count, undershoots, "
      "feedback-timeout-count");
}

static void
fbra (void)
{
  assert_fields (rcc_fbra_fields,
      "state, reason, target-bitrate bit/s, fec-bitrate bit/s, fec-interval, goodput bit/s, "
      "sent-bitrate bit/s, peak-bitrate bit/s, owd ns, owd-p40 ns, owd-p80 ns, corr-low, "
      "corr-high, rtt-min ns, report-interval ns, losses, discards, parity-packets, "
      "report-count, ignored-report-count, early-report-count, feedback-timeout-count, "
      "probes, probes-passed, probes-without-parity, undershoots, bounces, "
      "queue-rate-variation, queue-shared");
  assert_fields (rcc_fbra_probe_fields,
      "state, reason, external-bitrate bit/s, target-bitrate bit/s, fec-bitrate bit/s, "
      "fec-interval, probes, probes-passed, probe-timeouts");
}

static void
fecmetrics (void)
{
  assert_fields (rcc_fecmetrics_fields,
      "goodput bit/s, media-bitrate bit/s, fec-bitrate bit/s, loss-before-repair %, "
      "loss-after-repair %, frames, frames-lost, frames-lost-protected, frames-recovered, "
      "ffre %, probe-episodes, probe-episodes-right, "
      "probe-episodes-with-parity, frcc %, abu %, tcp-throughput bit/s, "
      "tfs %");
}

static void
gcc (void)
{
  assert_fields (rcc_gcc_sender_fields,
      "target-bitrate bit/s, pacing-bitrate bit/s, delay-target-bitrate bit/s, "
      "loss-target-bitrate bit/s, remb-bitrate bit/s, acked-bitrate bit/s, "
      "sent-bitrate bit/s, loss-ratio, rtt ns, limited-by, report-count, remb-count, "
      "feedback-count, feedback-timeout-count, probe-count");
  assert_fields (rcc_gcc_delay_fields,
      "delay-target-bitrate bit/s, received-bitrate bit/s, delay-variation ms, gradient ms, "
      "trend ms, threshold ms, queuing-delay ns, queue-full, usage, state, groups");
  assert_fields (rcc_gcc_receiver_fields,
      "estimated-bitrate bit/s, reported-bitrate bit/s, packets-received, bytes-received B, "
      "feedback-count, early-feedback-count");
}

static void
nada (void)
{
  assert_fields (rcc_nada_fields,
      "target-bitrate bit/s, pacing-bitrate bit/s, reference-bitrate bit/s, "
      "received-bitrate bit/s, remb-bitrate bit/s, congestion-signal ns, queuing-delay ns, "
      "warped-part, loss-ratio, marking-ratio, loss-interval, rtt ns, state, "
      "base-delay-restarts, feedback-count, report-count, feedback-timeout-count");
}

static void
sbpn (void)
{
  assert_fields (rcc_sbpn_fields,
      "packets-in, bytes-in B, packets-sent, bytes-sent B, packets-sent-expired, "
      "bytes-sent-expired B, packets-dropped-expired, bytes-dropped-expired B, "
      "packets-dropped-full, bytes-dropped-full B, packets-dropped-old, bytes-dropped-old B, "
      "packets-dropped-frame, bytes-dropped-frame B, packets-flushed, bytes-flushed B, "
      "queue-packets, queue-bytes B, frames-broken, frames-broken-begun, queue-time ns, "
      "queue-time-max ns, one-way-delay-used ns");
  assert_fields (rcc_sbpn_class_fields,
      "packets-in, bytes-in B, packets-sent, bytes-sent B, packets-sent-expired, "
      "bytes-sent-expired B, packets-dropped-expired, bytes-dropped-expired B, "
      "packets-dropped-full, bytes-dropped-full B, packets-dropped-old, bytes-dropped-old B, "
      "packets-dropped-frame, bytes-dropped-frame B, packets-flushed, bytes-flushed B, "
      "queue-packets, queue-bytes B, frames-broken, frames-broken-begun, queue-time ns, "
      "queue-time-max ns");
  assert_fields (rcc_sbpn_owd_fields,
      "rtt-used ns, one-way-delay ns");
}

static void
scream (void)
{
  assert_fields (rcc_scream_fields,
      "target-bitrate bit/s, pacing-bitrate bit/s, remb-bitrate bit/s, reference-window B, "
      "inflection-point B, bytes-in-flight B, rtt ns, queuing-delay ns, queuing-delay-mean ns, "
      "delay-scale, l4s-alpha, loss-ratio, state, queue-adjustment, frame-size-deviation, "
      "lost-count, ce-count, loss-reaction-count, ce-reaction-count, queue-reaction-count, "
      "base-delay-reset-count, feedback-count, feedback-timeout-count");
}

static void
tfrc (void)
{
  assert_fields (rcc_tfrc_fields,
      "target-bitrate bit/s, pacing-bitrate bit/s, x-bitrate bit/s, equation-bitrate bit/s, "
      "x-recv-bitrate bit/s, remb-bitrate bit/s, loss-event-rate, rtt ns, packet-size B, "
      "loss-source, state, data-limited, loss-event-count, lost-count, feedback-count, "
      "report-count, remb-count, feedback-timeout-count");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fields/breaker", breaker);
  g_test_add_func ("/fields/cnadu", cnadu);
  g_test_add_func ("/fields/fbra", fbra);
  g_test_add_func ("/fields/fecmetrics", fecmetrics);
  g_test_add_func ("/fields/gcc", gcc);
  g_test_add_func ("/fields/nada", nada);
  g_test_add_func ("/fields/sbpn", sbpn);
  g_test_add_func ("/fields/scream", scream);
  g_test_add_func ("/fields/tfrc", tfrc);
  return g_test_run ();
}
