/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/forger.h"

#include <stdlib.h>
#include <string.h>

#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"
#include "wire/xr-rle.h"
#include "sim/packet.h"

#define SPAN 200                        /* numbers that one message tells of */
#define SPAN_BLIND 2048                 /* ... and who knows none, so that one may fit */
#define BLIND_MESSAGES 32               /* which cover all there are */
#define COUNT 40                        /* packets more that are said to be lost */

typedef enum { AT_ONCE, SLOWLY, AT_ANY_TIME } Arrivals;

/* What @f knows, or makes up. */

static uint32_t
any (RccForger *f)
{
  return rcc_rng_u32 (&f->rng);
}

static uint32_t
media (RccForger *f)
{
  return f->config.knows >= RCC_KNOWS_SSRC ? f->ssrc : any (f);
}

static uint32_t
origin (RccForger *f)
{
  return f->config.knows >= RCC_KNOWS_ALL ? f->reporter : any (f);
}

static bool
knows_numbers (const RccForger *f)
{
  return f->config.knows >= RCC_KNOWS_NUMBERS;
}

/* The first of the numbers that a message tells of. */
static uint16_t
first_of (RccForger *f, uint16_t last, unsigned n)
{
  return (uint16_t) (knows_numbers (f) ? last - n + 1 : any (f));
}

/* --- messages ------------------------------------------------------------- */

static size_t
report (RccForger *f, uint8_t *out, size_t size, uint8_t fraction, int32_t more)
{
  RccReportBlock block = { .ssrc = media (f), .fraction = fraction, .lost = 0x7fffff,
    .highest_seq = any (f) };

  if (knows_numbers (f)) {
    block.highest_seq = (f->report.highest_seq & 0xffff0000) | f->seq;
    block.lost = f->report.lost + more;
    block.jitter = f->report.jitter;
  }
  if (f->config.knows >= RCC_KNOWS_ALL) {
    block.lsr = f->report.lsr;
    block.dlsr = f->report.dlsr + 1;
  }
  return rcc_rtcp_build_rr (out, size, origin (f), &block, 1);
}

static size_t
rr_lost (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return report (f, out, size, 255, COUNT);
}

static size_t
rr_fine (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return report (f, out, size, 0, 0);
}

static size_t
remb (RccForger *f, uint64_t bps, unsigned n, uint8_t *out, size_t size)
{
  const uint32_t ssrc = media (f);

  return rcc_remb_build (out, size, origin (f), bps, &ssrc, n);
}

static size_t
remb_0 (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return remb (f, 0, 1, out, size);
}

static size_t
remb_max (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return remb (f, 1000000000, 1, out, size);
}

static size_t
remb_session (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return remb (f, 0, 0, out, size);
}

static size_t
tmmbr_0 (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  const RccTmmbrEntry entry = { media (f), 0, 40 };

  (void) how, (void) now;
  return rcc_tmmbr_build (out, size, origin (f), false, &entry, 1);
}

/* Who knows no number sends one message for each part of them. */
static size_t
twcc (RccForger *f, const RccTwccStatus *statuses, unsigned n, uint8_t *out, size_t size)
{
  const unsigned messages = knows_numbers (f) ? 1 : BLIND_MESSAGES;
  RccTwcc head = { .sender_ssrc = origin (f), .media_ssrc = media (f), .fb_count = 0 };
  size_t used = 0;
  unsigned done;

  for (unsigned i = 0; i < messages; i++) {
    head.base_seq = messages > 1 ? (uint16_t) (i * SPAN_BLIND)
        : first_of (f, f->transport, n);
    head.fb_count = (uint8_t) any (f);
    used += rcc_twcc_build (out + used, size - used, &head, statuses, n, &done);
  }
  return used;
}

static unsigned
span (const RccForger *f)
{
  return knows_numbers (f) ? SPAN : SPAN_BLIND;
}

static size_t
twcc_lost (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  static const RccTwccStatus statuses[SPAN_BLIND];

  (void) how, (void) now;
  return twcc (f, statuses, span (f), out, size);
}

/* All received: how far apart, and when the last one. */
static RccTime
gap_of (Arrivals how)
{
  return how == AT_ONCE ? 0 : how == SLOWLY ? 30 * RCC_MSEC : 10 * RCC_MSEC;
}

static RccTime
end_of (RccForger *f, Arrivals how, RccTime now)
{
  return how == AT_ANY_TIME ? now + RCC_SEC * (any (f) % 10000) : now;
}

static size_t
twcc_received (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  const RccTime end = end_of (f, how, now), gap = gap_of (how);
  RccTwccStatus statuses[SPAN_BLIND];
  const unsigned n = span (f);

  for (unsigned i = 0; i < n; i++)
    statuses[i] = (RccTwccStatus) { true,
      (int64_t) ((end - RCC_MIN (end, (n - 1 - i) * gap)) / RCC_USEC) };
  return twcc (f, statuses, n, out, size);
}

static size_t
ccfb (RccForger *f, const RccCcfbReport *reports, unsigned n, RccTime now, uint8_t *out,
    size_t size)
{
  size_t used = rcc_ccfb_begin (out, size, origin (f));

  if (n > 0)
    used = rcc_ccfb_add (out, size, used, media (f), first_of (f, f->seq, n), reports, n);
  return rcc_ccfb_end (out, size, used, rcc_ntp_middle (rcc_ns_to_ntp (now)));
}

static size_t
ccfb_lost (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  static const RccCcfbReport reports[SPAN];

  (void) how;
  return ccfb (f, reports, SPAN, now, out, size);
}

static size_t
ccfb_received (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  const RccTime gap = gap_of (how);
  RccCcfbReport reports[SPAN];

  for (unsigned i = 0; i < SPAN; i++)
    reports[i] = (RccCcfbReport) { .received = true, .before = (SPAN - 1 - i) * gap };
  return ccfb (f, reports, SPAN, end_of (f, how, now), out, size);
}

static size_t
ccfb_empty (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how;
  return ccfb (f, NULL, 0, now, out, size);
}

static bool
no (void *user, uint16_t seq)
{
  (void) user, (void) seq;
  return false;
}

static bool
yes (void *user, uint16_t seq)
{
  (void) user, (void) seq;
  return true;
}

static size_t
xr (RccForger *f, bool discard, uint8_t *out, size_t size)
{
  const uint16_t begin = first_of (f, f->seq, SPAN);
  RccXrRle rle = { .range = { .ssrc = media (f), .begin_seq = begin,
      .end_seq = (uint16_t) (begin + SPAN) } };
  uint16_t end;
  size_t used = rcc_xr_begin (out, size, origin (f));

  used = rcc_xr_rle_add (out, size, used, &rle, discard ? yes : no, NULL, &end);
  rle.discard = true;
  return discard ? rcc_xr_rle_add (out, size, used, &rle, yes, NULL, &end) : used;
}

static size_t
xr_lost (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return xr (f, false, out, size);
}

static size_t
xr_discard (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now;
  return xr (f, true, out, size);
}

static size_t
words (uint8_t *out, uint8_t type, uint8_t count, size_t size, uint32_t first, uint32_t second)
{
  memset (out, 0, size);
  rcc_rtcp_put_header (out, type, count, size);
  rcc_put32 (out + 4, first);
  if (size > 8)
    rcc_put32 (out + 8, second);
  return size;
}

/* In the receiver's name, or in the sender's own. */
static size_t
bye (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now, (void) size;
  return words (out, RCC_RTCP_BYE, 1, 8,
      f->config.knows >= RCC_KNOWS_ALL ? f->reporter : media (f), 0);
}

static size_t
app (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now, (void) size;
  return words (out, RCC_RTCP_APP, 0, 12, origin (f), 0x74657374);
}

static size_t
pli (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size)
{
  (void) how, (void) now, (void) size;
  return words (out, RCC_RTCP_PSFB, 1, 12, origin (f), media (f));
}

static const struct {
  const char *name;
  size_t (*forge) (RccForger *f, Arrivals how, RccTime now, uint8_t *out, size_t size);
  Arrivals how;
} messages[] = {
  { "rr-lost", rr_lost, 0 }, { "rr-fine", rr_fine, 0 }, { "remb-0", remb_0, 0 },
  { "remb-max", remb_max, 0 }, { "remb-session", remb_session, 0 }, { "tmmbr-0", tmmbr_0, 0 },
  { "twcc-lost", twcc_lost, 0 }, { "twcc-at-once", twcc_received, AT_ONCE },
  { "twcc-slow", twcc_received, SLOWLY }, { "twcc-clock", twcc_received, AT_ANY_TIME },
  { "ccfb-lost", ccfb_lost, 0 }, { "ccfb-at-once", ccfb_received, AT_ONCE },
  { "ccfb-slow", ccfb_received, SLOWLY }, { "ccfb-clock", ccfb_received, AT_ANY_TIME },
  { "ccfb-empty", ccfb_empty, 0 }, { "xr-lost", xr_lost, 0 }, { "xr-discard", xr_discard, 0 },
  { "bye", bye, 0 }, { "app", app, 0 }, { "pli", pli, 0 },
};

const char *
rcc_forger_message (int i)
{
  return i < (int) (sizeof messages / sizeof messages[0]) ? messages[i].name : NULL;
}

const char *const rcc_forger_knowledge[] = { "blind", "ssrc", "numbers", "all", NULL };

/* --- when ----------------------------------------------------------------- */

static bool
is (const char *name, const char *value, size_t length)
{
  return strlen (name) == length && !strncmp (value, name, length);
}

/* -1: none. */
static int
message_of (const char *value, size_t length)
{
  for (int i = 0; rcc_forger_message (i); i++)
    if (is (rcc_forger_message (i), value, length))
      return i;
  return -1;
}

static int
knowledge_of (const char *value, size_t length)
{
  for (int i = 0; rcc_forger_knowledge[i]; i++)
    if (is (rcc_forger_knowledge[i], value, length))
      return i;
  return -1;
}

static bool
seconds (const char **text, RccTime *time)
{
  char *end;
  const double value = strtod (*text, &end);

  if (end == *text || !(value >= 0 && value < 1e9))
    return false;
  *time = (RccTime) (value * 1e9 + 0.5);
  *text = end;
  return true;
}

bool
rcc_forger_parse (RccForgerConfig *config, const char *text)
{
  const char *slash = strchr (text, '/'), *at = slash ? strchr (slash, '@') : NULL;
  int knows;

  if (!at)
    return false;
  config->message = message_of (text, (size_t) (slash - text));
  knows = knowledge_of (slash + 1, (size_t) (at - slash - 1));
  config->knows = (RccKnowledge) RCC_MAX (knows, 0);
  config->period = 0;
  config->on = true;
  at++;
  if (config->message < 0 || knows < 0 || !seconds (&at, &config->at))
    return false;
  if (*at++ != '-')
    return at[-1] == 0;
  if (!seconds (&at, &config->until) || *at++ != '/' || !seconds (&at, &config->period))
    return false;
  return *at == 0 && config->period > 0;
}

void
rcc_forger_init (RccForger *f, const RccForgerConfig *config, uint64_t seed)
{
  *f = (RccForger) { .config = *config, .next = config->at };
  rcc_rng_init (&f->rng, seed, 0xf0463);
}

void
rcc_forger_saw_rtp (RccForger *f, RccBytes packet)
{
  RccBytes value;
  RccRtp rtp;

  if (!rcc_rtp_parse (packet, &rtp))
    return;
  if (rcc_rtp_ext (&rtp, RCC_WORLD_EXT_TWCC, &value) && value.size >= 2)
    f->transport = rcc_be16 (value.data);
  if (rtp.pt != RCC_WORLD_PT_VIDEO)
    return;
  f->ssrc = rtp.ssrc;
  f->seq = rtp.seq;
}

void
rcc_forger_saw_rtcp (RccForger *f, RccBytes compound)
{
  RccRtcpPacket packet;
  RccRtcpReport report;
  RccReportBlock block;

  while (rcc_rtcp_next (&compound, &packet)) {
    if (!rcc_rtcp_report (&packet, &report))
      continue;
    f->reporter = report.ssrc;
    for (unsigned i = 0; i < report.n_blocks; i++) {
      rcc_rtcp_block (&report, i, &block);
      if (block.ssrc == f->ssrc)
        f->report = block;
    }
  }
}

size_t
rcc_forger_forge (RccForger *f, RccTime now, uint8_t *out)
{
  size_t size = 0;

  f->next = f->config.period > 0 ? f->next + f->config.period : RCC_NEVER;
  if (f->next >= f->config.until)
    f->next = RCC_NEVER;
  if (f->ssrc != 0)
    size = messages[f->config.message].forge (f, messages[f->config.message].how, now, out,
        RCC_FORGER_SIZE);
  f->messages += size > 0;
  f->bytes += size;
  return size;
}
