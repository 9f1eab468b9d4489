/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every element that the plugins register, through the same life: a new one is in by
 * being registered.  G_DEBUG=fatal-criticals makes each critical a failure, and
 * GstCheck each warning.
 */
#include <string.h>

#include <gst/check/gsttestclock.h>

#include "core/breaker/config.h"
#include "core/fbra/config.h"
#include "core/gcc/config.h"
#include "core/sbpn/sbpn.h"
#include "core/tfrc/tfrc.h"
#include "life-rig.h"

#define LIVES 1000

static GPtrArray *factories;            /* names */

/* GStreamer 1.24's udpsrc corrupts the heap when it is stopped as soon as it runs. A thousand lives
 * of udpsrc ! fakesink show it. */
static gboolean
corrupts_heap (const gchar *name)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  return major == 1 && minor == 24
      && (g_str_equal (name, "rtpccsrc") || g_str_equal (name, "rtpccsink"));
}

static void
find_factories (void)
{
  static const gchar *const plugins[] = { "rtpcc", "linksim", "psnr" };

  factories = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (plugins); i++) {
    const guint before = factories->len;
    GList *features = gst_registry_get_feature_list_by_plugin (gst_registry_get (),
        plugins[i]);

    for (GList *item = features; item; item = item->next)
      if (GST_IS_ELEMENT_FACTORY (item->data) && !corrupts_heap (GST_OBJECT_NAME (item->data)))
        g_ptr_array_add (factories,
            (gpointer) g_intern_string (GST_OBJECT_NAME (item->data)));
    gst_plugin_feature_list_free (features);
    if (factories->len == before)
      g_error ("plugin %s registers no element: is GST_PLUGIN_PATH_1_0 set?", plugins[i]);
  }
}

static const gchar *
factory (gint i)
{
  return g_ptr_array_index (factories, i);
}

/* A state that is reached at once, or not at all. */
static gboolean
reaches (Life *life, GstState state)
{
  const GstStateChangeReturn ret = gst_element_set_state (life->e, state);

  fail_unless (ret != GST_STATE_CHANGE_ASYNC, "%s: waits on the way to %s",
      GST_OBJECT_NAME (life->e), gst_element_state_get_name (state));
  return ret != GST_STATE_CHANGE_FAILURE;       /* a live one has no preroll */
}

static void
feed_all (Life *life)
{
  for (guint i = 0; i < life->pads->len; i++) {
    GstPad *pad = life->pads->pdata[i];

    if (!GST_PAD_IS_SINK (pad))
      continue;
    pad_open (pad);
    fail_unless_equals_int (pad_feed (pad), GST_FLOW_OK);
  }
}

/* --- cycles --------------------------------------------------------------- */

TEST_EACH (test_lives, (gint) factories->len)
{
  g_autoptr (GstClock) clock = gst_system_clock_obtain ();

  for (guint i = 0; i < LIVES; i++) {
    Life life = life_new (factory (__i__), i % 4 > 1);

    if (i % 2)
      gst_element_set_clock (life.e, clock);
    fail_unless (reaches (&life, GST_STATE_PLAYING));
    if (i % 4 == 0 || i % 8 == 3)
      feed_all (&life);
    if (i % 16 == 3)
      life_release (&life);
    life_free (&life);
    assert_none_alive ();
  }
}

/* READY resets: the second run takes data as the first one did. */
TEST_EACH (test_second_life, (gint) factories->len)
{
  for (guint to_null = 0; to_null < 2; to_null++) {
    Life life = life_new (factory (__i__), TRUE);

    for (guint i = 0; i < 50; i++) {
      fail_unless (reaches (&life, GST_STATE_PLAYING));
      feed_all (&life);
      fail_unless (reaches (&life, to_null ? GST_STATE_NULL : GST_STATE_READY));
    }
    life_free (&life);
    assert_none_alive ();
  }
}

static gboolean
refuse_mode (GstPad *pad, GstObject *parent, GstPadMode mode, gboolean active)
{
  return !active;
}

/* What cannot become PAUSED holds no clock that could wake it, and may try again.  A bin's
 * pads are its children's. */
TEST_EACH (test_failed_start, (gint) factories->len)
{
  Life life = life_new (factory (__i__), TRUE);
  GstTestClock *clock = GST_TEST_CLOCK (gst_test_clock_new ());
  GstPad *pad = life.pads->len > 0 && !GST_IS_BIN (life.e) ? life.pads->pdata[0] : NULL;
  GstPadActivateModeFunction mode;
  gint refs;

  gst_element_set_clock (life.e, GST_CLOCK (clock));
  refs = GST_OBJECT_REFCOUNT_VALUE (clock);
  if (pad) {
    mode = GST_PAD_ACTIVATEMODEFUNC (pad);
    gst_pad_set_activatemode_function (pad, refuse_mode);
    fail_if (reaches (&life, GST_STATE_PAUSED), "%s: starts without a pad",
        GST_OBJECT_NAME (life.e));
    fail_unless (GST_OBJECT_REFCOUNT_VALUE (clock) == refs,
        "%s: still holds its clock", GST_OBJECT_NAME (life.e));
    gst_pad_set_activatemode_function (pad, mode);
  }
  fail_unless (reaches (&life, GST_STATE_PAUSED));
  life_free (&life);
  gst_object_unref (clock);
  assert_none_alive ();
}

/* --- properties ----------------------------------------------------------- */

typedef enum { MINIMUM, MAXIMUM, DEFAULT, N_EXTREMES } Extreme;

/* As the elements' own tables, which no header has. */
static const RccSetting own_algorithm[] = {
  {.name = "algorithm",.least = 0,.most = 1}, RCC_SETTINGS_END
};

static const RccSetting own_share[] = {
  {.name = "rtcp-fraction",.least = 0.001,.most = 1}, RCC_SETTINGS_END
};

static const struct
{
  const gchar *type;
  const RccSetting *rows;
} tunings[] = {
  {"GstRtpGccSender", rcc_gcc_settings}, {"GstRtpGccReceiver", rcc_gcc_settings},
  {"GstRtpFbraFec", rcc_fbra_settings}, {"GstRtpCircuitBreaker", rcc_breaker_rules},
  {"GstRtpFbraFec", own_algorithm}, {"GstRtpGccReceiver", own_share},
  {"GstRtpSbpnMux", rcc_sbpn_settings}, {"GstRtpSbpnMux", rcc_tfrc_settings},
};

static gdouble
extreme_of (const RccSetting *row, Extreme extreme)
{
  const RccChoice *c = row->choices ? row->choices->values : NULL;

  while (c && extreme == MAXIMUM && c[1].name)
    c++;
  return c ? c->value : extreme == MINIMUM ? row->least : row->most;
}

/* All constants of the algorithm at once.  Which rtpccsender has is its controller's affair:
 * none. */
static void
set_tuning (GValue *value, GParamSpec *pspec, Extreme extreme)
{
  GstStructure *s;

  if (strcmp (g_type_name (pspec->owner_type), "GstRtpCcAnySender") == 0)
    return;
  s = gst_structure_new_empty ("tuning");
  for (guint i = 0; i < G_N_ELEMENTS (tunings); i++)
    for (const RccSetting *row = tunings[i].rows; row->name
        && strcmp (tunings[i].type, g_type_name (pspec->owner_type)) == 0; row++)
      gst_structure_set (s, row->name, G_TYPE_DOUBLE, extreme_of (row, extreme), NULL);
  fail_unless (gst_structure_n_fields (s) > 1);
  g_value_take_boxed (value, s);
}

static void
set_number (GValue *value, GParamSpec *pspec, Extreme extreme)
{
#define NUMBER(CAST, IS, set) \
  if (IS (pspec)) \
    set (value, extreme == MINIMUM ? CAST (pspec)->minimum : CAST (pspec)->maximum)

  NUMBER (G_PARAM_SPEC_INT, G_IS_PARAM_SPEC_INT, g_value_set_int);
  else NUMBER (G_PARAM_SPEC_UINT, G_IS_PARAM_SPEC_UINT, g_value_set_uint);
  else NUMBER (G_PARAM_SPEC_INT64, G_IS_PARAM_SPEC_INT64, g_value_set_int64);
  else NUMBER (G_PARAM_SPEC_UINT64, G_IS_PARAM_SPEC_UINT64, g_value_set_uint64);
  else NUMBER (G_PARAM_SPEC_DOUBLE, G_IS_PARAM_SPEC_DOUBLE, g_value_set_double);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_value_set_boolean (value, extreme == MAXIMUM);
  else if (G_IS_PARAM_SPEC_ENUM (pspec)) {
    const GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;

    g_value_set_enum (value, klass->values[extreme == MINIMUM ? 0
            : klass->n_values - 1].value);
  } else if (g_str_equal (pspec->name, "key"))  /* a bad one ends in an error: calluri.py */
    g_value_set_string (value, extreme == MINIMUM ? ""
        : "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5");
  else if (G_IS_PARAM_SPEC_STRING (pspec))
    g_value_set_string (value, extreme == MINIMUM ? "" : "\303\244 / = ;\n!");
  else if (g_str_equal (pspec->name, "sdes"))
    g_value_take_boxed (value, gst_structure_new ("application/x-rtp-source-sdes",
            "cname", G_TYPE_STRING, extreme == MINIMUM ? "" : "x", NULL));
  else if (pspec->value_type == GST_TYPE_STRUCTURE)
    set_tuning (value, pspec, extreme);
  else if (!G_IS_PARAM_SPEC_OBJECT (pspec))
    fail ("teach this test the type of the property %s", pspec->name);
}

static void
set_extreme (GstElement *e, GParamSpec *pspec, Extreme extreme)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, pspec->value_type);
  if (extreme == DEFAULT)
    g_param_value_set_default (pspec, &value);
  else
    set_number (&value, pspec, extreme);
  g_object_set_property (G_OBJECT (e), pspec->name, &value);
  g_value_unset (&value);
}

/* Whether @pspec is ours and may be written in @state. */
static gboolean
may_change (GParamSpec *pspec, GstState state)
{
  /* A bad URI rightly ends in an error: tests/calluri.py. */
  if (pspec->owner_type == GST_TYPE_OBJECT || !(pspec->flags & G_PARAM_WRITABLE)
      || g_str_equal (pspec->name, "uri")
      || pspec->flags & G_PARAM_CONSTRUCT_ONLY)
    return FALSE;
  if (state <= GST_STATE_READY)
    return TRUE;
  return (pspec->flags & GST_PARAM_MUTABLE_PLAYING) != 0
      || (state == GST_STATE_PAUSED && pspec->flags & GST_PARAM_MUTABLE_PAUSED);
}

static void
set_all (Life *life, GstState state, Extreme extreme)
{
  guint n;
  GParamSpec **pspecs = g_object_class_list_properties
      (G_OBJECT_GET_CLASS (life->e), &n);

  for (guint i = 0; i < n; i++)
    if (may_change (pspecs[i], state))
      set_extreme (life->e, pspecs[i], extreme);
  g_free (pspecs);
}

static void
read_all (Life *life)
{
  guint n;
  GParamSpec **pspecs = g_object_class_list_properties
      (G_OBJECT_GET_CLASS (life->e), &n);

  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (!(pspecs[i]->flags & G_PARAM_READABLE))
      continue;
    g_value_init (&value, pspecs[i]->value_type);
    g_object_get_property (G_OBJECT (life->e), pspecs[i]->name, &value);
    fail_if (g_param_value_validate (pspecs[i], &value)
        && pspecs[i]->owner_type != GST_TYPE_OBJECT,
        "%s: %s is beyond its range", GST_OBJECT_NAME (life->e), pspecs[i]->name);
    if (!strcmp (pspecs[i]->name, "stats"))
      fail_unless (GST_IS_STRUCTURE (g_value_get_boxed (&value)));
    g_value_unset (&value);
  }
  g_free (pspecs);
}

/* Each property alone to its extremes, in each state, with data between. */
TEST_EACH (test_properties, (gint) factories->len)
{
  for (GstState state = GST_STATE_NULL; state <= GST_STATE_PLAYING; state++) {
    Life life = life_new (factory (__i__), TRUE);
    guint n;
    GParamSpec **pspecs = g_object_class_list_properties
        (G_OBJECT_GET_CLASS (life.e), &n);

    fail_unless (reaches (&life, state));
    for (guint i = 0; i < n; i++)
      for (Extreme extreme = 0; may_change (pspecs[i], state) && extreme < N_EXTREMES;
          extreme++) {
        set_extreme (life.e, pspecs[i], extreme);
        read_all (&life);
        if (state == GST_STATE_PLAYING)
          feed_all (&life);
      }
    g_free (pspecs);
    life_free (&life);
    assert_none_alive ();
  }
}

/* All of them at an extreme: it runs, or says that it cannot; back at the defaults it
 * runs. */
TEST_EACH (test_all_properties_at_once, (gint) factories->len)
{
  for (Extreme extreme = 0; extreme < N_EXTREMES; extreme++) {
    Life life = life_new (factory (__i__), TRUE);

    set_all (&life, GST_STATE_READY, extreme);
    if (reaches (&life, GST_STATE_PLAYING)) {
      feed_all (&life);
      read_all (&life);
      set_all (&life, GST_STATE_PLAYING, (extreme + 1) % N_EXTREMES);
      feed_all (&life);
    }
    fail_unless (reaches (&life, GST_STATE_READY));
    read_all (&life);
    set_all (&life, GST_STATE_READY, DEFAULT);
    fail_unless (reaches (&life, GST_STATE_PLAYING));
    feed_all (&life);
    life_free (&life);
    assert_none_alive ();
  }
}

/* Whether @blurb has @unit as a word. */
static gboolean
names_unit (const gchar *blurb, const gchar *unit)
{
  gchar *pattern = g_strdup_printf ("(^|[^A-Za-z/])%s($|[^A-Za-z])", unit);
  const gboolean found = g_regex_match_simple (pattern, blurb, 0, 0);

  g_free (pattern);
  return found;
}

TEST_EACH (test_units, (gint) factories->len)
{
  g_autoptr (GstElement) e = gst_element_factory_make (factory (__i__), NULL);
  guint n;
  GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (e), &n);

  for (guint i = 0; i < n; i++) {
    const gchar *blurb = g_param_spec_get_blurb (pspecs[i]);
    const gchar *name = pspecs[i]->name;

    fail_unless (blurb && *blurb, "%s: %s has no blurb", factory (__i__), name);
    if (!G_IS_PARAM_SPEC_UINT (pspecs[i]) && !G_IS_PARAM_SPEC_UINT64 (pspecs[i]))
      continue;
    if (g_regex_match_simple ("bitrate|bandwidth|capacity", name, 0, 0))
      fail_unless (names_unit (blurb, "bit/s"), "%s: %s: in bit/s?", factory (__i__),
          name);
    if (G_IS_PARAM_SPEC_UINT64 (pspecs[i])
        && g_regex_match_simple ("(time|delay|interval|timeout|jitter|tolerance)$", name,
            0, 0))
      fail_unless (names_unit (blurb, "ns"), "%s: %s: in ns?", factory (__i__), name);
  }
  g_free (pspecs);
}

/* --- signals -------------------------------------------------------------- */

static guint
emit_actions (Life *life)
{
  guint emitted = 0;

  for (GType type = G_OBJECT_TYPE (life->e); type != GST_TYPE_ELEMENT;
      type = g_type_parent (type)) {
    guint n;
    guint *ids = g_signal_list_ids (type, &n);

    for (guint i = 0; i < n; i++) {
      GSignalQuery query;
      GValue values[4] = { G_VALUE_INIT }, answer = G_VALUE_INIT;

      g_signal_query (ids[i], &query);
      if (!(query.signal_flags & G_SIGNAL_ACTION))
        continue;
      fail_unless (query.n_params < G_N_ELEMENTS (values));
      g_value_init (&values[0], G_OBJECT_TYPE (life->e));
      g_value_set_object (&values[0], life->e);
      for (guint j = 0; j < query.n_params; j++) {
        fail_unless (query.param_types[j] == G_TYPE_UINT
            || query.param_types[j] == G_TYPE_STRING,
            "teach this test the arguments of %s", query.signal_name);
        g_value_init (&values[j + 1], query.param_types[j]);
      }
      if (query.return_type != G_TYPE_NONE)
        g_value_init (&answer, query.return_type);
      g_signal_emitv (values, ids[i], 0, &answer);
      g_value_unset (&answer);
      for (guint j = 0; j <= query.n_params; j++)
        g_value_unset (&values[j]);
      emitted++;
    }
    g_free (ids);
  }
  return emitted;
}

TEST_EACH (test_action_signals, (gint) factories->len)
{
  static const GstState states[] = { GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED,
    GST_STATE_PLAYING, GST_STATE_READY, GST_STATE_PLAYING, GST_STATE_NULL };
  Life life = life_new (factory (__i__), TRUE);
  guint emitted = 0;

  for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
    fail_unless (reaches (&life, states[i]));
    emitted += emit_actions (&life);
    if (states[i] == GST_STATE_PLAYING) {
      feed_all (&life);
      emitted += emit_actions (&life);
      feed_all (&life);
    }
    read_all (&life);
  }
  if (g_str_has_prefix (factory (__i__), "rtpgcc")
      || g_str_equal (factory (__i__), "rtpcircuitbreaker"))
    fail_unless (emitted >= G_N_ELEMENTS (states));
  life_free (&life);
  assert_none_alive ();
}

/* --- events and queries --------------------------------------------------- */

/* Strangers' names, and those that some element knows, with nothing or nonsense in. */
static void
custom_events (GstPad *pad)
{
  static const gchar *const names[] = { "x-unknown", "GstRtpTargetBitrate",
    "RTPTWCCPackets", "GstRTPRetransmissionRequest", "GstForceKeyUnit",
    "GstRTPCollision", "application/x-rtp-unknown" };
  static const GstEventType down[] = { GST_EVENT_CUSTOM_DOWNSTREAM,
    GST_EVENT_CUSTOM_DOWNSTREAM_OOB, GST_EVENT_CUSTOM_BOTH, GST_EVENT_CUSTOM_BOTH_OOB };
  /* no serialized one: it would wait for the pad's own task, here as at a queue */
  static const GstEventType up[] = { GST_EVENT_CUSTOM_UPSTREAM,
    GST_EVENT_CUSTOM_BOTH_OOB };
  const gboolean sink = GST_PAD_IS_SINK (pad);

  for (guint t = 0; t < (sink ? G_N_ELEMENTS (down) : G_N_ELEMENTS (up)); t++) {
    const GstEventType type = sink ? down[t] : up[t];

    pad_event (pad, gst_event_new_custom (type, NULL));
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      pad_event (pad, gst_event_new_custom (type, gst_structure_new_empty (names[i])));
      pad_event (pad, gst_event_new_custom (type, gst_structure_new (names[i],
                  "target-bitrate", G_TYPE_STRING, "all", "packets", G_TYPE_INT, -1,
                  "ssrc", G_TYPE_INT, -1, "seqnum", G_TYPE_DOUBLE, 0.5, NULL)));
    }
  }
}

static void
upstream_events (GstPad *pad)
{
  pad_event (pad, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0, -1, 7));
  pad_event (pad, gst_event_new_latency (GST_SECOND));
  pad_event (pad, gst_event_new_reconfigure ());
  pad_event (pad, gst_event_new_seek (-1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
          GST_SEEK_TYPE_NONE, 0, GST_SEEK_TYPE_NONE, 0));
}

static void
downstream_events (GstPad *pad)
{
  pad_open (pad);
  pad_event (pad, gst_event_new_tag (gst_tag_list_new_empty ()));
  pad_event (pad, gst_event_new_gap (0, GST_CLOCK_TIME_NONE));
  pad_event (pad, gst_event_new_gap (G_MAXUINT64 - 1, G_MAXUINT64 - 1));
  pad_event (pad, gst_event_new_segment_done (GST_FORMAT_TIME, 0));
}

static void
queries (GstPad *pad)
{
  g_autoptr (GstCaps) caps = pad_caps (pad);
  GstQuery *all[] = {
    gst_query_new_latency (), gst_query_new_caps (NULL), gst_query_new_caps (caps),
    gst_query_new_accept_caps (caps), gst_query_new_position (GST_FORMAT_TIME),
    gst_query_new_position (GST_FORMAT_BYTES), gst_query_new_duration (GST_FORMAT_TIME),
    gst_query_new_seeking (GST_FORMAT_TIME), gst_query_new_scheduling (),
    gst_query_new_allocation (caps, TRUE), gst_query_new_drain (),
    gst_query_new_custom (GST_QUERY_CUSTOM, gst_structure_new_empty ("x-unknown")),
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    watch_mini (all[i]);
    if (GST_PAD_IS_SINK (pad) ? GST_QUERY_IS_DOWNSTREAM (all[i])
        : GST_QUERY_IS_UPSTREAM (all[i]))
      gst_pad_query (pad, all[i]);
    gst_query_unref (all[i]);
  }
}

/* As far as the element lets it: in NULL and READY pads refuse. */
static void
bother (GstPad *pad)
{
  const gboolean sink = GST_PAD_IS_SINK (pad);
  gint64 position;

  queries (pad);
  gst_pad_query_position (pad, GST_FORMAT_TIME, &position);
  if (sink)
    downstream_events (pad);
  else
    upstream_events (pad);
  custom_events (pad);
  queries (pad);
  if (!sink)
    return;
  pad_event (pad, gst_event_new_flush_start ());
  queries (pad);
  custom_events (pad);
  pad_event (pad, gst_event_new_flush_stop (TRUE));
  queries (pad);
}

static void
revive (Life *life)
{
  for (guint i = 0; i < life->pads->len; i++) {
    GstPad *pad = life->pads->pdata[i];

    if (!GST_PAD_IS_SINK (pad))
      continue;
    pad_event (pad, gst_event_new_eos ());
    fail_unless (pad_feed (pad) != GST_FLOW_OK, "%s takes data after EOS",
        GST_PAD_NAME (pad));
    bother (pad);
  }
  for (guint i = 0; i < life->pads->len; i++)
    if (GST_PAD_IS_SINK (life->pads->pdata[i])) {
      pad_event (life->pads->pdata[i], gst_event_new_flush_start ());
      pad_event (life->pads->pdata[i], gst_event_new_flush_stop (TRUE));
    }
}

TEST_EACH (test_events_and_queries, (gint) factories->len)
{
  static const GstState states[] = { GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED,
    GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PLAYING };

  for (guint with_data = 0; with_data < 2; with_data++) {
    Life life = life_new (factory (__i__), TRUE);

    for (guint s = 0; s < G_N_ELEMENTS (states); s++) {
      fail_unless (reaches (&life, states[s]));
      if (with_data && states[s] == GST_STATE_PLAYING)
        feed_all (&life);
      for (guint i = 0; i < life.pads->len; i++)
        bother (life.pads->pdata[i]);
      read_all (&life);
      if (states[s] == GST_STATE_PLAYING) {     /* in PAUSED a live one waits */
        feed_all (&life);
        revive (&life);
        feed_all (&life);
      }
    }
    life_free (&life);
    assert_none_alive ();
  }
}

SUITE (life)
{
  find_factories ();
}
