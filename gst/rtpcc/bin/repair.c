/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/repair.h"

#include "rtpcc/bin/rtxwait.h"
#include "rtpcc/bin/upstream.h"

/* Who asks for older packets shows nothing of them. */
#define KEPT_MS 1000u
#define KEPT_PACKETS 1000u      /* 10 Mbit/s for so long */

static void
set_map (GstElement * element)
{
  GstStructure *map = gst_rtp_cc_bin_rtx_map ();

  g_object_set (element, "payload-type-map", map, NULL);
  gst_structure_free (map);
}

GstElement *
gst_rtp_cc_bin_repair_sender (void)
{
  GstElement *rtx = gst_element_factory_make ("rtprtxsend", NULL);

  if (!rtx)
    return NULL;
  set_map (rtx);
  g_object_set (rtx, "max-size-time", KEPT_MS, "max-size-packets", KEPT_PACKETS,
      NULL);
  return rtx;
}

static void
add_ghost (GstElement * bin, GstElement * element, const gchar * pad_name,
    const gchar * format, guint session)
{
  g_autofree gchar *name = g_strdup_printf (format, session);
  GstPad *pad = gst_element_get_static_pad (element, pad_name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
  gst_object_unref (pad);
}

static gboolean
is_wanted (GstElement * call)
{
  gboolean wanted;

  g_object_get (call, "do-retransmission", &wanted, NULL);
  return wanted;
}

/* What stands in rtpbin for a session bears its number. */
#define SESSION "rtpcc-session"

void
gst_rtp_cc_bin_repair_mark (GstElement * element, guint session)
{
  g_object_set_data (G_OBJECT (element), SESSION,
      GUINT_TO_POINTER (session + 1));
}

static GstElement *
on_aux_receiver (GstElement * call, guint session)
{
  GstElement *rtx = is_wanted (call)
      ? gst_element_factory_make ("rtprtxreceive", NULL) : NULL;
  GstElement *bin;

  if (!rtx)
    return NULL;
  set_map (rtx);
  bin = gst_bin_new (NULL);
  gst_bin_add (GST_BIN (bin), rtx);
  add_ghost (bin, rtx, "sink", "sink_%u", session);
  add_ghost (bin, rtx, "src", "src_%u", session);
  gst_rtp_cc_bin_repair_mark (rtx, session);
  return bin;
}

static void
on_jitterbuffer (GstElement * call, GstElement * jitterbuffer, guint session,
    guint ssrc)
{
  guint max_latency;

  gst_rtp_cc_bin_repair_mark (jitterbuffer, session);
  g_object_get (call, "max-latency", &max_latency, NULL);
  if (is_wanted (call))
    gst_rtp_cc_bin_rtx_wait (jitterbuffer, max_latency);
}

GstCaps *
gst_rtp_cc_bin_repair_caps (GstElement * call, guint session, guint pt)
{
  const guint original = gst_rtp_cc_bin_original_of (pt);
  GstCaps *caps = NULL;
  g_autofree gchar *apt = NULL;

  if (!original || !is_wanted (call))
    return NULL;
  g_signal_emit_by_name (call, "request-pt-map", session, original, &caps);
  if (!caps)
    return NULL;
  apt = g_strdup_printf ("%u", original);
  caps = gst_caps_make_writable (caps);
  gst_caps_set_simple (caps, "encoding-name", G_TYPE_STRING, "RTX", "payload",
      G_TYPE_INT, (gint) pt, "apt", G_TYPE_STRING, apt, NULL);
  return caps;
}

void
gst_rtp_cc_bin_repair_class_init (GType type)
{
  g_signal_override_class_handler ("request-aux-receiver", type,
      G_CALLBACK (on_aux_receiver));
  g_signal_override_class_handler ("new-jitterbuffer", type,
      G_CALLBACK (on_jitterbuffer));
}

/* --- what came of it ------------------------------------------------------ */

typedef struct
{
  guint requests, sent;
  gboolean sends;
} Sent;

typedef struct
{
  guint session;
  Sent sent;                    /* of all sessions alone */
  guint64 lost, late, duplicates, asked, repaired;
  guint wait;                   /* ms, the longest */
  guint copies, recovered, unrecovered; /* the latter two: by parity, and not by it either */
  gboolean receives, decodes;
} Received;

static guint64
count_of (const GstStructure * stats, const gchar * field)
{
  guint64 count = 0;

  gst_structure_get_uint64 (stats, field, &count);
  return count;
}

static void
add_jitterbuffer (Received * r, GstElement * jitterbuffer)
{
  GstStructure *stats;
  guint wait;

  g_object_get (jitterbuffer, "stats", &stats, "latency", &wait, NULL);
  r->wait = MAX (r->wait, wait);
  r->lost += count_of (stats, "num-lost");
  r->late += count_of (stats, "num-late");
  r->duplicates += count_of (stats, "num-duplicates");
  r->asked += count_of (stats, "rtx-count");
  r->repaired += count_of (stats, "rtx-success-count");
  r->receives = TRUE;
  gst_structure_free (stats);
}

static void
add_decoder (Received * r, GstElement * decoder)
{
  guint recovered, unrecovered;

  g_object_get (decoder, "recovered", &recovered, "unrecovered", &unrecovered,
      NULL);
  r->recovered += recovered;
  r->unrecovered += unrecovered;
  r->decodes = TRUE;
}

static void
add_copies (Received * r, GstElement * rtx)
{
  guint copies;

  g_object_get (rtx, "num-rtx-packets", &copies, NULL);
  r->copies += copies;
}

static void
add_sent (GstElement * rtx, Sent * sum)
{
  Sent one;

  g_object_get (rtx, "num-rtx-requests", &one.requests, "num-rtx-packets",
      &one.sent, NULL);
  sum->requests += one.requests;
  sum->sent += one.sent;
  sum->sends = TRUE;
}

static gboolean
sends_again (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory && g_str_equal (GST_OBJECT_NAME (factory), "rtprtxsend");
}

static void
add_element (const GValue * value, gpointer data)
{
  GstElement *element = g_value_get_object (value);
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  Received *r = data;

  if (r->session != GST_RTP_CC_BIN_ALL
      && GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (element), SESSION)) != r->session + 1)
    return;
  if (g_object_class_find_property (klass, "rtx-next-seqnum"))
    add_jitterbuffer (r, element);
  else if (sends_again (element))
    add_sent (element, &r->sent);
  else if (g_object_class_find_property (klass, "num-rtx-packets"))
    add_copies (r, element);
  else if (g_object_class_find_property (klass, "recovered"))
    add_decoder (r, element);
}

static Received
received_of (GstElement * rtpbin, guint session)
{
  GstIterator *it = gst_bin_iterate_recurse (GST_BIN (rtpbin));
  Received r;

  do {
    gst_iterator_resync (it);
    r = (Received) {
    .session = session};
  } while (gst_iterator_foreach (it, add_element, &r) == GST_ITERATOR_RESYNC);
  gst_iterator_free (it);
  return r;
}

static void
add_child (const GValue * value, gpointer sum)
{
  GstElement *element = g_value_get_object (value);

  if (sends_again (element))
    add_sent (element, sum);
}

static void
say_sent (GstStructure * stats, const Sent * sum)
{
  gst_structure_set (stats, "requests", G_TYPE_UINT, sum->requests,
      "sent-again", G_TYPE_UINT, sum->sent, NULL);
}

GstStructure *
gst_rtp_cc_bin_repair_sum (GstBin * bin)
{
  GstStructure *stats = gst_structure_new_empty ("repair");
  GstIterator *it = gst_bin_iterate_elements (bin);
  Sent sum;

  do {
    gst_iterator_resync (it);
    sum = (Sent) {
    0};
  } while (gst_iterator_foreach (it, add_child, &sum) == GST_ITERATOR_RESYNC);
  gst_iterator_free (it);
  say_sent (stats, &sum);
  return stats;
}

GstStructure *
gst_rtp_cc_bin_repair_stats (GstElement * sender, GstElement * rtpbin,
    guint session)
{
  Received r = received_of (rtpbin, session);
  GstStructure *stats = gst_structure_new_empty ("repair");

  if (sender)
    add_sent (sender, &r.sent);
  if (r.sent.sends)
    say_sent (stats, &r.sent);
  if (r.receives)
    gst_structure_set (stats, "lost", G_TYPE_UINT64, r.lost, "late",
        G_TYPE_UINT64, r.late, "duplicates", G_TYPE_UINT64, r.duplicates,
        "asked", G_TYPE_UINT64, r.asked, "copies", G_TYPE_UINT, r.copies,
        "repaired", G_TYPE_UINT64, r.repaired, "latency", G_TYPE_UINT, r.wait, NULL);
  if (r.decodes)
    gst_structure_set (stats, "recovered", G_TYPE_UINT, r.recovered,
        "unrecovered", G_TYPE_UINT, r.unrecovered, NULL);
  if (!gst_structure_n_fields (stats))
    g_clear_pointer (&stats, gst_structure_free);
  return stats;
}
