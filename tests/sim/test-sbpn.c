/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * McDonald and Nelson, "Application-level QoS: Improving Video Conferencing Quality through
 * Sending the Best Packet Next": figures 1 to 8 as tables.  The Ekiga model over TFRC in RFC
 * 3448's form, expiry 200 ms, runs of 60 s without their first 3 s, means over the seeds with
 * 95 % intervals (t); gains are of pairs of equal seed, in points.  30 seeds for random loss,
 * and beside TCP at 400 kbit/s and in figures 6 and 7, 10 elsewhere; RCC_SBPN_SEEDS=30 makes them
 * the paper's throughout.
 *
 * What the paper leaves open decides more than the choice of mode:
 *  - The axis of its congested figures: here the capacity that the call shares with two Reno
 *    flows, behind a drop-tail queue of 50 ms of 519 B packets (10 at least).
 *  - What falls when the sender's queue is full, and whether a packet that is dropped for its
 *    expiry has used its turn to send.  Here ("ours") the arriving packet competes with
 *    those queued, as sbpn.h has it, and the next packet has the turn.  "tail": the
 *    arriving packet falls whatever it is, as in front of Linux' transmit queue.  "kernel":
 *    that, and the turn is gone; a guess, made when the other two did not show what 5.1
 *    tells, from "checks the expiry time just before a packet is transmitted" (4.3).
 *
 * The paper's bounds (5, 6) were set before the first run: audio +10 points at most points,
 * video -2 or better, more at 32 packets than at 5, SBPN1 below unmodified under random
 * loss.  Where they are not reached a wider one holds what was found.  What comes of them:
 *  - 5.1, SBPN1 does worse than unmodified under random loss: so it is with "kernel", and
 *    for the paper's reason: turns not used lower X_recv, and 2 X_recv limits X (at 4 % loss
 *    36 % of the time, unmodified 12 %).  With a turn that passes on there is no harm, even
 *    with tail drop.  That SBPN2 is better than SBPN1 does not show: an expired packet is
 *    hardly ever alone in the queue.  SBPN3 and weighted, which drop nothing for its
 *    expiry, do no harm with either.
 *  - Figure 3 is as in the paper.
 *  - +10 points of audio over most of the range holds at 80 and 150 ms.  At 30 ms it holds
 *    up to 800 kbit/s; above, unmodified has 87 to 91 % and there is no room for it.  With
 *    tail drop and room for 5 it does not hold: audio finds the queue full of video and
 *    falls in front of it, in whatever order what is inside leaves; with "kernel" audio
 *    loses 16 points and video 22, and some seeds lose nearly all.  So no one reading of the
 *    paper gives its figures 1 and 4 together.
 *  - Video loses no more than 2 points at 32 packets and at 150 ms, where it gains; with 5
 *    packets at 80 ms it loses 2.6 on average and 7.5 at worst (600 kbit/s), at 30 ms 4.8
 *    and 10.5.
 *  - RFC 5348's form, which remembers X_recv, does better unmodified (90 to 94 % from 800
 *    kbit/s on), so audio gains 5 to 7 points there, and 12 to 34 below.
 *  - At 400 kbit/s the queue of the path grows in one direction only: half the round trip,
 *    which is all the paper has, is less than the way there, and a quarter of the audio
 *    that is sent comes too late for all that.  With the one-way delay as measured
 *    ("timed", sbpn/owd.h) a third of that does: audio on time 56-62 to 75 % at 400 kbit/s,
 *    elsewhere as it was.  docs/campaigns.md has both ways' gains in figures 4 to 7.
 *  - Behind a narrow link of its own the measured delay takes a point from audio and
 *    gives four to video (+28.3 +1.2 in place of +29.6 -3.0): what is dropped in time leaves
 *    its turn to what is not too late yet.
 */
#include "figures.h"

#define MS RCC_MSEC
#define SENDERS 4
#define TIMED 4                         /* from here on, the same with the way measured */
#define POINTS 11

enum { SBPN1, SBPN2, SBPN3, WEIGHTED };

static const Sender unmodified = { "unmodified", .mode = RCC_SBPN_FIFO };
static const Sender tail[SENDERS] = {
  { "sbpn1 tail", RCC_SBPN_1, .tail_drop = TRUE },
  { "sbpn2 tail", RCC_SBPN_2, .tail_drop = TRUE },
  { "sbpn3 tail", RCC_SBPN_3, .tail_drop = TRUE },
  { "weighted tail", RCC_SBPN_WEIGHTED, .tail_drop = TRUE },
};
static const Sender kernel[SENDERS] = {
  { "sbpn1 kernel", RCC_SBPN_1, .tail_drop = TRUE, .drops_take_turns = TRUE },
  { "sbpn2 kernel", RCC_SBPN_2, .tail_drop = TRUE, .drops_take_turns = TRUE },
  { "sbpn3 kernel", RCC_SBPN_3, .tail_drop = TRUE, .drops_take_turns = TRUE },
  { "weight. kernel", RCC_SBPN_WEIGHTED, .tail_drop = TRUE, .drops_take_turns = TRUE },
};
static const Sender ours[TIMED + SENDERS] = {
  { "sbpn1", .mode = RCC_SBPN_1 }, { "sbpn2", .mode = RCC_SBPN_2 },
  { "sbpn3", .mode = RCC_SBPN_3 }, { "weighted", .mode = RCC_SBPN_WEIGHTED },
  { "sbpn1 timed", .mode = RCC_SBPN_1, .measured = TRUE },
  { "sbpn2 timed", .mode = RCC_SBPN_2, .measured = TRUE },
  { "sbpn3 timed", .mode = RCC_SBPN_3, .measured = TRUE },
  { "weighted timed", .mode = RCC_SBPN_WEIGHTED, .measured = TRUE },
};

typedef struct {                        /* one figure */
  guint n;
  Result base[POINTS], others[TIMED + SENDERS][POINTS];
} Curves;

static Curves curves, more;

static Path
lossy (guint percent)
{
  Path p = { .x = percent, .rtt = 80 * MS, .queue = 5, .seeds = 30 };

  g_snprintf (p.text, sizeof p.text, "0 both rate unlimited delay 40\n0 fwd loss %u%%\n",
      percent);
  return p;
}

static const guint rates[] = { 400, 600, 800, 1000, 1200, 1600, 2000 };

static Path
congested (guint kbps, guint rtt_ms, guint queue)
{
  /* with the least capacity, and with round trips other than 80 ms (figures 6 and 7, the slow
   * form alone), calls of equal settings differ most */
  Path p = { .x = kbps, .rtt = rtt_ms * MS, .queue = queue, .renos = 2,
    .seeds = kbps > 400 && rtt_ms == 80 ? 10 : 30 };

  g_snprintf (p.text, sizeof p.text, "0 both rate %uk delay %.1f queue %u\n", kbps,
      rtt_ms / 2.0, MAX (kbps * 50 / 8 / 519, 10u));
  return p;
}

/* The call alone. */
static Path
narrow (guint kbps)
{
  Path p = { .x = kbps, .rtt = 80 * MS, .queue = 5, .seeds = 10 };

  g_snprintf (p.text, sizeof p.text, "0 both rate %uk delay 40 queue 10\n", kbps);
  return p;
}

/* What competes grows for eight seconds and halves: 500 kbit/s are left at best, @kbps at
 * worst. */
static Path
sawtooth (guint kbps)
{
  Path p = { .x = kbps, .rtt = 80 * MS, .queue = 5, .seeds = 10 };
  GString *s = g_string_new ("repeat 8\n0 both delay 40 queue 10\n");

  for (guint i = 0; i < 8; i++)
    g_string_append_printf (s, "%u both rate %uk\n", i, 500 - i * (500 - kbps) / 7);
  g_strlcpy (p.text, s->str, sizeof p.text);
  g_string_free (s, TRUE);
  return p;
}

static void
add_point (Curves *c, const Path *p, const Sender *base, const Sender *senders, guint n)
{
  measure (p, base, &c->base[c->n]);
  print_point (p->x, &c->base[c->n], NULL);
  for (guint k = 0; k < n; k++) {
    measure (p, &senders[k], &c->others[k][c->n]);
    print_point (p->x, &c->others[k][c->n], &c->base[c->n]);
  }
  c->n++;
}

static void
congest (Curves *c, guint rtt_ms, guint queue, const Sender *base, const Sender *senders,
    guint n)
{
  c->n = 0;
  print_columns ("kbit/s");
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    const Path p = congested (rates[i], rtt_ms, queue);

    add_point (c, &p, base, senders, n);
  }
}

static double
gain_at (const Curves *c, guint sender, guint i, RccWorldStream k)
{
  return gain (&c->others[sender][i], &c->base[i], k).mean;
}

static double
mean_gain (const Curves *c, guint sender, RccWorldStream k)
{
  double sum = 0;

  for (guint i = 0; i < c->n; i++)
    sum += gain_at (c, sender, i, k);
  return sum / c->n;
}

/* At how many points audio gains 10. */
static guint
tens (const Curves *c, guint sender)
{
  guint n = 0;

  for (guint i = 0; i < c->n; i++)
    n += gain_at (c, sender, i, RCC_WORLD_AUDIO) >= 10;
  return n;
}

static void
summarise (const Curves *c, guint n_senders)
{
  for (guint k = 0; k < n_senders; k++)
    g_test_message ("%s: audio %+.1f, video %+.1f on average; audio +10 at %u of %u points",
        c->others[k][0].name, mean_gain (c, k, RCC_WORLD_AUDIO),
        mean_gain (c, k, RCC_WORLD_VIDEO), tens (c, k), c->n);
}

/* 6: "video on time does not decrease or decreases by a much smaller amount". */
static void
check_video (const Curves *c, guint sender, double least)
{
  for (guint i = 0; i < c->n; i++) {
    const double audio = gain_at (c, sender, i, RCC_WORLD_AUDIO);
    const double video = gain_at (c, sender, i, RCC_WORLD_VIDEO);

    g_assert_cmpfloat (audio, >=, 0.0);
    g_assert_cmpfloat (video, >=, least);
  }
  g_assert_cmpfloat (mean_gain (c, sender, RCC_WORLD_VIDEO), >=,
      -0.5 * mean_gain (c, sender, RCC_WORLD_AUDIO));
}

/* Beside TCP, which fills one direction, the measured way gains audio and costs video no
 * more than a point; most where the path is narrowest and RTT / 2 the most off. */
static void
check_timed (const Curves *c)
{
  for (guint k = 0; k < SENDERS; k++) {
    g_assert_cmpfloat (mean_gain (c, TIMED + k, RCC_WORLD_AUDIO), >,
        mean_gain (c, k, RCC_WORLD_AUDIO));
    g_assert_cmpfloat (mean_gain (c, TIMED + k, RCC_WORLD_VIDEO), >,
        mean_gain (c, k, RCC_WORLD_VIDEO) - 1.0);
    g_assert_cmpfloat (gain_at (c, TIMED + k, 0, RCC_WORLD_AUDIO), >,
        gain_at (c, k, 0, RCC_WORLD_AUDIO) + 4.0);
  }
}

static double
late (const Result *r, RccWorldStream k)
{
  return mean_of (r->streams[k].received, r->streams[k].on_time, r->n).mean;
}

/* Figure 3: SBPN1 sends nothing in vain, SBPN2 next to nothing and only video, and both
 * less than unmodified. */
static void
check_lateness (const Curves *c)
{
  for (guint i = 0; i < c->n; i++)
    for (guint k = 0; k < RCC_WORLD_STREAMS; k++) {
      g_assert_cmpfloat (late (&c->others[SBPN1][i], k), <=, 0.3);
      g_assert_cmpfloat (late (&c->others[SBPN2][i], k), <=, 0.5);
      g_assert_cmpfloat (late (&c->others[SBPN2][i], k), <, late (&c->base[i], k) + 0.01);
    }
}

static void
under_random_loss (const Sender *senders)
{
  curves.n = 0;
  print_columns ("loss %");
  for (guint i = 0; i <= 10; i++) {
    const Path p = lossy (i);

    add_point (&curves, &p, &unmodified, senders, SENDERS);
  }
  summarise (&curves, SENDERS);
  check_lateness (&curves);
}

/* The aim: neither stream has fewer packets on time than unmodified, to 2 points. */
static void
check_no_harm (const Curves *c)
{
  for (guint i = 0; i < c->n; i++)
    for (guint k = SBPN3; k <= WEIGHTED; k++) {
      g_assert_cmpfloat (gain_at (c, k, i, RCC_WORLD_AUDIO), >=, 0.0);
      g_assert_cmpfloat (gain_at (c, k, i, RCC_WORLD_VIDEO), >=, -2.0);
    }
}

static void
figures_1_to_3_tail (void)
{
  g_test_message ("figures 1-3: random loss, 80 ms, room for 5, tail drop");
  under_random_loss (tail);
  check_no_harm (&curves);
}

/* 5.1: "Audio and video packet on time arrivals both decreased" by SBPN1, and SBPN2 "did not
 * achieve results that were better".  Where the equation leaves less than audio alone needs
 * (from 8 % on) unmodified sends nearly everything too late, and nothing is worse. */
static void
figures_1_to_3_kernel (void)
{
  g_test_message ("figures 1-3: random loss, 80 ms, room for 5, kernel");
  under_random_loss (kernel);
  check_no_harm (&curves);
  for (guint i = 1; i <= 5; i++)
    for (guint k = SBPN1; k <= SBPN2; k++)
      for (guint stream = 0; stream < RCC_WORLD_STREAMS; stream++) {
        const Mean m = gain (&curves.others[k][i], &curves.base[i], stream);

        g_assert_cmpfloat (m.mean + m.half, <, 0.0);
      }
}

/* Audio gains more and video pays for it, but not more packets than audio gained: of 90 in
 * a second 50 are audio. */
static void
figures_1_to_3_ours (void)
{
  g_test_message ("figures 1-3: random loss, 80 ms, room for 5, ours");
  under_random_loss (ours);
  for (guint i = 0; i < curves.n; i++)
    for (guint k = 0; k < SENDERS; k++) {
      g_assert_cmpfloat (gain_at (&curves, k, i, RCC_WORLD_AUDIO), >=, 8.0);
      g_assert_cmpfloat (50 * gain_at (&curves, k, i, RCC_WORLD_AUDIO)
          + 40 * gain_at (&curves, k, i, RCC_WORLD_VIDEO), >, 0.0);
    }
}

static void
figures_4_and_5 (void)
{
  g_test_message ("figure 4: two Renos, 80 ms, room for 5");
  congest (&curves, 80, 5, &unmodified, ours, TIMED + SENDERS);
  summarise (&curves, TIMED + SENDERS);
  check_timed (&curves);
  for (guint k = 0; k < SENDERS; k++)
    g_assert_cmpuint (tens (&curves, k), >=, 4);
  check_video (&curves, SBPN2, -15.0);
  g_test_message ("figure 5: two Renos, 80 ms, room for 32");
  congest (&more, 80, 32, &unmodified, ours, TIMED + SENDERS);
  summarise (&more, TIMED + SENDERS);
  check_timed (&more);
  for (guint k = 0; k < SENDERS; k++) {
    g_assert_cmpuint (tens (&more, k), >=, 4);
    check_video (&more, k, -2.0);
    /* "a larger improvement in audio and smaller reduction in ... video" */
    g_assert_cmpfloat (mean_gain (&more, k, RCC_WORLD_AUDIO), >,
        mean_gain (&curves, k, RCC_WORLD_AUDIO));
    g_assert_cmpfloat (mean_gain (&more, k, RCC_WORLD_VIDEO), >,
        mean_gain (&curves, k, RCC_WORLD_VIDEO));
  }
}

static void
figures_4_and_5_tail (void)
{
  g_test_message ("figure 4 with tail drop");
  congest (&curves, 80, 5, &unmodified, tail, SENDERS);
  summarise (&curves, SENDERS);
  g_test_message ("figure 5 with tail drop");
  congest (&more, 80, 32, &unmodified, tail, SENDERS);
  summarise (&more, SENDERS);
  g_assert_cmpuint (tens (&more, SBPN2), >=, 4);
  check_video (&more, SBPN2, -2.0);
  g_test_message ("figure 4, kernel");
  congest (&curves, 80, 5, &unmodified, kernel, 2);
  summarise (&curves, 2);
  g_test_message ("figure 5, kernel");
  congest (&more, 80, 32, &unmodified, kernel, 2);
  summarise (&more, 2);
  g_assert_cmpuint (tens (&more, SBPN2), >=, 4);
}

static void
figures_6_and_7 (void)
{
  g_test_message ("figure 6: two Renos, 30 ms, room for 5");
  congest (&curves, 30, 5, &unmodified, ours, TIMED + SENDERS);
  summarise (&curves, TIMED + SENDERS);
  check_timed (&curves);
  g_assert_cmpfloat (gain_at (&curves, SBPN2, 0, RCC_WORLD_AUDIO), >=, 10.0);
  check_video (&curves, SBPN2, -15.0);
  g_test_message ("figure 7: two Renos, 150 ms, room for 5");
  congest (&more, 150, 5, &unmodified, ours, TIMED + SENDERS);
  summarise (&more, TIMED + SENDERS);
  check_timed (&more);
  g_assert_cmpuint (tens (&more, SBPN2), >=, 4);
  check_video (&more, SBPN2, -10.0);
}

/* "does not produce significantly better results" */
static void
figure_8 (void)
{
  static const Sender senders[] = {
    { "fast restart", .mode = RCC_SBPN_FIFO, .faster_restart = TRUE },
  };

  g_test_message ("figure 8: two Renos, 80 ms, room for 5: faster restart");
  congest (&curves, 80, 5, &unmodified, senders, 1);
  summarise (&curves, 1);
  g_assert_cmpuint (tens (&curves, 0), <=, 3);
}

static void
rfc5348_form (void)
{
  static const Sender base = { "unmodified", .mode = RCC_SBPN_FIFO, .rfc5348 = TRUE };
  static const Sender senders[] = {
    { "sbpn1", .mode = RCC_SBPN_1, .rfc5348 = TRUE },
    { "sbpn2", .mode = RCC_SBPN_2, .rfc5348 = TRUE },
    { "sbpn3", .mode = RCC_SBPN_3, .rfc5348 = TRUE },
    { "weighted", .mode = RCC_SBPN_WEIGHTED, .rfc5348 = TRUE },
  };

  g_test_message ("figure 4 with TFRC in RFC 5348's form");
  congest (&curves, 80, 5, &base, senders, SENDERS);
  summarise (&curves, SENDERS);
  g_assert_cmpfloat (mean_gain (&curves, SBPN2, RCC_WORLD_AUDIO), >=, 5.0);
  for (guint i = 0; i < curves.n; i++)
    g_assert_cmpfloat (gain_at (&curves, SBPN2, i, RCC_WORLD_AUDIO), >=, 0.0);
}

/* A queue of the call's own, which is drained by what is not sent: the measured way must
 * not shut it off for good. */
static void
check_timed_alone (void)
{
  for (guint k = 0; k < SENDERS; k++) {
    g_assert_cmpuint (tens (&curves, TIMED + k), >=, 4);
    g_assert_cmpfloat (mean_gain (&curves, TIMED + k, RCC_WORLD_AUDIO), >,
        mean_gain (&curves, k, RCC_WORLD_AUDIO) - 3.0);
    g_assert_cmpfloat (mean_gain (&curves, TIMED + k, RCC_WORLD_VIDEO), >,
        mean_gain (&curves, k, RCC_WORLD_VIDEO));
    for (guint i = 0; i < curves.n; i++)
      g_assert_cmpfloat (gain_at (&curves, TIMED + k, i, RCC_WORLD_AUDIO), >=, 10.0);
  }
}

static void
without_tcp (void)
{
  static const guint narrows[] = { 100, 150, 200, 250, 300, 350 };

  g_test_message ("a link below what is offered (374 kbit/s), 80 ms, room for 5");
  print_columns ("kbit/s");
  curves.n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (narrows); i++) {
    const Path p = narrow (narrows[i]);

    add_point (&curves, &p, &unmodified, ours, TIMED + SENDERS);
  }
  summarise (&curves, TIMED + SENDERS);
  g_assert_cmpuint (tens (&curves, SBPN2), >=, 4);
  check_timed_alone ();
  g_test_message ("a sawtooth from 500 kbit/s down to");
  print_columns ("kbit/s");
  curves.n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (narrows); i++) {
    const Path p = sawtooth (narrows[i]);

    add_point (&curves, &p, &unmodified, ours, TIMED + SENDERS);
  }
  summarise (&curves, TIMED + SENDERS);
  g_assert_cmpuint (tens (&curves, SBPN2), >=, 4);
  check_timed_alone ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn/figures-1-3", figures_1_to_3_ours);
  g_test_add_func ("/sbpn/figures-4-5", figures_4_and_5);
  g_test_add_func ("/sbpn/figure-8", figure_8);
  g_test_add_func ("/sbpn/without-tcp", without_tcp);
  if (g_test_slow ()) {                 /* -m slow: other round trips and readings of the paper */
    g_test_add_func ("/sbpn/figures-6-7", figures_6_and_7);
    g_test_add_func ("/sbpn/figures-1-3-tail", figures_1_to_3_tail);
    g_test_add_func ("/sbpn/figures-1-3-kernel", figures_1_to_3_kernel);
    g_test_add_func ("/sbpn/figures-4-5-tail", figures_4_and_5_tail);
    g_test_add_func ("/sbpn/rfc5348", rfc5348_form);
  }
  return g_test_run ();
}
