/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packets: a capture with one compound of each kind of RTCP that the project builds, for
 * others' dissectors
 *
 *   packets FILE.pcap
 *
 * It prints a line for each: the number of the frame and what is in it.
 */
#include <stdio.h>
#include <string.h>

#include "wire/ccfb.h"
#include "wire/nack.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"
#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

#define WE 0x0f17e77e
#define MEDIA 0x56494445
#define PORT 5005
#define MTU 1400

static uint8_t bytes[MTU];
static unsigned frames;

/* pcap's head: microseconds, raw IP. */
static void
begin (FILE *file)
{
  const uint32_t head[] = { 0xa1b2c3d4, 4u << 16 | 2, 0, 0, 65535, 101 };

  fwrite (head, sizeof head, 1, file);
}

static void
write_frame (FILE *file, size_t size, const char *name)
{
  const uint32_t record[] = { frames, 0, (uint32_t) size + 28, (uint32_t) size + 28 };
  uint8_t head[28] = { 0x45, [8] = 64, [9] = 17, [12] = 127, [15] = 1, [16] = 127, [19] = 1 };

  rcc_put16 (head + 2, (uint16_t) (size + 28));
  rcc_put16 (head + 20, PORT);
  rcc_put16 (head + 22, PORT);
  rcc_put16 (head + 24, (uint16_t) (size + 8));
  fwrite (record, sizeof record, 1, file);
  fwrite (head, sizeof head, 1, file);
  fwrite (bytes, size, 1, file);
  printf ("%u %s\n", ++frames, name);
}

/* An RR and the CNAME, which each compound begins with. */
static size_t
front (void)
{
  const RccReportBlock block = { .ssrc = MEDIA, .fraction = 12, .lost = 34,
    .highest_seq = 65540, .jitter = 100, .lsr = 1, .dlsr = 2 };
  const size_t rr = rcc_rtcp_build_rr (bytes, MTU, WE, &block, 1);

  return rr + rcc_rtcp_build_cname (bytes + rr, MTU - rr, WE, "somebody@example");
}

static bool
came (void *user, uint16_t seq)
{
  return seq % 7 != 3;
}

static bool
when (void *user, uint16_t seq, uint32_t *ticks)
{
  *ticks = 3000u * seq;
  return seq % 7 != 3;
}

static size_t
ccfb (uint8_t *out, size_t size)
{
  RccCcfbReport reports[64];
  size_t used = rcc_ccfb_begin (out, size, WE);

  for (unsigned i = 0; i < 64; i++)
    reports[i] = (RccCcfbReport) { came (NULL, (uint16_t) i), RCC_ECN_NOT_ECT, i * RCC_MSEC };
  used = rcc_ccfb_add (out, size, used, MEDIA, 65500, reports, 64);
  return rcc_ccfb_end (out, size, used, 0x12345678);
}

static size_t
twcc (uint8_t *out, size_t size)
{
  const RccTwcc head = { .sender_ssrc = WE, .media_ssrc = MEDIA, .base_seq = 65500 };
  RccTwccStatus statuses[64];
  unsigned done;

  for (unsigned i = 0; i < 64; i++)
    statuses[i] = (RccTwccStatus) { came (NULL, (uint16_t) i), 1000000 + i * (i % 5 ? 900 : 90000) };
  return rcc_twcc_build (out, size, &head, statuses, 64, &done);
}

/* Times come last: Wireshark 4.0 reads on behind an RLE that ends a frame. */
static size_t
xr (uint8_t *out, size_t size)
{
  const RccXrRle loss = { .range = { MEDIA, 65500, 200, 0 } };
  const RccXrRle discard = { .range = { MEDIA, 65500, 200, 0 }, .discard = true };
  const RccXrDlrr dlrr = { MEDIA, 0x11111111, 0x222 };
  size_t used = rcc_xr_begin (out, size, WE);
  uint16_t end;

  used = rcc_xr_rrtr_add (out, size, used, UINT64_C (0xe0000000) << 32);
  used = rcc_xr_dlrr_add (out, size, used, &dlrr, 1);
  used = rcc_xr_rle_add (out, size, used, &loss, came, NULL, &end);
  used = rcc_xr_rle_add (out, size, used, &discard, came, NULL, &end);
  return rcc_xr_times_add (out, size, used, &loss.range, when, NULL, &end);
}

int
main (int argc, char **argv)
{
  const uint32_t ssrcs[] = { MEDIA, MEDIA + 1 };
  const RccTmmbrEntry entry = { .ssrc = MEDIA, .bps = 1234567, .overhead = 40 };
  const uint16_t lost[] = { 65530, 65535, 3, 200 };
  const RccRtcpReport sr = { .ssrc = WE };
  FILE *file = argc == 2 ? fopen (argv[1], "wb") : NULL;
  size_t used;

  if (!file) {
    fprintf (stderr, "usage: packets FILE.pcap\n");
    return 2;
  }
  begin (file);
  used = rcc_rtcp_build_sr (bytes, MTU, &sr, NULL, 0);
  used += rcc_rtcp_build_cname (bytes + used, MTU - used, WE, "somebody@example");
  write_frame (file, used, "SR");
#define FRAME(name, call) (used = front (), used += call, write_frame (file, used, name))
#define OUT bytes + used, MTU - used
  FRAME ("RR", 0);
  FRAME ("REMB", rcc_remb_build (OUT, WE, 2345678, ssrcs, 2));
  FRAME ("TMMBR", rcc_tmmbr_build (OUT, WE, false, &entry, 1));
  FRAME ("TMMBN", rcc_tmmbr_build (OUT, WE, true, &entry, 1));
  FRAME ("NACK", rcc_nack_build (OUT, WE, MEDIA, lost, 4));
  FRAME ("TWCC", twcc (OUT));
  FRAME ("CCFB", ccfb (OUT));
  FRAME ("XR", xr (OUT));
  return fclose (file) != 0;
}
