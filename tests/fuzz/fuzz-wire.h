/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RCC_FUZZ_WIRE_H
#define RCC_FUZZ_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(condition) \
  do { \
    if (!(condition)) { \
      fprintf (stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
      abort (); \
    } \
  } while (0)

enum { RCC_FUZZ_RTP, RCC_FUZZ_EXT, RCC_FUZZ_REPORT, RCC_FUZZ_REMB, RCC_FUZZ_TMMBR, RCC_FUZZ_NACK,
  RCC_FUZZ_TWCC, RCC_FUZZ_CCFB, RCC_FUZZ_XR, RCC_FUZZ_RLE, RCC_FUZZ_TIMES,
  RCC_FUZZ_RTT, RCC_FUZZ_OUTCOMES, RCC_FUZZ_ECN,
  RCC_FUZZ_ULPFEC, RCC_FUZZ_FLEXFEC, RCC_FUZZ_REPAIR, RCC_FUZZ_REPORTED, RCC_FUZZ_ECHO,
  RCC_FUZZ_PEERS,
  RCC_FUZZ_PARSERS };

/* How many times each parser took something: a mutation test that every input
 * of is refused at the door tests the door. */
extern uint64_t rcc_fuzz_taken[RCC_FUZZ_PARSERS];

/* fuzz-xr.c: the blocks of extended reports about single packets and round trips. */
void rcc_fuzz_xr_block (uint8_t type, uint8_t specific, const uint8_t *data, size_t size);

/* fuzz-ends.c: the sender's feedback parser and the receiver's feedback writer. */
void rcc_fuzz_ends (const uint8_t *data, size_t size);

/* fuzz-fec.c: parity over a stream with losses. */
void rcc_fuzz_fec (const uint8_t *data, size_t size);

/* fuzz-reporter.c: the receiver's feedback writer for extended reports. */
void rcc_fuzz_reporter (const uint8_t *data, size_t size);

/* fuzz-peers.c: who is heard, and where RTCP goes. */
void rcc_fuzz_peers (const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#endif
