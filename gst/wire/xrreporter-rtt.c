/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How xrreporter.h learns the round trip: DLRR and report blocks echo what we have sent.
 */
#include "wire/xr-rtt.h"
#include "wire/xrreporter.h"

static bool
hear_dlrr (RccXrReporter *r, RccBytes entries, RccTime now)
{
  RccXrDlrr entry;
  bool any = false;

  while (rcc_xr_dlrr_next (&entries, &entry)) {
    RccTime sample;

    if (entry.ssrc != r->source.ssrc || entry.lrr == 0)
      continue;
    sample = rcc_xr_rtt (&r->echoes, &r->rrtrs, &entry, now);
    rcc_rtt_take (&r->rtt, &r->rrtrs, sample != RCC_NEVER ? RCC_ECHO_SAMPLE
        : RCC_ECHO_FORGED, sample);
    any |= sample != RCC_NEVER;
  }
  return any;
}

void
rcc_xr_reporter_rtcp_passed (RccXrReporter *r, RccBytes compound, RccTime now)
{
  RccRtcpPacket p;
  RccRtcpReport report;

  rcc_rtcp_source_rtcp_passed (&r->source, compound);
  while (rcc_rtcp_next (&compound, &p))
    if (rcc_rtcp_report (&p, &report) && report.is_sr)
      rcc_srs_sent (&r->echoes, &r->srs, rcc_ntp_middle (report.ntp), now);
}

static bool
hear_report (RccXrReporter *r, const RccRtcpReport *report, RccTime now)
{
  RccReportBlock block;
  RccTime sample;
  bool any = false;

  for (unsigned i = 0; i < report->n_blocks; i++) {
    RccEcho echo;

    rcc_rtcp_block (report, i, &block);
    if (block.ssrc != r->source.ssrc)
      continue;
    echo = rcc_rtt_judge (&r->echoes, &r->srs, rcc_srs_find (&r->echoes, &r->srs, block.lsr),
        block.lsr, block.dlsr, 0, now, &sample);
    rcc_rtt_take (&r->rtt, &r->srs, echo, sample);
    any |= echo == RCC_ECHO_SAMPLE;
  }
  return any;
}

bool
rcc_xr_reporter_rtcp (RccXrReporter *r, RccBytes compound, RccTime now)
{
  RccRtcpPacket p;
  RccRtcpReport report;
  RccXr xr;
  RccXrBlock block;
  bool any = false;

  while (rcc_rtcp_next (&compound, &p)) {
    if (rcc_rtcp_report (&p, &report))
      any |= hear_report (r, &report, now);
    if (!rcc_xr_parse (&p, &xr))
      continue;
    while (rcc_xr_next (&xr.blocks, &block))
      if (block.type == RCC_XR_DLRR)
        any |= hear_dlrr (r, block.body, now);
  }
  return any;
}
