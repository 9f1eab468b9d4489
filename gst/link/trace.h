/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trace.h - recorded or generated delivery opportunities of a link
 *
 * A trace is a list of slots in order, in milliseconds since its start. It repeats for ever, with
 * the last slot's time as its period. So its last slot and the next lap's slot at 0 coincide.
 *   mahimahi: a slot carries RCC_TRACE_MTU bytes, of any packets queued then; a
 *     packet may span slots; what the queue cannot fill is lost.
 *   slots: a slot carries one packet of any size, or is lost.
 */
#ifndef RCC_LINK_TRACE_H
#define RCC_LINK_TRACE_H

#include "core/rcc.h"

#define RCC_TRACE_MTU 1500              /* bytes of a mahimahi slot */
#define RCC_TRACE_PACKET 1200           /* what a `slots' slot counts as in bit/s */
#define RCC_TRACE_MAX_SLOTS (8u << 20)

typedef enum { RCC_TRACE_MAHIMAHI, RCC_TRACE_SLOTS } RccTraceKind;

typedef struct {
  RccTraceKind kind;
  uint32_t n;                           /* > 0 */
  uint32_t period;                      /* ms, > 0 */
  uint32_t *slots;                      /* ms, never decreasing */
} RccTrace;

typedef struct {                        /* one slot of the endless repetition */
  uint64_t lap;
  uint32_t index;
} RccTraceCursor;

/* Reads @length bytes of text: one integer a line; empty lines and '#' comments
 * are skipped.  NULL on error, with one sentence in @error that begins with
 * @name and the line number. */
RccTrace *rcc_trace_parse (RccTraceKind kind, const char *text, size_t length,
    const char *name, char *error, size_t error_size);
RccTrace *rcc_trace_load (RccTraceKind kind, const char *path, char *error,
    size_t error_size);

/* A Wi-Fi-like `slots' trace of 120 s at 3 Mbit/s. It has outages of 50-195 ms, one each 0.5 s on
 * average. Each is followed by a burst that makes up for it. */
RccTrace *rcc_trace_outages (uint64_t seed);
void rcc_trace_free (RccTrace *t);

/* When the slot under the cursor comes, for a trace started at @start. */
RccTime rcc_trace_time (const RccTrace *t, const RccTraceCursor *c, RccTime start);
void rcc_trace_step (const RccTrace *t, RccTraceCursor *c);
/* To the first slot later than @now. */
void rcc_trace_seek (const RccTrace *t, RccTraceCursor *c, RccTime start, RccTime now);
/* @n slots on, in constant time. */
RccTraceCursor rcc_trace_ahead (const RccTrace *t, RccTraceCursor c, uint64_t n);

/* bit/s over the whole trace, and over the second before @now. */
uint64_t rcc_trace_mean_bps (const RccTrace *t);
uint64_t rcc_trace_recent_bps (const RccTrace *t, RccTime start, RccTime now);

#endif
