/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/streams.h"

#include <stdio.h>
#include <gst/video/video.h>

#include "rtpcc/bin/keyframe.h"
#include "rtpcc/bin/source.h"

/* A program takes longer to start again, with the wait of a new jitterbuffer. */
#define SILENT (400 * G_TIME_SPAN_MILLISECOND)
/* Packets that may have come before the report that tells of them: more are not lost by chance. */
#define ON_THE_WAY 10
/* Until a key frame comes it is asked for again: a request or its answer may be lost. */
#define ASK_AGAIN G_TIME_SPAN_SECOND
/* A goodbye counts for so long while packets come: a late machine has not passed on all of them. */
#define LEAVING (5 * G_TIME_SPAN_SECOND)
/* One that another has taken the pad of has left: a pause is shorter. */
#define LEFT (10 * G_TIME_SPAN_SECOND)

struct _GstRtpCcBinStreams
{
  GstElement *owner, *call;
  GstPadTemplate *template;
  GList *streams;               /* of Stream; the owner's object lock */
  guint pads;
  gboolean waits;               /* for the time to look who has ended; the owner's object lock */
};

/* Counts its references: its pad's probe has one. */
typedef struct
{
  GstRtpCcBinStreams *all;
  guint session, ssrc, pt;
  GstPad *pad;                  /* the call's */
  gulong probe;                 /* of it */
  GstPad *ghost;                /* the owner's; NULL: another stream has taken it over */
  gconstpointer home;           /* the last that it had, to compare with; NULL: none yet */
  gint64 arrived;                  /* the last packet; microseconds */
  gint64 back;                  /* ... from which on it goes on without a pad; 0: it does not */
  gint64 bye;                   /* when it said goodbye, microseconds; 0: it has not */
  gboolean ended;               /* has had EOS */
  gboolean settled;             /* it is known whether it is here from its beginning */
  GstRtpCcBinIsKey is_key;      /* of the key frame that it waits for; NULL: it does not */
  gint64 asked;                 /* ... for which it asked last; microseconds */
} Stream;

/* --- pads ----------------------------------------------------------------- */

static gboolean
is_silent (const Stream * s, gint64 now)
{
  return now - s->arrived >= SILENT;
}

/* @heir takes over the pad of a stream of its type that is silent, or has its own back from one;
 * NULL: there is none.  A goodbye alone counts for nothing: without SRTCP anybody can say it. */
static GstPad *
take_over (Stream * heir, gint64 now)
{
  GstPad *ghost = NULL;

  GST_OBJECT_LOCK (heir->all->owner);
  for (GList * l = heir->all->streams; l && !ghost; l = l->next) {
    Stream *s = l->data;

    if (s->pt == heir->pt && s->ghost && !s->ended && is_silent (s, now)
        && (!heir->home || heir->home == s->ghost))
      ghost = g_steal_pointer (&s->ghost);
  }
  if (ghost) {
    heir->ghost = ghost;
    heir->home = ghost;
  }
  GST_OBJECT_UNLOCK (heir->all->owner);
  if (ghost)
    gst_ghost_pad_set_target (GST_GHOST_PAD (ghost), heir->pad);
  return ghost;
}

/* A new pad for it, which is not the owner's yet. */
static GstPad *
show (GstRtpCcBinStreams * all, Stream * s)
{
  g_autofree gchar *name = NULL;
  GstPad *ghost;

  GST_OBJECT_LOCK (all->owner);
  name = g_strdup_printf ("src_%u", all->pads++);
  GST_OBJECT_UNLOCK (all->owner);
  ghost = gst_ghost_pad_new_from_template (name, s->pad, all->template);
  gst_pad_set_active (ghost, TRUE);
  GST_OBJECT_LOCK (all->owner);
  s->ghost = ghost;
  s->home = ghost;
  GST_OBJECT_UNLOCK (all->owner);
  return ghost;
}

/* PLI, RFC 4585 6.3.1. */
static void
ask_for_key_frame (Stream * s, gint64 now)
{
  GstCaps *caps = gst_pad_get_current_caps (s->pad);
  const gchar *name = caps ? gst_structure_get_string (gst_caps_get_structure (caps, 0),
      "encoding-name") : NULL;

  GST_OBJECT_LOCK (s->all->owner);
  s->is_key = gst_rtp_cc_bin_is_key_of (name);
  s->asked = now;
  GST_OBJECT_UNLOCK (s->all->owner);
  gst_clear_caps (&caps);
  gst_pad_send_event (s->pad, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE,
          TRUE, 0));
}

/* Of a stream that waits for a key frame. */
static void
look_for_key_frame (Stream * s, GstRtpCcBinIsKey is_key, gint64 asked, GstBuffer * buffer,
    gint64 now)
{
  if (gst_rtp_cc_bin_begins_key_frame (is_key, buffer)) {
    GST_OBJECT_LOCK (s->all->owner);
    s->is_key = NULL;
    GST_OBJECT_UNLOCK (s->all->owner);
  } else if (now - asked >= ASK_AGAIN) {
    ask_for_key_frame (s, now);
  }
}

/* The pad of a stream that goes on, which another took while it paused.  It has that one back when
 * the other is silent, as a stray or a forged one is; where both go on, a new one. */
static GstPad *
have_back (Stream * s, gint64 before, gint64 now)
{
  GstPad *ghost = take_over (s, now);

  if (s->back == 0 || now - before >= SILENT)
    s->back = now;
  if (!ghost && now - s->back >= SILENT) {
    ghost = show (s->all, s);
    gst_element_add_pad (s->all->owner, ghost);
  }
  if (ghost) {
    s->back = 0;
    ask_for_key_frame (s, now);
  }
  return ghost;
}

/* What nobody wants must not stop the rest. */
static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  const gint64 now = g_get_monotonic_time ();
  Stream *s = data;
  GstRtpCcBinIsKey is_key;
  gint64 before, asked;
  GstPad *ghost;

  GST_OBJECT_LOCK (s->all->owner);
  before = s->arrived;
  s->arrived = now;
  if (s->bye && now - s->bye >= LEAVING)
    s->bye = 0;
  ghost = s->ghost;
  is_key = s->is_key;
  asked = s->asked;
  GST_OBJECT_UNLOCK (s->all->owner);
  if (is_key && (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER))
    look_for_key_frame (s, is_key, asked, GST_PAD_PROBE_INFO_BUFFER (info), now);
  if (!ghost)
    ghost = have_back (s, before, now);
  return ghost && gst_pad_is_linked (ghost) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

/* --- the list ------------------------------------------------------------- */

static void
stream_clear (gpointer data)
{
  gst_object_unref (((Stream *) data)->pad);
}

static void
stream_unref (gpointer stream)
{
  g_atomic_rc_box_release_full (stream, stream_clear);
}

/* From the list.  The pad has it, and it has the pad. */
static void
stream_leave (gpointer data)
{
  Stream *s = data;

  gst_pad_remove_probe (s->pad, s->probe);
  stream_unref (s);
}

/* Those that have left, which are not in the list any more. */
static GList *
take_left (GstRtpCcBinStreams * all)
{
  const gint64 now = g_get_monotonic_time ();
  GList *left = NULL, *next;

  GST_OBJECT_LOCK (all->owner);
  for (GList * l = all->streams; l; l = next) {
    Stream *s = l->data;

    next = l->next;
    if (s->ghost || now - s->arrived < LEFT)
      continue;
    all->streams = g_list_remove_link (all->streams, l);
    left = g_list_concat (l, left);
  }
  GST_OBJECT_UNLOCK (all->owner);
  return left;
}

/* A jitterbuffer has a thread, and a sender may start again often. */
static void
clear_left (GstElement * owner, gpointer streams)
{
  GstRtpCcBinStreams *all = streams;
  GList *left = take_left (all);

  for (GList * l = left; l; l = l->next) {
    Stream *s = l->data;

    g_signal_emit_by_name (all->call, "clear-ssrc", s->session, s->ssrc);
  }
  g_list_free_full (left, stream_leave);
}

void
gst_rtp_cc_bin_streams_add (GstRtpCcBinStreams * all, GstPad * pad)
{
  guint session, ssrc, pt;
  gboolean again;
  Stream *s;

  if (sscanf (GST_PAD_NAME (pad), "recv_rtp_src_%u_%u_%u", &session, &ssrc, &pt) != 3)
    return;
  s = g_atomic_rc_box_new0 (Stream);
  *s = (Stream) {
  .all = all,.session = session,.ssrc = ssrc,.pt = pt,.pad = gst_object_ref (pad)};
  s->arrived = g_get_monotonic_time ();
  again = take_over (s, s->arrived) != NULL;
  if (!again)
    show (all, s);
  GST_OBJECT_LOCK (all->owner);
  all->streams = g_list_append (all->streams, s);
  GST_OBJECT_UNLOCK (all->owner);
  s->probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      on_packet, g_atomic_rc_box_acquire (s), stream_unref);
  if (again)                    /* not here: rtpbin has its locks */
    gst_element_call_async (all->owner, clear_left, all, NULL);
  else
    gst_element_add_pad (all->owner, s->ghost);
}

/* --- the beginning of a picture ------------------------------------------- */

/* Whether the sender has reported, and how many packets more than we have had. */
static gboolean
get_missed (GstRtpCcBinStreams * all, guint session, guint ssrc, gint64 * missed)
{
  g_autoptr (GstStructure) stats = gst_rtp_cc_bin_source_stats (all->call, session, ssrc);
  gboolean have_sr = FALSE;
  guint64 received = 0;
  guint sent = 0;

  if (!stats || !gst_structure_get (stats, "have-sr", G_TYPE_BOOLEAN, &have_sr, "sr-packet-count",
          G_TYPE_UINT, &sent, "packets-received", G_TYPE_UINT64, &received, NULL))
    return FALSE;
  *missed = (gint64) sent - (gint64) received;
  return have_sr;
}

static Stream *
find (GstRtpCcBinStreams * all, guint session, guint ssrc)
{
  for (GList * l = all->streams; l; l = l->next) {
    Stream *s = l->data;

    if (s->session == session && s->ssrc == ssrc && s->ghost)
      return s;
  }
  return NULL;
}

/* The stream of which this is not known yet (transfer full); NULL: there is none. */
static Stream *
unsettled (GstRtpCcBinStreams * all, guint session, guint ssrc, gboolean settle)
{
  Stream *s;

  GST_OBJECT_LOCK (all->owner);
  s = find (all, session, ssrc);
  if (s && s->settled)
    s = NULL;
  if (s)
    (g_atomic_rc_box_acquire (s))->settled = settle;
  GST_OBJECT_UNLOCK (all->owner);
  return s;
}

/* Who comes into the middle of a stream cannot decode it before the next key frame. Where to ask
 * for one is known when the sender has reported. */
static void
on_active (GstElement * call, guint session, guint ssrc, GstRtpCcBinStreams * all)
{
  Stream *s = unsettled (all, session, ssrc, FALSE);
  gint64 missed;
  gboolean known;

  if (!s)
    return;
  known = get_missed (all, session, ssrc, &missed);
  stream_unref (s);
  if (!known || !(s = unsettled (all, session, ssrc, TRUE)))
    return;
  if (missed > ON_THE_WAY)
    ask_for_key_frame (s, g_get_monotonic_time ());
  stream_unref (s);
}

/* --- the end -------------------------------------------------------------- */

typedef struct
{
  GWeakRef owner;
  GstRtpCcBinStreams *all;      /* while the owner is there */
} Goodbye;

static void
goodbye_free (gpointer data)
{
  Goodbye *g = data;

  g_weak_ref_clear (&g->owner);
  g_free (g);
}

/* The pads of all streams where each has said goodbye and sends no more.  Who sends on has not said
 * it: without SRTCP anybody can (RFC 3550 9).  @leaving: some may be about to end. */
static GList *
take_ended (GstRtpCcBinStreams * all, gint64 now, gboolean * leaving)
{
  gboolean over = TRUE;
  GList *pads = NULL;

  *leaving = FALSE;
  GST_OBJECT_LOCK (all->owner);
  all->waits = FALSE;
  for (GList * l = all->streams; l; l = l->next) {
    Stream *s = l->data;
    const gboolean silent = is_silent (s, now);

    over &= !s->ghost || (s->bye && silent);
    *leaving |= s->ghost && s->bye && !silent;
  }
  for (GList * l = over ? all->streams : NULL; l; l = l->next) {
    Stream *s = l->data;

    if (s->ghost && !s->ended)
      pads = g_list_prepend (pads, gst_object_ref (s->ghost));
    s->ended = TRUE;
  }
  GST_OBJECT_UNLOCK (all->owner);
  return pads;
}

static void end_later (GstRtpCcBinStreams * all);

static gboolean
on_time (GstClock * clock, GstClockTime time, GstClockID id, gpointer data)
{
  Goodbye *g = data;
  GstElement *owner = g_weak_ref_get (&g->owner);
  gboolean leaving;
  GList *pads;

  if (!owner)
    return TRUE;
  pads = take_ended (g->all, g_get_monotonic_time (), &leaving);
  for (GList * l = pads; l; l = l->next)
    gst_pad_push_event (l->data, gst_event_new_eos ());
  g_list_free_full (pads, gst_object_unref);
  if (leaving)
    end_later (g->all);
  gst_object_unref (owner);
  return TRUE;
}

/* False: it waits already. */
static gboolean
begin_to_wait (GstRtpCcBinStreams * all)
{
  gboolean begins;

  GST_OBJECT_LOCK (all->owner);
  begins = !all->waits;
  all->waits = TRUE;
  GST_OBJECT_UNLOCK (all->owner);
  return begins;
}

/* When what the jitterbuffer has is out, and has been for a while.  However many goodbyes come,
 * one clock waits. */
static void
end_later (GstRtpCcBinStreams * all)
{
  GstClock *clock;
  guint latency_ms = 0, most_ms = 0;
  GstClockID id;
  Goodbye *g;

  if (!begin_to_wait (all))
    return;
  clock = gst_system_clock_obtain ();
  g = g_new0 (Goodbye, 1);
  g_weak_ref_init (&g->owner, all->owner);
  g->all = all;
  g_object_get (all->call, "latency", &latency_ms, "max-latency", &most_ms, NULL);
  id = gst_clock_new_single_shot_id (clock, gst_clock_get_time (clock)
      + MAX (latency_ms, most_ms) * GST_MSECOND + 3 * SILENT / 2 * GST_USECOND);
  gst_clock_id_wait_async (id, on_time, g, goodbye_free);
  gst_clock_id_unref (id);
  gst_object_unref (clock);
}

static void
on_bye (GstElement * call, guint session, guint ssrc, GstRtpCcBinStreams * all)
{
  const gint64 now = g_get_monotonic_time ();
  gboolean known = FALSE;

  GST_OBJECT_LOCK (all->owner);
  for (GList * l = all->streams; l; l = l->next) {
    Stream *s = l->data;

    if (s->session != session || s->ssrc != ssrc)
      continue;
    s->bye = now;
    known = TRUE;
  }
  GST_OBJECT_UNLOCK (all->owner);
  if (known)
    end_later (all);
}

/* --- all ------------------------------------------------------------------ */

GstRtpCcBinStreams *
gst_rtp_cc_bin_streams_new (GstElement * owner, GstElement * call, GstPadTemplate * template)
{
  GstRtpCcBinStreams *all = g_new0 (GstRtpCcBinStreams, 1);

  all->owner = owner;
  all->call = call;
  all->template = template;
  g_signal_connect (call, "on-ssrc-active", G_CALLBACK (on_active), all);
  g_signal_connect (call, "on-bye-ssrc", G_CALLBACK (on_bye), all);
  return all;
}

void
gst_rtp_cc_bin_streams_free (GstRtpCcBinStreams * all)
{
  if (!all)
    return;
  g_list_free_full (all->streams, stream_leave);
  g_free (all);
}
