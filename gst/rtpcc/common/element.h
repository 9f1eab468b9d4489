/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/element.h - base class of the elements that run a core. It has the driver, the settings
 * as properties, `estimated-bitrate', `stats', `reset', and one order of state changes.
 *
 * From READY to PAUSED the driver starts before the pads do.  It stops when they have
 * stopped, or when they could not start.  A subclass adds pads, and says what its core
 * makes of what comes by.
 */
#ifndef GST_RTP_CC_ELEMENT_H
#define GST_RTP_CC_ELEMENT_H

#include "rtpcc/common/driver.h"
#include "rtpcc/common/settings.h"

#define GST_TYPE_RTP_CC_ELEMENT (gst_rtp_cc_element_get_type ())
#define GST_RTP_CC_ELEMENT(object) ((GstRtpCcElement *) (object))
#define GST_RTP_CC_ELEMENT_CLASS(klass) ((GstRtpCcElementClass *) (klass))

enum {                                  /* property ids; those of the settings are below */
  GST_RTP_CC_PROP_ESTIMATE = GST_RTP_CC_PROPS,
  GST_RTP_CC_PROP_STATS,
  GST_RTP_CC_PROP_OWN,                  /* the first of a subclass's own */
};

typedef struct {
  GstElement parent;
  GstRtpCcDriver *driver;               /* the subclass's init makes it */
  /* object lock */
  gpointer settings;                    /* the class's structure */
  guint estimate;                       /* bit/s, as last notified */
} GstRtpCcElement;

typedef struct {
  GstElementClass parent_class;

  /* Set before gst_rtp_cc_element_install(). */
  const GstRtpCcSettings *settings;
  const gchar *stats_name;              /* of the structure */
  /* With the core locked: what it knows.  @now: NONE while stopped. */
  void (*stats) (GstRtpCcElement *self, GstStructure *stats, GstClockTime now);
  /* With the core locked: a setting has changed; takes in those that may at any time.  NULL:
   * none may. */
  RccUpdate (*adjust) (GstRtpCcElement *self, RccTime now);

  /* These may be NULL.  Not locked: any of the settings has changed. */
  void (*changed) (GstRtpCcElement *self);
  /* The value of a property of the subclass's own; FALSE: there is no such. */
  gboolean (*get) (GstRtpCcElement *self, guint id, GValue *value);
  gboolean (*set) (GstRtpCcElement *self, guint id, const GValue *value);
  /* READY to PAUSED; FALSE, with an error message: not with these settings. */
  gboolean (*can_start) (GstRtpCcElement *self);
  /* The pads have stopped, the driver is about to; and it has. */
  void (*stopping) (GstRtpCcElement *self);
  void (*stopped) (GstRtpCcElement *self);
} GstRtpCcElementClass;

GType gst_rtp_cc_element_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstRtpCcElement, gst_object_unref)

/* In class_init, before any property of the subclass's own: the settings and `stats', with
 * this description, as properties. */
void gst_rtp_cc_element_install (GstRtpCcElementClass *klass, const gchar *stats);
/* `estimated-bitrate': its description and its default, bit/s. */
void gst_rtp_cc_element_install_estimate (GstRtpCcElementClass *klass, const gchar *text,
    guint standard);
/* The action signal `reset', which starts the core anew with the present settings. */
void gst_rtp_cc_element_install_reset (GstRtpCcElementClass *klass);

/* In a subclass's instance init, before it makes its driver: its settings, by default. Until init
 * ends nobody else reads them. */
gpointer gst_rtp_cc_element_init_settings (GstRtpCcElement *self);

/* A copy of the settings. */
void gst_rtp_cc_element_get_settings (GstRtpCcElement *self, gpointer settings);
/* Defines get_settings (self), which returns that copy; T is the structure's type. */
#define GST_RTP_CC_DEFINE_GET_SETTINGS(T) \
  static T \
  get_settings (gpointer self) \
  { \
    T settings; \
\
    gst_rtp_cc_element_get_settings (self, &settings); \
    return settings; \
  }
/* Notifies `estimated-bitrate' where @bps is another one. */
void gst_rtp_cc_element_set_estimate (GstRtpCcElement *self, guint bps);

#endif
