/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "psnr/gstpsnrmeter.h"
#include "psnr/framestamp.h"
#include "psnr/gstpsnrscore.h"

GST_DEBUG_CATEGORY_EXTERN (psnr_debug);
#define GST_CAT_DEFAULT psnr_debug

/* --- results -------------------------------------------------------------- */

/* Lock held. */
static void
set_stats_fields (PsnrMeter * self, GstStructure * s)
{
  FrameMatchStats match =
      self->ready ? framematch_stats (&self->match) : self->match_stats;

  psnr_set_stats_fields (s, &self->pool, &match, self->unscored);
}

/* Lock held, and let go for a while. */
static void
post_pooled (PsnrMeter * self)
{
  gboolean nothing = self->pool.frames == 0 && self->references > 0;
  GstStructure *s =
      gst_structure_new ("GstPsnr", "type", G_TYPE_STRING, "pooled", NULL);

  set_stats_fields (self, s);
  self->done = TRUE;
  g_mutex_unlock (&self->lock);
  if (nothing)
    GST_ELEMENT_WARNING (self->element, STREAM, FAILED,
        ("No frame could be measured: with "
            "match=stamp, put framestamp in front of the tee that feeds both sides; "
            "with match=pts, both sides must keep their timestamps."), (NULL));
  gst_element_post_message (self->element,
      gst_message_new_element (GST_OBJECT (self->element), s));
  g_mutex_lock (&self->lock);
}

/* --- scoring -------------------------------------------------------------- */

/* Lock held, and let go while a pair is compared and posted. */
static void
score_pair (PsnrMeter * self, const FrameMatchPair * pair)
{
  const PsnrFrame *shown = pair->shown.frame;
  PsnrScore score = {
    .ref = pair->ref.frame,.running_time = pair->ref.time,.frozen =
        pair->frozen,
    .ssim_wanted = self->settings.ssim,.post = self->settings.frame_messages,
    .crop = psnr_settings_crop (&self->settings),
  };

  if (!pair->visible) {
    psnr_frame_free (score.ref);
    return;
  }
  score.shown = shown->video;
  gst_buffer_ref (score.shown.buffer);
  g_mutex_unlock (&self->lock);
  psnr_score_compare (&score);
  g_mutex_lock (&self->lock);
  if (score.result == PSNR_SCORED)
    psnr_pool_add (&self->pool, &score.error,
        score.ssim_wanted ? &score.ssim : NULL);
  else
    self->unscored++;
  if (psnr_score_is_error (&score))
    self->flow = GST_FLOW_NOT_NEGOTIATED;
  g_mutex_unlock (&self->lock);
  if (psnr_score_is_error (&score))
    psnr_score_post_error (&score, self->element);
  else if (score.result == PSNR_SCORED && score.post)
    psnr_score_post (&score, self->element);
  gst_buffer_unref (score.shown.buffer);
  psnr_frame_free (score.ref);
  g_mutex_lock (&self->lock);
}

/* The end has come when no frame of either side can change the result.  A live
 * reference may go on for ever.  Then the end is that of what the viewer saw. */
static gboolean
at_the_end (PsnrMeter * self)
{
  return !self->done && (self->gone || (self->dist.eos && (self->ref.eos
              || self->ref.live || !self->ref.linked)));
}

/* Lock held, and let go in between.  One thread does it at a time, so that
 * messages keep the order of the reference frames. */
static void
drain (PsnrMeter * self)
{
  FrameMatchPair pair;

  if (self->scoring || !self->ready)
    return;
  self->scoring = TRUE;
  while (self->flow == GST_FLOW_OK && !self->gone
      && framematch_next (&self->match, &pair)) {
    score_pair (self, &pair);
    g_cond_broadcast (&self->room);
  }
  if (at_the_end (self))
    post_pooled (self);
  self->scoring = FALSE;
  g_cond_broadcast (&self->room);
  if (self->done && self->eos) {
    GstEvent *eos = g_steal_pointer (&self->eos);

    g_mutex_unlock (&self->lock);
    gst_pad_push_event (self->src, eos);
    g_mutex_lock (&self->lock);
  }
}

/* --- frames in ------------------------------------------------------------ */

/* Both sides must name their time by the same clock: the first one seen. */
static gboolean
reference_timestamp (PsnrMeter * self, GstBuffer * buffer, gint64 * position)
{
  GstReferenceTimestampMeta *meta =
      gst_buffer_get_reference_timestamp_meta (buffer, self->reference);

  if (!meta || meta->timestamp > G_MAXINT64)
    return FALSE;
  if (!self->reference)
    self->reference = gst_caps_ref (meta->reference);
  *position = (gint64) meta->timestamp;
  return TRUE;
}

/* Lock held, and let go while the picture is read. */
static gboolean
find_position (PsnrMeter * self, const PsnrVideo * video,
    GstClockTime running_time, gint64 * position)
{
  guint rows = self->settings.stamp_height;
  gboolean bottom = self->settings.stamp_bottom, found;
  guint32 number = 0;

  switch (self->settings.match) {
    case PSNR_MATCH_STAMP:
      g_mutex_unlock (&self->lock);
      found = psnr_video_read_stamp (video, rows, bottom, &number);
      g_mutex_lock (&self->lock);
      if (!found)
        return FALSE;
      self->near =
          framestamp_unwrap (self->have_near ? self->near : number, number);
      self->have_near = TRUE;
      *position = self->near;
      return TRUE;
    case PSNR_MATCH_PTS:
      *position = (gint64) running_time;
      return GST_CLOCK_TIME_IS_VALID (running_time);
    default:
      return reference_timestamp (self, video->buffer, position);
  }
}

static void
wait_for_room (PsnrMeter * self, PsnrSide * side)
{
  const PsnrSide *other = side == &self->ref ? &self->dist : &self->ref;
  bool (*full) (const FrameMatch *) =
      side == &self->ref ? framematch_ref_full : framematch_dist_full;

  while (self->ready && !side->live && !side->flushing && other->linked
      && self->flow == GST_FLOW_OK && !self->done && full (&self->match))
    g_cond_wait (&self->room, &self->lock);
}

static GstClockTime
running_time_of (const PsnrSide * side, GstBuffer * buffer)
{
  if (side->segment.format != GST_FORMAT_TIME)
    return GST_CLOCK_TIME_NONE;
  return gst_segment_to_running_time (&side->segment, GST_FORMAT_TIME,
      GST_BUFFER_PTS (buffer));
}

/* Lock held. */
static void
take_frame (PsnrMeter * self, PsnrSide * side, GstBuffer * buffer)
{
  GstClockTime running_time = running_time_of (side, buffer);
  FrameMatchFrame f = {.duration = GST_BUFFER_DURATION (buffer) };
  PsnrVideo video = { buffer, side->info };
  gboolean is_ref = side == &self->ref, found;
  PsnrFrame *frame;

  self->references += is_ref;
  found = find_position (self, &video, running_time, &f.position);
  if (found)
    wait_for_room (self, side);
  if (!self->ready || self->done || side->flushing)
    return;
  if (!found) {
    GST_DEBUG_OBJECT (side->pad, "no position: %" GST_PTR_FORMAT, buffer);
    if (is_ref)
      framematch_skip_ref (&self->match);
    else
      framematch_skip_dist (&self->match, running_time);
    return;
  }
  frame = g_new (PsnrFrame, 1);
  *frame = (PsnrFrame) {
  video, self->references - 1};
  gst_buffer_ref (buffer);
  if (self->settings.match == PSNR_MATCH_STAMP)
    frame->number = (guint64) f.position & FRAMESTAMP_MASK;
  if (is_ref && GST_CLOCK_TIME_IS_VALID (running_time))
    self->last_time = running_time;
  f.time = is_ref ? self->last_time : running_time;
  f.frame = frame;
  (is_ref ? framematch_add_ref : framematch_add_dist) (&self->match, &f);
}

static gboolean
upstream_is_live (PsnrSide * side)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live = FALSE;

  if (gst_pad_peer_query (side->pad, query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  gst_query_unref (query);
  return live;
}

/* Whether @side may wait; asks once for each stream. */
static void
learn_mode (PsnrMeter * self, PsnrSide * side)
{
  PsnrMode mode;
  gboolean asked, live;

  g_mutex_lock (&self->lock);
  mode = self->settings.mode;
  asked = side->asked;
  side->asked = TRUE;
  g_mutex_unlock (&self->lock);
  if (asked)
    return;
  live = mode == PSNR_MODE_LIVE || (mode == PSNR_MODE_AUTO
      && upstream_is_live (side));
  g_mutex_lock (&self->lock);
  side->live = live;
  self->match.config.wait = !self->ref.live;
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (side->pad, "%s", live ? "live: never waits" :
      "not live: waits for the other side");
}

GstFlowReturn
psnr_meter_take (PsnrMeter * self, PsnrSide * side, GstBuffer * buffer)
{
  GstFlowReturn flow;

  if (GST_VIDEO_INFO_FORMAT (&side->info) == GST_VIDEO_FORMAT_UNKNOWN)
    return GST_FLOW_NOT_NEGOTIATED;
  learn_mode (self, side);
  g_mutex_lock (&self->lock);
  take_frame (self, side, buffer);
  drain (self);
  flow = side->flushing ? GST_FLOW_FLUSHING : self->flow;
  g_mutex_unlock (&self->lock);
  return flow;
}

void
psnr_meter_set_flushing (PsnrMeter * self, PsnrSide * side, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  side->flushing = flushing;
  if (!flushing) {
    gst_segment_init (&side->segment, GST_FORMAT_UNDEFINED);
    side->eos = FALSE;
    self->flow = GST_FLOW_OK;
    if (side == &self->dist) {
      self->done = self->gone = FALSE;
      gst_clear_event (&self->eos);
    }
    if (self->ready)
      (side ==
          &self->
          ref ? framematch_flush_refs : framematch_flush_dists) (&self->match);
  }
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}

void
psnr_meter_end (PsnrMeter * self, PsnrSide * side, GstEvent * eos)
{
  learn_mode (self, &self->ref);
  g_mutex_lock (&self->lock);
  side->eos = TRUE;
  if (side == &self->dist) {
    gst_event_take (&self->eos, eos);
    if (self->ready)
      framematch_end_dists (&self->match);
  } else {
    gst_event_unref (eos);
    if (self->ready)
      framematch_end_refs (&self->match);
  }
  g_cond_broadcast (&self->room);
  drain (self);
  g_mutex_unlock (&self->lock);
}

void
psnr_meter_new_stream (PsnrMeter * self, PsnrSide * side)
{
  gboolean again;

  g_mutex_lock (&self->lock);
  side->asked = FALSE;
  again = side->eos;
  g_mutex_unlock (&self->lock);
  if (again)
    psnr_meter_set_flushing (self, side, FALSE);
}

void
psnr_meter_set_linked (PsnrMeter * self, PsnrSide * side, gboolean linked)
{
  g_mutex_lock (&self->lock);
  side->linked = linked;
  g_cond_broadcast (&self->room);
  drain (self);
  g_mutex_unlock (&self->lock);
}

static void
reset_side (PsnrSide * side)
{
  gst_segment_init (&side->segment, GST_FORMAT_UNDEFINED);
  gst_video_info_init (&side->info);
  side->asked = side->live = side->flushing = side->eos = FALSE;
}

gboolean
psnr_meter_start (PsnrMeter * self)
{
  const PsnrSettings *s = &self->settings;
  FrameMatchConfig config = {.release = psnr_frame_free };
  gboolean ready;

  g_mutex_lock (&self->lock);
  config.tolerance = s->match == PSNR_MATCH_STAMP ? 0 : (gint64) s->tolerance;
  config.max_delay = s->max_delay;
  config.depth = s->max_size_buffers;
  config.wait = s->mode != PSNR_MODE_LIVE;
  ready = self->ready = framematch_init (&self->match, &config);
  self->done = self->gone = self->have_near = FALSE;
  self->pool = (PsnrPool) {
  0};
  self->unscored = self->references = 0;
  self->last_time = 0;
  self->flow = GST_FLOW_OK;
  reset_side (&self->ref);
  reset_side (&self->dist);
  g_mutex_unlock (&self->lock);
  return ready;
}

/* Stats stay readable until the next start. */
void
psnr_meter_stop (PsnrMeter * self)
{
  g_mutex_lock (&self->lock);
  if (self->ready && !self->done && self->references > 0)
    post_pooled (self);
  self->match_stats = framematch_stats (&self->match);
  framematch_clear (&self->match);
  self->ready = FALSE;
  gst_clear_caps (&self->reference);
  gst_clear_event (&self->eos);
  g_mutex_unlock (&self->lock);
}

void
psnr_meter_unblock (PsnrMeter * self)
{
  g_mutex_lock (&self->lock);
  self->ref.flushing = self->dist.flushing = TRUE;
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}

void
psnr_meter_gone (PsnrMeter * self)
{
  g_mutex_lock (&self->lock);
  self->gone = TRUE;
  drain (self);
  g_mutex_unlock (&self->lock);
}

GstStructure *
psnr_meter_stats (PsnrMeter * self)
{
  GstStructure *s = gst_structure_new_empty ("application/x-psnr-stats");

  g_mutex_lock (&self->lock);
  set_stats_fields (self, s);
  g_mutex_unlock (&self->lock);
  return s;
}

void
psnr_meter_init (PsnrMeter * self, GstElement * element)
{
  self->element = element;
  g_mutex_init (&self->lock);
  g_cond_init (&self->room);
  psnr_settings_init (&self->settings);
  reset_side (&self->ref);
  reset_side (&self->dist);
}

void
psnr_meter_clear (PsnrMeter * self)
{
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->room);
}
