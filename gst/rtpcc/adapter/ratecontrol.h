/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/ratecontrol.h - holds the encoder upstream of a pad to a target
 *
 * What rtpbitrateadapter is made of, without its pads and properties.
 */
#ifndef GST_RTP_CC_RATE_CONTROL_H
#define GST_RTP_CC_RATE_CONTROL_H

#include <gst/gst.h>
#include "core/stats.h"
#include "core/utilization.h"
#include "rtpcc/adapter/part.h"
#include "rtpcc/adapter/scaler.h"
#include "rtpcc/adapter/settings.h"
#include "rtpcc/adapter/skipper.h"
#include "rtpcc/common/event.h"

typedef struct {
  uint32_t target_bps, fec_bps, encoder_bps;
  uint64_t rtt;
  double frame_rate, utilization;
  uint32_t scale_step;
  uint64_t events, invalid_events, other_events, updates;
  uint64_t queue_time, skipped;
  char *source, *reason;                /* owned */
} GstRtpCcRateControlStats;

typedef struct {
  GstElement *element;                  /* whose clock, bus and bin it uses */
  GstPad *sinkpad;                      /* where the encoder's output comes in */
  void (*changed) (GstElement *element);        /* encoder_bps did; no lock held */
  GstRtpCcSkipper skipper;

  GMutex lock;                          /* of all below */
  GstRtpCcAdapterSettings settings;
  GstRtpCcRateControlStats stats;       /* target_bps and fec_bps: the part of it that is ours */
  /* private */
  GstRtpCcPart part;
  RccFrameRate frame_rate;
  RccUtilization utilization;
  GstRtpCcWatch output;                 /* the encoder's, where it does not come through us */
  GstRtpCcScaler scaler;
  GstClockTime changed_at;
  GstClockTime due;
  gboolean runs, dirty, updating, restore, complained;
} GstRtpCcRateControl;

void gst_rtp_cc_rate_control_init (GstRtpCcRateControl *f, GstElement *element,
    GstPad *sinkpad, void (*changed) (GstElement *element));
void gst_rtp_cc_rate_control_clear (GstRtpCcRateControl *f);

/* READY to PAUSED: forgets the last run. */
void gst_rtp_cc_rate_control_start (GstRtpCcRateControl *f);
/* PAUSED to READY: gives the capsfilter its caps back. */
void gst_rtp_cc_rate_control_stop (GstRtpCcRateControl *f);
/* A stream begins, perhaps from another encoder: it is set up and told anew. */
void gst_rtp_cc_rate_control_renew (GstRtpCcRateControl *f);
/* Settings or the world changed: does what there is to do. */
void gst_rtp_cc_rate_control_update (GstRtpCcRateControl *f);
/* With the lock held: what the encoder was told and what it did. */
GstStructure *gst_rtp_cc_rate_control_stats (GstRtpCcRateControl *f);
/* An event of ours; FALSE when it is malformed.  One for another SSRC than that of the
 * payloader downstream is counted and changes nothing. */
gboolean gst_rtp_cc_rate_control_event (GstRtpCcRateControl *f, GstEvent *event);
/* What is to travel on upstream of @event (transfer full), which was obeyed: of a target that is
 * shared it is our part, as there is nobody upstream but our encoder. */
GstEvent *gst_rtp_cc_rate_control_pass (GstRtpCcRateControl *f, GstEvent *event);
/* An encoded frame went by. */
void gst_rtp_cc_rate_control_frame (GstRtpCcRateControl *f, GstBuffer *buffer);

#endif
