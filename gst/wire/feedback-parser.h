/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-parser.h - what any format of feedback says of single packets
 *
 * The sender hears of each packet once, in order of departure.  It hears one reporter in one
 * format at a time.
 *
 * A reader calls rcc_feedback_parser_find() and rcc_feedback_parser_note() for each packet that
 * a message names, in any order.  Then rcc_feedback_parser_end() judges whether the message can
 * be true.  It tells the sender what is new, or forgets the message.
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
  bool is_source;                          /* its reporter is the one that we listen to */
  bool proved, impossible;              /* it names a packet in flight; one that never left */
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

/* The packet with number @seq of stream @s, to be noted next.  @s NULL: @seq is a
 * transport-wide number.  @received: the message says that it came.  NULL: it was never sent,
 * or is forgotten. */
RccSentPacket *rcc_feedback_parser_find (RccFeedbackParser *p, const RccReportsStream *s,
    uint16_t seq, bool received);
/* Adds @said to what was said of it. */
void rcc_feedback_parser_note (RccFeedbackParser *p, RccSentPacket *packet, uint8_t said);
/* The message of @ssrc in @format ends.  True: the sender has been told, by departure.  False:
 * the message cannot be true, or it is another reporter's turn. */
bool rcc_feedback_parser_end (RccFeedbackParser *p, uint32_t ssrc, uint8_t format);

#endif
