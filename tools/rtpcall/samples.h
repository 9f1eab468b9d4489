/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * samples.h - a call in bins of 200 ms, and what they add up to
 *
 * Packets and frames are told as they are seen, from any thread; a bin becomes a row
 * once nothing of it can arrive any more.  Times are ns of the call (running time).
 *
 * What was lost, unsent and late is in the words of core/losses.h.  The send path begins at
 * the mux and ends where the session lets packets go, so it has the controller and the circuit
 * breaker in it; the deadline is CALL_EXPIRY after a packet came to the mux.  A packet counts
 * in the bin in which it came (offered, unsent) or left (left, lost, late).  A receiver alone
 * cannot tell media from padding among what it never saw: there each number that is missing
 * counts as media.
 */
#ifndef RTPCALL_SAMPLES_H
#define RTPCALL_SAMPLES_H

#include <gst/gst.h>

#include "core/losses.h"

#define CALL_BIN ((GstClockTime) (200 * GST_MSECOND))
/* What is older than this has arrived or is lost: psnr gives up after 4 s. */
#define CALL_MATURE ((GstClockTime) (4500 * GST_MSECOND))
/* What comes later than this after it was coded is of no use: the mux's expiry. */
#define CALL_EXPIRY ((GstClockTime) (200 * GST_MSECOND))

typedef enum { CALL_AUDIO, CALL_VIDEO, CALL_MEDIA } CallMedium;
typedef enum { CALL_EXPIRED, CALL_FULL, CALL_FRAME, CALL_OLD, CALL_CAUSES } CallCause;

typedef struct {                        /* of an RTP header */
  guint32 ssrc, timestamp;
  guint16 seq;
  gboolean extra;                       /* the controller's: padding or parity, no media */
  guint size;                           /* on the wire, B */
} CallPacket;

/* What elements say at the end of a bin; NAN and "" where nobody knows. */
typedef struct {
  double capacity, target, encoder;     /* bit/s */
  double rtt, queue;                    /* ms */
  double reported_loss;                 /* 0..1, as the sender hears it: of all packets, as
                                         * last reported; with TFRC its loss event rate */
  double threshold, estimate;           /* of the over-use detector */
  char state[16], usage[16];
  /* the circuit breaker's, of the video: bit/s, bit/s, 0..1, ms */
  double breaker_sent, breaker_tcp, breaker_limit, breaker_loss, breaker_rtt;
  char breaker[16];
  double fec;                           /* bit/s of parity, of the target */
  double dropped[CALL_CAUSES];          /* packets that the mux has dropped so far */
  double sent_again;                    /* packets that were asked for, so far */
} CallSnapshot;

typedef struct {                        /* a row of samples.csv */
  double time;                          /* s, end of the bin */
  double sent, received;                /* bit/s on the wire */
  double owd, owd_p95;                  /* ms */
  RccLosses media;
  gboolean knows_offered, knows_left, knows_lost; /* of it offered and unsent; left; the rest */
  double psnr;
  gboolean frozen;
  double wait[CALL_MEDIA];              /* ms in the mux, mean of what left it */
  double on_time[CALL_MEDIA];           /* 0..1 of what came to the mux */
  CallSnapshot seen;
} CallSample;

typedef struct {
  double time;                          /* s, when the reference was taken */
  guint64 number;
  double psnr, psnr_y, ssim;            /* ssim NAN: not measured */
  gboolean frozen;
  guint size;                           /* bytes when coded; 0: never was */
} CallFrame;

typedef struct {
  RccLosses media;                      /* the sum of all rows: without the last second, of
                                         * which some may be on its way */
  double owd_mean, owd_p95, owd_max;    /* ms */
  double psnr;                          /* mean of the frames */
  guint64 frames, frozen;
  double longest_freeze;                /* s */
  double wait[CALL_MEDIA], on_time[CALL_MEDIA];         /* as in CallSample */
} CallTotals;

typedef struct _CallSamples CallSamples;

/* Which ends can be seen: sent packets, received ones, or both. */
CallSamples *call_samples_new (gboolean sees_sent, gboolean sees_received);
void call_samples_free (CallSamples *s);

/* Comes to the mux, leaves it. */
void call_samples_coded (CallSamples *s, GstClockTime now, const CallPacket *packet,
    CallMedium medium);
void call_samples_chosen (CallSamples *s, GstClockTime now, const CallPacket *packet);
void call_samples_sent (CallSamples *s, GstClockTime now, const CallPacket *packet);
void call_samples_received (CallSamples *s, GstClockTime now, const CallPacket *packet);
void call_samples_frame (CallSamples *s, const CallFrame *frame);
/* Fills all bins that ended up to @now and have none yet. */
void call_samples_snapshot (CallSamples *s, GstClockTime now, const CallSnapshot *seen);

/* The next row that is complete at @now; GST_CLOCK_TIME_NONE: of all that have a
 * snapshot. */
gboolean call_samples_next (CallSamples *s, GstClockTime now, CallSample *row);
/* Bins within [from, to) as if they were one; rates and losses as far as known. */
void call_samples_between (CallSamples *s, GstClockTime from, GstClockTime to,
    CallSample *row);
void call_samples_totals (CallSamples *s, CallTotals *totals);
/* Beside a reference without a clock a frame is scored when it or a later one has come.  Where
 * nothing has for so many s at the end, the picture stood still, and is not scored. */
void call_totals_stand (CallTotals *t, double seconds, gint fps);

/* The smallest value that the share of the values does not exceed; NAN of none.
 * Sorts. */
double call_percentile (GArray *floats, double share);

typedef struct {
  const char *name, *unit;              /* units of tools/report.py */
  double value;                         /* NAN: not known */
} CallFigure;

#endif
