/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutator.h - malformed packets without end, for the mutation test and the elements'
 *
 * Starts from the malformed packets of the unit tests and from what the builders
 * make.  In one build, packet number i is a function of the seed and of i alone.
 */
#ifndef RCC_TEST_MUTATOR_H
#define RCC_TEST_MUTATOR_H

#include <string.h>

#include "core/rng.h"
#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/remb.h"
#include "wire/rtcp.h"
#include "wire/rtp.h"
#include "wire/nack.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"
#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"
#include "../wire/vectors.h"
#include "mutator-fec.h"

#define SIZE_MAX_INPUT 2000
#define BUILT_MAX 64
#define SEEDS_MAX 256

typedef struct {
  RccBytes bytes;
  const char *name;
} Seed;

#define SEED_OF_VECTOR(name, ...) { { name, sizeof name }, #name },
static Seed seeds[SEEDS_MAX] = { RCC_VECTORS (SEED_OF_VECTOR)
  RCC_FEC_VECTORS (SEED_OF_VECTOR) };
#define ONE(name, ...) + 1
static size_t n_seeds = 0 RCC_VECTORS (ONE) RCC_FEC_VECTORS (ONE);
static uint8_t built[BUILT_MAX][512];

static size_t
build_twcc (RccRng *r, uint8_t *out, size_t size)
{
  static RccTwccStatus statuses[100];
  const RccTwcc head = { .base_seq = (uint16_t) rcc_rng_u32 (r) };
  int64_t now = (int64_t) rcc_rng_u32 (r) << 7;
  unsigned done;

  for (unsigned i = 0; i < 100; i++) {
    now += rcc_rng_u32 (r) % 8 ? 500 : 70000;
    statuses[i].received = i % 50 > 20 || rcc_rng_u32 (r) % 4;
    statuses[i].arrived_us = now - (int64_t) (rcc_rng_u32 (r) % 10000);
  }
  return rcc_twcc_build (out, size, &head, statuses, 1 + rcc_rng_u32 (r) % 100, &done);
}

static size_t
build_ccfb (RccRng *r, uint8_t *out, size_t size)
{
  RccCcfbReport reports[40] = { { 0 } };
  size_t used = rcc_ccfb_begin (out, size, 1);

  for (unsigned i = 0; i < 40; i++)
    reports[i] = (RccCcfbReport) { rcc_rng_u32 (r) % 8, rcc_rng_u32 (r) & 3,
      (RccTime) rcc_rng_u32 (r) };
  for (unsigned block = 0; block < 3; block++)
    used = rcc_ccfb_add (out, size, used, block, (uint16_t) rcc_rng_u32 (r), reports,
        rcc_rng_u32 (r) % 40);
  return rcc_ccfb_end (out, size, used, rcc_rng_u32 (r));
}

static size_t
build_compound (RccRng *r, uint8_t *out, size_t size)
{
  RccReportBlock blocks[4] = { { .ssrc = rcc_rng_u32 (r), .lost = -1 } };
  const RccRtcpReport head = { .ssrc = 1, .ntp = rcc_rng_u32 (r) };
  const uint32_t ssrcs[] = { 1, 2, 3 };
  size_t used = rcc_rng_u32 (r) & 1
      ? rcc_rtcp_build_sr (out, size, &head, blocks, rcc_rng_u32 (r) % 5)
      : rcc_rtcp_build_rr (out, size, 1, blocks, rcc_rng_u32 (r) % 5);

  used += rcc_rtcp_build_cname (out + used, size - used, 1, "somebody");
  return used + rcc_remb_build (out + used, size - used, 1,
      (uint64_t) rcc_rng_u32 (r) << rcc_rng_u32 (r) % 32, ssrcs, rcc_rng_u32 (r) % 4);
}

static size_t
build_tmmbr (RccRng *r, uint8_t *out, size_t size)
{
  RccTmmbrEntry entries[5];

  for (unsigned i = 0; i < 5; i++)
    entries[i] = (RccTmmbrEntry) { i, rcc_rng_u32 (r), (uint16_t) (rcc_rng_u32 (r) & 511) };
  return rcc_tmmbr_build (out, size, 1, rcc_rng_u32 (r) & 1, entries, 1 + rcc_rng_u32 (r) % 5);
}

static size_t
build_nack (RccRng *r, uint8_t *out, size_t size)
{
  uint16_t seqs[20], seq = (uint16_t) rcc_rng_u32 (r);

  for (unsigned i = 0; i < 20; i++)
    seqs[i] = seq = (uint16_t) (seq + 1 + rcc_rng_u32 (r) % 9);
  return rcc_nack_build (out, size, 1, rcc_rng_u32 (r) & 1, seqs, 1 + rcc_rng_u32 (r) % 20);
}

static size_t
build_rtp (RccRng *r, uint8_t *out, size_t size)
{
  static const uint8_t value[16] = { 1, 2, 3 };
  const RccRtpExt exts[] = { {1, 3, value}, {2, 2, value}, {14, 16, value} };
  const RccRtp rtp = { .pt = 96, .padding = rcc_rng_u32 (r) & 1, .ssrc = rcc_rng_u32 (r) };
  const size_t head = rcc_rtp_build (out, size, &rtp, exts, rcc_rng_u32 (r) % 4);

  memset (out + head, 4, 20);
  return head + 20;
}

static void
random_counters (RccRng *r, RccEcnCounters *c)
{
  *c = (RccEcnCounters) { .ssrc = rcc_rng_u32 (r) % 4, .ect0 = rcc_rng_u32 (r),
    .ce = (uint16_t) rcc_rng_u32 (r), .lost = (uint16_t) rcc_rng_u32 (r) };
}

static size_t
build_xr (RccRng *r, uint8_t *out, size_t size)
{
  uint8_t body[4 * RCC_ECN_ENTRY_SIZE];
  size_t used = rcc_xr_begin (out, size, 1);
  RccEcnCounters c;

  for (unsigned n = 1 + rcc_rng_u32 (r) % 4; n > 0; n--) {
    RccXrBlock block = { .type = n % 2 ? RCC_XR_ECN_SUMMARY : (uint8_t) (n * 5),
      .body = { body, RCC_ECN_ENTRY_SIZE * (rcc_rng_u32 (r) % 5) } };

    for (size_t at = 0; at < block.body.size; at += RCC_ECN_ENTRY_SIZE) {
      random_counters (r, &c);
      rcc_ecn_put (body + at, sizeof body - at, &c);
    }
    used = rcc_xr_add (out, size, used, &block);
  }
  return used;
}

static bool
random_bit (void *user, uint16_t seq)
{
  RccRng *r = user;

  return rcc_rng_u32 (r) % (seq & 64 ? 100 : 3) > 0;
}

static bool
random_time (void *user, uint16_t seq, uint32_t *ticks)
{
  *ticks = 3000u * seq + rcc_rng_u32 (user) % 300;
  return seq % 32 > 0;
}

/* About one stream: which packets came, when, which were discarded. */
static size_t
build_xr_outcomes (RccRng *r, uint8_t *out, size_t size)
{
  const uint16_t begin = (uint16_t) rcc_rng_u32 (r);
  RccXrRle rle = { .range = { rcc_rng_u32 (r) % 4, begin,
      (uint16_t) (begin + rcc_rng_u32 (r) % 60), (uint8_t) (rcc_rng_u32 (r) % 8 ? 0 : 2) } };
  size_t used = rcc_xr_begin (out, size, 1);
  uint16_t end;

  used = rcc_xr_rle_add (out, size, used, &rle, random_bit, r, &end);
  rle.discard = true;
  for (unsigned early = 0; early < 2; early++) {
    rle.early = early;
    used = rcc_xr_rle_add (out, size, used, &rle, random_bit, r, &end);
  }
  return rcc_xr_times_add (out, size, used, &rle.range, random_time, r, &end);
}

static size_t
build_xr_rtt (RccRng *r, uint8_t *out, size_t size)
{
  const RccXrDlrr entries[] = { { 1, rcc_rng_u32 (r), rcc_rng_u32 (r) >> 8 }, { 2, 0, 0 } };
  size_t used = rcc_xr_begin (out, size, rcc_rng_u32 (r) % 8);

  used = rcc_xr_rrtr_add (out, size, used, (uint64_t) rcc_rng_u32 (r) << 20);
  return rcc_xr_dlrr_add (out, size, used, entries, 1 + rcc_rng_u32 (r) % 2);
}

static size_t
build_ecn (RccRng *r, uint8_t *out, size_t size)
{
  RccEcnFeedback fb = { .sender_ssrc = 1, .highest_seq = rcc_rng_u32 (r) };

  random_counters (r, &fb.counters);
  return rcc_ecn_build (out, size, &fb);
}

/* To be called once, before mutant(). */
static void
build_seeds (uint64_t seed)
{
  static const struct {
    const char *name;
    size_t (*build) (RccRng *, uint8_t *, size_t);
  } builders[] = {
    { "built-twcc", build_twcc }, { "built-ccfb", build_ccfb },
    { "built-compound", build_compound }, { "built-tmmbr", build_tmmbr },
    { "built-nack", build_nack },
    { "built-rtp", build_rtp }, { "built-xr-ecn", build_xr },
    { "built-xr-outcomes", build_xr_outcomes }, { "built-xr-rtt", build_xr_rtt },
    { "built-ecn", build_ecn }, { "built-ulpfec", build_ulpfec },
    { "built-flexfec", build_flexfec },
  };
  const size_t n = sizeof builders / sizeof builders[0];
  RccRng r;

  rcc_rng_init (&r, seed, UINT64_MAX >> 1);
  for (size_t i = 0; i < BUILT_MAX; i++)
    seeds[n_seeds++] = (Seed) {
      { built[i], builders[i % n].build (&r, built[i], sizeof built[i]) }, builders[i % n].name
    };
}

/* Values that sit on the edges of counts and fields. */
static uint16_t
edge (RccRng *r)
{
  static const uint16_t edges[] = { 0, 1, 2, 3, 7, 14, 31, 255, 256, 2047, 2048, 2049,
    8190, 8191, 0x1ffe, 0x1fff, 0x2000, 0x3fff, 16383, 16384, 16385, 0x7fff, 0x8000,
    0xbede, 0x1000, 0xfc00, 0xfffe, 0xffff };

  return edges[rcc_rng_u32 (r) % (sizeof edges / sizeof edges[0])];
}

/* One change to the @size bytes at @p, which has room for SIZE_MAX_INPUT; returns
 * the new size. */
static size_t
mutate (RccRng *r, uint8_t *p, size_t size)
{
  const Seed *other = &seeds[rcc_rng_u32 (r) % n_seeds];
  const uint32_t what = rcc_rng_u32 (r);
  size_t at = size > 1 ? (what >> 8) % (size - 1) : 0;

  switch (size > 3 ? what % 10 : 9) {
    case 0:                            /* one bit */
      p[at] ^= (uint8_t) (1 << (what >> 4) % 8);
      return size;
    case 1:                            /* one byte */
      p[at] = (uint8_t) rcc_rng_u32 (r);
      return size;
    case 2:                            /* a field of 16 bits */
      rcc_put16 (p + (at & ~(size_t) 1), edge (r));
      return size;
    case 3:                            /* the first length of an RTCP compound */
      rcc_put16 (p + 2, edge (r));
      return size;
    case 4:                            /* the same, made to fit: the rest gets read */
    case 5:
      rcc_put16 (p + 2, (uint16_t) (size / 4 - 1));
      return size & ~(size_t) 3;
    case 6:                            /* the count or format, P and V kept */
      p[0] = (uint8_t) ((p[0] & 0xe0) | (rcc_rng_u32 (r) & 0x1f));
      return size;
    case 7:                            /* cut */
      return at;
    case 8:                            /* a piece of another over it */
      if (at + other->bytes.size > size)
        at = 0;
      memcpy (p + at, other->bytes.data, RCC_MIN (other->bytes.size, size));
      return size;
    default:                           /* another one behind it */
      if (size + other->bytes.size > SIZE_MAX_INPUT)
        return size;
      memcpy (p + size, other->bytes.data, other->bytes.size);
      return size + other->bytes.size;
  }
}

/* Packet @number of those that @seed makes, at most SIZE_MAX_INPUT bytes; returns its
 * size. */
static size_t
mutant (uint64_t seed, uint64_t number, uint8_t *out)
{
  const Seed *start;
  size_t size;
  unsigned n;
  RccRng r;

  rcc_rng_init (&r, seed, number);
  start = &seeds[rcc_rng_u32 (&r) % n_seeds];
  memcpy (out, start->bytes.data, start->bytes.size);
  size = start->bytes.size;
  for (n = rcc_rng_u32 (&r) % 6; n > 0; n--)
    size = mutate (&r, out, size);
  return size;
}

#endif
