/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-linksim
 * @title: linksim
 * @short_description: a network link between two elements
 * @see_also: netsim, identity
 *
 * Stands where the network would be, for instance in place of a `udpsink` and a
 * `udpsrc`, and does to packets what a link with limited capacity does: it queues
 * them, sends them on one after the other, delays them, and drops what the queue does
 * not hold. Where `netsim` drops what is too much, this element queues it, so that a
 * delay-based congestion control has something to see.
 *
 * What the link does over time is a scenario: the path of a text file, or the name
 * of a built-in one:
 *
 * - `rfc8867-5.1`, `rfc8867-5.1-60s` (the same in 60 s), `rfc8867-5.2`, `rfc8867-5.3`:
 *   the varying capacities of these sections of RFC 8867, 50 ms each way, 300 ms queue
 * - `outage`: Wi-Fi-like, 3 Mbit/s with gaps of 50-195 ms, from the #linksim:seed
 * - `constant:RATE`, such as `constant:1M`, 50 ms each way, 300 ms queue
 *
 * A file has lines `TIME fwd|rev|both KEY VALUE ...` with TIME in seconds, for example
 * |[
 * 0  both delay 50 queue 300ms
 * 0  fwd  rate 1M
 * 20 fwd  rate 400k loss 1%    # KEYs: rate trace delay jitter queue max-age aqm ecn
 * scale 0.5                    #       loss ge overhead; repeat SECONDS
 * ]|
 *
 * Pads come in pairs, a sink and a source. `sink` and `src` are always there and lead
 * in the forward direction; requesting `fwd_sink_%u` or `fwd_src_%u` makes another
 * pair that shares the forward queue (RTCP beside RTP); `rev_sink_%u` and `rev_src_%u`
 * make pairs for the way back, which has its own queue and follows the scenario's
 * `rev` lines. Requesting one pad of a pair adds the other: get that one with
 * gst_element_get_static_pad(). Packets are buffers of any caps.
 *
 * The scenario's time 0 is when the element first goes to PLAYING, and it runs on the
 * pipeline's clock, paused or not. The element is live. Packets leave with the
 * delivery time as PTS and DTS (#linksim:do-timestamp), to the nanosecond, even when
 * the thread that pushes them wakes up late; metas stay. As no network carries
 * them, buffer flags (such as that an RTP packet is redundant or a retransmission), QoS
 * and custom upstream events end here.
 *
 * A buffer may carry the custom meta `linksim-ecn` with a #guint field `ecn`, its ECN
 * codepoint (0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE): the link then marks it where the
 * scenario says `ecn`.
 *
 * At each change of the link an element message `GstLinkSimChange` is posted, with
 * the fields `direction` ("forward" or "reverse"), `time` (#guint64, ns of the
 * scenario), `capacity` (#guint64, bit/s, a trace's mean, %G_MAXUINT64: unlimited) and `delay`
 * (#guint64, ns).
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -v videotestsrc is-live=true num-buffers=300 ! x264enc tune=zerolatency bitrate=800 ! rtph264pay ! linksim scenario=rfc8867-5.1-60s ! rtpjitterbuffer ! rtph264depay ! avdec_h264 ! fakesink
 * ]|
 */
#include "link/gstlinksim.h"

GST_DEBUG_CATEGORY (gst_link_sim_debug);
#define GST_CAT_DEFAULT gst_link_sim_debug

enum
{
  PROP_0,
  PROP_SCENARIO,
  PROP_SEED,
  PROP_BANDWIDTH,
  PROP_DELAY,
  PROP_JITTER,
  PROP_QUEUE,
  PROP_LOSS,
  PROP_OVERHEAD,
  PROP_DO_TIMESTAMP,
  PROP_CAPACITY,
  PROP_QUEUE_TIME,
  PROP_STATS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (GstLinkSim, gst_link_sim, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (linksim, "linksim", GST_RANK_NONE,
    GST_TYPE_LINK_SIM);

/* --- what the application sees ------------------------------------------------- */

static void
link_changed (GstElement * element, RccDirection direction, RccTime when,
    guint64 capacity, RccTime delay)
{
  gst_element_post_message (element,
      gst_message_new_element (GST_OBJECT (element),
          gst_structure_new ("GstLinkSimChange", "direction", G_TYPE_STRING,
              direction ? "reverse" : "forward", "time", G_TYPE_UINT64,
              (guint64) when, "capacity", G_TYPE_UINT64, capacity, "delay",
              G_TYPE_UINT64, (guint64) delay, NULL)));
  if (direction == RCC_FORWARD)
    g_object_notify_by_pspec (G_OBJECT (element), props[PROP_CAPACITY]);
}

static GstStructure *
stats_of (GstLinkPath * path, const gchar * name)
{
  const RccLinkStats stats = gst_link_path_stats (path);
  GstStructure *s = gst_structure_new_empty (name);

  for (const RccField * f = rcc_link_fields; f->name; f++) {
    gconstpointer at = (const guint8 *) &stats + f->offset;

    if (f->type == RCC_U32)
      gst_structure_set (s, f->name, G_TYPE_UINT, *(const guint32 *) at, NULL);
    else                        /* U64 and TIME are all the link has beside it */
      gst_structure_set (s, f->name, G_TYPE_UINT64, *(const guint64 *) at,
          NULL);
  }
  return s;
}

static GstStructure *
make_stats (GstLinkSim * self)
{
  GstStructure *forward = stats_of (self->paths[RCC_FORWARD], "forward");
  GstStructure *reverse = stats_of (self->paths[RCC_REVERSE], "reverse");
  GstStructure *s = gst_structure_new ("application/x-linksim-stats",
      "forward", GST_TYPE_STRUCTURE, forward, "reverse", GST_TYPE_STRUCTURE,
      reverse,
      NULL);

  gst_structure_free (forward);
  gst_structure_free (reverse);
  return s;
}

typedef struct
{
  guint id;
  const GValue *value;
  RccLinkLimit queue;
} Setting;

static void
apply_setting (RccLinkConfig * config, gpointer data)
{
  const Setting *setting = data;
  const GValue *v = setting->value;

  switch (setting->id) {
    case PROP_BANDWIDTH:
      config->trace = NULL;
      config->rate_bps = g_value_get_uint64 (v) ? g_value_get_uint64 (v)
          : RCC_LINK_UNLIMITED;
      break;
    case PROP_DELAY:
      config->delay = g_value_get_uint64 (v);
      break;
    case PROP_JITTER:
      config->jitter = g_value_get_uint64 (v);
      break;
    case PROP_QUEUE:
      config->queue = setting->queue;
      break;
    case PROP_LOSS:
      config->loss = g_value_get_double (v);
      break;
    default:
      config->overhead = g_value_get_uint (v);
      break;
  }
}

/* Like a scenario line "now both KEY VALUE". */
static void
set_shortcut (GstLinkSim * self, guint id, const GValue * value)
{
  Setting setting = {.id = id,.value = value };

  if (id == PROP_QUEUE) {
    if (!g_value_get_string (value)
        || !rcc_link_limit_parse (g_value_get_string (value), &setting.queue)) {
      GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
          ("queue: expected a length such "
              "as 50 (packets), 75000B or 300ms, found '%s'; the old one stays.",
              g_value_get_string (value)), (NULL));
      return;
    }
  }
  g_mutex_lock (&self->lock);
  if (id == PROP_QUEUE) {
    g_free (self->queue);
    self->queue = g_value_dup_string (value);
  }
  apply_setting (&self->base, &setting);
  if (self->started)
    for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
      gst_link_path_modify (self->paths[d], apply_setting, &setting);
  g_mutex_unlock (&self->lock);
}

static RccScenario *
load_scenario (const gchar * name, guint64 seed, gchar * error)
{
  static const char nothing[] = "";

  if (!name)
    return rcc_scenario_parse (nothing, 0, "", 0, error, RCC_SCENARIO_ERROR);
  return rcc_scenario_load (name, seed, error, RCC_SCENARIO_ERROR);
}

/* In PLAYING its time 0 is now; otherwise it is only remembered. */
static void
set_scenario (GstLinkSim * self, const gchar * name)
{
  gchar error[RCC_SCENARIO_ERROR] = "";
  RccScenario *old = NULL;

  g_mutex_lock (&self->lock);
  if (self->started) {
    RccScenario *scenario = load_scenario (name, self->seed, error);

    if (scenario) {
      old = self->scenario;
      self->scenario = scenario;
      for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
        gst_link_path_set_scenario (self->paths[d], scenario, &self->base);
    }
  }
  if (!error[0]) {
    g_free (self->scenario_name);
    self->scenario_name = g_strdup (name);
  }
  g_mutex_unlock (&self->lock);
  rcc_scenario_free (old);
  if (error[0])
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", error), (NULL));
}

static void
gst_link_sim_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstLinkSim *self = GST_LINK_SIM (object);

  switch (id) {
    case PROP_SCENARIO:
      set_scenario (self, g_value_get_string (value));
      break;
    case PROP_SEED:
      g_mutex_lock (&self->lock);
      self->seed = g_value_get_uint64 (value);
      g_mutex_unlock (&self->lock);
      break;
    case PROP_DO_TIMESTAMP:
      g_mutex_lock (&self->lock);
      self->do_timestamp = g_value_get_boolean (value);
      for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
        gst_link_path_set_do_timestamp (self->paths[d], self->do_timestamp);
      g_mutex_unlock (&self->lock);
      break;
    case PROP_BANDWIDTH:
    case PROP_DELAY:
    case PROP_JITTER:
    case PROP_QUEUE:
    case PROP_LOSS:
    case PROP_OVERHEAD:
      set_shortcut (self, id, value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
get_setting (GstLinkSim * self, guint id, GValue * value, GParamSpec * pspec)
{
  const RccLinkConfig *base = &self->base;

  switch (id) {
    case PROP_SCENARIO:
      g_value_set_string (value, self->scenario_name);
      break;
    case PROP_SEED:
      g_value_set_uint64 (value, self->seed);
      break;
    case PROP_BANDWIDTH:
      g_value_set_uint64 (value, base->rate_bps == RCC_LINK_UNLIMITED ? 0
          : base->rate_bps);
      break;
    case PROP_DELAY:
      g_value_set_uint64 (value, base->delay);
      break;
    case PROP_JITTER:
      g_value_set_uint64 (value, base->jitter);
      break;
    case PROP_QUEUE:
      g_value_set_string (value, self->queue);
      break;
    case PROP_LOSS:
      g_value_set_double (value, base->loss);
      break;
    case PROP_OVERHEAD:
      g_value_set_uint (value, base->overhead);
      break;
    case PROP_DO_TIMESTAMP:
      g_value_set_boolean (value, self->do_timestamp);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
      break;
  }
}

static void
gst_link_sim_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstLinkSim *self = GST_LINK_SIM (object);

  switch (id) {
    case PROP_CAPACITY:
      g_value_set_uint64 (value,
          gst_link_path_stats (self->paths[RCC_FORWARD]).capacity_bps);
      break;
    case PROP_QUEUE_TIME:
      g_value_set_uint64 (value,
          gst_link_path_stats (self->paths[RCC_FORWARD]).queue_time);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, make_stats (self));
      break;
    default:
      g_mutex_lock (&self->lock);
      get_setting (self, id, value, pspec);
      g_mutex_unlock (&self->lock);
      break;
  }
}

/* --- life ---------------------------------------------------------------------- */

static gboolean
start (GstLinkSim * self)
{
  gchar error[RCC_SCENARIO_ERROR] = "";

  g_mutex_lock (&self->lock);
  self->scenario = load_scenario (self->scenario_name, self->seed, error);
  if (self->scenario) {
    self->started = TRUE;
    for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
      gst_link_path_start (self->paths[d], self->scenario, &self->base,
          self->seed);
  }
  g_mutex_unlock (&self->lock);
  if (error[0])
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", error), (NULL));
  return !error[0];
}

static void
stop (GstLinkSim * self)
{
  RccScenario *scenario;

  for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
    gst_link_path_join (self->paths[d]);
  g_mutex_lock (&self->lock);
  scenario = g_steal_pointer (&self->scenario);
  g_mutex_unlock (&self->lock);
  rcc_scenario_free (scenario);
}

static gboolean
gst_link_sim_set_clock (GstElement * element, GstClock * clock)
{
  GstLinkSim *self = GST_LINK_SIM (element);

  for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
    gst_link_path_set_clock (self->paths[d], clock);
  return GST_ELEMENT_CLASS (gst_link_sim_parent_class)->set_clock (element,
      clock);
}

static void
play (GstLinkSim * self)
{
  GstClock *clock = gst_element_get_clock (GST_ELEMENT (self));
  GstClockTime zero;

  if (!clock)                   /* played by hand, outside a pipeline */
    clock = gst_system_clock_obtain ();
  zero = gst_clock_get_time (clock);
  for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++) {
    gst_link_path_set_clock (self->paths[d], clock);
    gst_link_path_play (self->paths[d], zero);
  }
  gst_object_unref (clock);
}

static GstStateChangeReturn
gst_link_sim_change_state (GstElement * element, GstStateChange transition)
{
  GstLinkSim *self = GST_LINK_SIM (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    play (self);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    g_mutex_lock (&self->lock);
    self->started = FALSE;
    g_mutex_unlock (&self->lock);
    for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
      gst_link_path_stop (self->paths[d]);
  }
  ret = GST_ELEMENT_CLASS (gst_link_sim_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
      gst_link_path_pause (self->paths[d]);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  if (ret == GST_STATE_CHANGE_SUCCESS && GST_STATE_TRANSITION_NEXT (transition)
      == GST_STATE_PAUSED)
    ret = GST_STATE_CHANGE_NO_PREROLL;  /* live: nothing comes out in PAUSED */
  return ret;
}

static void
gst_link_sim_finalize (GObject * object)
{
  GstLinkSim *self = GST_LINK_SIM (object);

  for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
    gst_link_path_free (self->paths[d]);
  g_free (self->scenario_name);
  g_free (self->queue);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_link_sim_parent_class)->finalize (object);
}

static void
gst_link_sim_init (GstLinkSim * self)
{
  g_mutex_init (&self->lock);
  self->base = rcc_link_config_default ();
  self->queue = g_strdup ("300ms");
  self->seed = 1;
  self->do_timestamp = TRUE;
  for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++)
    self->paths[d] = gst_link_path_new (GST_ELEMENT (self), d, link_changed);
  gst_link_sim_add_always_pads (self);
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags at_rest = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;
  const GParamFlags any_time = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_PLAYING;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  props[PROP_SCENARIO] = g_param_spec_string ("scenario", "Scenario",
      "Path of a scenario file, or rfc8867-5.1, rfc8867-5.1-60s, rfc8867-5.2, "
      "rfc8867-5.3, outage, constant:RATE; set in PLAYING it begins at once",
      NULL, any_time);
  props[PROP_SEED] =
      g_param_spec_uint64 ("seed", "Seed",
      "Of loss, jitter and generated outages: the same seed, the same link", 0,
      G_MAXUINT64, 1, at_rest);
  props[PROP_BANDWIDTH] =
      g_param_spec_uint64 ("bandwidth", "Bandwidth",
      "Capacity of both directions until the scenario says otherwise (bit/s, 0 = "
      "unlimited)", 0, G_GUINT64_CONSTANT (1000000000000), 0, any_time);
  props[PROP_DELAY] =
      g_param_spec_uint64 ("delay", "Delay",
      "One-way delay of both directions until the scenario says otherwise (ns)",
      0, 3600 * GST_SECOND, 0, any_time);
  props[PROP_JITTER] =
      g_param_spec_uint64 ("jitter", "Jitter",
      "Largest extra delay, without reordering, until the scenario says otherwise "
      "(ns)", 0, 3600 * GST_SECOND, 0, any_time);
  props[PROP_QUEUE] =
      g_param_spec_string ("queue", "Queue",
      "What may wait until the scenario says otherwise: packets (50), bytes (75000B) "
      "or time at the current capacity (300ms)", "300ms", any_time);
  props[PROP_LOSS] =
      g_param_spec_double ("loss", "Loss",
      "Share of packets lost at random until the scenario says otherwise (0-1)",
      0, 1, 0, any_time);
  props[PROP_OVERHEAD] =
      g_param_spec_uint ("overhead", "Overhead",
      "Bytes added to each packet on the link (28 = UDP and IPv4)", 0, 65535,
      28, any_time);
  props[PROP_DO_TIMESTAMP] =
      g_param_spec_boolean ("do-timestamp", "Do timestamp",
      "Set PTS and DTS to the running time of delivery, as udpsrc does", TRUE,
      any_time);
  props[PROP_CAPACITY] =
      g_param_spec_uint64 ("capacity", "Capacity",
      "Forward capacity now (bit/s, of a trace over the last second; the largest "
      "number = unlimited)", 0, G_MAXUINT64, G_MAXUINT64, readable);
  props[PROP_QUEUE_TIME] =
      g_param_spec_uint64 ("queue-time", "Queue time",
      "How long the packets in the forward queue take to leave (ns)", 0,
      G_MAXUINT64, 0, readable);
  props[PROP_STATS] =
      g_param_spec_boxed ("stats", "Statistics",
      "application/x-linksim-stats with the structures forward and reverse: counters "
      "of packets and bytes in, out, dropped by cause, marked, queued, in flight",
      GST_TYPE_STRUCTURE, readable);
  g_object_class_install_properties (klass, N_PROPS, props);
}

static void
gst_link_sim_class_init (GstLinkSimClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_link_sim_debug, "linksim", 0, "link simulator");
  object_class->set_property = gst_link_sim_set_property;
  object_class->get_property = gst_link_sim_get_property;
  object_class->finalize = gst_link_sim_finalize;
  install_properties (object_class);
  element_class->change_state = gst_link_sim_change_state;
  element_class->set_clock = gst_link_sim_set_clock;
  gst_link_sim_class_init_pads (element_class);
  gst_element_class_set_static_metadata (element_class, "Link simulator",
      "Filter/Network",
      "Queues, delays and drops packets as a network link does", "gst-rtpcc");
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  static const gchar *no_tags[] = { NULL };

  if (!gst_meta_get_info (GST_LINK_ECN_META))
    gst_meta_register_custom (GST_LINK_ECN_META, no_tags, NULL, NULL, NULL);
  return GST_ELEMENT_REGISTER (linksim, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, linksim,
    "Simulated network links", plugin_init, VERSION, "LGPL", PACKAGE,
    GST_PACKAGE_ORIGIN)
