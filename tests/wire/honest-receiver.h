/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * honest-receiver.h - a receiver by the book (RFC 3550 A.1, A.3, 6.4.1) at the end of a
 * path that loses, doubles, delays and reorders all that goes either way
 *
 * The caller sends by the clock; what comes back is report blocks.
 */
#ifndef RCC_HONEST_RECEIVER_H
#define RCC_HONEST_RECEIVER_H

#include <glib.h>
#include "core/rng.h"
#include "wire/rtcp.h"

#define MAX_DROPOUT 3000
#define MAX_MISORDER 100
#define SEQ_MOD (1 << 16)

typedef struct {                        /* RFC 3550 A.1, without probation */
  gboolean any;
  guint32 ssrc, cycles, base_seq, bad_seq;
  guint16 max_seq;
  gint64 received, expected_prior, received_prior;
  guint32 lsr;
  RccTime lsr_at;
} Source;

typedef enum { IS_PACKET, IS_SR, IS_RR } Kind;

typedef struct {
  Kind kind;
  RccTime at;                           /* arrives */
  guint number;                         /* of the RR, as made */
  guint16 seq;
  guint32 ntp;
  RccReportBlock block;
} Flying;

typedef struct {
  RccRng rng;
  gdouble loss, duplicates;             /* either way */
  /* More jitter than a packet's interval reorders; a receiver by A.1 begins anew when
   * that goes beyond MAX_MISORDER packets. */
  RccTime delay, jitter, rr_jitter;
  gdouble drift;                        /* how much faster the receiver's clock runs */
  GSequence *path;                      /* of Flying, by arrival */
  Source source;
  guint made;                           /* RRs */
} Honest;

static inline gint
honest_order (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return ((const Flying *) a)->at < ((const Flying *) b)->at ? -1 : 1;
}

static inline gdouble
honest_chance (Honest *h)
{
  return rcc_rng_u32 (&h->rng) / 4294967296.0;
}

static inline void
honest_send (Honest *h, Flying flying, RccTime now)
{
  if (honest_chance (h) < h->loss)
    return;
  do {
    flying.at = now + h->delay + (RccTime) (honest_chance (h)
        * (gdouble) (flying.kind == IS_RR ? h->rr_jitter : h->jitter));
    g_sequence_insert_sorted (h->path, g_memdup2 (&flying, sizeof flying), honest_order, NULL);
  } while (honest_chance (h) < h->duplicates);
}

static inline void
honest_begin (Source *s, guint16 seq)
{
  s->base_seq = s->max_seq = seq;
  s->bad_seq = SEQ_MOD + 1;
  s->cycles = 0;
  s->received = s->received_prior = s->expected_prior = 0;
  s->any = TRUE;
}

static inline void
honest_packet (Source *s, guint16 seq)
{
  const guint16 delta = (guint16) (seq - s->max_seq);

  if (!s->any)
    honest_begin (s, seq);
  else if (delta < MAX_DROPOUT) {
    if (seq < s->max_seq)
      s->cycles += SEQ_MOD;
    s->max_seq = seq;
  } else if (delta <= SEQ_MOD - MAX_MISORDER) {
    if (seq != s->bad_seq) {
      s->bad_seq = (seq + 1) & (SEQ_MOD - 1);
      return;
    }
    honest_begin (s, seq);
  }
  s->received++;
}

/* A.3 */
static inline void
honest_report (Honest *h, RccTime now)
{
  Source *s = &h->source;
  const guint32 highest = s->cycles + s->max_seq;
  const gint64 expected = (gint64) highest - s->base_seq + 1;
  const gint64 expected_now = expected - s->expected_prior;
  const gint64 lost_now = expected_now - (s->received - s->received_prior);
  const RccTime held = now - s->lsr_at;

  if (!s->any)
    return;
  s->expected_prior = expected;
  s->received_prior = s->received;
  honest_send (h, (Flying) {
        .kind = IS_RR, .number = h->made++, .block = {
          .ssrc = s->ssrc, .highest_seq = highest,
          .fraction = (guint8) (expected_now <= 0 || lost_now <= 0 ? 0
              : MIN (lost_now * 256 / expected_now, 255)),
          .lost = (gint32) CLAMP (expected - s->received, -0x800000, 0x7fffff),
          .lsr = s->lsr,
          .dlsr = s->lsr == 0 ? 0 : (guint32) ((gdouble) held / RCC_SEC
              * (1 + h->drift) * 65536),
        } }, now);
}

/* The next thing that has arrived by @now; RRs come out, all else is the receiver's. */
static inline gboolean
honest_arrival (Honest *h, RccTime now, Flying *rr)
{
  GSequenceIter *first = g_sequence_get_begin_iter (h->path);

  for (; !g_sequence_iter_is_end (first); first = g_sequence_get_begin_iter (h->path)) {
    const Flying flying = *(Flying *) g_sequence_get (first);

    if (flying.at > now)
      return FALSE;
    g_sequence_remove (first);
    if (flying.kind == IS_RR) {
      *rr = flying;
      return TRUE;
    }
    if (flying.kind == IS_PACKET)
      honest_packet (&h->source, flying.seq);
    else {
      h->source.lsr = flying.ntp;
      h->source.lsr_at = flying.at;
    }
  }
  return FALSE;
}

#endif
