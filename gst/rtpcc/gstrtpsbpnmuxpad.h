/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpsbpnmuxpad.h - a sink pad of rtpsbpnmux: what its stream is worth
 */
#ifndef GST_RTP_SBPN_MUX_PAD_H
#define GST_RTP_SBPN_MUX_PAD_H

#include <gst/gst.h>

#include "core/ratesplit.h"
#include "rtpcc/gstrtpccmuxqueue.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_SBPN_MUX_PAD (gst_rtp_sbpn_mux_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpSbpnMuxPad, gst_rtp_sbpn_mux_pad, GST, RTP_SBPN_MUX_PAD, GstPad)

typedef enum {
  GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO,
  GST_RTP_SBPN_MUX_WHOLE_FRAMES_NO,
  GST_RTP_SBPN_MUX_WHOLE_FRAMES_YES,
} GstRtpSbpnMuxWholeFrames;

#define GST_TYPE_RTP_SBPN_MUX_WHOLE_FRAMES (gst_rtp_sbpn_mux_whole_frames_get_type ())
GType gst_rtp_sbpn_mux_whole_frames_get_type (void);

typedef enum {                          /* the caps' media */
  GST_RTP_SBPN_MUX_UNKNOWN,
  GST_RTP_SBPN_MUX_AUDIO,
  GST_RTP_SBPN_MUX_VIDEO,
} GstRtpSbpnMuxMedia;

typedef struct {
  gint priority;                        /* -1: by media */
  GstClockTime expiry;
  guint weight;
  guint min_bps, max_bps;               /* max 0: none */
  GstRtpSbpnMuxWholeFrames whole_frames;
} GstRtpSbpnMuxPadSettings;

struct _GstRtpSbpnMuxPad {
  GstPad parent;

  GstRtpSbpnMuxPadSettings settings;    /* object lock */

  /* the driver's lock */
  guint klass;                          /* GST_RTP_CC_MUX_PADS: released */
  GstRtpSbpnMuxMedia media;
  gboolean inter;                       /* a codec whose frames build upon others */
  GstCaps *caps;                        /* NULL: none yet */
  gboolean eos, flushing;

  /* the pad's own streaming thread */
  GstSegment segment;
  gboolean plain;                       /* a timestamp is its running time */

  /* for the element: a setting has changed; and the pad's stats (transfer full) */
  void (*changed) (GstRtpSbpnMuxPad *pad);
  GstStructure *(*stats) (GstRtpSbpnMuxPad *pad);
};

/* What the settings mean, with the driver's lock held. */
GstRtpCcMuxConfig gst_rtp_sbpn_mux_pad_config (GstRtpSbpnMuxPad *pad);
RccRateShare gst_rtp_sbpn_mux_pad_share (GstRtpSbpnMuxPad *pad, guint measured_bps);

G_END_DECLS

#endif
