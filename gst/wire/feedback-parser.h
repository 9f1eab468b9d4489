/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-parser.h - what any format of feedback says of single packets: told once, in
 * order, and by one reporter in one format at a time
 *
 * A message is read in whatever order it has: rcc_feedback_parser_find() and
 * rcc_feedback_parser_note() for each packet that it names.  Only then rcc_feedback_parser_end()
 * knows whether it can be true and who says it, and tells of what is news, or forgets it.
 */
#ifndef RCC_WIRE_FEEDBACK_PARSER_H
#define RCC_WIRE_FEEDBACK_PARSER_H

#include "wire/feedback.h"

enum {                                  /* RccSentPacket.said */
  RCC_SAID_LOST = 1 << 0, RCC_SAID_RECEIVED = 1 << 1, RCC_SAID_LATE = 1 << 2,
  RCC_SAID_EARLY = 1 << 3, RCC_SAID_CE = 1 << 4,
  RCC_SAID_ARRIVED = 1 << 5,            /* then, in arrived */
  RCC_SAID_TICKS = 1 << 6,              /* then, in ticks (RFC 3611 4.3) */
};
#define RCC_SAID_ANY_RECEIVED (uint8_t) (~RCC_SAID_LOST & ~RCC_SAID_CE)

typedef struct {                        /* a compound, on its way to @sender */
  RccFeedback *f;
  RccSender *sender;
  RccTime now;
  uint32_t paid, free;                  /* lookups that it may still cause, see feedback-parser.c */
  bool limited;                         /* it asks for a limit (REMB, TMMBR), or repeats it */
  RccUpdate update;                     /* what it has answered */
  /* the message under way */
  bool teller;                          /* is of who tells of packets at present */
  bool proved, impossible;              /* some that came were in flight; had never left */
} RccFeedbackParser;

static inline void
rcc_feedback_parser_answer (RccFeedbackParser *p, RccUpdate u)
{
  p->update = rcc_update_merge (p->update, u);
}

RccFeedbackParser rcc_feedback_parser (RccFeedback *f, RccSender *sender, size_t compound_size,
    RccTime now);

/* A message of @ssrc in @format (an RTPFB format, or RCC_RTCP_XR) comes, or a part of one. */
void rcc_feedback_parser_begin (RccFeedbackParser *p, uint32_t ssrc, uint8_t format);
/* Whether one more packet may be looked up, with @kept lookups for what comes after it. */
static inline bool
rcc_feedback_parser_may (const RccFeedbackParser *p, size_t kept)
{
  return p->paid > kept;
}

/* The packet of stream @s that has number @seq, by transport-wide number where @s is NULL, of
 * which something is said, and noted next; @received: that it came.  NULL: it was never sent, or
 * is forgotten. */
RccSentPacket *rcc_feedback_parser_find (RccFeedbackParser *p, const RccReportsStream *s,
    uint16_t seq, bool received);
/* @said of it, beside what was. */
void rcc_feedback_parser_note (RccFeedbackParser *p, RccSentPacket *packet, uint8_t said);
/* All was of @ssrc, in @format: told to the sender, by departure, if it can be true and is
 * its turn; false otherwise. */
bool rcc_feedback_parser_end (RccFeedbackParser *p, uint32_t ssrc, uint8_t format);

#endif
