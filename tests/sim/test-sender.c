/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The simulated sender with a scheduler in front of its pacer: the paper's traffic is
 * what it should be, nothing is lost unseen, and what falls here is no loss of the network's.
 */
#include <math.h>

#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define MS RCC_MSEC

static const RccStreamCount *
stream (const RccWorld *w, RccWorldStream k)
{
  return &w->flows[0]->sender.delivery.streams[k];
}

static guint64
dropped (const RccStreamCount *c)
{
  guint64 n = 0;

  for (guint i = 0; i < RCC_SBPN_CAUSES; i++)
    n += c->dropped[i];
  return n;
}

/* McDonald and Nelson 4.1: 86 kbit/s of audio, 289 of video, packets of 519 bytes on
 * average. */
static void
traffic_is_the_papers (void)
{
  RccFlowConfig c = rcc_flow_config_sbpn (RCC_SBPN_2, 0, 20 * MS);
  double still = 0, all = 0;
  const RccFlow *f;
  RccWorld *w;
  guint64 packets;

  c.controller = rcc_registry_find ("none");
  c.limits.start_bps = 10000000;
  c.count_from = 0;
  w = run_text ("0 both rate unlimited delay 10\n", 60 * S - 1, 1, &c, 1);
  f = w->flows[0];
  packets = stream (w, RCC_WORLD_AUDIO)->sent + stream (w, RCC_WORLD_VIDEO)->sent;
  for (gsize i = 0; i < f->n_samples; i++) {
    const RccTime t = f->samples[i].time % (20 * S);    /* what left at t is in it */

    all += 0.2 * f->samples[i].sent_bps;
    still += t > 10 * S && t < 15 * S ? 0.2 * f->samples[i].sent_bps : 0.0;
  }
  g_test_message ("%.1f kbit/s, %.1f when still, packets of %.0f bytes", all / 60 / 1000,
      still / 14.4 / 1000, all / 8 / packets);
  g_assert_cmpuint (stream (w, RCC_WORLD_AUDIO)->offered, ==, 3000);
  g_assert_cmpfloat_with_epsilon (all / 60, 374000, 8000);
  g_assert_cmpfloat_with_epsilon (still / 14.4, 86000 + 86000, 8000);
  g_assert_cmpfloat_with_epsilon (all / 8 / packets, 519, 12);
  rcc_world_free (w);
}

/* Half of what is offered fits.  All that fell is known to have fallen here: the numbers
 * that arrive have no gap, no controller hears of a loss. */
static void
drops_are_no_network_loss (gconstpointer data)
{
  const RccSbpnMode mode = (RccSbpnMode) GPOINTER_TO_INT (data);
  static const gchar *const kinds[] = { "none", "gcc", "tfrc" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    RccFlowConfig c = rcc_flow_config_sbpn (mode, 16, 80 * MS);
    guint64 expected, received, fell = 0;
    RccLosses media;
    RccWorld *w;

    c.controller = rcc_registry_find (kinds[i]);
    c.limits = (RccConfig) { 50000, 75000, 150000 };    /* "none" paces at twice the start */
    c.gcc.probe_factor = 0;
    c.count_from = 0;
    c.count_to = RCC_NEVER;
    w = run_text ("0 both rate unlimited delay 40\n", 62 * S, 1, &c, 1);
    media = rcc_flow_media (w->flows[0], 0, RCC_NEVER);
    rcc_world_receiver_counts (&w->flows[0]->receiver, &expected, &received);
    for (guint k = 0; k < RCC_WORLD_STREAMS; k++) {
      const RccStreamCount *s = stream (w, k);

      fell += dropped (s);
      g_assert_cmpuint (s->offered, >=, s->sent + dropped (s));
      g_assert_cmpuint (s->offered, <=, s->sent + dropped (s) + 17);
      g_assert_cmpuint (s->sent - s->received, <=, 10);       /* on their way */
    }
    g_test_message ("%s, %s: %" G_GUINT64_FORMAT " fell, %" G_GUINT64_FORMAT " of %"
        G_GUINT64_FORMAT " numbers came", kinds[i],
        rcc_sbpn_mode_names[mode], fell, received, expected);
    g_assert_cmpuint (fell, >, 500);
    g_assert_cmpuint (received, ==, expected);
    g_assert_cmpuint (media.unsent, ==, fell);
    g_assert_cmpuint (media.lost, ==, 0);
    g_assert_cmpfloat (lost_share (w, 0, 62 * S), ==, 0);
    g_assert_cmpfloat (rcc_losses_unsent (&media), >, 0.05);
    if (g_str_equal (kinds[i], "tfrc"))
      g_assert_cmpfloat (((RccTfrc *) w->flows[0]->sender.control.sender)->rate.p, ==, 0.0);
    rcc_world_free (w);
  }
}

/* A breaker that is open stops what the scheduler gave; it is counted apart. */
static void
stopped_is_counted_apart (void)
{
  RccFlowConfig c = rcc_flow_config_sbpn (RCC_SBPN_2, 16, 80 * MS);
  guint64 fell = 0;
  RccLosses media;
  RccWorld *w;

  c.breaks = true;
  c.count_from = 0;
  c.count_to = RCC_NEVER;
  w = run_text ("0 both rate 1M delay 40\n10 rev loss 100%\n", 60 * S, 1, &c, 1);
  print_events ("deaf from 10 s", w->flows[0]);
  g_assert_cmpuint (rcc_flow_triggered (w->flows[0]), <, 40 * S);
  for (guint k = 0; k < RCC_WORLD_STREAMS; k++) {
    const RccStreamCount *s = stream (w, k);

    g_test_message ("%s: %" G_GUINT64_FORMAT " stopped", rcc_world_stream_names[k], s->stopped);
    g_assert_cmpuint (s->offered, >=, s->sent + s->stopped + dropped (s));
    g_assert_cmpuint (s->offered, <=, s->sent + s->stopped + dropped (s) + 17);
    fell += s->stopped + dropped (s);
  }
  /* The receiver sees their numbers missing.  No link lost them. */
  media = rcc_flow_media (w->flows[0], 0, RCC_NEVER);
  g_assert_cmpuint (media.unsent, ==, fell);
  g_assert_cmpuint (media.lost, ==, 0);
  /* few: TFRC, as deaf as the breaker, has little left to send */
  g_assert_cmpuint (stream (w, RCC_WORLD_AUDIO)->stopped, >, 0);
  rcc_world_free (w);
}

/* One packet in ten is lost, whatever it is.  Padding and parity are no media. */
static void
lost_is_what_the_link_lost (void)
{
  RccFlowConfig flows[] = { rcc_flow_config (RCC_GCC_DEFAULT),
    rcc_flow_config_fbra ("fbra", 40 * MS) };

  flows[1].parity_always = 4;
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++) {
    guint64 sent = 0, received = 0;
    const RccFlow *f;
    RccLosses media;
    RccWorld *w;

    flows[i].stop = 58 * S;             /* and what is on its way arrives */
    w = run_text ("0 both rate 2M delay 40\n0 fwd loss 10%\n", 60 * S, 1, &flows[i], 1);
    f = w->flows[0];
    media = rcc_flow_media (f, 0, RCC_NEVER);
    for (guint k = 0; k < RCC_WORLD_STREAMS; k++) {
      sent += stream (w, k)->sent;
      received += stream (w, k)->received;
    }
    g_test_message ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " media packets lost, %"
        G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " of all", media.lost, media.left, f->n_losses,
        f->n_losses + f->n_received);
    g_assert_cmpuint (media.left, ==, sent);
    g_assert_cmpuint (media.lost, ==, sent - received);
    g_assert_cmpuint (media.lost, <, f->n_losses);
    g_assert_cmpuint (media.left, <, f->n_losses + f->n_received);
    g_assert_cmpfloat_with_epsilon (rcc_losses_lost (&media), 0.1, 0.015);
    if (f->packet_trace) {              /* which counts them on its own */
      rcc_packet_trace_close (f->packet_trace, 60 * S, 60 * S);
      g_assert_cmpuint (media.lost, ==, f->packet_trace->metrics.lost);
      g_assert_cmpuint (media.late, ==, f->packet_trace->metrics.late);
    }
    rcc_world_free (w);
  }
}

/* Since they were made, or since they left; a flow without a deadline has none that is late. */
static void
late_is_behind_the_deadline (void)
{
  for (guint i = 0; i < 3; i++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    RccLosses media;
    RccWorld *w;

    c.stop = 18 * S;
    if (i == 1)
      c.expiry[RCC_WORLD_VIDEO] = 99 * MS;
    else if (i == 2)
      c.d_max = 99 * MS;
    w = run_text ("0 both rate 2M delay 40\n9 both rate 2M delay 100\n", 20 * S, 1, &c, 1);
    media = rcc_flow_media (w->flows[0], 0, RCC_NEVER);
    g_test_message ("late: %.3f", rcc_losses_late (&media));
    g_assert_cmpuint (media.lost, ==, 0);
    if (i == 0)
      g_assert_true (isnan (rcc_losses_late (&media)));
    else                                /* of the packets of half the time, all or the video's */
      g_assert_cmpfloat_with_epsilon (rcc_losses_late (&media), 0.5, 0.2);
    media = rcc_flow_media (w->flows[0], 10 * S, 15 * S);
    if (i == 2)
      g_assert_cmpfloat (rcc_losses_late (&media), ==, 1);
    rcc_world_free (w);
  }
}

/* The scheduler below GCC, on RFC 8867's path: it may not cost anything where there is room. */
static void
does_not_hold_gcc_back (void)
{
  double bps[2];

  for (guint i = 0; i < 2; i++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    RccWorld *w;

    c.feedback = RCC_FEEDBACK_TWCC;
    c.queue.scheduled = i;
    c.expiry[RCC_WORLD_AUDIO] = c.expiry[RCC_WORLD_VIDEO] = 400 * MS;
    w = run_world ("rfc8867-5.1", 100 * S, 1, &c, 1);
    bps[i] = rcc_flow_mean_bps (w->flows[0], 0, 100 * S);
    g_test_message ("%s: %.0f kbit/s, on time audio %.3f, video %.3f", i ? "sbpn2" : "as it was",
        bps[i] / 1000, rcc_stream_on_time (stream (w, RCC_WORLD_AUDIO)),
        rcc_stream_on_time (stream (w, RCC_WORLD_VIDEO)));
    g_assert_cmpfloat (rcc_stream_on_time (stream (w, RCC_WORLD_AUDIO)), >=, 0.95);
    rcc_world_free (w);
  }
  g_assert_cmpfloat (bps[1] / bps[0], >=, 0.95);
  g_assert_cmpfloat (bps[1] / bps[0], <=, 1.05);
}

/* What the mux does under GCC as it is by default, on RFC 8867 5.1 in a minute: hardly any coded
 * picture is dropped, for it would cost a key frame; the audio comes. */
static void
coded_video_is_not_dropped (void)
{
  const guint seeds = 8;
  double dropped = 0, audio = 0, delay = 0;

  for (guint seed = 1; seed <= seeds; seed++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    char why[RCC_SCENARIO_ERROR];
    RccWorld *w;

    g_assert_true (rcc_flow_option (&c, "scheduler", "sbpn2", why, sizeof why));
    w = run_world ("rfc8867-5.1-60s", 60 * S, seed, &c, 1);
    for (guint i = 0; i < RCC_SBPN_CAUSES; i++)
      dropped += (double) stream (w, RCC_WORLD_VIDEO)->dropped[i] / seeds;
    audio += rcc_stream_received (stream (w, RCC_WORLD_AUDIO)) / seeds;
    delay += rcc_frame_stats_delay (&w->flows[0]->frame_stats, 98) / seeds;
    rcc_world_free (w);
  }
  g_test_message ("%.1f packets of coded video dropped a minute, audio received %.2f %%, frame "
      "delay p98 %.0f ms", dropped, 100 * audio, delay);
  g_assert_cmpfloat (dropped, <=, 15);
  g_assert_cmpfloat (audio, >=, 0.997);
  g_assert_cmpfloat (delay, <=, 230);
}

/* 600 ms there and back, packets that expire after 400 ms: the path alone leaves a queue a quarter
 * of that.  Nothing falls all the same, for what counts is the queue. */
static void
a_long_path (void)
{
  static const char *const feedbacks[] = { "remb", "twcc", "ccfb" };

  for (guint i = 0; i < G_N_ELEMENTS (feedbacks); i++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    char why[RCC_SCENARIO_ERROR];
    const RccStreamCount *video;
    RccWorld *w;

    g_assert_true (rcc_flow_option (&c, "scheduler", "sbpn2", why, sizeof why));
    g_assert_true (rcc_flow_option (&c, "feedback", feedbacks[i], why, sizeof why));
    w = run_text ("0 both delay 300\n0 fwd rate 1M queue 300ms\n", 60 * S, 1, &c, 1);
    video = stream (w, RCC_WORLD_VIDEO);
    g_test_message ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " packets of video fell",
        feedbacks[i], dropped (video), video->offered);
    g_assert_cmpuint (video->sent, >, 3000);
    g_assert_cmpuint (dropped (video), ==, 0);
    rcc_world_free (w);
  }
}

/* Share of stream @k that was dropped before it left, in a minute of @bps; the sources may take
 * half of it. */
static double
dropped_at (guint bps, const char *feedback, const char *scheduler, const char *late,
    bool audio, RccWorldStream k)
{
  g_autofree gchar *link = g_strdup_printf ("0 both delay 50ms\n0 fwd rate %u queue 1s\n", bps);
  g_autofree gchar *min = g_strdup_printf ("%u", bps / 2), *start = g_strdup_printf ("%u", bps);
  const char *options[][2] = { { "feedback", feedback }, { "scheduler", scheduler },
    { "late", late }, { "min", min }, { "start", start } };
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  char why[RCC_SCENARIO_ERROR];
  double share;
  RccWorld *w;

  c.audio = audio;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i][1])
      g_assert_true (rcc_flow_option (&c, options[i][0], options[i][1], why, sizeof why));
  w = run_text (link, 60 * S, 1, &c, 1);
  share = (double) dropped (stream (w, k)) / (double) stream (w, k)->offered;
  rcc_world_free (w);
  return share;
}

/* At 64 kbit/s, audio with video, no audio falls; at 20 kbit/s hardly any video does.  A late
 * clock changes nothing: a packet that takes longer than a group of the pacer may once had
 * it send a twentieth of its rate. */
static void
low_rates (void)
{
  static const char *const feedbacks[] = { "remb", "twcc", "ccfb" };
  static const char *const schedulers[] = { "fifo", "sbpn2" };
  static const char *const clocks[] = { NULL, "exp:10ms" };

  for (guint i = 0; i < 12; i++) {
    const char *f = feedbacks[i / 4], *s = schedulers[i / 2 % 2], *late = clocks[i % 2];
    const double audio = dropped_at (64000, f, s, late, true, RCC_WORLD_AUDIO);
    const double beside = dropped_at (64000, f, s, late, true, RCC_WORLD_VIDEO);
    const double video = dropped_at (20000, f, s, late, false, RCC_WORLD_VIDEO);

    g_test_message ("%s, %s, %s: 64 kbit/s: %.2f %% of the audio dropped, %.2f %% of the video; "
        "20 kbit/s: %.2f %% of the video", f, s, late ? "late" : "punctual", 100 * audio,
        100 * beside, 100 * video);
    g_assert_cmpfloat (audio, ==, 0);
    g_assert_cmpfloat (beside, <=, 0.05);
    g_assert_cmpfloat (video, <=, 0.02);
  }
}

/* The capacity is that of the forward bottleneck. */
static void
a_phase_is_of_what_goes_forward (void)
{
  RccFlowConfig flows[] = { rcc_flow_config (RCC_GCC_DEFAULT), rcc_flow_config (RCC_GCC_DEFAULT) };
  RccWorld *w;
  RccPhase p;

  flows[0].adapt = flows[1].adapt = FALSE;
  flows[0].limits.start_bps = 500000;
  flows[1].limits.start_bps = 1400000;
  flows[1].direction = RCC_REVERSE;
  w = run_text ("0 fwd rate 1M delay 50\n0 rev rate 1M delay 50\n", 20 * S, 1, flows, 2);
  p = rcc_world_phase (w, 5 * S, 20 * S);
  g_assert_cmpfloat_with_epsilon (p.utilisation, 0.5, 0.06);
  g_assert_cmpuint (p.media.lost, ==, 0);
  g_assert_cmpuint (p.media.left, ==, rcc_flow_media (w->flows[0], 5 * S, 20 * S).left);
  g_assert_cmpfloat (rcc_flow_mean_bps (w->flows[1], 5 * S, 20 * S), >, 0.8e6);
  rcc_world_free (w);
}

static RccWorld *
paused (RccTime duration)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.pause = 10 * S;
  c.resume = 20 * S;
  return run_text ("0 both rate 2M delay 50\n", duration, 1, &c, 1);
}

/* Bits that left in (from, to], of all that is no RTCP; what leaves at t is in the bin that
 * ends there. */
static double
left (const RccFlow *f, RccTime from, RccTime to)
{
  double bits = 0;

  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time > from && f->samples[i].time <= to)
      bits += 0.2 * f->samples[i].sent_bps;
  return bits;
}

/* RFC 8867 5.8: what was queued leaves, then nothing but RTCP, both ways; then it goes on
 * where it was. */
static void
a_pause_is_silent_but_for_rtcp (void)
{
  RccWorld *w = paused (30 * S), *cut = paused (10 * S);
  const RccFlow *f = w->flows[0];
  const RccReports *before = &cut->flows[0]->sender.feedback->reports;
  const RccReports *reports;

  g_test_message ("%.0f, %.0f and %.0f kbit", left (f, 5 * S, 10 * S) / 1e3,
      left (f, 10 * S + 600 * MS, 20 * S - 1) / 1e3, left (f, 20 * S, 25 * S) / 1e3);
  g_assert_cmpfloat (left (f, 5 * S, 10 * S), >, 5 * 1.3e6);
  g_assert_cmpfloat (left (f, 10 * S + 600 * MS, 20 * S - 1), ==, 0);
  g_assert_cmpfloat (left (f, 20 * S, 25 * S), >, 0.6 * left (f, 5 * S, 10 * S));
  g_assert_true (rcc_flow_is_heard (&f->config, 10 * S - 1));
  g_assert_false (rcc_flow_is_heard (&f->config, 10 * S));
  g_assert_false (rcc_flow_is_heard (&f->config, 20 * S - 1));
  g_assert_true (rcc_flow_is_heard (&f->config, 20 * S));
  g_assert_cmpfloat (rcc_world_phase (w, 5 * S, 25 * S).utilisation, >, 0.75);
  rcc_world_free (w);

  w = paused (20 * S - 1);
  reports = &w->flows[0]->sender.feedback->reports;
  g_assert_cmpuint (reports->srs.places, >=, before->srs.places + 9);
  g_assert_cmpuint (reports->compounds, >=, before->compounds + 9);
  rcc_world_free (w);
  rcc_world_free (cut);
}

/* 1 Mbit/s behind CoDel: without ECN it drops, with it marks, and GCC hears of each mark. */
static void
marks_arrive_in_place_of_drops (void)
{
  for (guint ect = 0; ect < 2; ect++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    const RccFlow *f;
    RccWorld *w;

    c.feedback = RCC_FEEDBACK_CCFB;
    c.ecn = ect ? RCC_ECN_ECT0 : RCC_ECN_NOT_ECT;
    c.gcc.ecn_as_loss = true;
    c.stop = 38 * S;                    /* and what is on its way arrives */
    w = run_text ("0 both rate 2M delay 50 queue 5000ms\n0 fwd aqm codel ecn on\n"
        "20 fwd rate 500k\n", 40 * S, 1, &c, 1);
    f = w->flows[0];
    g_test_message ("%s: %" G_GSIZE_FORMAT " lost, %" G_GSIZE_FORMAT " marked",
        ect ? "ECT(0)" : "not ECT", f->n_losses, f->n_marked);
    g_assert_cmpuint (rcc_link_stats (&w->link[RCC_FORWARD], w->now).flight_packets, ==, 0);
    g_assert_cmpuint (w->link[RCC_FORWARD].stats.marked, ==, f->n_marked);
    if (ect) {
      g_assert_cmpuint (f->n_losses, ==, 0);
      g_assert_cmpuint (f->n_marked, >, 10);
    } else {
      g_assert_cmpuint (f->n_losses, >, 10);
      g_assert_cmpuint (f->n_marked, ==, 0);
    }
    rcc_world_free (w);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sender/traffic", traffic_is_the_papers);
  for (gint mode = 0; mode <= RCC_SBPN_WEIGHTED; mode++) {
    g_autofree gchar *path = g_strdup_printf ("/sender/no-loss/%s", rcc_sbpn_mode_names[mode]);

    g_test_add_data_func (path, GINT_TO_POINTER (mode), drops_are_no_network_loss);
  }
  g_test_add_func ("/sender/stopped", stopped_is_counted_apart);
  g_test_add_func ("/sender/lost", lost_is_what_the_link_lost);
  g_test_add_func ("/sender/late", late_is_behind_the_deadline);
  g_test_add_func ("/sender/pause", a_pause_is_silent_but_for_rtcp);
  g_test_add_func ("/sender/phase", a_phase_is_of_what_goes_forward);
  g_test_add_func ("/sender/ecn", marks_arrive_in_place_of_drops);
  g_test_add_func ("/sender/gcc", does_not_hold_gcc_back);
  g_test_add_func ("/sender/coded-video", coded_video_is_not_dropped);
  g_test_add_func ("/sender/a-long-path", a_long_path);
  g_test_add_func ("/sender/low-rates", low_rates);
  return g_test_run ();
}
