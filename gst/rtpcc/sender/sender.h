/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sender/sender.h - base class of the elements that pace a session at the rate of a core of the
 * registry (core/registry). Parity and retransmissions are within that rate.
 */
#ifndef GST_RTP_CC_SENDER_H
#define GST_RTP_CC_SENDER_H

#include "core/registry/registry.h"
#include "rtpcc/sender/settings.h"
#include "rtpcc/sendpath/element.h"
#include "send/parity.h"

#define GST_TYPE_RTP_CC_SENDER (gst_rtp_cc_sender_get_type ())
#define GST_RTP_CC_SENDER(object) ((GstRtpCcSender *) (object))
#define GST_RTP_CC_SENDER_CLASS(klass) ((GstRtpCcSenderClass *) (klass))

typedef struct {
  GstRtpCcSendElement parent;

  /* driver's lock */
  const RccController *row;
  RccSender *core;              /* the row's, on the heap */
  RccSendParity *parity;        /* NULL: there never was any */
  const gchar *limited_by;      /* as last posted */
  gboolean complained;          /* that no feedback comes */

  struct {                      /* from act() to apply() */
    GstRtpCcTarget target;      /* the encoder's */
    guint bps;                  /* the controller's */
    const gchar *limited_by;    /* to be posted; NULL: it is the same */
    gboolean deaf;              /* a warning is due */
  } said;
} GstRtpCcSender;

typedef struct {
  GstRtpCcSendElementClass parent_class;

  const gchar *message;         /* what the element message is called */
  /* The row to run with @settings, and its configuration into @config, which has
   * RCC_CONTROLLER_CONFIG bytes of 0.  Of other locks the object's may be taken. */
  const RccController *(*configure) (GstRtpCcSender *self,
      const GstRtpCcSenderSettings *settings, gpointer config);
  /* These may be NULL.  With the core locked: static text of what limits the target, else the
   * view's state; and fields of its own. */
  const gchar *(*limited_by) (GstRtpCcSender *self);
  void (*stats) (GstRtpCcSender *self, GstStructure *stats, GstClockTime now);
} GstRtpCcSenderClass;

GType gst_rtp_cc_sender_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstRtpCcSender, gst_object_unref)

/* In a subclass's instance init. */
void gst_rtp_cc_sender_begin (GstRtpCcSender *self);
/* In its class_init, behind settings, stats_name, message and configure. */
void gst_rtp_cc_sender_install (GstRtpCcSenderClass *klass);

#endif
