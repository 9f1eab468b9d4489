/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The core by its feedback.  What is expected was worked out by hand from RFC 8698. */
#include "core/nada/nada.h"

#include <glib.h>

#define MS RCC_MSEC
#define COUNT 20                        /* packets of 1000 B, 5 ms apart: 1.6 Mbit/s */

static RccNada n;
static RccTime now;
static gint64 seq;
static RccPacket packets[COUNT];

static void
begin (guint32 start)
{
  const RccConfig limits = { 150000, start, 1500000 };
  const RccNadaConfig config = rcc_nada_config ();

  now = 1000 * MS;
  seq = 0;
  rcc_nada_init (&n, &config, &limits);
}

/* The packets of 100 ms, all under way for @ms. */
static void
send (guint ms)
{
  for (guint i = 0; i < COUNT; i++) {
    packets[i] = (RccPacket) { .seq = seq++, .size = 1000, .sent = now };
    packets[i].arrived = now + ms * MS;
    rcc_tell (&n.sender, on_sent, &packets[i]);
    now += 5 * MS;
  }
}

/* Feedback comes as the next 100 ms begin, 100 ms after they were sent. */
static RccUpdate
hear (void)
{
  return rcc_tell (&n.sender, on_feedback, packets, COUNT, now + 100 * MS);
}

static void
about (gdouble is, gdouble should)
{
  g_assert_cmpfloat_with_epsilon (is, should, 1e-4 * should + 1e-9);
}

static void
begins_as_it_is_told (void)
{
  begin (300000);
  g_assert_cmpuint (n.target_bps, ==, 300000);
  g_assert_cmpuint (n.pacing_bps, ==, 300000);
  g_assert_cmpstr (n.state, ==, "start");
  g_assert_cmpuint (rcc_deadline (&n.sender), ==, RCC_NEVER);
}

/* Where no report told it, by the packet that was on its way for the shortest time; at any time. */
static void
the_round_trip_of_packets (void)
{
  for (guint hours = 0; hours < 2; hours++) {
    begin (300000);
    now = MS + hours * 3600 * RCC_SEC;
    send (50);
    hear ();                            /* the last left 105 ms ago */
    g_assert_cmpuint (n.rtt, ==, 105 * MS);
  }
}

/* Nothing says which of them are one event: each is. */
static void
losses_before_any_round_trip (void)
{
  begin (300000);
  send (50);
  for (guint i = 0; i < COUNT; i++)
    packets[i].arrived = RCC_NEVER;
  hear ();
  g_assert_cmpuint (n.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (n.intervals.n, ==, RCC_NADA_INTERVALS);
}

/* Until our clock is where it was. */
static void
a_clock_that_steps_back_moves_nothing (void)
{
  gdouble rate;

  begin (300000);
  send (50);
  hear ();
  rate = n.r_ref;
  rcc_tell (&n.sender, on_feedback, packets, COUNT, now - 50 * MS);
  g_assert_cmpfloat (n.r_ref, ==, rate);
}

/* (3), (4): rtt 100 ms, gamma = 50 / 320 */
static void
ramps_up_by_what_arrives (void)
{
  const RccReport echo = { .rtt = 100 * MS };
  RccUpdate u;

  begin (300000);
  rcc_tell (&n.sender, on_report, &echo, now);
  send (50);
  u = hear ();                          /* 20 kB of 500 ms: 320 kbit/s */
  g_assert_cmpuint (u.changed & RCC_TARGET, !=, 0);
  g_assert_cmpfloat (n.r_recv, >=, 320e3);
  g_assert_cmpfloat (n.r_recv, <=, 327e3);      /* a bin is a fiftieth */
  about (n.r_ref, 1.15625 * n.r_recv);
  g_assert_cmpstr (n.state, ==, "ramp-up");
  g_assert_cmpuint (u.target_bps, ==, (guint32) n.r_ref);
  for (guint i = 0; i < 8; i++) {
    send (50);
    hear ();
  }
  g_assert_cmpfloat (n.r_recv, >=, 1568e3);
  g_assert_cmpfloat (n.r_recv, <=, 1633e3);
  about (n.r_ref, 1500e3);              /* (8): RMAX */
}

/* (5) to (7): r_ref 1 Mbit/s, equilibrium 15 ms, then a queue of 25 ms */
static void
gradual (void)
{
  begin (1000000);
  send (50);
  hear ();
  about (n.r_ref, 1e6);
  g_assert_cmpstr (n.state, ==, "ramp-up");
  send (75);
  hear ();
  g_assert_cmpstr (n.state, ==, "gradual");
  about (n.x_curr, 25e6);
  about (n.r_ref, 1e6 - 2000 - 50000);
  send (75);
  hear ();                              /* 948000 (1 - 0.1 (25 - 15 / 0.948) / 500) */
  about (n.r_ref, 946260);
  send (50);
  hear ();                              /* the offset lifts by 0.3 %, the fall by 5 % */
  about (n.r_ref, 946260 * (1 + 0.1 * 15.852 / 500 + 25.0 / 500));
}

/* QEPS: 10 ms within 500 ms; the filter does not see a single one. */
static void
one_late_packet_ends_the_ramp_up (void)
{
  for (guint late = 59; late <= 60; late++) {
    begin (300000);
    send (50);
    hear ();
    send (50);
    packets[10].arrived += (late - 50) * MS;
    hear ();
    g_assert_cmpuint (n.d_queue, ==, 0);
    g_assert_cmpstr (n.state, ==, late == 60 ? "gradual" : "ramp-up");
  }
  for (guint i = 0; i < 4; i++) {
    send (50);
    hear ();
    g_assert_cmpstr (n.state, ==, "gradual");
  }
  send (50);
  hear ();
  g_assert_cmpstr (n.state, ==, "ramp-up");
}

/* (10), (2): 2 of 20 are p_inst 0.1; ALPHA leaves 0.01, PLRREF.  Then 2 of 40. */
static void
losses (void)
{
  begin (1000000);
  send (50);
  packets[5].arrived = packets[6].arrived = RCC_NEVER;
  hear ();
  about (n.p_loss, 0.01);
  about (n.x_curr, 10e6);
  about (n.r_ref, 1e6 * (1 + 0.5 * 200 / 500 * 5 / 500 - 10.0 / 500));  /* the first: 200 ms */
  g_assert_cmpstr (n.state, ==, "gradual");
  about (n.loss_interval, 15);          /* 5 before it, 15 since */
  send (50);
  hear ();
  about (n.p_loss, 0.014);              /* 0.9 * 0.01 + 0.1 * 0.05 */
  about (n.x_curr, 19.6e6);
}

/* DMARK: 2 ms at PMRREF, and the ramp-up is over. */
static void
marks (void)
{
  begin (1000000);
  send (50);
  packets[5].flags = packets[6].flags = RCC_PACKET_CE;
  hear ();
  about (n.p_mark, 0.01);
  about (n.x_curr, 2e6);
  g_assert_cmpstr (n.state, ==, "gradual");
}

/* (1): 100 ms of queue are 30.3 after a loss. */
static void
warps_after_a_loss (void)
{
  begin (1000000);
  send (50);
  packets[19].arrived = RCC_NEVER;      /* the first interval is 19 */
  hear ();
  send (150);
  hear ();                              /* 7 * 20 packets have not passed */
  about (n.warped, 1);
  about (n.x_curr, 30.3265e6 + 10e6 * n.p_loss * n.p_loss * 1e4);
}

/* 5.1.2: out of order is lost; the packet does not count twice. */
static void
a_late_packet_stays_lost (void)
{
  RccPacket late;

  begin (1000000);
  send (50);
  late = packets[5];
  packets[5].arrived = RCC_NEVER;
  hear ();
  g_assert_cmpuint (n.window.sum.lost, ==, 1);
  late.arrived += 40 * MS;
  rcc_tell (&n.sender, on_feedback, &late, 1, now + 120 * MS);
  g_assert_cmpuint (n.window.sum.lost, ==, 1);
  g_assert_cmpuint (n.window.sum.received, ==, COUNT - 1);
  g_assert_cmpuint (n.intervals.since, ==, COUNT - 6);
}

/* A report is made about each DELTA, whatever feedback's interval. */
static void
reports_come_with_delta (void)
{
  static const struct {
    guint gap, reports;                 /* ms, in 3 s */
  } cases[] = { { 10, 30 }, { 20, 30 }, { 50, 30 }, { 60, 25 }, { 100, 30 }, { 250, 12 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    begin (300000);
    for (guint t = 0; t < 3000; t += cases[i].gap) {
      RccPacket p = { .seq = t, .size = 1000, .sent = now, .arrived = now + 50 * MS };

      rcc_tell (&n.sender, on_sent, &p);
      now += cases[i].gap * MS;
      rcc_tell (&n.sender, on_feedback, &p, 1, now);
    }
    g_assert_cmpuint (n.reports, >=, cases[i].reports);
    g_assert_cmpuint (n.reports, <=, cases[i].reports + cases[i].reports / 6);
  }
}

/* (11) to (14), with the document's 2000 bytes */
static void
shapes (void)
{
  RccBacklog waits = { .bytes = 2000 };

  begin (1000000);
  n.sender.backlog = &waits;
  send (50);
  hear ();
  g_assert_cmpuint (n.target_bps, ==, 952000);
  g_assert_cmpuint (n.pacing_bps, ==, 1048000);
  waits.bytes = 1000000;
  send (50);
  hear ();
  g_assert_cmpuint (n.target_bps, ==, 950000);
  g_assert_cmpuint (n.pacing_bps, ==, 1050000);
  begin (150000);                       /* (13): not below RMIN */
  n.sender.backlog = &waits;
  rcc_tell (&n.sender, on_remb, UINT32_MAX, now);
  g_assert_cmpuint (n.target_bps, ==, 150000);
  g_assert_cmpuint (n.pacing_bps, ==, 157500);
}

static void
silence (void)
{
  begin (1000000);
  send (50);
  g_assert_cmpuint (rcc_deadline (&n.sender), ==, 3000 * MS);
  rcc_tell (&n.sender, on_deadline, 2999 * MS);
  g_assert_cmpuint (n.target_bps, ==, 1000000);
  rcc_tell (&n.sender, on_deadline, 3000 * MS);
  g_assert_cmpuint (n.target_bps, ==, 500000);
  g_assert_cmpuint (rcc_deadline (&n.sender), ==, 5000 * MS);
  hear ();
  g_assert_cmpuint (rcc_deadline (&n.sender), ==, RCC_NEVER);
  g_assert_cmpuint (n.silences, ==, 1);
}

static void
the_authors_code_is_deaf_to_silence (void)
{
  const RccConfig limits = { 150000, 1000000, 1500000 };
  RccNadaConfig config = rcc_nada_config ();

  begin (1000000);
  config.form = RCC_NADA_NS3_RMCAT;
  rcc_nada_init (&n, &config, &limits);
  send (50);
  g_assert_cmpuint (rcc_deadline (&n.sender), ==, RCC_NEVER);
}

/* After a pause of a minute the step is that of TAU: 1 + 0.5 * 500/500 * 15/500. */
static void
a_pause_is_no_step (void)
{
  begin (1000000);
  send (50);
  packets[5].arrived += 10 * MS;
  hear ();
  about (n.r_ref, 1006000);              /* the first: 200 ms */
  now += 60 * RCC_SEC;
  send (50);
  packets[5].arrived += 10 * MS;
  hear ();
  about (n.r_ref, 1006000 * (1 + 0.5 * 15 / 1.006 / 500));
}

static void
limits_and_requests (void)
{
  RccConfig limits = { 150000, 0, 800000 };

  begin (1000000);
  rcc_tell (&n.sender, on_remb, 700000, now);
  g_assert_cmpuint (n.target_bps, ==, 700000);
  g_assert_cmpuint (n.pacing_bps, ==, 700000);
  about (n.r_ref, 1e6);
  rcc_tell (&n.sender, on_remb, 1000, now);
  g_assert_cmpuint (n.target_bps, ==, 150000);
  rcc_tell (&n.sender, on_remb, UINT32_MAX, now);
  g_assert_cmpuint (n.target_bps, ==, 1000000);
  rcc_tell (&n.sender, on_config, &limits, now);
  g_assert_cmpuint (n.target_bps, ==, 800000);
  limits = (RccConfig) { 0, 0, 0 };
  rcc_tell (&n.sender, on_config, &limits, now);
  g_assert_cmpuint (n.target_bps, ==, 0);
  g_assert_cmpfloat (n.r_ref, ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/begins-as-it-is-told", begins_as_it_is_told);
  g_test_add_func ("/core/nada/the-round-trip-of-packets", the_round_trip_of_packets);
  g_test_add_func ("/core/nada/losses-before-any-round-trip", losses_before_any_round_trip);
  g_test_add_func ("/core/nada/a-clock-that-steps-back", a_clock_that_steps_back_moves_nothing);
  g_test_add_func ("/core/nada/ramps-up-by-what-arrives", ramps_up_by_what_arrives);
  g_test_add_func ("/core/nada/gradual", gradual);
  g_test_add_func ("/core/nada/one-late-packet-ends-the-ramp-up", one_late_packet_ends_the_ramp_up);
  g_test_add_func ("/core/nada/losses", losses);
  g_test_add_func ("/core/nada/marks", marks);
  g_test_add_func ("/core/nada/warps-after-a-loss", warps_after_a_loss);
  g_test_add_func ("/core/nada/a-late-packet-stays-lost", a_late_packet_stays_lost);
  g_test_add_func ("/core/nada/reports-come-with-delta", reports_come_with_delta);
  g_test_add_func ("/core/nada/shapes", shapes);
  g_test_add_func ("/core/nada/silence", silence);
  g_test_add_func ("/core/nada/the-authors-code-is-deaf-to-silence",
      the_authors_code_is_deaf_to_silence);
  g_test_add_func ("/core/nada/a-pause-is-no-step", a_pause_is_no_step);
  g_test_add_func ("/core/nada/limits-and-requests", limits_and_requests);
  return g_test_run ();
}
