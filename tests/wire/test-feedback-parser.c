/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "feedback-rig.h"
#include "wire/feedback-parser.h"

static RccFeedbackParser parser;

static void
begin (void)
{
  start ();
  parser = rcc_feedback_parser (&f, &notes.sender, 100000, 2 * RCC_SEC);
  sent_many (MEDIA, 0, 10, RCC_SEC, RCC_MSEC);
}

/* By its RTP number. */
static void
say (guint16 seq, guint8 said, RccTime arrived)
{
  RccSentPacket *s = rcc_feedback_parser_find (&parser, rcc_reports_find (&f.reports, MEDIA), seq,
      said & RCC_SAID_ANY_RECEIVED);

  if (!s)
    return;
  if (said & RCC_SAID_ARRIVED)
    s->arrived = arrived;
  rcc_feedback_parser_note (&parser, s, said);
}

/* How many packets are told by that. */
static guint
reported (guint32 ssrc, guint8 format)
{
  notes.n = 0;
  rcc_feedback_parser_end (&parser, ssrc, format);
  return notes.n;
}

static guint
tell (guint16 seq, guint8 said, RccTime arrived)
{
  say (seq, said, arrived);
  return reported (PEER, RCC_RTCP_XR);
}

#define RECEIVED (RCC_SAID_RECEIVED | RCC_SAID_ARRIVED)

static void
each_outcome_is_news_once (void)
{
  begin ();
  g_assert_cmpuint (tell (0, RECEIVED, 5), ==, 1);
  g_assert_true (notes.packets[0].arrived == 5 && notes.packets[0].flags == 0);
  g_assert_cmpuint (tell (1, RCC_SAID_RECEIVED, 0), ==, 1);
  g_assert_true (notes.packets[0].arrived == RCC_NEVER && notes.packets[0].flags
      == RCC_PACKET_RECEIVED);
  g_assert_cmpuint (tell (2, RCC_SAID_LATE | RCC_SAID_ARRIVED, 7), ==, 1);
  g_assert_true (notes.packets[0].arrived == 7 && notes.packets[0].flags == RCC_PACKET_LATE);
  for (guint16 seq = 0; seq < 3; seq++) {
    g_assert_cmpuint (tell (seq, RECEIVED, 9), ==, 0);
    g_assert_cmpuint (tell (seq, RCC_SAID_LATE, 0), ==, 0);
    g_assert_cmpuint (tell (seq, RCC_SAID_LOST, 0), ==, 0);
  }
  g_assert_cmpuint (tell (3, RCC_SAID_LOST, 0), ==, 1);
  g_assert_true (notes.packets[0].arrived == RCC_NEVER && notes.packets[0].flags == 0);
  g_assert_cmpuint (tell (3, RCC_SAID_LOST, 0), ==, 0);
  g_assert_cmpuint (tell (3, RCC_SAID_LATE, 0), ==, 1);         /* after all */
  g_assert_cmphex (notes.packets[0].flags, ==,
      RCC_PACKET_LATE | RCC_PACKET_RECEIVED | RCC_PACKET_MISSED);
  g_assert_cmpuint (tell (3, RECEIVED, 9), ==, 0);
  g_assert_cmpuint (tell (4, RECEIVED | RCC_SAID_CE, 8), ==, 1);
  g_assert_true (notes.packets[0].arrived == 8 && notes.packets[0].flags == RCC_PACKET_CE);
  g_assert_cmpuint (tell (5, RCC_SAID_LOST | RCC_SAID_CE, 0), ==, 1);
  g_assert_cmphex (notes.packets[0].flags, ==, 0);
  /* RFC 7097 3: both are ignored, and what else is said counts */
  g_assert_cmpuint (tell (6, RCC_SAID_LATE | RCC_SAID_EARLY, 0), ==, 0);
  g_assert_cmpuint (tell (6, RCC_SAID_LATE | RCC_SAID_EARLY | RCC_SAID_RECEIVED, 0), ==, 1);
  g_assert_cmphex (notes.packets[0].flags, ==, RCC_PACKET_RECEIVED);
  g_assert_cmpuint (f.unknown_packets, ==, 0);
}

static void
one_reporter_in_one_format_at_a_time (void)
{
  begin ();
  say (0, RECEIVED, 5);
  g_assert_cmpuint (reported (PEER, RCC_RTCP_XR), ==, 1);
  say (1, RECEIVED, 5);
  g_assert_cmpuint (reported (PEER, 15), ==, 0);
  say (1, RECEIVED, 5);
  g_assert_cmpuint (reported (PEER + 1, RCC_RTCP_XR), ==, 0);
  g_assert_cmpuint (f.reports.ignored, ==, 2);
  parser.now = 5 * RCC_SEC;
  say (1, RECEIVED, 5);
  g_assert_cmpuint (reported (PEER, 11), ==, 1);
  say (2, RECEIVED, 5);
  g_assert_cmpuint (reported (PEER, RCC_RTCP_XR), ==, 0);
}

/* Its first packet is as long under way as the last before, and the rest as they say. */
static void
who_tells_next_is_put_on_the_same_clock (void)
{
  const RccTime left = RCC_SEC;         /* packet 0, and each next a millisecond later */

  begin ();
  say (0, RECEIVED, left + 50 * RCC_MSEC);
  g_assert_cmpuint (reported (PEER, 15), ==, 1);
  g_assert_cmpuint (notes.packets[0].arrived, ==, left + 50 * RCC_MSEC);
  parser.now = 5 * RCC_SEC;
  say (1, RECEIVED, 1000 * RCC_SEC);
  say (2, RECEIVED, 1000 * RCC_SEC + 11 * RCC_MSEC);
  g_assert_cmpuint (reported (PEER, 11), ==, 2);
  g_assert_cmpuint (notes.packets[0].arrived, ==, left + 51 * RCC_MSEC);
  g_assert_cmpuint (notes.packets[1].arrived, ==, left + 62 * RCC_MSEC);
  parser.now = 8 * RCC_SEC;
  say (3, RECEIVED, 7);
  g_assert_cmpuint (reported (PEER + 1, 11), ==, 1);
  g_assert_cmpuint (notes.packets[0].arrived, ==, left + 63 * RCC_MSEC);
  say (4, RECEIVED, RCC_NEVER - 1);     /* absurd: no overflow */
  say (5, RECEIVED, 0);
  g_assert_cmpuint (reported (PEER + 1, 11), ==, 2);
}

/* What is said of a packet that never left takes all else with it. */
static void
only_what_was_in_flight_proves_anything (void)
{
  begin ();
  for (guint16 seq = 0; seq < 10; seq++) {
    parser.proved = false;
    say (seq, RCC_SAID_RECEIVED, 0);
    g_assert_true (parser.proved && !parser.impossible);
  }
  say (10, RCC_SAID_LOST, 0);
  g_assert_false (parser.impossible);
  say (10, RCC_SAID_RECEIVED, 0);
  g_assert_true (parser.impossible);
  g_assert_cmpuint (reported (PEER, 11), ==, 0);
  g_assert_cmpuint (f.reports.forged, ==, 1);
  say (9 + 32767, RCC_SAID_RECEIVED, 0);
  g_assert_true (parser.impossible);
  reported (PEER, 11);
  say (9 + 32769, RCC_SAID_RECEIVED, 0);
  say (65535, RCC_SAID_RECEIVED, 0);
  g_assert_false (parser.impossible || parser.proved);
  reported (PEER, 11);
  g_assert_cmpuint (tell (3, RCC_SAID_RECEIVED, 0), ==, 1);
  g_assert_cmpuint (tell (4, RCC_SAID_LOST, 0), ==, 1);
  say (3, RCC_SAID_RECEIVED, 0);
  say (4, RCC_SAID_RECEIVED, 0);
  rcc_feedback_unsent (&f, &(RccRtp) { .ssrc = MEDIA, .seq = 10 }, RCC_SEC);
  say (10, RCC_SAID_RECEIVED, 0);
  g_assert_false (parser.impossible || parser.proved);
}

static void
tells_by_departure (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 71);
  for (guint n = 1; n < 300; n += 7) {
    guint64 before;

    begin ();
    sent_many (MEDIA, 10, n, RCC_SEC, 0);
    before = notes.received;
    for (guint i = 0; i < 4 * n; i++)   /* most are said more than once, in any order */
      say ((guint16) (10 + rcc_rng_u32 (&r) % n), RCC_SAID_RECEIVED, 0);
    reported (PEER, 11);
    for (guint i = 1; i < notes.n; i++)
      g_assert_cmpint (notes.packets[i].seq, >, notes.packets[i - 1].seq);
    g_assert_cmpuint (notes.received - before, <=, n);
    g_assert_cmpuint (notes.received - before, >, n / 2);
    g_assert_cmpuint (f.n_news, ==, 0);
  }
}

/* The log's places are counted in 32 bits. */
static void
tells_by_departure_across_the_wrap (void)
{
  for (guint before = 0; before <= 200; before += 25) {
    start ();
    f.history.log.places = 0u - before;
    parser = rcc_feedback_parser (&f, &notes.sender, 100000, 2 * RCC_SEC);
    sent_many (MEDIA, 0, 199, RCC_SEC, RCC_MSEC);
    for (guint i = 0; i < 199; i++)
      say ((guint16) (i * 83 % 199), RCC_SAID_RECEIVED, 0);
    g_assert_cmpuint (reported (PEER, 11), ==, 199);
    for (guint i = 0; i < 199; i++)
      g_assert_cmpint (notes.packets[i].seq, ==, i);
  }
}

/* Lost, in that order, by a message of 20 bytes: how many of the last could be looked up? */
static guint
may_say_lost (guint32 ssrc, guint first, guint n)
{
  guint done = 0;

  parser = rcc_feedback_parser (&f, &notes.sender, 20, 2 * RCC_SEC);
  rcc_feedback_parser_begin (&parser, ssrc, 15);
  for (; done < n && rcc_feedback_parser_may (&parser, 0); done++)
    say ((guint16) (first + done), RCC_SAID_LOST, 0);
  reported (ssrc, 15);
  return done;
}

/* 64 and 4 for each byte; but the first word of who tells of packets is free. */
/* 10 packets in each millisecond, told in ticks: no two at once, none later than the next,
 * and none further from the truth than a tick, across messages, too. */
static void
ticks_are_spread (guint8 format, RccTime tick)
{
  const RccTime start = 10 * RCC_SEC;
  RccTime before = 0;

  begin ();
  sent_many (MEDIA, 10, 400, RCC_SEC, RCC_MSEC / 10);
  for (guint16 m = 0; m < 400; m += 100) {
    /* RFC 8888 counts back from each message's own time */
    const RccTime grid = format == 11 ? start + m * 100 * RCC_USEC + m * RCC_USEC : 0;

    for (guint16 i = m; i < m + 100; i++) {
      const RccTime truth = start + i * 100 * RCC_USEC;

      say ((guint16) (10 + i), RECEIVED, (truth + tick - grid % tick) / tick * tick + grid % tick);
    }
    g_assert_cmpuint (reported (PEER, format), ==, 100);
    for (guint i = 0; i < 100; i++) {
      const RccTime truth = start + (m + i) * 100 * RCC_USEC;

      g_assert_cmpuint (notes.packets[i].arrived, >=, before);
      g_assert_cmpint (ABS ((gint64) (notes.packets[i].arrived - truth)), <=, tick + tick / 4);
      if (i > 15 && i < 85)
        g_assert_cmpuint (notes.packets[i].arrived, >, before);
      before = notes.packets[i].arrived;
    }
  }
}

static void
what_came_in_one_tick_is_spread_over_it (void)
{
  ticks_are_spread (11, RCC_SEC / 1024);
  ticks_are_spread (15, 250 * RCC_USEC);
}

/* 40000 packets in flight: the oldest is told by the number that one to come will have. */
static void
more_than_half_of_the_numbers_are_in_flight (void)
{
  begin ();
  sent_many (MEDIA, 10, 40000, RCC_SEC, 10 * RCC_USEC);
  g_assert_cmpuint (tell (20, RECEIVED, 2 * RCC_SEC), ==, 1);
  g_assert_cmpint (notes.packets[0].seq, ==, 20);
  g_assert_cmpuint (tell (20, RECEIVED, 2 * RCC_SEC), ==, 0);
  g_assert_cmpuint (f.reports.forged, ==, 0);
  g_assert_cmpuint (tell (40011, RECEIVED, 2 * RCC_SEC), ==, 0);
  g_assert_cmpuint (f.reports.forged, ==, 1);
}

static void
what_may_be_looked_up_has_an_end (void)
{
  begin ();
  sent_many (MEDIA, 10, 20000, RCC_SEC, 0);
  rcc_feedback_parser_begin (&parser, PEER, 15);
  say (0, RECEIVED, 5);
  g_assert_cmpuint (reported (PEER, 15), ==, 1);
  g_assert_cmpuint (may_say_lost (PEER + 1, 1000, 2000), ==, 32 + 60);
  g_assert_cmpuint (may_say_lost (PEER, 1000, 2000), ==, 2000);
  g_assert_cmpuint (notes.lost, ==, 2000);
  g_assert_cmpuint (may_say_lost (PEER, 1000, 2000), ==, 32 + 60);
  g_assert_cmpuint (may_say_lost (PEER, 6000, 14000), ==, 2500);
  parser = rcc_feedback_parser (&f, &notes.sender, 20, 2 * RCC_SEC);
  g_assert_true (rcc_feedback_parser_may (&parser, 91) && !rcc_feedback_parser_may (&parser, 92));
}

/* What is lost between two packets of one tick parts nothing. */
static void
a_loss_within_a_tick_leaves_it_one (void)
{
  const RccTime at = 10 * RCC_SEC;

  begin ();
  sent_many (MEDIA, 10, 3, RCC_SEC + 20 * RCC_MSEC, 100 * RCC_USEC);
  say (10, RECEIVED, at);
  say (11, RCC_SAID_LOST, 0);
  say (12, RECEIVED, at);
  g_assert_cmpuint (reported (PEER, 11), ==, 3);
  g_assert_cmpint (ABS ((gint64) (notes.packets[2].arrived - notes.packets[0].arrived)
          - 200 * (gint64) RCC_USEC), <=, 1);
  g_assert_cmpuint (notes.packets[1].arrived, ==, RCC_NEVER);
}

/* A tick that began in the message before goes on in this one, and ends with it. */
static void
a_tick_goes_on_in_the_next_message (void)
{
  const RccTime at = 10 * RCC_SEC;

  begin ();
  sent_many (MEDIA, 10, 9, RCC_SEC, 50 * RCC_USEC);
  for (guint16 i = 0; i < 4; i++)
    say (10 + i, RECEIVED, at - 250 * RCC_USEC);
  say (14, RECEIVED, at);
  g_assert_cmpuint (reported (PEER, 15), ==, 5);
  for (guint16 i = 0; i < 4; i++)
    say (15 + i, RECEIVED, at);
  g_assert_cmpuint (reported (PEER, 15), ==, 4);
  for (guint i = 1; i < 4; i++)
    g_assert_cmpuint (notes.packets[i].arrived, >, notes.packets[i - 1].arrived);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback-parser/" path, func)
  ADD ("each-outcome-is-news-once", each_outcome_is_news_once);
  ADD ("one-reporter-in-one-format-at-a-time", one_reporter_in_one_format_at_a_time);
  ADD ("who-tells-next-is-put-on-the-same-clock", who_tells_next_is_put_on_the_same_clock);
  ADD ("only-what-was-in-flight-proves-anything", only_what_was_in_flight_proves_anything);
  ADD ("tells-by-departure", tells_by_departure);
  ADD ("what-may-be-looked-up-has-an-end", what_may_be_looked_up_has_an_end);
  ADD ("what-came-in-one-tick-is-spread-over-it", what_came_in_one_tick_is_spread_over_it);
  ADD ("more-than-half-of-the-numbers-are-in-flight",
      more_than_half_of_the_numbers_are_in_flight);
  ADD ("tells-by-departure-across-the-wrap", tells_by_departure_across_the_wrap);
  ADD ("a-loss-within-a-tick-leaves-it-one", a_loss_within_a_tick_leaves_it_one);
  ADD ("a-tick-goes-on-in-the-next-message", a_tick_goes_on_in_the_next_message);
  return g_test_run ();
}
