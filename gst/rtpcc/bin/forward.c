/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/forward.h"

#define SESSION 1
#define SSRC 2
#define PT 3

/* After the element that emits it: an element where @with_element, then so many numbers. */
static const struct
{
  const gchar *name;
  gboolean with_element;
  guint numbers;
  enum
  { NOTHING, CAPS, ELEMENT } answer;
} events[] = {
  {"request-pt-map", FALSE, 2, CAPS},
  {"payload-type-change", FALSE, 2, NOTHING},
  {"on-new-ssrc", FALSE, SSRC, NOTHING},
  {"on-ssrc-collision", FALSE, SSRC, NOTHING},
  {"on-ssrc-validated", FALSE, SSRC, NOTHING},
  {"on-ssrc-active", FALSE, SSRC, NOTHING},
  {"on-ssrc-sdes", FALSE, SSRC, NOTHING},
  {"on-bye-ssrc", FALSE, SSRC, NOTHING},
  {"on-bye-timeout", FALSE, SSRC, NOTHING},
  {"on-timeout", FALSE, SSRC, NOTHING},
  {"on-sender-timeout", FALSE, SSRC, NOTHING},
  {"on-npt-stop", FALSE, SSRC, NOTHING},
  {"request-rtp-encoder", FALSE, SESSION, ELEMENT},
  {"request-rtp-decoder", FALSE, SESSION, ELEMENT},
  {"request-rtcp-encoder", FALSE, SESSION, ELEMENT},
  {"request-rtcp-decoder", FALSE, SESSION, ELEMENT},
  {"request-jitterbuffer", FALSE, SESSION, ELEMENT},
  {"new-jitterbuffer", TRUE, SSRC, NOTHING},
  {"new-storage", TRUE, SESSION, NOTHING},
  {"request-aux-sender", FALSE, SESSION, ELEMENT},
  {"request-aux-receiver", FALSE, SESSION, ELEMENT},
  {"request-fec-decoder", FALSE, SESSION, ELEMENT},
  {"request-fec-decoder-full", FALSE, PT, ELEMENT},
  {"request-fec-encoder", FALSE, SESSION, ELEMENT},
  {"on-new-sender-ssrc", FALSE, SSRC, NOTHING},
  {"on-sender-ssrc-active", FALSE, SSRC, NOTHING},
};

static const struct
{
  const gchar *name;
  guint numbers;
  GType (*answer) (void);       /* NULL: nothing */
} actions[] = {
  {"clear-pt-map", 0, NULL},
  {"reset-sync", 0, NULL},
  {"clear-ssrc", SSRC, NULL},
  {"get-session", SESSION, gst_element_get_type},
  {"get-storage", SESSION, gst_element_get_type},
  {"get-internal-session", SESSION, g_object_get_type},
  {"get-internal-storage", SESSION, g_object_get_type},
};

/* Emits the signal of the same name at @other. */
static void
emit_at (GObject * other, const gchar * name, GValue * answer, guint n,
    const GValue * values)
{
  const guint id = g_signal_lookup (name, G_OBJECT_TYPE (other));
  g_autofree GValue *copy = g_new0 (GValue, n);

  if (!id)
    return;
  g_value_init (&copy[0], G_OBJECT_TYPE (other));
  g_value_set_object (&copy[0], other);
  for (guint i = 1; i < n; i++) {
    g_value_init (&copy[i], G_VALUE_TYPE (&values[i]));
    g_value_copy (&values[i], &copy[i]);
  }
  g_signal_emitv (copy, id, 0, answer);
  for (guint i = 0; i < n; i++)
    g_value_unset (&copy[i]);
}

/* The closure's data is the bin, @name the signal. */
static void
from_rtpbin (GClosure * closure, GValue * answer, guint n,
    const GValue * values, gpointer hint, gpointer name)
{
  emit_at (closure->data, name, answer, n, values);
}

static void
to_rtpbin (GClosure * closure, GValue * answer, guint n,
    const GValue * values, gpointer hint, gpointer name)
{
  GstElement *rtpbin =
      gst_bin_get_by_name (g_value_get_object (&values[0]), "rtpbin");

  if (rtpbin)
    emit_at (G_OBJECT (rtpbin), name, answer, n, values);
  gst_clear_object (&rtpbin);
}

static GClosure *
new_closure (gpointer data, GClosureMarshal marshal, const gchar * name)
{
  GClosure *closure = g_closure_new_simple (sizeof *closure, data);

  g_closure_set_marshal (closure, g_cclosure_marshal_generic);
  g_closure_set_meta_marshal (closure, (gpointer) name, marshal);
  return closure;
}

/* Who answers first is right, as with rtpbin's own. */
static gboolean
until_answered (GSignalInvocationHint * hint, GValue * answer,
    const GValue * returned, gpointer data)
{
  g_value_copy (returned, answer);
  return g_value_peek_pointer (returned) == NULL;
}

void
gst_rtp_cc_bin_forward_class_init (GType type)
{
  GType params[] = { G_TYPE_UINT, G_TYPE_UINT, G_TYPE_UINT, G_TYPE_UINT };

  for (guint i = 0; i < G_N_ELEMENTS (events); i++) {
    const GType answers[] = { G_TYPE_NONE, GST_TYPE_CAPS, GST_TYPE_ELEMENT };

    params[0] = events[i].with_element ? GST_TYPE_ELEMENT : G_TYPE_UINT;
    g_signal_newv (events[i].name, type, G_SIGNAL_RUN_LAST, NULL,
        events[i].answer ? until_answered : NULL, NULL, NULL,
        answers[events[i].answer],
        events[i].numbers + events[i].with_element, params);
  }
  params[0] = G_TYPE_UINT;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    g_signal_newv (actions[i].name, type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
        new_closure (NULL, to_rtpbin, actions[i].name), NULL, NULL, NULL,
        actions[i].answer ? actions[i].answer () : G_TYPE_NONE,
        actions[i].numbers, params);
}

static void
on_pad_added (GstElement * rtpbin, GstPad * pad, GstElement * self)
{
  const gchar *name = GST_PAD_NAME (pad);
  GstPad *ghost;

  if (!g_str_has_prefix (name, "recv_rtp_src_")
      && !g_str_has_prefix (name, "send_rtp_src_"))
    return;
  ghost = gst_ghost_pad_new (name, pad);
  gst_pad_set_active (ghost, TRUE);
  gst_element_add_pad (self, ghost);
}

static void
on_pad_removed (GstElement * rtpbin, GstPad * pad, GstElement * self)
{
  GstPad *ghost = gst_element_get_static_pad (self, GST_PAD_NAME (pad));

  if (ghost && GST_PAD_IS_SRC (ghost)
      && !g_str_has_prefix (GST_PAD_NAME (ghost), "send_rtcp"))
    gst_element_remove_pad (self, ghost);
  gst_clear_object (&ghost);
}

void
gst_rtp_cc_bin_forward_init (GstBin * bin, GstElement * rtpbin)
{
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    if (g_signal_lookup (events[i].name, G_OBJECT_TYPE (rtpbin)))
      g_signal_connect_closure (rtpbin, events[i].name,
          new_closure (bin, from_rtpbin, events[i].name), FALSE);
  g_signal_connect (rtpbin, "pad-added", G_CALLBACK (on_pad_added), bin);
  g_signal_connect (rtpbin, "pad-removed", G_CALLBACK (on_pad_removed), bin);
}
