/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "figures.h"

#include <math.h>
#include <stdlib.h>

#define S RCC_SEC
#define LENGTH (61 * S)                 /* what was created up to 60 s has come by then */

static guint
n_seeds (const Path *path)
{
  const gchar *set = g_getenv ("RCC_SBPN_SEEDS");

  return set ? (guint) CLAMP (atoi (set), 4, SEEDS_MAX) : path->seeds;
}

static double
points (guint64 part, const RccStreamCount *of)
{
  return 100.0 * (double) part / (double) of->offered;
}

/* offered = sent + dropped + what may still be in a queue of @room. */
static void
check_books (const RccStreamCount *c, guint room)
{
  guint64 gone = c->sent + c->stopped;

  for (guint i = 0; i < RCC_SBPN_CAUSES; i++)
    gone += c->dropped[i];
  g_assert_cmpuint (c->offered, >, 1000);
  g_assert_cmpuint (gone, <=, c->offered);
  g_assert_cmpuint (gone + room, >=, c->offered);
  g_assert_cmpuint (c->received, <=, c->sent);
  g_assert_cmpuint (c->on_time, <=, c->received);
}

static void
take (Shares *s, guint i, const RccStreamCount *c)
{
  s->on_time[i] = points (c->on_time, c);
  s->received[i] = points (c->received, c);
  s->expired[i] = points (c->dropped[RCC_SBPN_EXPIRED], c);
  s->full[i] = points (c->dropped[RCC_SBPN_FULL], c);
  s->queue_time[i] = c->sent ? c->queue_time / (double) c->sent * 1e-6 : 0.0;
}

void
measure (const Path *path, const Sender *sender, Result *out)
{
  RccFlowConfig c = rcc_flow_config_sbpn (sender->mode, path->queue, path->rtt);

  *out = (Result) { .name = sender->name, .n = n_seeds (path) };
  c.queue.tail_drop = sender->tail_drop;
  c.queue.drops_take_turns = sender->drops_take_turns;
  c.tfrc.form = sender->rfc5348 ? RCC_TFRC_RFC5348 : RCC_TFRC_RFC3448;
  c.tfrc.faster_restart = sender->faster_restart;
  c.queue.owd = sender->measured ? RCC_SBPN_OWD_MEASURED : RCC_SBPN_OWD_HALF_RTT;
  for (guint i = 0; i < out->n; i++) {
    RccWorld *w = run_tcp (path->text, LENGTH, i + 1, &c, 1, path->renos);

    for (guint k = 0; k < RCC_WORLD_STREAMS; k++) {
      const RccStreamCount *count = &w->flows[0]->sender.delivery.streams[k];

      check_books (count, path->queue);
      take (&out->streams[k], i, count);
    }
    rcc_world_free (w);
  }
}

/* Student's t, 0.975: Abramowitz and Stegun 26.7.5, to 1 % from 3 degrees of freedom. */
static double
student (double nu)
{
  const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;

  return z + (z3 + z) / (4 * nu) + (5 * z5 + 16 * z3 + 3 * z) / (96 * nu * nu)
      + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * nu * nu * nu);
}

Mean
mean_of (const double *values, const double *from, guint n)
{
  Mean m = { 0, 0 };
  double squares = 0;

  for (guint i = 0; i < n; i++)
    m.mean += (values[i] - (from ? from[i] : 0)) / n;
  for (guint i = 0; i < n; i++) {
    const double off = values[i] - (from ? from[i] : 0) - m.mean;

    squares += off * off;
  }
  m.half = student (n - 1) * sqrt (squares / (n - 1) / n);
  return m;
}

Mean
gain (const Result *r, const Result *base, RccWorldStream k)
{
  return mean_of (r->streams[k].on_time, base->streams[k].on_time, r->n);
}

void
print_columns (const gchar *axis)
{
  g_test_message ("%-7s %-14s %12s %12s %13s %13s %11s %11s %11s %9s", axis, "", "audio on time",
      "video", "audio gain", "video gain", "late a/v", "expired a/v", "full a/v", "wait a/v");
}

static double
mean (const double *values, guint n)
{
  return mean_of (values, NULL, n).mean;
}

void
print_point (double x, const Result *r, const Result *base)
{
  const Shares *a = &r->streams[RCC_WORLD_AUDIO], *v = &r->streams[RCC_WORLD_VIDEO];
  const Mean audio = mean_of (a->on_time, NULL, r->n);
  const Mean video = mean_of (v->on_time, NULL, r->n);
  g_autofree gchar *gains = NULL;

  if (base) {
    const Mean ga = gain (r, base, RCC_WORLD_AUDIO), gv = gain (r, base, RCC_WORLD_VIDEO);

    gains = g_strdup_printf ("%+6.1f +-%4.1f %+6.1f +-%4.1f", ga.mean, ga.half, gv.mean,
        gv.half);
  }
  g_test_message ("%-7g %-14s %6.1f +-%3.1f %6.1f +-%3.1f %27s %5.1f %5.1f %5.1f %5.1f "
      "%5.1f %5.1f %4.0f %4.0f", x, r->name, audio.mean, audio.half, video.mean, video.half,
      gains ? gains : "", mean_of (a->received, a->on_time, r->n).mean,
      mean_of (v->received, v->on_time, r->n).mean, mean (a->expired, r->n),
      mean (v->expired, r->n), mean (a->full, r->n), mean (v->full, r->n),
      mean (a->queue_time, r->n), mean (v->queue_time, r->n));
}
