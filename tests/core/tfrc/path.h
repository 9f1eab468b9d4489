/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrc-path.h - flows under TFRC over one virtual path, for test-tfrc.c
 *
 * Random loss, then a drop-tail queue in front of a link (or none), then half the
 * round-trip time each way.  The receiver tells every R what arrived and what is
 * missing below that.  All senders send as fast as RCC_PACING says, but for a flow with
 * an @offered rate.
 */
#include <math.h>
#include <glib.h>
#include "core/rng.h"
#include "core/tcpeq.h"
#include "core/tfrc/tfrc.h"

#define SIZE 1200
#define FLIGHT 4096                     /* packets whose outcome is not told yet */
#define BATCH 2048

typedef struct {
  RccTfrc tfrc;
  RccTime next_send, next_feedback;
  struct {
    RccTime at;                         /* when it reaches the sender */
    RccPacket packets[BATCH];
    gsize n;
  } message;                            /* on its way back; n == 0: none */
  RccPacket flight[FLIGHT];
  guint64 sent, reported;
  gdouble offered;                      /* bit/s; 0: all that is allowed */
  /* counted apart from the cores, since @measure_from */
  RccTime measure_from, event;          /* its first packet's sending */
  guint64 packets, lost, events;
} Flow;

typedef struct {
  RccTime rtt;
  gdouble loss;
  gdouble link_bps;                     /* 0: no bottleneck */
  guint queue;                          /* packets */
  RccTime busy;                         /* the link, until then */
  RccRng rng;
  Flow *flows;
  guint n_flows;
} Path;

/* When the path delivers what enters it now; RCC_NEVER: it does not. */
static RccTime
cross (Path *path, RccTime now)
{
  const RccTime serial = path->link_bps > 0 ? (RccTime) (8e9 * SIZE / path->link_bps) : 0;

  if (rcc_rng_uniform (&path->rng) < path->loss)
    return RCC_NEVER;
  path->busy = MAX (path->busy, now);
  if (serial > 0 && (path->busy - now) / serial >= path->queue)
    return RCC_NEVER;
  path->busy += serial;
  return path->busy + path->rtt / 2;
}

static void
send_one (Path *path, Flow *f, RccTime now)
{
  RccPacket *p = &f->flight[f->sent % FLIGHT];
  const gdouble bps = f->offered > 0 ? MIN (f->offered, f->tfrc.pacing_bps)
      : f->tfrc.pacing_bps;

  g_assert_cmpuint (f->sent - f->reported, <, FLIGHT);
  *p = (RccPacket) { .seq = (gint64) f->sent++, .size = SIZE, .sent = now };
  p->arrived = cross (path, now);
  rcc_tell (&f->tfrc.sender, on_sent, p);
  f->next_send = now + (RccTime) (8e9 * SIZE / bps);
  if (now < f->measure_from)
    return;
  f->packets++;
  if (p->arrived == RCC_NEVER) {
    f->lost++;
    if (f->events == 0 || now > f->event + path->rtt) {
      f->event = now;
      f->events++;
    }
  }
}

/* The receiver: everything up to the newest arrival. */
static void
send_feedback (Path *path, Flow *f, RccTime now)
{
  guint64 upto = f->reported;

  f->next_feedback = now + path->rtt;
  g_assert_cmpuint (f->message.n, ==, 0);
  for (guint64 i = f->reported; i < f->sent; i++)
    if (f->flight[i % FLIGHT].arrived <= now)
      upto = i + 1;
  g_assert_cmpuint (upto - f->reported, <=, BATCH);
  for (; f->reported < upto; f->reported++)
    f->message.packets[f->message.n++] = f->flight[f->reported % FLIGHT];
  f->message.at = now + path->rtt / 2;
}

static RccTime
flow_next (const Flow *f)
{
  RccTime next = MIN (f->next_send, f->next_feedback);

  if (f->message.n > 0)
    next = MIN (next, f->message.at);
  return MIN (next, rcc_deadline (&f->tfrc.sender));
}

static void
check (const Flow *f, RccTime now)
{
  const RccTfrc *t = &f->tfrc;

  g_assert_true (rcc_deadline (&t->sender) > now);
  g_assert_true (t->rate.p >= 0.0 && t->rate.p <= 1.0);
  g_assert_cmpuint (t->target_bps, >=, t->limits.min_bps);
  g_assert_cmpuint (t->target_bps, <=, t->limits.max_bps);
}

static void
flow_act (Path *path, Flow *f, RccTime now)
{
  RccUpdate u = { 0 };

  if (now >= rcc_deadline (&f->tfrc.sender)) {
    u = rcc_tell (&f->tfrc.sender, on_deadline, now);
    check (f, now);
  }
  if (f->message.n > 0 && now >= f->message.at) {
    const gsize n = f->message.n;

    f->message.n = 0;
    u = rcc_update_merge (u, rcc_tell (&f->tfrc.sender, on_feedback,
            f->message.packets, n, now));
    check (f, now);
  }
  if ((u.changed & RCC_PACING) && f->offered == 0 && f->sent > 0) {
    const RccTime last = f->flight[(f->sent - 1) % FLIGHT].sent;

    f->next_send = MAX (now, last + (RccTime) (8e9 * SIZE / u.pacing_bps));
  }
  if (now >= f->next_feedback)
    send_feedback (path, f, now);
  if (now >= f->next_send)
    send_one (path, f, now);
}

static inline void
flow_init (Flow *f, const RccTfrcConfig *config, const RccConfig *limits, RccTime begin)
{
  rcc_tfrc_init (&f->tfrc, config, limits);
  f->next_send = f->next_feedback = begin;
  f->message.n = 0;
  f->sent = f->reported = f->packets = f->lost = f->events = 0;
  f->measure_from = RCC_NEVER;
  f->offered = 0.0;
}

/* Runs up to @until; returns the last moment anything happened. */
static inline RccTime
run (Path *path, RccTime until)
{
  for (;;) {
    Flow *first = &path->flows[0];

    for (guint i = 1; i < path->n_flows; i++)
      if (flow_next (&path->flows[i]) < flow_next (first))
        first = &path->flows[i];
    if (flow_next (first) > until)
      return until;
    flow_act (path, first, flow_next (first));
  }
}
