/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/ratecontrol.h"

#include "rtpcc/adapter/encoders.h"
#include "rtpcc/common/utils.h"

#define CORRECTED_QUEUE (50 * GST_MSECOND)      /* the step by which it is told */

#define F(member, name, type, unit) \
  RCC_FIELD (GstRtpCcRateControlStats, member, name, type, unit)

static const RccField fields[] = {
  F (target_bps, "target-bitrate", RCC_U32, "bit/s"),
  F (fec_bps, "fec-bitrate", RCC_U32, "bit/s"),
  F (encoder_bps, "encoder-bitrate", RCC_U32, "bit/s"),
  F (rtt, "rtt", RCC_TIME, "ns"),
  F (frame_rate, "frame-rate", RCC_DOUBLE, "1/s"),
  F (utilization, "encoder-utilization", RCC_DOUBLE, ""),
  F (scale_step, "scale-step", RCC_U32, ""),
  F (events, "target-events", RCC_U64, ""),
  F (invalid_events, "invalid-events", RCC_U64, ""),
  F (other_events, "other-stream-events", RCC_U64, ""),
  F (updates, "encoder-updates", RCC_U64, ""),
  F (queue_time, "queue-time", RCC_TIME, "ns"),
  F (skipped, "pictures-skipped", RCC_U64, ""),
  F (source, "source", RCC_STRING, ""),
  F (reason, "reason", RCC_STRING, ""),
  RCC_FIELDS_END
};

static void
forget_locked (GstRtpCcRateControl * f)
{
  g_free (f->stats.source);
  g_free (f->stats.reason);
  f->stats = (GstRtpCcRateControlStats) {
  .rtt = GST_CLOCK_TIME_NONE};
  f->frame_rate = (RccFrameRate) RCC_FRAME_RATE_INIT;
  rcc_utilization_init (&f->utilization, f->settings.max_correction);
  f->changed_at = f->due = GST_CLOCK_TIME_NONE;
  f->complained = f->restore = FALSE;
  gst_rtp_cc_part_forget (&f->part);
}

/* Whose target is followed from now on; NULL: ours alone.  No lock held: who
 * shared it with us hears of it. */
static void
follow_share (GstRtpCcRateControl * f, GstRtpCcShare * share)
{
  GstRtpCcShare *old;

  g_mutex_lock (&f->lock);
  old = f->part.share;
  f->part.share = share ? gst_rtp_cc_share_ref (share) : NULL;
  g_mutex_unlock (&f->lock);
  if (old && old != share)
    gst_rtp_cc_share_leave (old, f->element);
  g_clear_pointer (&old, gst_rtp_cc_share_unref);
}

static void
on_part (gpointer f)
{
  gst_rtp_cc_rate_control_update (f);
}

/* Says what we can make use of now.  No lock held, as above. */
static void
claim_part (GstRtpCcRateControl * f)
{
  const RccEncoderLimits *limits = &f->settings.limits;
  GstRtpCcShare *share;
  guint least, most;

  g_mutex_lock (&f->lock);
  share = f->part.share ? gst_rtp_cc_share_ref (f->part.share) : NULL;
  least = rcc_encoder_target (limits, limits->min_bps, f->frame_rate.rate);
  most = rcc_encoder_target (limits, limits->max_bps, f->frame_rate.rate);
  g_mutex_unlock (&f->lock);
  if (!share)
    return;
  gst_rtp_cc_share_join (share, f->element, least, most, on_part, f);
  gst_rtp_cc_share_unref (share);
}

static void
take_part_locked (GstRtpCcRateControl * f)
{
  gst_rtp_cc_part_take (&f->part, f->element, &f->stats.target_bps,
      &f->stats.fec_bps);
}

void
gst_rtp_cc_rate_control_init (GstRtpCcRateControl * f, GstElement * element,
    GstPad * sinkpad, void (*changed) (GstElement * element))
{
  *f = (GstRtpCcRateControl) {
  .element = element,.sinkpad = sinkpad,.changed = changed};
  g_mutex_init (&f->lock);
  gst_rtp_cc_skipper_init (&f->skipper, element);
  forget_locked (f);
}

void
gst_rtp_cc_rate_control_clear (GstRtpCcRateControl * f)
{
  follow_share (f, NULL);
  gst_rtp_cc_scaler_restore (&f->scaler);
  gst_rtp_cc_skipper_clear (&f->skipper);
  gst_clear_object (&f->settings.encoder);
  forget_locked (f);
  g_mutex_clear (&f->lock);
}

/* The encoder and a copy of the settings, as they are now. */
static GstElement *
get_encoder (GstRtpCcRateControl * f, GstRtpCcAdapterSettings * settings)
{
  GstElement *encoder;

  g_mutex_lock (&f->lock);
  *settings = f->settings;
  encoder = settings->encoder ? gst_object_ref (settings->encoder) : NULL;
  g_mutex_unlock (&f->lock);
  return encoder ? encoder : gst_rtp_cc_encoder_find (f->sinkpad);
}

/* TRUE once per run. */
static gboolean
may_complain (GstRtpCcRateControl * f)
{
  gboolean may;

  g_mutex_lock (&f->lock);
  may = !f->complained;
  f->complained = TRUE;
  g_mutex_unlock (&f->lock);
  return may;
}

static void
complain_of_encoder (GstRtpCcRateControl * f, GstElement * encoder)
{
  if (!may_complain (f))
    return;
  if (encoder)
    GST_ELEMENT_WARNING (f->element, LIBRARY, SETTINGS,
        ("Cannot set the bitrate of %s: name its property in bitrate-property "
            "and its unit in bitrate-unit.", GST_OBJECT_NAME (encoder)),
        (NULL));
  else
    GST_ELEMENT_WARNING (f->element, LIBRARY, SETTINGS,
        ("There is no encoder upstream of %s: link it behind one, or set its "
            "property encoder.", GST_OBJECT_NAME (f->element)), (NULL));
}

static void
complain_of_capsfilter (GstRtpCcRateControl * f, const gchar * name)
{
  if (may_complain (f))
    GST_ELEMENT_WARNING (f->element, LIBRARY, SETTINGS,
        ("Cannot adapt the resolution: there is no capsfilter named %s. Name "
            "the one upstream of the encoder in the property capsfilter.",
            name ? name : "(null)"), (NULL));
}

/* x264enc's VBV must be there, and be short, before the first frame. */
static void
prepare_encoder (GstRtpCcRateControl * f)
{
  GstRtpCcAdapterSettings settings;
  GstElement *encoder = get_encoder (f, &settings);
  const GstRtpCcEncoder *known;

  if (!encoder)
    return;
  known = gst_rtp_cc_encoder_lookup (encoder);
  if (known)
    gst_rtp_cc_encoder_set_vbv (encoder, known, settings.vbv_buffer,
        gst_rtp_cc_encoder_get (encoder, known->property, known->unit));
  gst_object_unref (encoder);
}

static GstPadProbeReturn
on_output (gpointer f, GstBuffer * buffer)
{
  gst_rtp_cc_rate_control_frame (f, buffer);
  return GST_PAD_PROBE_OK;
}

/* An adapter beside the encoder sees what leaves it by a probe. */
static void
watch_output (GstRtpCcRateControl * f, GstElement * encoder)
{
  g_mutex_lock (&f->lock);
  if (f->runs && !gst_pad_is_linked (f->sinkpad))
    gst_rtp_cc_watch_begin (&f->output, encoder, "src", on_output, f->element,
        f);
  g_mutex_unlock (&f->lock);
}

static gboolean
set_encoder (GstRtpCcRateControl * f, guint bps, guint * actual)
{
  GstRtpCcAdapterSettings settings;
  GstElement *encoder = get_encoder (f, &settings);
  const GstRtpCcEncoder *known =
      encoder ? gst_rtp_cc_encoder_lookup (encoder) : NULL;
  const gchar *property = settings.bitrate_property;
  guint unit = settings.bitrate_unit;
  gboolean set;

  if (!property && known) {
    property = known->property;
    unit = known->unit;
  }
  if (known)
    gst_rtp_cc_encoder_set_vbv (encoder, known, settings.vbv_buffer, bps);
  set = encoder && property
      && gst_rtp_cc_encoder_set (encoder, property, unit, bps, actual);
  if (!set)
    complain_of_encoder (f, encoder);
  else
    watch_output (f, encoder);
  gst_clear_object (&encoder);
  return set;
}

/* What the encoder is to be set to, so that it makes its part of the target.  Where something
 * waits at the sender it has made enough. */
static guint
wanted_locked (GstRtpCcRateControl * f)
{
  const RccEncoderLimits *limits = &f->settings.limits;
  const guint part = rcc_encoder_bitrate (limits, f->stats.target_bps,
      f->stats.fec_bps, f->frame_rate.rate);
  gdouble bps;

  f->utilization.most = f->settings.max_correction;
  bps = part * (f->stats.queue_time < CORRECTED_QUEUE
      ? rcc_utilization_correction (&f->utilization) : 1);
  return (guint) MAX (MIN (bps, MAX (part, limits->max_bps)), 1);
}

/* The bitrate to set now, 0 for none.  A change put off waits for the encoder's
 * next frame: without frames there is nothing to encode at another rate. */
static guint
decide_locked (GstRtpCcRateControl * f, GstClockTime now)
{
  const GstRtpCcRateControlStats *s = &f->stats;
  guint wanted;

  f->due = GST_CLOCK_TIME_NONE;
  if (s->events > 0)
    take_part_locked (f);
  if (s->events == 0 || (s->target_bps == GST_RTP_CC_UNBOUND
          && f->settings.limits.max_bps == G_MAXUINT))
    return 0;
  wanted = wanted_locked (f);
  if (!GST_CLOCK_TIME_IS_VALID (f->changed_at))
    return wanted;

  switch (rcc_encoder_change (s->encoder_bps, wanted,
          now - MIN (now, f->changed_at), f->settings.update_interval)) {
    case RCC_ENCODER_NOW:
      return wanted;
    case RCC_ENCODER_LATER:
      f->due = f->changed_at + f->settings.update_interval;
      break;
    case RCC_ENCODER_STAYS:
      break;
  }
  return 0;
}

/* Called with the lock, which it drops meanwhile. */
static void
follow_bitrate (GstRtpCcRateControl * f, GstClockTime now)
{
  guint bps = decide_locked (f, now), actual;
  gboolean set;

  if (bps == 0)
    return;
  g_mutex_unlock (&f->lock);
  set = set_encoder (f, bps, &actual);
  g_mutex_lock (&f->lock);
  if (!set)
    return;
  f->changed_at = now;
  f->stats.encoder_bps = actual;
  f->stats.updates++;
  g_mutex_unlock (&f->lock);
  f->changed (f->element);
  g_mutex_lock (&f->lock);
}

/* Called with the lock, which it drops meanwhile. */
static void
follow_resolution (GstRtpCcRateControl * f, GstClockTime now)
{
  GstRtpCcAdapterSettings settings = f->settings;
  guint bps = f->stats.encoder_bps;
  gboolean restore = f->restore || !settings.adapt_resolution, scaled = TRUE;

  g_mutex_unlock (&f->lock);
  if (restore)
    gst_rtp_cc_scaler_restore (&f->scaler);
  else if (bps)
    scaled = gst_rtp_cc_scaler_update (&f->scaler, f->element,
        settings.capsfilter, bps, settings.bits_per_pixel, now);
  if (!scaled)
    complain_of_capsfilter (f, settings.capsfilter);
  g_mutex_lock (&f->lock);
  f->stats.scale_step = f->scaler.step;
}

/* Controllers' threads and the encoder's own thread come here. Whoever comes while another sets
 * the encoder leaves it the newer state. So the last word wins, and no lock is held across other
 * elements' properties or a notify. */
void
gst_rtp_cc_rate_control_update (GstRtpCcRateControl * f)
{
  claim_part (f);
  g_mutex_lock (&f->lock);
  f->dirty = TRUE;
  if (f->updating) {
    g_mutex_unlock (&f->lock);
    return;
  }
  f->updating = TRUE;
  while (f->dirty) {
    GstClockTime now;

    f->dirty = FALSE;
    g_mutex_unlock (&f->lock);
    now = gst_rtp_cc_now (f->element);
    g_mutex_lock (&f->lock);
    follow_bitrate (f, now);
    follow_resolution (f, now);
  }
  f->updating = FALSE;
  g_mutex_unlock (&f->lock);
}

void
gst_rtp_cc_rate_control_start (GstRtpCcRateControl * f)
{
  follow_share (f, NULL);
  g_mutex_lock (&f->lock);
  forget_locked (f);
  f->runs = TRUE;
  g_mutex_unlock (&f->lock);
  gst_rtp_cc_skipper_start (&f->skipper);
  /* Bins start their sinks first, so the encoder is not open yet. */
  prepare_encoder (f);
}

void
gst_rtp_cc_rate_control_stop (GstRtpCcRateControl * f)
{
  g_mutex_lock (&f->lock);
  f->restore = TRUE;
  f->runs = FALSE;
  gst_rtp_cc_watch_end (&f->output);
  g_mutex_unlock (&f->lock);
  gst_rtp_cc_skipper_stop (&f->skipper);
  gst_rtp_cc_rate_control_update (f);
  follow_share (f, NULL);
}

void
gst_rtp_cc_rate_control_renew (GstRtpCcRateControl * f)
{
  prepare_encoder (f);
  g_mutex_lock (&f->lock);
  f->changed_at = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&f->lock);
  gst_rtp_cc_rate_control_update (f);
}

static void
set_string (gchar ** string, const gchar * value)
{
  if (g_strcmp0 (*string, value) != 0) {
    g_free (*string);
    *string = g_strdup (value);
  }
}

/* What was said, but for the part that is ours. */
static void
note_locked (GstRtpCcRateControl * f, const GstRtpCcTarget * target)
{
  gst_rtp_cc_part_note (&f->part, target);
  f->stats.events++;
  take_part_locked (f);
  f->stats.rtt = target->rtt;
  f->stats.queue_time = target->queue_time;
  set_string (&f->stats.source, target->source);
  set_string (&f->stats.reason, target->reason);
}

/* Several streams share one controller downstream: what is said of one SSRC is for its
 * own encoder.  Where ours is not known, who knows: it came up this stream. */
static gboolean
is_for_another (GstRtpCcRateControl * f, guint ssrc)
{
  guint ours;

  return ssrc != 0 && gst_rtp_cc_payloader_ssrc (f->sinkpad, &ours)
      && ours != ssrc;
}

/* What waits is sent meanwhile, so that the excess is over when it has taken its time. */
static void
skip_pictures (GstRtpCcRateControl * f, GstClockTime queue_time)
{
  GstRtpCcAdapterSettings settings;
  GstElement *encoder = queue_time > 0 ? get_encoder (f, &settings) : NULL;
  GstClockTime excess = 0;

  if (encoder && settings.skip_queue_time > 0)
    excess = queue_time - MIN (queue_time, settings.skip_queue_time);
  gst_rtp_cc_skipper_tell (&f->skipper, encoder, excess);
  gst_clear_object (&encoder);
}

gboolean
gst_rtp_cc_rate_control_event (GstRtpCcRateControl * f, GstEvent * event)
{
  GstRtpCcTarget target;
  gboolean valid = gst_rtp_cc_event_parse (event, &target);
  gboolean others = valid && is_for_another (f, target.ssrc);

  if (valid && target.ssrc == 0) {
    follow_share (f, target.share);
    claim_part (f);
  }
  g_mutex_lock (&f->lock);
  if (others) {
    f->stats.other_events++;
    gst_rtp_cc_part_other (&f->part);
  } else if (valid) {
    note_locked (f, &target);
  } else {
    f->stats.invalid_events++;
  }
  g_mutex_unlock (&f->lock);

  if (valid && !others)
    skip_pictures (f, target.queue_time);
  if (valid)
    gst_rtp_cc_rate_control_update (f);
  return valid;
}

GstEvent *
gst_rtp_cc_rate_control_pass (GstRtpCcRateControl * f, GstEvent * event)
{
  GstRtpCcTarget target;
  GstEvent *part;

  if (!gst_rtp_cc_event_parse (event, &target) || !target.share)
    return event;
  target.share = NULL;
  g_mutex_lock (&f->lock);
  target.target_bps = f->stats.target_bps;
  target.fec_bps = f->stats.fec_bps;
  g_mutex_unlock (&f->lock);
  part = gst_rtp_cc_event_new (&target);
  gst_event_unref (event);
  return part;
}

GstStructure *
gst_rtp_cc_rate_control_stats (GstRtpCcRateControl * f)
{
  f->stats.skipped = gst_rtp_cc_skipper_skipped (&f->skipper);
  return gst_rtp_cc_stats_new ("application/x-rtp-bitrate-adapter-stats",
      fields, &f->stats);
}

void
gst_rtp_cc_rate_control_frame (GstRtpCcRateControl * f, GstBuffer * buffer)
{
  const GstClockTime time = GST_BUFFER_DTS_OR_PTS (buffer);
  gboolean again;

  g_mutex_lock (&f->lock);
  again = rcc_frame_rate_add (&f->frame_rate, time)
      || GST_CLOCK_TIME_IS_VALID (f->due);
  f->stats.frame_rate = f->frame_rate.rate;
  rcc_utilization_picture (&f->utilization,
      (guint32) gst_buffer_get_size (buffer), f->stats.encoder_bps, time);
  f->stats.utilization = rcc_utilization_share (&f->utilization);
  g_mutex_unlock (&f->lock);
  if (again)
    gst_rtp_cc_rate_control_update (f);
}
