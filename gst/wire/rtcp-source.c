/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/rtcp-source.h"

#include <string.h>

void
rcc_rtcp_source_init (RccRtcpSource *s, uint32_t ssrc)
{
  *s = (RccRtcpSource) { .ssrc = ssrc };
}

void
rcc_rtcp_source_name (RccRtcpSource *s, const uint32_t random[3])
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  for (unsigned i = 0; i < 16; i++)     /* five letters of each word, one of the rest */
    s->cname[i] = letters[(i < 15 ? random[i / 5] >> i % 5 * 6
            : random[0] >> 30 | random[1] >> 30 << 2 | random[2] >> 30 << 4) & 63];
  s->cname[16] = '\0';
}

void
rcc_rtcp_source_rtcp_passed (RccRtcpSource *s, RccBytes compound)
{
  RccRtcpPacket p;
  RccRtcpReport report;

  while (rcc_rtcp_next (&compound, &p)) {
    if (rcc_rtcp_report (&p, &report)) {
      if (report.ssrc != s->ssrc)
        s->cname[0] = '\0';
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
  const size_t rr = rcc_rtcp_build_rr (out, size, s->ssrc, NULL, 0);
  size_t sdes;

  if (!rr || s->cname[0] == '\0')
    return rr;
  sdes = rcc_rtcp_build_cname (out + rr, size - rr, s->ssrc, s->cname);
  return sdes ? rr + sdes : 0;
}
