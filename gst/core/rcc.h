/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rcc.h - the words every congestion-control core speaks
 *
 * A core is a plain struct. It has no clock, thread, lock, allocation, log or I/O. Time comes in
 * as @now and goes out as a deadline. What has to happen comes back as an RccUpdate. Whoever
 * drives a core is a unit test, simulator or element. It sees that calls on one object do not
 * overlap and that @now does not run backwards.
 *
 * Units everywhere: time in nanoseconds, bitrates in bit/s, sizes in bytes.
 */
#ifndef RCC_RCC_H
#define RCC_RCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t RccTime;               /* ns; a point or a span; as GstClockTime */
#define RCC_NEVER UINT64_MAX            /* no such time, no sample yet; no time is later */
#define RCC_USEC  UINT64_C (1000)
#define RCC_MSEC  UINT64_C (1000000)
#define RCC_SEC   UINT64_C (1000000000)

#define RCC_MIN(a, b) ((a) < (b) ? (a) : (b))
#define RCC_MAX(a, b) ((a) > (b) ? (a) : (b))
#define RCC_CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))

/* What takes memory by need takes it through this, as realloc(). It asks for twice as much each
 * time, or for 0 bytes to give it back. It must not fail: g_realloc(). */
typedef void *(*RccResize) (void *memory, size_t bytes);

static inline void
rcc_release (RccResize resize, void *memory)
{
  if (memory)
    resize (memory, 0);
}

/* RFC 3168, as the two bits stand in the IP header */
typedef enum { RCC_ECN_NOT_ECT, RCC_ECN_ECT1, RCC_ECN_ECT0, RCC_ECN_CE } RccEcn;

typedef struct {                        /* limits; may move at any time */
  uint32_t min_bps, start_bps, max_bps; /* min wins where min > max */
} RccConfig;

typedef struct {                        /* one RTP packet */
  int64_t seq;                          /* unwrapped, in the feedback's numbering */
  uint32_t size;                        /* RTP header included, UDP/IP not */
  uint32_t probe : 24;                  /* probe cluster it belongs to; 0: none */
  uint32_t flags : 8;                   /* RCC_PACKET_... */
  uint32_t ssrc, timestamp;             /* as in its RTP header; a frame's packets share one */
  RccTime sent;                         /* sender's clock */
  RccTime arrived;                      /* receiver's clock; RCC_NEVER: lost, or nobody
                                         * knows when: rcc_packet_received() */
} RccPacket;

/* Of RccPacket.flags: what is known as the packet leaves, then what feedback says of it. */
enum {
  RCC_PACKET_MARKER = 1 << 0,           /* in on_sent(), where seq is the RTP number: the RTP
                                         * marker is set */
  RCC_PACKET_PARITY = 1 << 1,           /* a repair packet; comes back in on_feedback() */
  RCC_PACKET_CE = 1 << 2,               /* came with the mark CE (RFC 3168) */
  RCC_PACKET_LATE = 1 << 3,             /* Discard RLE (RFC 7097): came, but too late */
  RCC_PACKET_RECEIVED = 1 << 4,         /* came, nobody says when (Loss RLE, RFC 3611) */
  RCC_PACKET_MISSED = 1 << 5,           /* came after all: feedback had it as missing before */
};

/* It reached the receiver, of use or not. */
static inline bool
rcc_packet_received (const RccPacket *packet)
{
  return packet->arrived != RCC_NEVER || packet->flags & (RCC_PACKET_LATE | RCC_PACKET_RECEIVED);
}

#define RCC_LOST_UNKNOWN INT64_MIN

typedef struct {                        /* one RTCP report block about our stream */
  uint32_t ssrc;                        /* the stream it speaks of */
  uint32_t reporter;                    /* whose block it is */
  int64_t highest_seq;                  /* extended, unwrapped */
  int64_t lost;                         /* cumulative; duplicates lower it */
  uint32_t expected;                    /* packets since the report before; 0: unknown, or
                                         * nothing_new */
  bool nothing_new;                     /* no number is higher than in the report before */
  double fraction_lost;                 /* 0..1, since the report before */
  int64_t newly_lost;                   /* what the cumulative count grew by since then;
                                         * RCC_LOST_UNKNOWN: nothing to compare with */
  uint32_t ce;                          /* packets marked CE since then; 0 where nobody counts */
  RccTime jitter;                       /* RCC_NEVER: the clock rate is not known */
  RccTime rtt;                          /* RCC_NEVER: no SR echoed yet, or absurd */
} RccReport;

typedef struct {                        /* one compound of RTCP that came in */
  uint32_t size;                        /* bytes, UDP/IP not counted */
  unsigned n_reporters;                 /* SRs and RRs; 0: reduced size, feedback only */
  const uint32_t *reporters;            /* who sent those */
  bool from_sender;                     /* there is an SR among them */
  unsigned n_blocks;                    /* report blocks, about whomever, in the largest */
  bool about_us;                        /* a block or a feedback message names a stream of ours */
  bool arrivals;                        /* feedback per packet says that some came */
  bool from_reporter;                   /* by one that has shown that our packets reach it */
} RccRtcp;

enum {                                  /* RccUpdate.changed */
  RCC_TARGET = 1 << 0,
  RCC_PACING = 1 << 1,
  RCC_FEC = 1 << 2,
  RCC_STOP = 1 << 3,
  RCC_PROBE = 1 << 4,
  RCC_STATE = 1 << 5,                   /* what the algorithm is doing: for people */
};

typedef struct {                        /* what the driver must act on */
  unsigned changed;
  uint32_t target_bps;                  /* media and repair together */
  uint32_t pacing_bps;
  uint32_t fec_bps;                     /* the repair share of target_bps */
  uint32_t probe_bps;                   /* send a cluster at this rate ... */
  uint32_t probe_bytes;                 /* ... of at least so many bytes */
  uint32_t probe_id;                    /* and mark its packets with this, > 0 */
  const char *reason;                   /* static text, for logs and traces */
} RccUpdate;

/* Nothing has changed. */
static inline RccUpdate
rcc_nothing (void)
{
  return (RccUpdate) { 0 };
}

/* @later happened after @first: one update that says both. */
static inline RccUpdate
rcc_update_merge (RccUpdate first, RccUpdate later)
{
  if (later.changed & RCC_TARGET)
    first.target_bps = later.target_bps;
  if (later.changed & RCC_PACING)
    first.pacing_bps = later.pacing_bps;
  if (later.changed & RCC_FEC)
    first.fec_bps = later.fec_bps;
  if (later.changed & RCC_PROBE) {
    first.probe_bps = later.probe_bps;
    first.probe_bytes = later.probe_bytes;
    first.probe_id = later.probe_id;
  }
  if (later.changed)
    first.reason = later.reason;
  first.changed |= later.changed;
  return first;
}

/* The sender family answers "how fast may I send". Every such algorithm embeds an RccSender as
 * its first member and sets @ops in its init(). A NULL hook means the algorithm has no use for
 * the event. */
typedef struct RccSender RccSender;

typedef struct {
  const char *name;
  RccUpdate (*on_config) (RccSender *s, const RccConfig *config, RccTime now);
  RccUpdate (*on_sent) (RccSender *s, const RccPacket *packet);
  RccUpdate (*on_report) (RccSender *s, const RccReport *report, RccTime now);
  /* how many bytes may leave now, asked before each packet that waits; NULL: any.
   * An update with RCC_STATE says that it may be more than before */
  uint64_t (*allowance) (const RccSender *s, RccTime now);
  /* after the compound's reports; not told of one that was refused as forged */
  RccUpdate (*on_rtcp) (RccSender *s, const RccRtcp *rtcp, RccTime now);
  RccUpdate (*on_feedback) (RccSender *s, const RccPacket *packets, size_t n,
      RccTime now);
  /* the receiver asks for at most @bps; UINT32_MAX: for nothing any more */
  RccUpdate (*on_remb) (RccSender *s, uint32_t bps, RccTime now);
  RccUpdate (*on_deadline) (RccSender *s, RccTime now);
  RccTime (*deadline) (const RccSender *s);     /* when to call on_deadline */
} RccSenderOps;

typedef struct {                        /* what waits for the pacer */
  uint64_t packets, bytes;
  RccTime since;                        /* when the oldest came; RCC_NEVER: nothing waits */
} RccBacklog;

struct RccSender {
  const RccSenderOps *ops;
  const RccBacklog *backlog;            /* the send path's; NULL: nobody says */
};

/* rcc_tell (&gcc->sender, on_report, &report, now) */
#define rcc_tell(s, event, ...) \
  ((s)->ops->event ? (s)->ops->event ((s), __VA_ARGS__) : (RccUpdate) { 0 })

static inline RccTime
rcc_deadline (const RccSender *s)
{
  return s->ops->deadline ? s->ops->deadline (s) : RCC_NEVER;
}

#endif
