/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/fecmetrics.h"

const RccField rcc_fecmetrics_fields[] = {
  RCC_FIELD (RccFecMetrics, goodput_bps, "goodput", RCC_DOUBLE, "bit/s"),
  RCC_FIELD (RccFecMetrics, media_bps, "media-bitrate", RCC_DOUBLE, "bit/s"),
  RCC_FIELD (RccFecMetrics, fec_bps, "fec-bitrate", RCC_DOUBLE, "bit/s"),
  RCC_FIELD (RccFecMetrics, loss_before, "loss-before-repair", RCC_DOUBLE, "%"),
  RCC_FIELD (RccFecMetrics, loss_after, "loss-after-repair", RCC_DOUBLE, "%"),
  RCC_FIELD (RccFecMetrics, frames, "frames", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, frames_lost, "frames-lost", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, frames_protected, "frames-lost-protected", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, frames_recovered, "frames-recovered", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, ffre, "ffre", RCC_DOUBLE, "%"),
  RCC_FIELD (RccFecMetrics, probes, "probe-episodes", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, probes_right, "probe-episodes-right", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, probes_covered, "probe-episodes-with-parity", RCC_U64, ""),
  RCC_FIELD (RccFecMetrics, frcc, "frcc", RCC_DOUBLE, "%"),
  RCC_FIELD (RccFecMetrics, abu, "abu", RCC_DOUBLE, "%"),
  RCC_FIELD (RccFecMetrics, tcp_bps, "tcp-throughput", RCC_DOUBLE, "bit/s"),
  RCC_FIELD (RccFecMetrics, tfs, "tfs", RCC_DOUBLE, "%"),
  RCC_FIELDS_END,
};

void
rcc_fecmetrics_init (RccFecMetrics *m)
{
  *m = (RccFecMetrics) { .state = RCC_FBRA_STAY };
}

void
rcc_fecmetrics_state (RccFecMetrics *m, RccFbraState state)
{
  if (state == RCC_FBRA_PROBE) {
    m->covered &= m->probing;
    m->probing = true;
  } else if (m->probing && state != RCC_FBRA_UP) {
    m->probes++;
    m->probes_right += state == RCC_FBRA_STAY;
    m->probes_covered += m->covered;
    m->probing = false;
  }
  m->state = state;
}

void
rcc_fecmetrics_media (RccFecMetrics *m, uint32_t bytes, RccMediaOutcome outcome,
    bool recovered)
{
  const bool gone = outcome != RCC_MEDIA_GOOD;

  m->media_packets++;
  m->media_bytes += bytes;
  m->lost += outcome == RCC_MEDIA_LOST;
  m->late += outcome == RCC_MEDIA_LATE;
  m->recovered += gone && recovered;
  m->good_bytes += !gone || recovered ? bytes : 0;
}

void
rcc_fecmetrics_parity (RccFecMetrics *m, uint32_t bytes)
{
  m->parity_packets++;
  m->probes_covered += !m->probing && !m->covered && m->probes > 0;
  m->covered = true;
  m->parity_bytes += bytes;
}

void
rcc_fecmetrics_frame (RccFecMetrics *m, bool lost, bool covered, bool recovered)
{
  m->frames++;
  m->frames_lost += lost;
  m->frames_protected += lost && covered;
  m->frames_recovered += lost && covered && recovered;
}

void
rcc_fecmetrics_capacity (RccFecMetrics *m, double bps, RccTime span)
{
  m->capacity_bits += bps * (double) span * 1e-9;
}

void
rcc_fecmetrics_tcp (RccFecMetrics *m, double bps, double capacity_bps, unsigned flows)
{
  m->tcp_bps = bps;
  m->fair_bps = flows > 0 ? capacity_bps / flows : 0.0;
}

static double
percent (double part, double whole)
{
  return whole > 0 ? 100.0 * part / whole : 0.0;
}

void
rcc_fecmetrics_close (RccFecMetrics *m, RccTime span)
{
  const double rate = span > 0 ? 8e9 / (double) span : 0.0;
  const uint64_t gone = m->lost + m->late;

  m->goodput_bps = rate * (double) m->good_bytes;
  m->media_bps = rate * (double) m->media_bytes;
  m->fec_bps = rate * (double) m->parity_bytes;
  m->loss_before = percent ((double) gone, (double) m->media_packets);
  m->loss_after = percent ((double) (gone - m->recovered), (double) m->media_packets);
  m->frcc = percent ((double) m->probes_right, (double) m->probes);
  m->ffre = percent ((double) m->frames_recovered, (double) m->frames_protected);
  m->abu = percent (8.0 * (double) m->good_bytes, m->capacity_bits);
  m->tfs = percent (m->tcp_bps, m->fair_bps);
}
