/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "monitor.h"

#include <math.h>
#include <string.h>

#include "breaker.h"
#include "punctual.h"
#include "repair.h"
#include "report.h"
#include "screen.h"

struct _CallMonitor {
  Call *call;
  CallSamples *samples;
  GMutex lock;
  GHashTable *sizes;                    /* running time of a coded frame -> bytes; lock */
  GstClockTime now;                     /* of the last look */
  CallSnapshot seen;
  double freeze_start;                  /* s; NAN: the picture moves */
  double film_start;                    /* s; when the reference began at the other end, as seen
                                         * here; NAN: nothing has come */
  double last_frame;                    /* s; when one was scored */
  double target_sum, rtt_sum, sent_sum, received_sum, carried_sum, capacity_sum;
  guint rows, targets, rtts;
  GArray *queue;                        /* float, ms */
};

static GstClockTime
call_time (Call *call)
{
  return gst_element_get_current_running_time (call->pipeline);
}

/* --- packets -------------------------------------------------------------- */

typedef void (*TellPacket) (CallSamples *, GstClockTime, const CallPacket *);
typedef void (*TellRepair) (CallRepair *, GstClockTime, GstBuffer *);

static void
tell_packet (CallMonitor *m, GstBuffer *buffer, GstClockTime now, TellPacket tell)
{
  guint8 header[12];
  CallPacket packet;

  if (gst_buffer_extract (buffer, 0, header, sizeof header) != sizeof header)
    return;
  packet = (CallPacket) {
    .ssrc = GST_READ_UINT32_BE (header + 8), .timestamp = GST_READ_UINT32_BE (header + 4),
    .seq = GST_READ_UINT16_BE (header + 2), .extra = (header[0] & 0x20) != 0
        || (header[1] & 0x7f) == CALL_FEC_PT || (header[1] & 0x7f) == CALL_RTX_PT,
    .size = (guint) gst_buffer_get_size (buffer) + CALL_UDP_OVERHEAD,
  };
  tell (m->samples, now, &packet);
}

static GstPadProbeReturn
on_packets (CallMonitor *m, GstPadProbeInfo *info, TellPacket tell)
{
  GstClockTime now = call_time (m->call);

  if (!GST_CLOCK_TIME_IS_VALID (now))
    return GST_PAD_PROBE_OK;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      tell_packet (m, gst_buffer_list_get (list, i), now, tell);
  } else
    tell_packet (m, GST_PAD_PROBE_INFO_BUFFER (info), now, tell);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_repair (CallMonitor *m, GstPadProbeInfo *info, TellRepair tell)
{
  GstClockTime now = call_time (m->call);

  if (!m->call->repair || !GST_CLOCK_TIME_IS_VALID (now))
    return GST_PAD_PROBE_OK;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      tell (m->call->repair, now, gst_buffer_list_get (list, i));
  } else
    tell (m->call->repair, now, GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

static void
tell_audio (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  call_samples_coded (s, now, packet, CALL_AUDIO);
}

static void
tell_video (CallSamples *s, GstClockTime now, const CallPacket *packet)
{
  call_samples_coded (s, now, packet, CALL_VIDEO);
}

static GstPadProbeReturn
on_audio (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return on_packets (data, info, tell_audio);
}

static GstPadProbeReturn
on_video (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return on_packets (data, info, tell_video);
}

static GstPadProbeReturn
on_chosen (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return on_packets (data, info, call_samples_chosen);
}

static GstPadProbeReturn
on_sent (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  on_repair (data, info, call_repair_sent);
  return on_packets (data, info, call_samples_sent);
}

static GstPadProbeReturn
on_received (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  on_repair (data, info, call_repair_arrived);
  return on_packets (data, info, call_samples_received);
}

static GstPadProbeReturn
on_repaired (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return on_repair (data, info, call_repair_decoded);
}

static GstPadProbeReturn
on_coded (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  CallMonitor *m = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const gint64 time = (gint64) call_running_time (pad, buffer);

  if (!GST_CLOCK_TIME_IS_VALID (time))
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&m->lock);
  g_hash_table_insert (m->sizes, g_memdup2 (&time, sizeof time),
      GUINT_TO_POINTER (gst_buffer_get_size (buffer)));
  g_mutex_unlock (&m->lock);
  return GST_PAD_PROBE_OK;
}

static void
watch (CallMonitor *m, GstElement *element, const char *name, GstPadProbeCallback callback)
{
  GstPad *pad = element ? gst_element_get_static_pad (element, name) : NULL;

  if (!pad)
    return;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      callback, m, NULL);
  gst_object_unref (pad);
}

CallMonitor *
call_monitor_new (Call *call)
{
  CallMonitor *m = g_new0 (CallMonitor, 1);

  m->call = call;
  m->samples = call_samples_new (call->send_rtpbin != NULL, call->recv_rtpbin != NULL);
  g_mutex_init (&m->lock);
  m->sizes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  m->queue = g_array_new (FALSE, FALSE, sizeof (float));
  m->freeze_start = m->film_start = NAN;
  watch (m, call->mux, CALL_AUDIO_PAD, on_audio);
  watch (m, call->mux, CALL_VIDEO_PAD, on_video);
  watch (m, call->mux, "src", on_chosen);
  watch (m, call->send_rtpbin, "send_rtp_src_0", on_sent);
  if (call->psnr)
    watch (m, call->encoder, "src", on_coded);
  if (call->estimator)
    watch (m, call->estimator, "sink", on_received);
  else
    watch (m, call->recv_rtpbin, "recv_rtp_sink_0", on_received);
  if (call->repair && call->recv_rtpbin)
    watch (m, g_object_get_data (G_OBJECT (call->recv_rtpbin), "video"), "sink", on_repaired);
  return m;
}

void
call_monitor_free (CallMonitor *m)
{
  call_samples_free (m->samples);
  g_hash_table_unref (m->sizes);
  g_array_unref (m->queue);
  g_mutex_clear (&m->lock);
  g_free (m);
}

/* --- messages ------------------------------------------------------------- */

static guint
take_size (CallMonitor *m, gint64 time)
{
  guint size;

  g_mutex_lock (&m->lock);
  size = GPOINTER_TO_UINT (g_hash_table_lookup (m->sizes, &time));
  g_hash_table_remove (m->sizes, &time);
  g_mutex_unlock (&m->lock);
  return size;
}

/* A freeze is an event when it is over, with its length. */
static void
follow_freeze (CallMonitor *m, const CallFrame *frame)
{
  if (frame->frozen && isnan (m->freeze_start))
    m->freeze_start = frame->time;
  else if (!frame->frozen && !isnan (m->freeze_start)) {
    g_autofree char *detail = g_strdup_printf ("%.0f ms",
        1e3 * (frame->time - m->freeze_start));

    call_report_event (m->call->report, frame->time, "psnr", "freeze", detail);
    m->freeze_start = NAN;
  }
}

/* A reference of our own bears the time of the film, and has no clock. */
static double
frame_time (CallMonitor *m, double time)
{
  m->last_frame = call_time (m->call) / 1e9;
  if (m->call->encoder)
    return time;
  if (isnan (m->film_start))
    m->film_start = m->last_frame - time;
  return m->film_start + time;
}

static void
on_frame (CallMonitor *m, const GstStructure *s)
{
  CallFrame frame = { .ssim = NAN };
  guint64 time = 0;

  if (g_strcmp0 (gst_structure_get_string (s, "type"), "frame")
      || !gst_structure_get (s, "running-time", G_TYPE_UINT64, &time, "frame",
          G_TYPE_UINT64, &frame.number, "frozen", G_TYPE_BOOLEAN, &frame.frozen, "psnr",
          G_TYPE_DOUBLE, &frame.psnr, "psnr-y", G_TYPE_DOUBLE, &frame.psnr_y, NULL)
      || !GST_CLOCK_TIME_IS_VALID (time))
    return;
  gst_structure_get_double (s, "ssim", &frame.ssim);
  frame.time = frame_time (m, time / 1e9);
  frame.size = take_size (m, (gint64) time);
  call_samples_frame (m->samples, &frame);
  call_report_frame (m->call->report, &frame);
  follow_freeze (m, &frame);
}

static char *
bitrate_text (guint64 bps)
{
  if (bps == G_MAXUINT64)
    return g_strdup ("unlimited");
  return g_strdup_printf ("%.6g kbit/s", bps / 1e3);
}

static void
on_link_change (CallMonitor *m, const GstStructure *s)
{
  guint64 time = 0, capacity = 0, delay = 0;
  g_autofree char *rate = NULL, *detail = NULL;

  if (!gst_structure_get (s, "time", G_TYPE_UINT64, &time, "capacity", G_TYPE_UINT64,
          &capacity, "delay", G_TYPE_UINT64, &delay, NULL))
    return;
  rate = bitrate_text (capacity);
  detail = g_strdup_printf ("%s: %s, %g ms", gst_structure_get_string (s, "direction"),
      rate, delay / 1e6);
  call_report_event (m->call->report, time / 1e9, "linksim", "change", detail);
}

static void
on_breaker (CallMonitor *m, const GstStructure *s)
{
  Call *call = m->call;
  const double time = call_time (call) / 1e9;
  g_autofree char *sentence = call_breaker_heard (call, s, time);
  g_autofree char *what = g_strdup_printf ("%s: %s", gst_structure_get_string (s, "state"),
      gst_structure_get_string (s, "reason"));

  call_report_event (call->report, time, GST_OBJECT_NAME (call->breaker), what, sentence);
  if (sentence)
    call_screen_complain (sentence);
}

void
call_monitor_message (CallMonitor *m, GstMessage *message)
{
  const GstStructure *s = gst_message_get_structure (message);
  const GObject *source = G_OBJECT (GST_MESSAGE_SRC (message));

  if (source == (GObject *) m->call->psnr)
    on_frame (m, s);
  else if (source == (GObject *) m->call->link)
    on_link_change (m, s);
  else if (source == (GObject *) m->call->breaker)
    on_breaker (m, s);
  else if (source == (GObject *) m->call->controller
      || source == (GObject *) m->call->estimator) {
    g_autofree char *detail = gst_structure_to_string (s);

    if (m->call->repair)
      call_repair_state (m->call->repair, gst_structure_get_string (s, "state"));
    call_report_event (m->call->report, call_monitor_seconds (m),
        GST_OBJECT_NAME (source), gst_structure_get_name (s), detail);
  }
}

/* --- rows ----------------------------------------------------------------- */

static void
hand_on (CallMonitor *m, const CallSample *row)
{
  float queue = (float) row->seen.queue;

  call_report_sample (m->call->report, row);
  if (m->call->options->csv)
    call_screen_csv (row);
  m->rows++;
  if (!isnan (row->seen.target))
    m->target_sum += row->seen.target, m->targets++;
  m->sent_sum += row->sent;
  m->received_sum += row->received;
  if (!isnan (row->seen.rtt))
    m->rtt_sum += row->seen.rtt, m->rtts++;
  if (!isnan (row->seen.capacity)) {
    m->carried_sum += row->received;
    m->capacity_sum += row->seen.capacity;
  }
  if (!isnan (queue))
    g_array_append_val (m->queue, queue);
}

void
call_monitor_look (CallMonitor *m)
{
  GstClockTime now = call_time (m->call);
  CallSample row;

  if (!GST_CLOCK_TIME_IS_VALID (now))
    return;
  m->now = now;
  call_snapshot (m->call, &m->seen);
  if (m->call->protector)
    call_protector_hear (m->call->protector, m->seen.reported_loss, m->seen.rtt, now);
  call_samples_snapshot (m->samples, now, &m->seen);
  while (call_samples_next (m->samples, now, &row))
    hand_on (m, &row);
}

void
call_monitor_finish (CallMonitor *m)
{
  CallSample row;

  while (call_samples_next (m->samples, GST_CLOCK_TIME_NONE, &row))
    hand_on (m, &row);
}

double
call_monitor_seconds (const CallMonitor *m)
{
  return m->now / 1e9;
}

void
call_monitor_now (CallMonitor *m, CallSample *row)
{
  const GstClockTime second = GST_SECOND, now = m->now;
  CallSample before;

  call_samples_between (m->samples, now > second ? now - second : 0, now, row);
  call_samples_between (m->samples, now > 2 * second ? now - 2 * second : 0,
      now > second ? now - second : now, &before);
  row->time = now / 1e9;
  row->seen = m->seen;
  row->psnr = before.psnr;
  row->media = before.media;
  row->knows_lost = before.knows_lost;
}

/* --- what it comes to ----------------------------------------------------- */

static double
over (double part, double whole)
{
  return whole > 0 ? part / whole : NAN;
}

/* As the FBRA paper has them: what takes more than 400 ms is lost to it, too. */
static void
add_repair_figures (CallMonitor *m, GArray *figures)
{
  const RccFecMetrics r = call_repair_metrics (m->call->repair, m->now);
  const gboolean both = m->call->options->mode == CALL_BOTH;
  const CallFigure all[] = {
    {"mean parity", "bit/s", r.fec_bps},
    {"video lost or late before repair", "ratio", both ? r.loss_before / 100 : NAN},
    {"video lost or late after repair", "ratio", both ? r.loss_after / 100 : NAN},
    {"frames lost", "", both ? (double) r.frames_lost : NAN},
    {"frames lost of those with parity", "", both ? (double) r.frames_protected : NAN},
    {"frames recovered", "", both ? (double) r.frames_recovered : NAN},
    {"FFRE", "ratio", both && r.frames_protected ? r.ffre / 100 : NAN},
    {"probes", "", (double) r.probes},
    {"FRCC", "ratio", r.probes ? r.frcc / 100 : NAN},
  };

  g_array_append_vals (figures, all, G_N_ELEMENTS (all));
}

/* In the words of core/losses.h, as far as these ends can know. */
static void
add_packet_figures (CallMonitor *m, const RccLosses *l, GArray *figures)
{
  const gboolean sends = m->call->send_rtpbin != NULL;
  const gboolean receives = m->call->recv_rtpbin != NULL;
  const CallFigure all[] = {
    {"mean target", "bit/s", over (m->target_sum, m->targets)},
    {"mean sent", "bit/s", over (m->sent_sum, m->rows)},
    {"mean received", "bit/s", over (m->received_sum, m->rows)},
    {"received of capacity", "ratio", over (m->carried_sum, m->capacity_sum)},
    {"media packets sent", "", (double) l->left},
    {"media packets received", "", receives ? (double) (l->left - l->lost) : NAN},
    {"lost on the link", "ratio", receives ? rcc_losses_lost (l) : NAN},
    {"dropped before sending", "ratio", sends ? rcc_losses_unsent (l) : NAN},
    {"too late", "ratio", rcc_losses_late (l)},
    {"loss as reported", "ratio", receives ? NAN : m->seen.reported_loss},
  };

  g_array_append_vals (figures, all, G_N_ELEMENTS (all));
}

GArray *
call_monitor_figures (CallMonitor *m)
{
  const gboolean scores = m->call->psnr != NULL;
  const CallStops *stops = &m->call->stops;
  GArray *figures = g_array_new (FALSE, FALSE, sizeof (CallFigure));
  CallTotals t;

  call_samples_totals (m->samples, &t);
  if (scores && !m->call->encoder)
    call_totals_stand (&t, m->now / 1e9 - m->last_frame, m->call->options->fps);
  add_packet_figures (m, &t.media, figures);
  {
    const CallFigure all[] = {
      {"mean round-trip time", "ms", over (m->rtt_sum, m->rtts)},
      {"mean one-way delay", "ms", t.owd_mean},
      {"95 % one-way delay", "ms", t.owd_p95},
      {"largest one-way delay", "ms", t.owd_max},
      {"longest jitterbuffer latency", "ms", m->call->recv_rtpbin ? m->call->wait_ms : NAN},
      {"95 % queue", "ms", call_percentile (m->queue, 0.95)},
      {"audio on time", "ratio", t.on_time[CALL_AUDIO]},
      {"video on time", "ratio", t.on_time[CALL_VIDEO]},
      {"mean wait of audio", "ms", t.wait[CALL_AUDIO]},
      {"mean wait of video", "ms", t.wait[CALL_VIDEO]},
      {"dropped as expired", "", m->seen.dropped[CALL_EXPIRED]},
      {"dropped for want of room", "", m->seen.dropped[CALL_FULL]},
      {"dropped with their frame", "", m->seen.dropped[CALL_FRAME]},
      {"dropped as old", "", m->seen.dropped[CALL_OLD]},
      {"sent again", "", m->call->rtx ? m->seen.sent_again : NAN},
      {"mean PSNR", "dB", t.psnr},
      {"frames scored", "", scores ? (double) t.frames : NAN},
      {"frozen frames", "ratio", over ((double) t.frozen, (double) t.frames)},
      {"longest freeze", "s", scores ? t.longest_freeze : NAN},
      {"stops by the breaker", "", m->call->breaker ? stops->count : NAN},
      {"first stop after", "s", stops->count ? stops->first_at : NAN},
    };

    g_array_append_vals (figures, all, G_N_ELEMENTS (all));
  }
  if (m->call->repair && m->call->send_rtpbin && call_may_have_parity (m->call->options))
    add_repair_figures (m, figures);
  return figures;
}
