/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-linksim
 * @title: linksim
 * @short_description: a network link between two elements
 * @see_also: netsim, identity
 *
 * Stands where the network would be, for instance in place of a `udpsink` and a `udpsrc`. It does
 * to packets what a link with limited capacity does. It queues them, sends them on one after the
 * other, delays them, and drops what the queue does not hold. Where `netsim` drops what is too
 * much, this element queues it, so that a delay-based congestion control has something to see.
 *
 * What the link does over time is a scenario: the path of a text file, or the name
 * of a built-in one:
 *
 * - `rfc8867-5.1`, `rfc8867-5.1-60s` (the same in 60 s), `rfc8867-5.2`, `rfc8867-5.3`:
 *   the varying capacities of these sections of RFC 8867. There are 50 ms each way, and a queue
 *   of 300 ms
 * - `outage`: Wi-Fi-like, 3 Mbit/s with gaps of 50-195 ms, from the #linksim:seed
 * - `constant:RATE`, such as `constant:1M`, 50 ms each way, 300 ms queue
 *
 * A file has lines `TIME fwd|rev|both KEY VALUE ...` with TIME in seconds, for example
 * |[
 * 0  both delay 50 queue 300ms
 * 0  fwd  rate 1M
 * 20 fwd  rate 400k loss 1%    # KEYs: rate trace delay jitter reorder queue max-age aqm ecn
 * scale 0.5                    #       bucket loss ge overhead; repeat SECONDS
 * ]|
 *
 * Pads come in pairs, a sink and a source. The pads `sink` and `src` are always there and lead in
 * the forward direction. Requesting `fwd_sink_%u` or `fwd_src_%u` makes another pair that shares
 * the forward queue (RTCP beside RTP). `rev_sink_%u` and `rev_src_%u` make pairs for the way
 * back. That has its own queue and follows the scenario's `rev` lines. Requesting one pad of a
 * pair adds the other: get that one with gst_element_get_static_pad(). Packets are buffers of any
 * caps.
 *
 * The scenario's time 0 is when the element first goes to PLAYING, and it runs on the pipeline's
 * clock, paused or not. The element is live. Packets leave with the delivery time as PTS and DTS
 * (#linksim:do-timestamp), to the nanosecond. They do even when the thread that pushes them wakes
 * up late. Metas stay. No network carries buffer flags (such as that an RTP packet is redundant
 * or a retransmission), QoS and custom upstream events. So they end here.
 *
 * A buffer may carry the custom meta `linksim-ecn`. Its #guint field `ecn` is the ECN codepoint:
 * 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE. Then the link marks it where the scenario says `ecn`.
 *
 * At each change of the link an element message `GstLinkSimChange` is posted. It has the fields
 * `direction` ("forward" or "reverse"), `time` (#guint64, ns of the scenario), `capacity`
 * (#guint64, bit/s) and `delay` (#guint64, ns). The capacity of a trace is its mean; %G_MAXUINT64
 * is unlimited.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -v videotestsrc is-live=true num-buffers=300 \
 *   ! x264enc tune=zerolatency bitrate=800 ! rtph264pay ! linksim scenario=rfc8867-5.1-60s \
 *   ! rtpjitterbuffer ! rtph264depay ! avdec_h264 ! fakesink
 * ]|
 */
#include "link/gstlinksim.h"

GST_DEBUG_CATEGORY (gst_link_sim_debug);
#define GST_CAT_DEFAULT gst_link_sim_debug

G_DEFINE_TYPE (GstLinkSim, gst_link_sim, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (linksim, "linksim", GST_RANK_NONE,
    GST_TYPE_LINK_SIM);

/* --- life ----------------------------------------------------------------- */

static gboolean
start (GstLinkSim * self)
{
  gchar error[RCC_SCENARIO_ERROR] = "";

  g_mutex_lock (&self->lock);
  self->scenario = gst_link_sim_load (self->scenario_name, self->seed, error);
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
    self->paths[d] =
        gst_link_path_new (GST_ELEMENT (self), d, gst_link_sim_changed);
  gst_link_sim_add_always_pads (self);
}

static void
gst_link_sim_class_init (GstLinkSimClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_link_sim_debug, "linksim", 0, "link simulator");
  object_class->finalize = gst_link_sim_finalize;
  gst_link_sim_class_init_properties (object_class);
  element_class->change_state = gst_link_sim_change_state;
  element_class->set_clock = gst_link_sim_set_clock;
  gst_link_sim_class_init_pads (element_class);
  gst_element_class_set_static_metadata (element_class, "Link simulator",
      "Filter/Network",
      "Queues, delays and drops packets as a network link does", "The gst-rtpcc maintainers");
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
