/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Several encoders behind one controller: what each of them is told of its target.
 */
#include "adapter-rig.h"
#include "rtpcc/common/share.h"

#define MOST 5

static void
count (gpointer n)
{
  (*(guint *) n)++;
}

static GstElement *
new_member (void)
{
  return gst_object_ref_sink (gst_element_factory_make ("identity", NULL));
}

static const struct {
  guint least[3], most[3], target, parts[3];
} table[] = {
  /* alike, but for what one of them needs */
  { { 0, 0, 0 }, { G_MAXUINT, G_MAXUINT, G_MAXUINT }, 900000, { 300000, 300000, 300000 } },
  { { 0, 0, 0 }, { 60000, G_MAXUINT, G_MAXUINT }, 900000, { 60000, 420000, 420000 } },
  { { 0, 0, 0 }, { 60000, 200000, G_MAXUINT }, 900000, { 60000, 200000, 640000 } },
  { { 0, 0, 0 }, { 60000, 200000, G_MAXUINT }, 90000, { 30000, 30000, 30000 } },
  { { 50000, 0, 0 }, { 60000, G_MAXUINT, G_MAXUINT }, 90000, { 50000, 20000, 20000 } },
  /* more than all of them need is nobody's limit; less than the least is what it is */
  { { 0, 0, 0 }, { 60000, 60000, 60000 }, 900000, { 780000, 780000, 780000 } },
  { { 60000, 60000, 60000 }, { 90000, 90000, 90000 }, 90000, { 60000, 60000, 60000 } },
  { { 0, 0, 0 }, { 1, 1, 1 }, G_MAXUINT, { G_MAXUINT, G_MAXUINT, G_MAXUINT } },
  { { 0, 0, 0 }, { 1000, 1000, 1000 }, 0, { 0, 0, 0 } },
};

TEST_EACH (test_parts, G_N_ELEMENTS (table))
{
  GstRtpCcShare *share = gst_rtp_cc_share_new ();
  GstElement *members[3];
  guint told[3] = { 0 };

  for (guint i = 0; i < 3; i++)
    members[i] = new_member ();
  assert_equals_int (gst_rtp_cc_share_part (share, members[0], 7000), 7000);
  for (guint i = 0; i < 3; i++)
    gst_rtp_cc_share_join (share, members[i], table[__i__].least[i], table[__i__].most[i], count,
        &told[i]);
  for (guint i = 0; i < 3; i++)
    assert_equals_int (gst_rtp_cc_share_part (share, members[i], table[__i__].target),
        table[__i__].parts[i]);
  /* those that were there hear of who comes and goes, and not of what does not change */
  assert_equals_int (told[0], 2);
  assert_equals_int (told[2], 0);
  gst_rtp_cc_share_join (share, members[2], table[__i__].least[2], table[__i__].most[2], count,
      &told[2]);
  assert_equals_int (told[0], 2);
  gst_rtp_cc_share_leave (share, members[2]);
  gst_rtp_cc_share_leave (share, members[2]);
  assert_equals_int (told[0], 3);
  gst_rtp_cc_share_unref (share);
  for (guint i = 0; i < 3; i++)
    gst_object_unref (members[i]);
}

/* Any members, any target: within it unless their least are more, and nobody has more than
 * another who could make use of it. */
TEST (test_parts_at_random)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  GstElement *members[MOST];
  guint told;

  for (guint i = 0; i < MOST; i++)
    members[i] = new_member ();
  for (guint life = 0; life < 2000; life++) {
    GstRtpCcShare *share = gst_rtp_cc_share_new ();
    const guint n = (guint) g_rand_int_range (rand, 1, MOST + 1);
    const guint target = (guint) g_rand_int_range (rand, 0, 3000000);
    guint least[MOST], most[MOST], parts[MOST];
    guint64 sum = 0, least_of_all = 0, most_of_all = 0;

    for (guint i = 0; i < n; i++) {
      least[i] = (guint) g_rand_int_range (rand, 0, 2) * (guint) g_rand_int_range (rand, 0, 300000);
      most[i] = g_rand_boolean (rand) ? G_MAXUINT : least[i]
          + (guint) g_rand_int_range (rand, 0, 900000);
      least_of_all += least[i];
      most_of_all += most[i];
      gst_rtp_cc_share_join (share, members[i], least[i], most[i], count, &told);
    }
    for (guint i = 0; i < n; i++) {
      parts[i] = gst_rtp_cc_share_part (share, members[i], target);
      fail_unless (parts[i] >= MIN (least[i], target));
      sum += MIN (parts[i], most[i]);
    }
    fail_unless (sum <= MAX (target, least_of_all) + n * n);
    fail_unless (sum + n * n >= MIN (target, most_of_all));
    for (guint i = 0; i < n; i++)
      for (guint j = 0; j < n; j++)
        fail_unless (parts[i] >= MIN (most[i], parts[j]) || parts[j] <= least[j] + n
            || parts[i] + n >= parts[j]);
    gst_rtp_cc_share_unref (share);
  }
  for (guint i = 0; i < MOST; i++)
    gst_object_unref (members[i]);
}

#define BRANCH(n) "fakeencoder name=e" n " ! rtpbitrateadapter name=a" n \
    " bitrate-property=kbps bitrate-unit=1000 packet-overhead=0 update-interval=0 "

typedef struct {
  GstElement *pipeline, *encoders[2], *adapters[2];
  GstRtpCcTargetAggregator *controller;
  GstPad *pad;
} Two;

static void
two_start (Two *t, const gchar *launch)
{
  GstElement *element;

  gst_element_register (NULL, "fakeencoder", GST_RANK_NONE, fake_encoder_get_type ());
  t->pipeline = gst_parse_launch (launch, NULL);
  fail_unless (t->pipeline != NULL);
  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *encoder = g_strdup_printf ("e%u", i);
    g_autofree gchar *adapter = g_strdup_printf ("a%u", i);

    t->encoders[i] = gst_bin_get_by_name (GST_BIN (t->pipeline), encoder);
    t->adapters[i] = gst_bin_get_by_name (GST_BIN (t->pipeline), adapter);
  }
  element = gst_bin_get_by_name (GST_BIN (t->pipeline), "i");
  t->pad = gst_element_get_static_pad (element, "sink");
  gst_object_unref (element);
  t->controller = gst_rtp_cc_target_aggregator_new (t->pad);
  gst_element_set_state (t->pipeline, GST_STATE_PLAYING);
}

static void
two_end (Two *t)
{
  gst_element_set_state (t->pipeline, GST_STATE_NULL);
  gst_rtp_cc_target_aggregator_free (t->controller);
  gst_object_unref (t->pad);
  for (guint i = 0; i < 2; i++) {
    gst_clear_object (&t->encoders[i]);
    gst_clear_object (&t->adapters[i]);
  }
  gst_object_unref (t->pipeline);
}

static void
two_ask (Two *t, guint target, guint fec)
{
  gst_rtp_cc_target_aggregator_own (t->controller, &(GstRtpCcTarget) { .target_bps = target,
      .fec_bps = fec, .rtt = 5, .source = "test", .reason = "because" }, NULL, 0);
}

static void
two_expect (Two *t, gint kbps0, gint kbps1)
{
  assert_equals_int (g_atomic_int_get (&FAKE_ENCODER (t->encoders[0])->kbps), kbps0);
  assert_equals_int (g_atomic_int_get (&FAKE_ENCODER (t->encoders[1])->kbps), kbps1);
}

TEST (test_two_behind_a_funnel)
{
  Two t;

  two_start (&t, BRANCH ("0") "! funnel name=f " BRANCH ("1") "! f. f. ! identity name=i");
  two_ask (&t, 1000000, 0);
  two_expect (&t, 500, 500);
  /* one needs no more than 64 kbit/s: the other has the rest at once */
  g_object_set (t.adapters[0], "max-bitrate", 64000, NULL);
  two_expect (&t, 64, 936);
  two_ask (&t, 100000, 0);
  two_expect (&t, 50, 50);
  g_object_set (t.adapters[1], "min-bitrate", 80000, NULL);
  two_expect (&t, 20, 80);
  /* repair takes its share of each */
  g_object_set (t.adapters[1], "min-bitrate", 0, NULL);
  g_object_set (t.adapters[0], "max-bitrate", G_MAXUINT, NULL);
  two_ask (&t, 1000000, 200000);
  two_expect (&t, 400, 400);
  assert_equals_uint64 (stat_of (t.adapters[0], "fec-bitrate"), 100000);
  assert_equals_uint64 (stat_of (t.adapters[0], "target-bitrate"), 500000);
  /* who is stopped has none */
  gst_element_set_locked_state (t.adapters[0], TRUE);
  gst_element_set_state (t.adapters[0], GST_STATE_NULL);
  assert_equals_int (g_atomic_int_get (&FAKE_ENCODER (t.encoders[1])->kbps), 800);
  two_end (&t);
}

/* Two adapters in a row have one encoder, and one part. */
TEST (test_two_in_a_row)
{
  Two t;

  two_start (&t, BRANCH ("0") "! rtpbitrateadapter bitrate-property=kbps bitrate-unit=1000 "
      "packet-overhead=0 update-interval=0 ! funnel name=f " BRANCH ("1")
      "! f. f. ! identity name=i");
  two_ask (&t, 1000000, 0);
  two_expect (&t, 500, 500);
  two_ask (&t, 600000, 0);
  two_expect (&t, 300, 300);
  two_end (&t);
}

/* What a breaker says of one stream bounds its part, and gives it no more. */
TEST (test_one_stream_is_bounded)
{
  Two t;
  const GstRtpCcTarget own = { .target_bps = 1000000, .rtt = 5, .source = "test" };

  two_start (&t, BRANCH ("0") "! funnel name=f " BRANCH ("1") "! f. f. ! identity name=i");
  gst_rtp_cc_target_aggregator_own (t.controller, &own,
      &(GstRtpCcTarget) { .target_bps = 200000, .ssrc = 77 }, 1);
  two_expect (&t, 200, 200);            /* neither payloader says whose it is */
  gst_rtp_cc_target_aggregator_own (t.controller, &own,
      &(GstRtpCcTarget) { .target_bps = 900000, .ssrc = 77 }, 1);
  two_expect (&t, 500, 500);
  two_end (&t);
}

/* A lone encoder has all of it, whatever its limits. */
TEST (test_alone)
{
  Two t;

  two_start (&t, BRANCH ("0") " max-bitrate=700000 ! identity name=i fakeencoder name=e1");
  two_ask (&t, 600000, 0);
  two_expect (&t, 600, 0);
  assert_equals_uint64 (stat_of (t.adapters[0], "target-bitrate"), 600000);
  two_ask (&t, 900000, 0);
  two_expect (&t, 700, 0);
  assert_equals_uint64 (stat_of (t.adapters[0], "target-bitrate"), 900000);
  two_end (&t);
}

/* Targets, limits and stops by several threads at once; the end is as if one had done it. */
static gpointer
disturb (gpointer adapter)
{
  for (guint i = 0; i < 300; i++)
    g_object_set (adapter, "max-bitrate", 100000 + i % 7 * 50000, NULL);
  g_object_set (adapter, "max-bitrate", 200000, NULL);
  return NULL;
}

TEST (test_threads)
{
  GThread *threads[2];
  Two t;

  two_start (&t, BRANCH ("0") "! funnel name=f " BRANCH ("1") "! f. f. ! identity name=i");
  two_ask (&t, 300000, 0);
  for (guint i = 0; i < 2; i++)
    threads[i] = g_thread_new (NULL, disturb, t.adapters[i]);
  for (guint i = 0; i < 300; i++)
    two_ask (&t, 300000 + i % 5 * 10000, 0);
  for (guint i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  two_ask (&t, 360000, 0);
  two_expect (&t, 180, 180);
  two_end (&t);
}

TEST_MAIN (share);
