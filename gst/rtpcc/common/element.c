/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/element.h"

#include <string.h>

G_DEFINE_ABSTRACT_TYPE (GstRtpCcElement, gst_rtp_cc_element, GST_TYPE_ELEMENT);

static GstRtpCcElementClass *
class_of (gpointer self)
{
  return GST_RTP_CC_ELEMENT_CLASS (G_OBJECT_GET_CLASS (self));
}

/* --- properties ----------------------------------------------------------- */

/* The core reads the settings with its lock held, so that two threads cannot leave older
 * ones in place. */
static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcElement *self = GST_RTP_CC_ELEMENT (object);
  GstRtpCcElementClass *klass = class_of (self);
  gboolean known;
  RccTime now;

  if (klass->set && klass->set (self, id, value))
    return;
  GST_OBJECT_LOCK (self);
  known = gst_rtp_cc_settings_set (klass->settings, self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (klass->adjust && gst_rtp_cc_driver_enter (self->driver, &now)) {
    const RccUpdate update = klass->adjust (self, now);

    gst_rtp_cc_driver_leave (self->driver, &update);
  }
  if (klass->changed)
    klass->changed (self);
}

static GstStructure *
make_stats (GstRtpCcElement * self)
{
  GstStructure *stats = gst_structure_new_empty (class_of (self)->stats_name);
  const GstClockTime now = gst_rtp_cc_driver_lock (self->driver);

  class_of (self)->stats (self, stats, now);
  gst_rtp_cc_driver_unlock (self->driver);
  return stats;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcElement *self = GST_RTP_CC_ELEMENT (object);
  GstRtpCcElementClass *klass = class_of (self);
  gboolean known = TRUE;

  if (id == GST_RTP_CC_PROP_STATS) {
    g_value_take_boxed (value, make_stats (self));
    return;
  }
  if (klass->get && klass->get (self, id, value))
    return;
  GST_OBJECT_LOCK (self);
  if (id == GST_RTP_CC_PROP_ESTIMATE)
    g_value_set_uint (value, self->estimate);
  else
    known = gst_rtp_cc_settings_get (klass->settings, self->settings, id,
        value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

void
gst_rtp_cc_element_get_settings (GstRtpCcElement * self, gpointer settings)
{
  GST_OBJECT_LOCK (self);
  memcpy (settings, self->settings, class_of (self)->settings->size);
  GST_OBJECT_UNLOCK (self);
}

void
gst_rtp_cc_element_set_estimate (GstRtpCcElement * self, guint bps)
{
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = self->estimate != bps;
  self->estimate = bps;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    g_object_notify (G_OBJECT (self), "estimated-bitrate");
}

/* --- state ---------------------------------------------------------------- */

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpCcElement *self = GST_RTP_CC_ELEMENT (element);
  GstRtpCcElementClass *klass = class_of (self);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (klass->can_start && !klass->can_start (self))
      return GST_STATE_CHANGE_FAILURE;
    gst_rtp_cc_driver_start (self->driver);
  }
  ret = GST_ELEMENT_CLASS (gst_rtp_cc_element_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE)) {
    if (klass->stopping)
      klass->stopping (self);
    gst_rtp_cc_driver_stop (self->driver);
    if (klass->stopped)
      klass->stopped (self);
  }
  return ret;
}

static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  gst_rtp_cc_driver_set_clock (GST_RTP_CC_ELEMENT (element)->driver, clock);
  return GST_ELEMENT_CLASS (gst_rtp_cc_element_parent_class)->set_clock
      (element, clock);
}

static void
reset (GstRtpCcElement * self)
{
  gst_rtp_cc_driver_reset (self->driver);
}

/* --- the class ------------------------------------------------------------ */

static void
finalize (GObject * object)
{
  GstRtpCcElement *self = GST_RTP_CC_ELEMENT (object);

  gst_rtp_cc_driver_free (self->driver);
  g_free (self->settings);
  G_OBJECT_CLASS (gst_rtp_cc_element_parent_class)->finalize (object);
}

static void
gst_rtp_cc_element_init (GstRtpCcElement * self)
{
}

/* Not above: the instance has its own class only in its own init. */
gpointer
gst_rtp_cc_element_init_settings (GstRtpCcElement * self)
{
  const GstRtpCcSettings *table = class_of (self)->settings;

  self->settings = g_malloc0 (table->size);
  table->init (self->settings);
  return self->settings;
}

static void
gst_rtp_cc_element_class_init (GstRtpCcElementClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  element_class->set_clock = GST_DEBUG_FUNCPTR (set_clock);
}

void
gst_rtp_cc_element_install (GstRtpCcElementClass * klass, const gchar * stats)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = set_property;    /* GObject does not inherit these */
  object_class->get_property = get_property;
  gst_rtp_cc_settings_install (klass->settings, object_class);
  g_object_class_install_property (object_class, GST_RTP_CC_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", stats, GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_rtp_cc_element_install_estimate (GstRtpCcElementClass * klass,
    const gchar * text, guint standard)
{
  g_object_class_install_property (G_OBJECT_CLASS (klass),
      GST_RTP_CC_PROP_ESTIMATE, g_param_spec_uint ("estimated-bitrate",
          "Estimated bitrate", text, 0, G_MAXUINT, standard,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));
}

void
gst_rtp_cc_element_install_reset (GstRtpCcElementClass * klass)
{
  g_signal_new_class_handler ("reset", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (reset), NULL, NULL, NULL,
      G_TYPE_NONE, 0);
}
