/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/rtcp-source.h"

#include <string.h>

void
rcc_member_init (RccMember *m, uint32_t ssrc)
{
  *m = (RccMember) { .ssrc = ssrc };
}

void
rcc_member_rtcp_passed (RccMember *m, RccBytes compound)
{
  RccRtcpPacket p;
  RccRtcpReport report;

  while (rcc_rtcp_next (&compound, &p)) {
    if (rcc_rtcp_report (&p, &report)) {
      m->ssrc = report.ssrc;
      m->adopted = true;
    } else if (p.type == RCC_RTCP_SDES && p.count > 0 && p.body.size >= 6
        && rcc_be32 (p.body.data) == m->ssrc && p.body.data[4] == 1
        && p.body.data[5] <= p.body.size - 6) {
      memcpy (m->cname, p.body.data + 6, p.body.data[5]);
      m->cname[p.body.data[5]] = '\0';
    }
  }
}

size_t
rcc_member_begin (const RccMember *m, uint8_t *out, size_t size)
{
  size_t used = rcc_rtcp_build_rr (out, size, m->ssrc, NULL, 0);

  if (used > 0 && m->cname[0] != '\0')
    used += rcc_rtcp_build_cname (out + used, size - used, m->ssrc, m->cname);
  return used;
}
