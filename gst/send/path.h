/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * path.h - the send path: from packets that are ready to packets that leave
 *
 * Scheduler, pacer, numbers, padding, retransmissions and drops in one place, for elements and
 * simulators alike. The owner keeps the packets. Here they are opaque handles, and each comes
 * back exactly once, to be sent or to be let go.
 *
 *   *rcc_send_room (s) = packet;
 *   switch (rcc_send_put (s, alone, now, &out)) {
 *     case RCC_SEND_PACKET: write (&out), push (out.handle); break;
 *     case RCC_SEND_DROPPED: let go (packet.handle); break;
 *     case RCC_SEND_WAIT: break;                     (it is queued)
 *   }
 *   while (rcc_send_overflow (s, now, &out))
 *     let go (out.handle);
 *
 * and whenever it is time:
 *
 *   switch (rcc_send_next (s, now, &when, &out)) {
 *     case RCC_SEND_PACKET: write (&out), push (out.handle); ask again; break;
 *     case RCC_SEND_PADDING: rcc_send_pad (s, bytes, now, &out), push (bytes); ask again; break;
 *     case RCC_SEND_PARITY: see protect.h; ask again; break;
 *     case RCC_SEND_DROPPED: let go (out.handle); ask again; break;
 *     case RCC_SEND_WAIT: ask again at @when, or when something has come; break;
 *   }
 *
 * Order: audio, retransmissions, other media, padding, each in order of arrival. Or as a Send
 * Best Packet Next scheduler has it (core/sbpn/sbpn.h), with the owner's pads for classes.
 *
 * Drops: nothing is dropped before it has waited for max_time, but for want of entries, or where
 * a scheduler says so. What falls then is whole frames, and those behind them up to the next key
 * frame. For that rcc_send_key_requests() tells the owner to ask once. Packets are numbered as
 * they leave, so the receiver sees no gap. A frame of which some has left is finished; where even
 * that cannot be, one number is left out.
 */
#ifndef RCC_SEND_PATH_H
#define RCC_SEND_PATH_H

#include "core/sbpn/owd.h"
#include "core/sbpn/sbpn.h"
#include "send/pacer.h"
#include "send/parity.h"
#include "send/rtx.h"
#include "send/stream.h"
#include "send/transport.h"
#include "wire/feedback.h"

/* The classes where pads are not the scheduler's, by priority. */
enum { RCC_SEND_AUDIO, RCC_SEND_RTX, RCC_SEND_MEDIA, RCC_SEND_CLASSES };

typedef enum {
  RCC_SEND_WAIT,
  RCC_SEND_PACKET,
  RCC_SEND_PADDING,
  RCC_SEND_PARITY,
  RCC_SEND_DROPPED,
} RccSendVerdict;

typedef struct {
  bool scheduled;                       /* pads are the scheduler's classes */
  RccSbpnConfig scheduler;              /* max_time: rule of drops above; mode: if scheduled */
  RccSbpnOwdKind owd;                   /* what an expiry is tested against */
  bool tail_drop;                       /* what finds max_packets there falls, as in the
                                         * SBPN paper's kernel; else sbpn.h says who falls */
  bool drops_take_turns;                /* what falls for its expiry has had its turn of the
                                         * pacer; else the next has it */
  bool idle_credit;                     /* of the pacer; off unless a paper's kernel had it */
  RccTime burst;                        /* of the pacer */
  RccTime drain;                        /* what is queued is to leave within that time: where
                                         * the rate is too low for it, a quarter faster.  0:
                                         * never */
  RccTime backlog_from, backlog_over;   /* see rcc_send_encoder_bps(); over 0: never */
  RccRtxConfig rtx;
  bool numbers_transport;               /* transport-wide numbers are given here */
  bool parity_at_once;                  /* parity leaves right behind its packets; the pacer
                                         * does not count it */
} RccSendConfig;

typedef struct {                        /* a packet in the queue */
  RccSendPacket packet;
  RccNumber number;
  uint32_t next;                        /* of the free ones */
  uint32_t class_index;                 /* the scheduler's */
  uint16_t left;                        /* of a retransmission: its packet's number */
  bool asked;                           /* ... which somebody has asked for */
  bool cut;                             /* ... of a packet without payload */
} RccSendSlot;

typedef struct {                        /* a pad: what came by it */
  RccTime life;                         /* of its packets; RCC_NEVER: they do not expire */
  uint64_t malformed, retransmissions, key_requests;
  RccWindow rate;                       /* where pads are the scheduler's classes */
  uint32_t bps;                         /* of it, by rcc_send_measure() */
} RccSendPad;

typedef struct {
  RccSender sender;                     /* first: what RTCP and deadlines are told to; passes
                                         * all on to the controller, and does what it says */
  RccSendConfig config;
  RccPacer pacer;
  bool paced;
  RccSbpn sbpn;
  RccSbpnOwd owd;
  RccSbpnEntry *entries;                /* the owner's, as many as slots */
  RccSendSlot *slots;
  uint32_t capacity, free;
  RccSsrcs streams;                     /* of RccSendStream */
  RccRtx rtx;
  RccSendTransport transport;
  RccFeedback *feedback;                /* the owner's, who has set it up */
  RccSendParity *parity;                /* the owner's; NULL: none */
  struct {
    uint32_t packets, bytes;            /* of it, that the pacer counts */
  } parity_counted;
  RccSender *controller;                /* told what leaves; NULL: nobody */
  /* The owner's word on what it answers, before that is done; NULL: none. */
  RccUpdate (*amend) (void *owner, RccUpdate answer, RccTime now);
  void *owner;
  RccBacklog backlog;                   /* what it can read */
  uint32_t target_bps;                  /* as last told; UINT32_MAX: nobody has */
  RccTime rtt;                          /* RCC_NEVER: unknown */
  RccTime send_time_offset;             /* what abs-send-time's clock is ahead of ours */
  uint32_t packet_cost;                 /* bytes that the pacer counts each packet for; 0: its
                                         * size */
  int padded;                           /* stream that padding goes to; -1: none */
  bool writes;                          /* numbers have changed, or are about to */
  bool parity_passed;                   /* it speaks of numbers: no padding among them */
  RccTime backlog_reported;             /* steps of queue time */
  uint32_t rtx_reported;                /* bit/s of retransmissions */
  uint32_t key_request_pads;            /* bit k: a key frame is to be asked for at pad k */
  RccSendPad *pads;                     /* as many as classes: n_pads */
  RccSbpnClass *classes;
  uint32_t n_pads;
  uint64_t arrived[RCC_SEND_PADS], departed[RCC_SEND_PADS];     /* by class, never reset */
  uint64_t packets, bytes, padding_packets, padding_bytes;      /* that left */
  unsigned stand_ins;                   /* requests for padding, ever */
  uint64_t dropped, dropped_media, dropped_audio, malformed, key_requests, renumbered;
} RccSend;

/* The stream that padding goes to; NULL: none. */
static inline RccSendStream *
rcc_send_padded (const RccSend *s)
{
  return s->padded < 0 ? NULL : (RccSendStream *) rcc_ssrcs_at (&s->streams, (unsigned) s->padded);
}

extern const RccField rcc_send_fields[];
extern const RccField rcc_send_pad_fields[];    /* over RccSendPad */

/* Not scheduled; 5 ms groups, 2 s. */
RccSendConfig rcc_send_config (void);
/* @entries and @slots: @capacity of each, at least 2. They stay the owner's, as @feedback does,
 * from which it takes its memory, too. Not paced; pads are closed. */
void rcc_send_init (RccSend *s, const RccSendConfig *config, RccSbpnEntry *entries,
    RccSendSlot *slots, uint32_t capacity, RccFeedback *feedback, RccTime now);
/* Gives its memory back. */
void rcc_send_clear (RccSend *s);
/* More room: both begin with those of before, which may have moved. */
void rcc_send_grow (RccSend *s, RccSbpnEntry *entries, RccSendSlot *slots, uint32_t capacity);
/* Whether the next packet would find no free entry but by another's fall. */
bool rcc_send_is_full (const RccSend *s);
/* Counters and controller as new; what is queued stays, and so do numbers. */
void rcc_send_restart (RccSend *s, const RccSendConfig *config, RccTime now);
/* Forgets the streams, and counts anew: what comes next has nothing to do with what was.
 * Nothing is queued. */
void rcc_send_forget (RccSend *s);

/* Pad @k is there.  Before that nobody may ask for it; packets by it, and _open(), say so, too. */
void rcc_send_add (RccSend *s, uint32_t k);
/* Where pads are the scheduler's classes: pad @k is one from now on, or has changed.  @life:
 * of its packets, after they came. */
void rcc_send_open (RccSend *s, uint32_t k, const RccSbpnClassConfig *config, RccTime life);
/* It is one no more.  Nothing of it is queued. */
void rcc_send_close (RccSend *s, uint32_t k);
/* How fast it sends, bit/s. */
uint32_t rcc_send_measure (RccSend *s, uint32_t k, RccTime now);
/* A scheduler's settings count from now on; rcc_send_overflow() says who falls. */
void rcc_send_adjust (RccSend *s, const RccSendConfig *config, RccTime now);

/* @sender is asked before each packet, told of those that leave, and may read what waits. */
void rcc_send_attach (RccSend *s, RccSender *sender);
/* bit/s; UINT32_MAX: not paced. */
void rcc_send_rate (RccSend *s, uint32_t bps, RccTime now);
/* Does what @update says of pacing and probes; returns it. */
RccUpdate rcc_send_act (RccSend *s, RccUpdate update, RccTime now);
/* No more packets of the cluster that is under way: nothing follows for now. */
void rcc_send_end_probe (RccSend *s);
/* The round trip as it is known now; RCC_NEVER: not. */
void rcc_send_rtt (RccSend *s, RccTime rtt, RccTime now);

/* Where the next packet is described, all of it, before it is put. */
RccSendPacket *rcc_send_room (RccSend *s);
RccSendVerdict rcc_send_put (RccSend *s, bool alone, RccTime now, RccSendOut *out);
/* One packet that has to go for want of room, or because it has waited too long. */
bool rcc_send_overflow (RccSend *s, RccTime now, RccSendOut *out);
RccSendVerdict rcc_send_next (RccSend *s, RccTime now, RccTime *when, RccSendOut *out);
/* When rcc_send_next() is to be asked again; RCC_NEVER: when something has come. */
RccTime rcc_send_due (RccSend *s, RccTime now);
/* Takes out one packet of pad @k, or of all (RCC_SBPN_ALL); false: there are none left. */
bool rcc_send_flush (RccSend *s, uint32_t k, RccSendOut *out);

/* RCC_SEND_PADDING: bytes that the packet has; and the packet, which leaves now. */
uint32_t rcc_send_pad_size (const RccSend *s);
void rcc_send_pad (RccSend *s, uint8_t *bytes, RccTime now, RccSendOut *out);

/* What @out says is to be written into the packet's @size first bytes. */
static inline bool
rcc_send_out_writes (const RccSendOut *out)
{
  return out->renumbered || out->send_time_at || out->transport_at || out->osn_at;
}
void rcc_send_out_write (const RccSendOut *out, uint8_t *bytes, size_t size);

/* The receiver wants packet @seq of @ssrc again. True, and the number that it came with, where
 * whoever keeps packets is to be asked. @decided: another send path, nearer to the network, has
 * said so. */
bool rcc_send_request (RccSend *s, uint32_t ssrc, uint32_t seq, bool decided, RccTime now,
    uint16_t *former);

/* What the encoder is to be told of a target of @bps. It is less while more waits than leaves
 * within backlog_from, by what takes that off within backlog_over. It is half of @bps at least. */
uint32_t rcc_send_encoder_bps (const RccSend *s, uint32_t bps);
/* Of a target of @bps, what retransmissions had in the last second; half of it at most. */
uint32_t rcc_send_rtx_bps (RccSend *s, uint32_t bps, RccTime now);

/* How long what pad @k has queued takes to leave, or all of it (RCC_SBPN_ALL); RCC_NEVER:
 * nothing leaves.  Pads are the scheduler's classes, or all is asked for. */
RccTime rcc_send_queue_time (const RccSend *s, uint32_t k);
/* What these two say has moved by a step that upstream should hear of; said once. A step is 50 ms
 * of queue, or a twentieth of the target in retransmissions. */
bool rcc_send_report_again (RccSend *s, RccTime now);

/* Bit k: a key frame is to be asked for at pad k now; once. */
uint32_t rcc_send_key_requests (RccSend *s);

/* Parity waits to leave. */
static inline bool
rcc_send_parity_due (const RccSend *s)
{
  return s->parity && s->parity->n_due > 0;
}

static inline bool
rcc_send_is_empty (const RccSend *s)
{
  return s->sbpn.queue.total.queued.packets == 0 && !rcc_send_parity_due (s);
}
/* Which class's arrived and departed count a packet of @ssrc or, if that is not known, of
 * @pad. */
uint32_t rcc_send_class (RccSend *s, uint32_t ssrc, uint32_t pad);
/* The pad by which @ssrc came last; RCC_SEND_PADS: there is none. */
uint32_t rcc_send_owner (RccSend *s, uint32_t ssrc);

#endif
