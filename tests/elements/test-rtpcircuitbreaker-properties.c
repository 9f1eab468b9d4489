/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every writable property of rtpcircuitbreaker, and each field of its tuning, makes a
 * difference that can be seen.  A new one without a row here fails the test.
 */
#include "breaker-rig.h"

#include "core/breaker/config.h"
#include "wire/ecn.h"
#include "tuning.h"

#define TIMES 40                        /* reports */

typedef struct {
  const gchar *name;
  const gchar *value;                   /* instead of its default */
  /* returns a figure that must be @before by default and @after with the value */
  gdouble (*see) (Cb *cb);
  gdouble before, after;
} Row;

static gdouble
seconds (Cb *cb)
{
  return (gdouble) (cb_now (cb) - CB_START) / GST_SECOND;
}

/* Reports of @fraction until it opens: how many, 0 for never. */
static gdouble
reports_until_open (Cb *cb, gdouble fraction)
{
  for (guint i = 1; i <= TIMES; i++) {
    cb_reports (cb, 1, fraction);
    if (g_str_equal (cb_state (cb), "open"))
      return i;
  }
  return 0;
}

static gdouble
heavy_loss (Cb *cb)
{
  return reports_until_open (cb, 0.5);
}

/* 480 kbit/s at 500 ms and 10 %: TCP by Mathis 74 kbit/s, by Padhye 25. */
static gdouble
light_loss (Cb *cb)
{
  return reports_until_open (cb, 0.1);
}

/* What encoders are asked for one report before heavy_loss opens it, kbit/s. */
static gdouble
asked_for (Cb *cb)
{
  gdouble kbps = -1;
  GstEvent *event;

  cb_reports (cb, 3, 0.5);
  while ((event = cb_any_event (cb->h))) {
    kbps = floor (number_in (gst_event_get_structure (event), "target-bitrate") / 1000);
    gst_event_unref (event);
  }
  return kbps;
}

/* As light_loss, but packets are tiny in the half second before each report. */
static gdouble
still_picture (Cb *cb)
{
  for (guint i = 1; i <= TIMES; i++) {
    cb->size = 0;
    cb_stream (cb, 4500 * GST_MSECOND);
    cb->size = 40;
    cb_report (cb, 0.1);
    if (g_str_equal (cb_state (cb), "open"))
      return i;
  }
  return 0;
}

static gdouble
no_loss (Cb *cb)
{
  return reports_until_open (cb, 0);
}

static gdouble
nothing_arrives (Cb *cb)
{
  cb_reports (cb, 2, 0);
  for (guint i = 1; i <= TIMES; i++) {
    cb_stream (cb, 5 * GST_SECOND);
    cb_report_nothing (cb);
    if (g_str_equal (cb_state (cb), "open"))
      return i;
  }
  return 0;
}

static gdouble
silence (Cb *cb)
{
  while (seconds (cb) < 60 && g_str_equal (cb_state (cb), "closed"))
    cb_stream (cb, 500 * GST_MSECOND);
  return seconds (cb);
}

static gdouble
state_after_loss (Cb *cb)
{
  gint state;

  cb_reports (cb, 4, 0.5);
  g_object_get (cb->e, "state", &state, NULL);
  return state;
}

/* How many of two streams are stopped when one suffers. */
static gdouble
stopped_together (Cb *cb)
{
  static const gdouble fractions[CB_STREAMS] = { 0.5, 0 };

  cb->n_streams = 2;
  for (guint i = 0; i < 4; i++) {
    cb_stream (cb, 4500 * GST_MSECOND);
    cb_report_each (cb, fractions);
  }
  cb->received = 0;
  cb_stream (cb, 20 * GST_MSECOND);
  return 2 - (gdouble) cb->received;
}

static gdouble
passes_while_open (Cb *cb)
{
  cb_open_by_silence (cb);
  cb->received = 0;
  cb_stream (cb, 20 * GST_MSECOND);
  return cb->received;
}

/* Half of the packets marked ECN-CE, reported beside the RR; none lost. */
static gdouble
marks (Cb *cb)
{
  guint32 ce = 0;

  for (guint i = 1; i <= TIMES; i++) {
    const guint sent = cb->streams[0].sent;
    RccReportBlock block;
    guint8 data[128];
    gsize size;

    cb_stream (cb, 4500 * GST_MSECOND);
    block = cb_block (cb, 0, 0);
    ce += (cb->streams[0].sent - sent) / 2;
    block.lsr = cb_sr (cb, 0);
    cb_stream (cb, 500 * GST_MSECOND);
    size = rcc_rtcp_build_rr (data, sizeof data, CB_PEER, &block, 1);
    size += rcc_ecn_build (data + size, sizeof data - size, &(RccEcnFeedback) {
          .sender_ssrc = CB_PEER,.highest_seq = block.highest_seq,.counters = {
          .ssrc = CB_SSRC,.ce = (guint16) ce } });
    cb_rtcp (cb, cb->rtcp, data, size);
    if (g_str_equal (cb_state (cb), "open"))
      return i;
  }
  return 0;
}

static gdouble
stream_number (Cb *cb, const gchar *name)
{
  GstStructure *stats = cb_stats (cb);
  const gdouble n = (gdouble) number_in (cb_stream_stats (stats, 0), name);

  gst_structure_free (stats);
  return n;
}

/* Reports each second, as of a peer with a reduced minimum. */
static gdouble
cb_interval (Cb *cb)
{
  for (guint i = 0; i < 12; i++) {
    cb_stream (cb, 500 * GST_MSECOND);
    cb_report (cb, 0);
  }
  return stream_number (cb, "cb-interval");
}

static gdouble
cb_interval_slow (Cb *cb)
{
  cb_reports (cb, 5, 0);
  return stream_number (cb, "cb-interval");
}

static gdouble
interval_of_the_session (Cb *cb)
{
  cb_reports (cb, 5, 0);
  return (gdouble) cb_stat (cb, "td") / GST_SECOND;
}

/* 60 % lost, but of a flow so thin that TCP would send as much. */
static gdouble
unusable (Cb *cb)
{
  cb->rtt = 20 * GST_MSECOND;
  return reports_until_open (cb, 0.6);
}

/* The least loss that is too much. */
static gdouble
unusable_later (Cb *cb)
{
  g_object_set (cb->e, "media-usability", TRUE, NULL);
  return unusable (cb);
}

static gdouble
long_delay (Cb *cb)
{
  g_object_set (cb->e, "media-usability", TRUE, NULL);
  return no_loss (cb);
}

#define SEC "000000000"
static const Row rows[] = {
  {"tuning", "tuning,mode=draft2014", silence, 15, 10},
  {"tuning", "tuning,mode=draft2014", nothing_arrives, 5, 2},
  {"tcp-model", "padhye", light_loss, 0, 4},
  {"multiplier", "1", light_loss, 0, 4},
  {"multiplier", "100", heavy_loss, 4, 0},
  {"reduce-first", "true", state_after_loss, 2, 1},
  {"scope", "session", stopped_together, 1, 2},
  {"action", "notify-only", passes_while_open, 0, 1},
  {"require-rtcp", "false", silence, 15, 60},
  {"tuning", "tuning,ecn-as-loss=true", marks, 0, 4},
  {"tuning", "tuning,media-timeout-reports=9", nothing_arrives, 5, 9},
  {"tuning", "tuning,frame-group-size=50", cb_interval, 5, 10},
  {"tuning", "tuning,hold-below=0.25", asked_for, 166, 83},
  {"tuning", "tuning,interval-packet-size=false", still_picture, 0, 4},
  {"tuning", "tuning,frame-interval=1" SEC, cb_interval, 5, 10},
  {"rtcp-min-interval", "1" SEC, cb_interval_slow, 3, 5},
  {"tuning", "tuning,rtcp-rr-interval=3e9", cb_interval, 5, 3},
  {"bandwidth", "2000", interval_of_the_session, 5, 0},
  {"tuning", "tuning,rtcp-fraction=0.0002", interval_of_the_session, 5, 0},
  {"media-usability", "true", unusable, 0, 6},
  {"tuning", "tuning,unusable-loss=0.7", unusable_later, 6, 0},
  {"tuning", "tuning,unusable-delay=100000000", long_delay, 0, 6},
  {"tuning", "tuning,unusable-time=60" SEC, unusable_later, 6, 14},
};

/* What is not a number of reports but depends on sizes. */
static gboolean
is_more (const Row *row)
{
  return row->after == 0 && row->see == interval_of_the_session;
}

TEST_EACH (test_makes_a_difference, G_N_ELEMENTS (rows))
{
  const Row *row = &rows[__i__];
  Cb *cb = cb_new (NULL);
  const gdouble before = row->see (cb);
  gdouble after;

  fail_unless (before == row->before, "%s by default: %f, not %f", row->name, before,
      row->before);
  cb_free (cb);
  cb = cb_new (NULL);
  gst_util_set_object_arg (G_OBJECT (cb->e), row->name, row->value);
  after = row->see (cb);
  if (is_more (row))
    fail_unless (after > 1.5 * before, "%s: %f is not much more than %f", row->name, after, before);
  else
    fail_unless (after == row->after, "%s=%s: %f, not %f", row->name, row->value, after,
        row->after);
  cb_free (cb);
}

TEST (test_all_have_a_row)
{
  g_autoptr (GstElement) e = gst_element_factory_make ("rtpcircuitbreaker", NULL);
  guint n, found;
  GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (e), &n);

  for (guint i = 0; i < n; i++) {
    if (pspecs[i]->owner_type != G_OBJECT_TYPE (e)
        || !(pspecs[i]->flags & G_PARAM_WRITABLE))
      continue;
    found = 0;
    for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
      found += g_str_equal (rows[r].name, pspecs[i]->name);
    fail_unless (found > 0, "%s: what does it do?", pspecs[i]->name);
    fail_unless (pspecs[i]->flags & GST_PARAM_MUTABLE_PLAYING);
  }
  for (const RccSetting *rule = rcc_breaker_rules; rule->name; rule++) {
    gchar *set = g_strdup_printf ("tuning,%s=", rule->name);

    found = 0;
    for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
      found += g_str_has_prefix (rows[r].value, set);
    fail_unless (found > 0, "%s what does it do?", set);
    g_free (set);
  }
  g_free (pspecs);
}

/* Set in the middle of a call: what has been counted counts on. */
TEST (test_live_changes_lose_nothing)
{
  Cb *cb = cb_new ("multiplier", 1000.0, NULL);

  cb_reports (cb, 3, 0.5);
  g_object_set (cb->e, "multiplier", 10.0, "tuning",
      tuning ("media-timeout-reports=7"), NULL);
  cb_expect (cb, "closed");
  cb_reports (cb, 1, 0.5);
  cb_expect (cb, "open");
  cb_free (cb);

  cb = cb_new (NULL);
  cb_reports (cb, 2, 0);
  for (guint i = 0; i < 4; i++) {
    cb_stream (cb, 5 * GST_SECOND);
    cb_report_nothing (cb);
    g_object_set (cb->e, "scope", i % 2, "tuning",
        tuning ("frame-group-size=%u", 1 + i), NULL);
  }
  cb_expect (cb, "closed");
  cb_stream (cb, 5 * GST_SECOND);
  cb_report_nothing (cb);
  cb_expect (cb, "open");
  g_object_set (cb->e, "multiplier", 3.0, "tuning",
      tuning ("mode=draft2014"), NULL);
  cb_expect (cb, "open");
  cb_free (cb);

  cb = cb_new (NULL);           /* the clock of 4.1 too */
  cb_stream (cb, 10 * GST_SECOND);
  g_object_set (cb->e, "multiplier", 3.0, NULL);
  cb_stream (cb, 5 * GST_SECOND);
  cb_expect (cb, "open");
  cb_free (cb);
}

/* Without a clock rate there is no jitter, and no delay in it. */
TEST (test_jitter_needs_a_clock_rate)
{
  static const gchar *const caps[] = { CB_CAPS, "application/x-rtp,media=video" };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    Cb *cb = cb_new ("media-usability", TRUE, NULL);

    gst_harness_set_src_caps_str (cb->h, caps[i]);
    for (guint k = 0; k < 8; k++) {
      RccReportBlock block;
      guint8 data[64];

      cb_stream (cb, 5 * GST_SECOND);
      block = cb_block (cb, 0, 0);
      block.jitter = 2 * 90000;
      cb_rtcp (cb, cb->rtcp, data, rcc_rtcp_build_rr (data, sizeof data, CB_PEER, &block,
              1));
    }
    cb_expect (cb, i == 0 ? "open" : "closed");
    cb_free (cb);
  }
}

TEST_MAIN (rtpcircuitbreaker_properties);
