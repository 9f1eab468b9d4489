/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/breaker/monitor.h"

#include "rtpcc/common/utils.h"

GST_DEBUG_CATEGORY_EXTERN (gst_rtp_circuit_breaker_debug);
#define GST_CAT_DEFAULT gst_rtp_circuit_breaker_debug

GST_RTP_CC_DEFINE_GET_SETTINGS (GstRtpCcBreakerSettings)

/* --- a life of the core --------------------------------------------------- */

/* What is left of the interval for which reset() is refused, while stopped; with the
 * driver's lock.  The clock that ran then goes on measuring, whichever runs next. */
static GstClockTime
held_locked (GstRtpCcBreakerMonitor * g)
{
  GstClockTime now;

  if (!g->held.clock || g->held.left == 0)
    return 0;
  now = gst_clock_get_time (g->held.clock);
  if (now < g->held.time)
    return g->held.left;
  return g->held.left - MIN (g->held.left, now - g->held.time);
}

static const gchar *
reason_still (GstRtpCcBreakerMonitor * g)
{
  static const gchar *const reasons[] = {
    [RCC_BREAKER_CLOSED] = "start",
    [RCC_BREAKER_REDUCED] = "circuit breaker: still reduced",
    [RCC_BREAKER_OPEN] = "circuit breaker: still open",
  };

  return reasons[g->gate->core.breaker.state];
}

/* What is open stays so over a restart until the interval that opened it has gone by. RFC 8083
 * 4.5 wants restarts limited where nobody knows whether a human or a script restarts. */
static RccUpdate
begin (GstElement * element, RccTime now)
{
  GstRtpCcBreakerMonitor *g = (GstRtpCcBreakerMonitor *) element;
  const GstRtpCcBreakerSettings settings = get_settings (g);
  const RccBreakerConfig config =
      gst_rtp_cc_breaker_settings_config (&settings);
  const GstClockTime held = held_locked (g);

  g->gate->core.enforce =
      settings.action != GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY;
  rcc_gate_start (&g->gate->core, &config, held, now);
  rcc_breaker_watch_init (&g->gate->watch);
  g->reported = g->gate->core.breaker.n_events;
  g->unheard = TRUE;
  gst_clear_object (&g->held.clock);
  return (RccUpdate) {
  .changed = RCC_TARGET,.reason = reason_still (g)};
}

static void
stopping (GstRtpCcElement * element)
{
  GstRtpCcBreakerMonitor *g = (GstRtpCcBreakerMonitor *) element;
  const GstClockTime now = gst_rtp_cc_driver_lock (g->parent.driver);
  GstClockTime time;
  GstClock *clock;

  gst_rtp_cc_driver_unlock (g->parent.driver);
  clock = gst_rtp_cc_driver_clock (g->parent.driver, now, &time);
  gst_rtp_cc_driver_lock (g->parent.driver);
  gst_clear_object (&g->held.clock);
  g->held.clock = clock;
  g->held.time = time;
  g->held.now = now;
  g->held.left = 0;
  gst_rtp_cc_driver_unlock (g->parent.driver);
}

/* It may have opened meanwhile; all but that is forgotten. */
static void
stopped (GstRtpCcElement * element)
{
  GstRtpCcBreakerMonitor *g = (GstRtpCcBreakerMonitor *) element;

  gst_rtp_cc_driver_lock (g->parent.driver);
  g->held.left = rcc_breaker_retry_after (&g->gate->core.breaker, g->held.now);
  if (g->held.left == 0)
    gst_clear_object (&g->held.clock);
  gst_rtp_cc_driver_unlock (g->parent.driver);
  gst_rtp_cc_breaker_notifier_forget (&g->notifier);
}

/* Whether @state is another one than before.  @blown: no RTP passes any more. */
static gboolean
take_state (GstRtpCcBreakerMonitor * g, RccBreakerState state, gboolean blown)
{
  gboolean changed;

  GST_OBJECT_LOCK (g);
  changed = g->state != state;
  g->state = state;
  g->complained = g->complained && blown;
  GST_OBJECT_UNLOCK (g);
  return changed;
}

void
gst_rtp_cc_breaker_monitor_forget (GstRtpCcBreakerMonitor * g)
{
  const GstRtpCcBreakerSettings settings = get_settings (g);
  const RccBreakerConfig config =
      gst_rtp_cc_breaker_settings_config (&settings);

  gst_rtp_cc_driver_lock (g->parent.driver);
  rcc_gate_start (&g->gate->core, &config, 0, 0);
  g->gate->clock_rate = 0;
  g->reported = 0;
  gst_clear_object (&g->held.clock);
  gst_rtp_cc_driver_unlock (g->parent.driver);
  if (take_state (g, RCC_BREAKER_CLOSED, FALSE))
    g_object_notify_by_pspec (G_OBJECT (g), g->state_pspec);
}

/* --- what the core says --------------------------------------------------- */

static gboolean
next_event (GstRtpCcBreakerMonitor * g, RccBreakerEvent * event,
    GstClockTime * retry_after)
{
  const RccBreaker *b = &g->gate->core.breaker;
  const GstClockTime now = gst_rtp_cc_driver_lock (g->parent.driver);
  const gboolean is_new = g->reported != b->n_events;

  if (is_new) {
    if (b->n_events - g->reported > RCC_BREAKER_EVENTS)
      g->reported = b->n_events - RCC_BREAKER_EVENTS;
    *event = b->events[g->reported++ % RCC_BREAKER_EVENTS];
    *retry_after = now == GST_CLOCK_TIME_NONE ? event->interval
        : rcc_breaker_retry_after (b, now);
  }
  gst_rtp_cc_driver_unlock (g->parent.driver);
  return is_new;
}

static gboolean
next_notice (GstRtpCcBreakerMonitor * g, RccBreakerNotice * notice)
{
  gboolean any;

  gst_rtp_cc_driver_lock (g->parent.driver);
  any = rcc_breaker_watch_take (&g->gate->watch, notice);
  gst_rtp_cc_driver_unlock (g->parent.driver);
  return any;
}

/* action=error: once, and before anybody sees GST_FLOW_ERROR. */
void
gst_rtp_cc_breaker_monitor_complain (GstRtpCcBreakerMonitor * g)
{
  GstClockTime now, retry_after;
  const gchar *reason;
  gboolean first;

  GST_OBJECT_LOCK (g);
  first = !g->complained;
  g->complained = TRUE;
  GST_OBJECT_UNLOCK (g);
  if (!first)
    return;
  now = gst_rtp_cc_driver_lock (g->parent.driver);
  reason = g->gate->core.breaker.reason_name;
  retry_after = now == GST_CLOCK_TIME_NONE ? 0
      : rcc_breaker_retry_after (&g->gate->core.breaker, now);
  gst_rtp_cc_driver_unlock (g->parent.driver);
  GST_ELEMENT_ERROR (g, RESOURCE, FAILED,
      ("The RTP circuit breaker stopped this call: %s. Try again in %"
          G_GUINT64_FORMAT " s at the earliest.", reason,
          (retry_after + GST_SECOND - 1) / GST_SECOND), (NULL));
}

static void
tell_upstream (GstRtpCcBreakerMonitor * g, const gchar * reason)
{
  GstRtpCcTarget all, streams[RCC_BREAKER_STREAMS];
  gboolean again;
  guint n;

  gst_rtp_cc_driver_lock (g->parent.driver);
  n = gst_rtp_cc_breaker_gate_targets (g->gate, &all, streams);
  again = g->again;
  g->again = FALSE;
  gst_rtp_cc_driver_unlock (g->parent.driver);
  gst_rtp_cc_breaker_notifier_targets (&g->notifier, all, streams, n, reason,
      again);
}

static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpCcBreakerMonitor *g = (GstRtpCcBreakerMonitor *) element;
  RccBreakerNotice notice;
  RccBreakerEvent event;
  GstClockTime retry_after;
  RccBreakerState state;
  const gboolean error = gst_rtp_cc_breaker_monitor_action (g) ==
      GST_RTP_CIRCUIT_BREAKER_ERROR;
  gboolean changed, blown;

  gst_rtp_cc_driver_lock (g->parent.driver);
  state = g->gate->core.breaker.state;
  blown = rcc_gate_is_shut (&g->gate->core);
  gst_rtp_cc_driver_unlock (g->parent.driver);
  changed = take_state (g, state, blown);
  tell_upstream (g, update->reason);
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (g), g->state_pspec);
  while (next_notice (g, &notice))
    gst_rtp_cc_breaker_notifier_notice (&g->notifier, &notice);
  while (next_event (g, &event, &retry_after))
    gst_rtp_cc_breaker_notifier_post (&g->notifier, &event, retry_after, FALSE);
  if (blown && error)
    gst_rtp_cc_breaker_monitor_complain (g);
}

/* --- what comes by -------------------------------------------------------- */

/* @update: of what came by. */
static void
leave (GstRtpCcBreakerMonitor * g, RccUpdate update)
{
  if (G_UNLIKELY (g->unheard)) {
    g->unheard = FALSE;
    g->again = TRUE;
    update.changed |= RCC_TARGET;
    update.reason = reason_still (g);
  }
  gst_rtp_cc_driver_leave (g->parent.driver, &update);
}

gboolean
gst_rtp_cc_breaker_monitor_buffer (GstRtpCcBreakerMonitor * g,
    GstBuffer * buffer, gboolean * over)
{
  RccUpdate update = { 0 };
  gboolean passes;
  RccTime now;

  if (!gst_rtp_cc_driver_enter (g->parent.driver, &now))
    return TRUE;
  passes = gst_rtp_cc_breaker_gate_buffer (g->gate, buffer, now, &update);
  if (G_UNLIKELY (!passes))
    *over = rcc_gate_is_shut (&g->gate->core);
  leave (g, update);
  return passes;
}

gboolean
gst_rtp_cc_breaker_monitor_list (GstRtpCcBreakerMonitor * g,
    GstBufferList ** list, gboolean * over)
{
  RccUpdate update = { 0 };
  GstBufferList *kept;
  gboolean passes;
  RccTime now;

  if (!gst_rtp_cc_driver_enter (g->parent.driver, &now))
    return TRUE;
  kept = gst_rtp_cc_breaker_gate_list (g->gate, *list, now, &update);
  passes = !kept || gst_buffer_list_length (kept) > 0;
  if (G_UNLIKELY (!passes))
    *over = rcc_gate_is_shut (&g->gate->core);
  leave (g, update);
  if (G_UNLIKELY (kept)) {
    gst_buffer_list_unref (*list);
    *list = kept;
  }
  return passes;
}

void
gst_rtp_cc_breaker_monitor_set_pad (GstRtpCcBreakerMonitor * g, guint path,
    GstPad * sink)
{
  gst_rtp_cc_target_aggregator_set_pad (g->notifier.aggregators[path], sink);
  gst_rtp_cc_driver_lock (g->parent.driver);
  g->unheard = TRUE;            /* it is linked to nobody yet */
  gst_rtp_cc_driver_unlock (g->parent.driver);
}

void
gst_rtp_cc_breaker_monitor_event (GstRtpCcBreakerMonitor * g, GstEvent * event)
{
  GstCaps *caps;

  gst_rtp_cc_driver_lock (g->parent.driver);
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    g->gate->clock_rate = gst_rtp_cc_clock_rate (caps);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    rcc_breaker_ended (&g->gate->core.breaker);
  }
  gst_rtp_cc_driver_unlock (g->parent.driver);
}

void
gst_rtp_cc_breaker_monitor_upstream (GstRtpCcBreakerMonitor * g,
    GstEvent * event)
{
  RccUpdate update;
  RccTime now;

  if (!gst_event_has_name (event, "RTPTWCCPackets")
      || !gst_rtp_cc_driver_enter (g->parent.driver, &now))
    return;
  update = gst_rtp_cc_breaker_gate_twcc (g->gate, event, now);
  gst_rtp_cc_driver_leave (g->parent.driver, &update);
}

/* --- what the application says -------------------------------------------- */

GstRtpCircuitBreakerAction
gst_rtp_cc_breaker_monitor_action (GstRtpCcBreakerMonitor * g)
{
  return get_settings (g).action;
}

static GstClockTime
retry_after_locked (GstRtpCcBreakerMonitor * g, GstClockTime now)
{
  return now == GST_CLOCK_TIME_NONE ? held_locked (g)
      : rcc_breaker_retry_after (&g->gate->core.breaker, now);
}

/* While stopped it closes nothing: the next start does, if it is time for that now. */
gboolean
gst_rtp_cc_breaker_monitor_reset (GstRtpCcBreakerMonitor * g)
{
  const RccBreaker *b = &g->gate->core.breaker;
  RccBreakerEvent last = { 0 };
  RccUpdate update = { 0 };
  GstClockTime now, retry_after;
  gboolean runs, done = FALSE;

  if ((runs = gst_rtp_cc_driver_enter (g->parent.driver, &now) != NULL)) {
    done = rcc_breaker_reset (&g->gate->core.breaker, now, &update);
    gst_rtp_cc_driver_leave (g->parent.driver, &update);
  }
  now = gst_rtp_cc_driver_lock (g->parent.driver);
  if (b->n_events > 0)
    last = b->events[(b->n_events - 1) % RCC_BREAKER_EVENTS];
  retry_after = retry_after_locked (g, now);
  if (!runs)
    done = retry_after == 0;
  gst_rtp_cc_driver_unlock (g->parent.driver);
  if (!done)
    gst_rtp_cc_breaker_notifier_post (&g->notifier, &last, retry_after, TRUE);
  return done;
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  GstRtpCcBreakerMonitor *g = (GstRtpCcBreakerMonitor *) element;
  const GstRtpCcBreakerSettings settings = get_settings (g);
  const RccBreakerConfig config =
      gst_rtp_cc_breaker_settings_config (&settings);

  rcc_breaker_adjust (&g->gate->core.breaker, &config, now);
  g->gate->core.enforce =
      settings.action != GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY;
  gst_rtp_cc_breaker_gate_look (g->gate, now);  /* apply() tells */
  return (RccUpdate) {
  .changed = RCC_TARGET,.reason = "circuit breaker: settings"};
}

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  GstRtpCcBreakerMonitor *g = (GstRtpCcBreakerMonitor *) element;
  const RccTime heard = g->gate->core.breaker.heard;
  const gboolean unknown = now == GST_CLOCK_TIME_NONE || heard == RCC_NEVER;

  gst_rtp_cc_breaker_gate_stats (g->gate, retry_after_locked (g, now),
      unknown ? GST_CLOCK_TIME_NONE : now - heard, stats);
}

/* --- the object ----------------------------------------------------------- */

static const GstRtpCcDriverFuncs driver_funcs = { begin, NULL, apply };

void
gst_rtp_cc_breaker_monitor_class_init (GstRtpCcElementClass * klass)
{
  klass->settings = &gst_rtp_cc_breaker_settings;
  klass->stats = add_stats;
  klass->adjust = adjust;
  klass->stopping = stopping;
  klass->stopped = stopped;
}

void
gst_rtp_cc_breaker_monitor_init (GstRtpCcBreakerMonitor * g,
    GParamSpec * state_pspec)
{
  const GstRtpCcBreakerSettings *settings =
      gst_rtp_cc_element_init_settings (&g->parent);
  const RccBreakerConfig config = gst_rtp_cc_breaker_settings_config (settings);

  g->state_pspec = state_pspec;
  g->gate = g_new0 (GstRtpCcBreakerGate, 1);
  rcc_gate_init (&g->gate->core, g_realloc);
  rcc_gate_start (&g->gate->core, &config, 0, 0);
  g->parent.driver = gst_rtp_cc_driver_new (GST_ELEMENT (g),
      &g->gate->core.breaker.sender, &driver_funcs);
  gst_rtp_cc_breaker_notifier_init (&g->notifier, GST_ELEMENT (g));
}

void
gst_rtp_cc_breaker_monitor_clear (GstRtpCcBreakerMonitor * g)
{
  gst_rtp_cc_breaker_notifier_clear (&g->notifier);
  gst_clear_object (&g->held.clock);
  rcc_gate_clear (&g->gate->core);
  g_free (g->gate);
}
