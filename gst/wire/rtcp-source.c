/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/rtcp-source.h"

#include <string.h>

void
rcc_rtcp_source_init (RccRtcpSource *s, uint32_t ssrc)
{
  *s = (RccRtcpSource) { .ssrc = ssrc };
}

void
rcc_rtcp_source_rtcp_passed (RccRtcpSource *s, RccBytes compound)
{
  RccRtcpPacket p;
  RccRtcpReport report;

  while (rcc_rtcp_next (&compound, &p)) {
    if (rcc_rtcp_report (&p, &report)) {
      s->ssrc = report.ssrc;
      s->adopted = true;
    } else if (p.type == RCC_RTCP_SDES && p.count > 0 && p.body.size >= 6
        && rcc_be32 (p.body.data) == s->ssrc && p.body.data[4] == 1
        && p.body.data[5] <= p.body.size - 6) {
      memcpy (s->cname, p.body.data + 6, p.body.data[5]);
      s->cname[p.body.data[5]] = '\0';
    }
  }
}

size_t
rcc_rtcp_source_begin (const RccRtcpSource *s, uint8_t *out, size_t size)
{
  size_t used = rcc_rtcp_build_rr (out, size, s->ssrc, NULL, 0);

  if (used > 0 && s->cname[0] != '\0')
    used += rcc_rtcp_build_cname (out + used, size - used, s->ssrc, s->cname);
  return used;
}
