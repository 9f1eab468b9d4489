/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpnmux/pad.h - a sink pad of rtpsbpnmux: what its stream is worth
 */
#ifndef GST_RTP_SBPN_MUX_PAD_H
#define GST_RTP_SBPN_MUX_PAD_H

#include <gst/gst.h>

#include "core/sbpn/ratesplit.h"
#include "core/sbpn/sbpn.h"

#define GST_TYPE_RTP_SBPN_MUX_PAD (gst_rtp_sbpn_mux_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpSbpnMuxPad, gst_rtp_sbpn_mux_pad, GST, RTP_SBPN_MUX_PAD, GstPad)

typedef enum {
  GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO,
  GST_RTP_SBPN_MUX_WHOLE_FRAMES_NO,
  GST_RTP_SBPN_MUX_WHOLE_FRAMES_YES,
} GstRtpSbpnMuxWholeFrames;

typedef struct {
  gint priority;                        /* -1: by media */
  GstClockTime expiry;
  guint weight;
  guint min_bps, max_bps;               /* max 0: none */
  gint whole_frames;                    /* GstRtpSbpnMuxWholeFrames */
} GstRtpSbpnMuxPadSettings;

struct _GstRtpSbpnMuxPad {
  GstPad parent;

  GstRtpSbpnMuxPadSettings settings;    /* object lock */

  GstCaps *caps;                        /* the driver's lock; NULL: none yet */
  gpointer sink;                        /* GstRtpCcMuxSink that it belongs to */

  /* the pad's own streaming thread */
  GstSegment segment;
  gboolean plain;                       /* a timestamp is its running time */

  /* for the element: a setting has changed; and the pad's stats (transfer full) */
  void (*changed) (GstRtpSbpnMuxPad *pad);
  GstStructure *(*stats) (GstRtpSbpnMuxPad *pad);
};

/* What the settings mean for a stream of @audio or @video. */
RccSbpnClassConfig gst_rtp_sbpn_mux_pad_class (GstRtpSbpnMuxPad *pad, gboolean audio,
    gboolean video, GstClockTime *expiry);
RccRateShare gst_rtp_sbpn_mux_pad_share (GstRtpSbpnMuxPad *pad, gboolean audio,
    guint measured_bps);

/* The pads of a mux as its children: a GInterfaceInitFunc of GstChildProxy. */
void gst_rtp_sbpn_mux_pad_child_proxy (gpointer iface, gpointer data);

#endif
