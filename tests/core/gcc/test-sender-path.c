/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the sender makes of losses, of data in flight and of silence on a path with feedback of
 * each packet: 100 ms there and back, told of each 50 ms, no queue.
 */
#include <math.h>
#include <glib.h>
#include "core/gcc/sender.h"

#define SIZE 1000
#define OWD (50 * RCC_MSEC)
#define EACH (50 * RCC_MSEC)

static const RccConfig limits = { 50000, 1000000, 1000000 };

typedef struct {
  RccGccSender s;
  RccTime now, next_packet, next_feedback;
  RccPacket out[4096];
  guint head, tail;
  guint lose_each;                      /* one packet of so many; 0: none */
  gdouble capacity;                     /* bit/s: what is over it is lost, too */
  gdouble tokens;
  gboolean deaf;                        /* feedback is lost */
  guint deaf_each;                      /* so is one message of so many; 0: none */
  guint feedbacks;
  guint updates;                        /* of packets that leave */
  gboolean rembs;                       /* in place of feedback of packets */
  guint32 remb;
} Call;

static Call call;

static void
begin (void)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);

  memset (&call, 0, sizeof call);
  call.now = call.next_packet = call.next_feedback = RCC_SEC;
  call.capacity = 1e9;
  call.remb = 1000000;
  rcc_gcc_sender_init (&call.s, &config, &limits);
  call.s.prober.factor = 0;             /* no probes: the rate is the encoder's */
}

static void
leave (void)
{
  RccPacket *p = &call.out[call.tail % G_N_ELEMENTS (call.out)];
  const gboolean random = call.lose_each > 0 && call.tail % call.lose_each == 0;

  call.tokens = MIN (call.tokens, 20 * SIZE);
  *p = (RccPacket) { .seq = call.tail, .size = SIZE, .sent = call.now, .arrived = RCC_NEVER };
  call.updates += rcc_tell (&call.s.sender, on_sent, p).changed != 0;
  if (!random && call.tokens >= SIZE) {
    call.tokens -= SIZE;
    p->arrived = call.now + OWD;
  }
  call.tail++;
  call.next_packet += (RccTime) (8e9 * SIZE / MAX (call.s.target_bps, 1000));
}

static void
feedback (void)
{
  RccPacket told[256];
  gsize n = 0, lost = 0;

  while (call.head < call.tail && n < G_N_ELEMENTS (told)
      && call.out[call.head % G_N_ELEMENTS (call.out)].sent + 2 * OWD <= call.now) {
    told[n] = call.out[call.head++ % G_N_ELEMENTS (call.out)];
    lost += told[n++].arrived == RCC_NEVER;
  }
  if (call.deaf || (call.deaf_each > 0 && ++call.feedbacks % call.deaf_each == 0))
    return;
  if (call.rembs) {
    const RccReport r = { .fraction_lost = n ? (gdouble) lost / n : 0, .expected = n,
      .rtt = 2 * OWD };

    rcc_tell (&call.s.sender, on_remb, call.remb, call.now);
    rcc_tell (&call.s.sender, on_report, &r, call.now);
  } else {
    rcc_tell (&call.s.sender, on_feedback, told, n, call.now);
  }
}

static void
run (gdouble seconds)
{
  const RccTime to = call.now + (RccTime) (seconds * 1e9);

  for (; call.now < to; call.now += RCC_MSEC) {
    call.tokens += call.capacity / 8e3;
    while (call.next_packet <= call.now)
      leave ();
    if (call.next_feedback <= call.now) {
      feedback ();
      call.next_feedback += EACH;
    }
    if (rcc_deadline (&call.s.sender) <= call.now)
      rcc_tell (&call.s.sender, on_deadline, call.now);
  }
}

static void
a_clean_path_is_used_whole (void)
{
  begin ();
  run (10);
  g_assert_cmpuint (call.s.target_bps, ==, 1000000);
  g_assert_cmpstr (call.s.limited_by, ==, "max-bitrate");
}

/* In flight may be 1 Mbit/s * (100 to 150 + 50 + 500 ms).  After that the target falls, by itself
 * or helped by the halving of silence, in steps of 5 % at least.  The first feedback brings all of
 * it back. */
static void
silence_is_felt_by_what_is_in_flight (void)
{
  for (guint alone = 0; alone < 2; alone++) {
    begin ();
    if (alone)
      call.s.config.feedback_timeout = 3600 * RCC_SEC;
    run (10);
    call.deaf = TRUE;
    run (0.45);
    g_assert_cmpuint (call.s.target_bps, ==, 1000000);
    run (0.55);
    g_assert_cmpuint (call.s.target_bps, <, 700000);
    g_assert_cmpuint (call.s.silences, ==, alone ? 0 : 1);
    if (alone)
      g_assert_cmpstr (call.s.limited_by, ==, "flight");
    run (alone ? 4 : 2);
    g_assert_cmpuint (call.s.target_bps, ==, limits.min_bps);
    g_assert_cmpuint (call.updates, >, 0);
    g_assert_cmpuint (call.updates, <=, 20);
    call.deaf = FALSE;
    run (1);
    g_assert_cmpuint (call.s.target_bps, >, 900000);
  }
}

static void
silence_of_rembs_halves_after_four_intervals (void)
{
  begin ();
  call.rembs = TRUE;
  run (10);
  call.deaf = TRUE;
  run (0.7);
  g_assert_cmpuint (call.s.target_bps, ==, 1000000);
  run (0.15);
  g_assert_cmpuint (call.s.target_bps, ==, 500000);
  run (0.4);
  g_assert_cmpuint (call.s.target_bps, ==, 250000);
  run (1.75);
  g_assert_cmpuint (call.s.target_bps, ==, limits.min_bps);
  call.deaf = FALSE;
  run (1);
  g_assert_cmpuint (call.s.target_bps, ==, 1000000);
}

/* libwebrtc's receiver: a REMB each second, with a report of two streams, and another report
 * soon after it.  Two of its intervals are no silence, however many blocks one compound has. */
static void
a_remb_each_second_is_no_silence (void)
{
  const RccReport r = { .expected = 50, .rtt = 2 * OWD };

  begin ();
  call.rembs = call.deaf = TRUE;
  for (guint i = 0; i < 60; i++) {
    rcc_tell (&call.s.sender, on_report, &r, call.now);
    rcc_tell (&call.s.sender, on_report, &r, call.now);
    rcc_tell (&call.s.sender, on_remb, 1000000, call.now);
    run (0.05);
    rcc_tell (&call.s.sender, on_report, &r, call.now);
    rcc_tell (&call.s.sender, on_report, &r, call.now);
    run (0.95);
    g_assert_cmpuint (call.s.target_bps, ==, 1000000);
  }
  g_assert_cmpuint (call.s.silences, ==, 0);
}

/* A tenth of all packets, whatever the rate. */
static void
the_paths_own_losses_do_not_limit (void)
{
  for (guint rembs = 0; rembs < 2; rembs++) {
    gdouble sum = 0;

    begin ();
    call.rembs = rembs;
    call.lose_each = 10;
    for (guint i = 0; i < 60; i++) {
      run (1);
      sum += call.s.target_bps;
    }
    g_assert_cmpfloat (sum / 60, >, 0.85e6);
    g_assert_cmpfloat_with_epsilon (call.s.fraction_lost, 0.1, 0.06);
  }
}

/* 700 of 1000 kbit/s get through, and no queue says so. */
static void
what_is_over_the_capacity_does (void)
{
  for (guint rembs = 0; rembs < 2; rembs++) {
    guint64 lost, packets;
    gdouble sum = 0;

    begin ();
    call.rembs = rembs;
    run (5);
    call.capacity = 0.7e6;
    run (15);
    g_assert_cmpstr (call.s.limited_by, ==, "loss");
    packets = call.tail;
    lost = 0;
    for (guint i = 0; i < 60; i++) {
      run (1);
      sum += call.s.target_bps;
      for (; packets < call.tail; packets++)
        lost += call.out[packets % G_N_ELEMENTS (call.out)].arrived == RCC_NEVER;
    }
    /* 30 % without an answer; 2 % are 105 packets of 5250 */
    g_assert_cmpuint (lost, <, 105 + 30);
    g_assert_cmpfloat (sum / 60, >, 0.85 * 700000);
    g_assert_cmpfloat (sum / 60, <, 1.05 * 700000);
  }
}

/* Each third message is lost: a third of what came is told by nobody. */
static void
lost_feedback_is_no_lost_rate (void)
{
  for (guint on = 0; on < 2; on++) {
    gdouble sum = 0;

    begin ();
    call.s.config.fill_gaps = on;
    call.deaf_each = 3;
    run (5);
    for (guint i = 0; i < 50; i++) {
      run (0.1);
      sum += call.s.delay.received_bps;
    }
    if (on)
      g_assert_cmpfloat_with_epsilon (sum / 50, 1e6, 0.07e6);
    else
      g_assert_cmpfloat (sum / 50, <, 0.75e6);
    g_assert_cmpfloat (call.s.fraction_lost, ==, 0.0);
  }
}

/* What is lost itself is not made up for by the hole beside it. */
static void
a_gap_is_no_better_than_its_neighbours (void)
{
  gdouble sum = 0;

  begin ();
  call.deaf_each = 3;
  call.lose_each = 5;
  run (5);
  for (guint i = 0; i < 100; i++) {
    run (0.1);
    sum += call.s.delay.received_bps / (gdouble) MAX (call.s.sent_bps, 1);
  }
  g_assert_cmpfloat_with_epsilon (sum / 100, 0.8, 0.08);
}

/* The losses of a fall come with it. */
static void
losses_at_a_fall_of_the_remb_are_its (void)
{
  begin ();
  call.rembs = TRUE;
  run (10);
  call.remb = 500000;
  call.lose_each = 5;
  run (2);
  call.lose_each = 0;
  run (2);
  g_assert_cmpuint (call.s.loss.cause.tests, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-path/a-clean-path-is-used-whole", a_clean_path_is_used_whole);
  g_test_add_func ("/gcc-path/silence-is-felt-by-what-is-in-flight",
      silence_is_felt_by_what_is_in_flight);
  g_test_add_func ("/gcc-path/silence-of-rembs-halves-after-four-intervals",
      silence_of_rembs_halves_after_four_intervals);
  g_test_add_func ("/gcc-path/a-remb-each-second-is-no-silence",
      a_remb_each_second_is_no_silence);
  g_test_add_func ("/gcc-path/the-paths-own-losses-do-not-limit",
      the_paths_own_losses_do_not_limit);
  g_test_add_func ("/gcc-path/what-is-over-the-capacity-does", what_is_over_the_capacity_does);
  g_test_add_func ("/gcc-path/lost-feedback-is-no-lost-rate", lost_feedback_is_no_lost_rate);
  g_test_add_func ("/gcc-path/a-gap-is-no-better-than-its-neighbours",
      a_gap_is_no_better_than_its_neighbours);
  g_test_add_func ("/gcc-path/losses-at-a-fall-of-the-remb-are-its",
      losses_at_a_fall_of_the_remb_are_its);
  return g_test_run ();
}
