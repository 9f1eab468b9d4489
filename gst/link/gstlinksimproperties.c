/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the application sees of linksim: its properties and its message
 */
#include "link/gstlinksim.h"

GST_DEBUG_CATEGORY_EXTERN (gst_link_sim_debug);
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

/* --- what it says --------------------------------------------------------- */

void
gst_link_sim_changed (GstElement * element, RccDirection direction,
    RccTime when, guint64 capacity, RccTime delay)
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

/* --- settings ------------------------------------------------------------- */

RccScenario *
gst_link_sim_load (const gchar * name, guint64 seed, gchar * error)
{
  static const char nothing[] = "";

  if (!name)
    return rcc_scenario_parse (nothing, 0, "", 0, error, RCC_SCENARIO_ERROR);
  return rcc_scenario_load (name, seed, error, RCC_SCENARIO_ERROR);
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

/* In PLAYING its time 0 is now; otherwise it is only remembered. */
static void
set_scenario (GstLinkSim * self, const gchar * name)
{
  gchar error[RCC_SCENARIO_ERROR] = "";
  RccScenario *old = NULL;

  g_mutex_lock (&self->lock);
  if (self->started) {
    RccScenario *scenario = gst_link_sim_load (name, self->seed, error);

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
set_property (GObject * object, guint id, const GValue * value,
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
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
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

void
gst_link_sim_class_init_properties (GObjectClass * klass)
{
  const GParamFlags at_rest = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY;
  const GParamFlags any_time = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_PLAYING;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  klass->set_property = set_property;
  klass->get_property = get_property;
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
