/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call.h - one call: its pipeline, and what the parts of the program share
 *
 *   source.c    film, camera or test picture  -> raw video and audio, in real time
 *   sender.c    encoders, payloaders, mux, the sending rtpbin
 *   control.c   congestion control at either end, by --cc
 *   rtx.c       NACK and retransmissions at both ends
 *   repair.c    parity decoded at the receiver, and what it was good for
 *   breaker.c   the circuit breaker behind it
 *   transport.c linksim between the ends, or UDP sockets
 *   main.c      one call, or with --call one in each direction
 *   receiver.c  the receiving rtpbin, decoders, PSNR; streams.c what of it is shown
 *   monitor.c   watches all of it, with snapshot.c; samples.c its 200 ms bins, with
 *               punctual.c
 *   machine.c   whether the machine was fast enough
 *   end.c       hangs up; goodbye.c says so more than once
 *   screen.c    progress and summary; report.c the files, describe.c the call as JSON,
 *               about.c what it was made of
 *
 * The picture of the pipeline, R = the RTP session, C = RTCP:
 *
 *   video - framestamp - tee - x264enc - rtpbitrateadapter - rtph264pay - rtprtxsend -+- rtpsbpnmux
 *   audio ----------------- | ----------------- opusenc - rtpopuspay ----+      |
 *                           |                                           rtpgccsender
 *                           |                                               |
 *                           |                                        rtpcircuitbreaker
 *                     psnr.ref_sink                                         |
 *                                                        send_rtpbin -R/C-> transport
 *   psnr.dist_sink - avdec_h264 - rtph264depay - recv_rtpbin - rtpgccreceiver <-R/C-'
 *
 * and receiving rtpbin's C -> rtpgccreceiver -> transport -> rtpsbpnmux -> rtpgccsender ->
 * rtpcircuitbreaker -> sending rtpbin on the way back.  The sending rtpbin's C goes through
 * rtpcircuitbreaker too.  With other congestion control than GCC see control.c.
 */
#ifndef RTPCALL_CALL_H
#define RTPCALL_CALL_H

#include "options.h"

#define CALL_VIDEO_PT 96
#define CALL_AUDIO_PT 97
#define CALL_FEC_PT 98
#define CALL_RTX_PT 99
#define CALL_RTX_SSRC(video) ((video) + 1)      /* of what is sent again */
#define CALL_AUDIO_BPS 32000
#define CALL_ABS_SEND_TIME_ID 3         /* of the RTP header extension */
/* The mux's pads. */
#define CALL_AUDIO_PAD "sink_0"
#define CALL_VIDEO_PAD "sink_1"
#define CALL_UDP_OVERHEAD 28            /* UDP and IPv4, as linksim counts */

typedef struct _CallFilm CallFilm;
typedef struct _CallMachine CallMachine;
typedef struct _CallMonitor CallMonitor;
typedef struct _CallProtector CallProtector;
typedef struct _CallRepair CallRepair;
typedef struct _CallReport CallReport;

typedef struct {                        /* what the circuit breaker has done; breaker.c's */
  guint count;
  double first_at, last_at, reported_at; /* s; of none: 0 */
  const char *reason;                   /* of the last, static */
} CallStops;

typedef struct _Call Call;

struct _Call {
  const CallOptions *options;
  Call *other;                          /* the other direction of a call; NULL: there is none */
  GMainLoop *loop;
  GstElement *pipeline;                 /* owns the elements below; NULL: not there */
  GstElement *decodebin;                /* of a film or a camera */
  GstElement *intake;                   /* the queue before the encoder */
  GstElement *rtx;                      /* keeps what may be asked for; NULL: nothing may */
  GstElement *encoder, *adapter, *video_pay, *audio_pay;
  GstElement *mux, *controller, *breaker, *send_rtpbin;
  GstElement *peer;                     /* the controller, where it is not one of ours */
  GstElement *rtcp_src;                 /* of those, where RTCP leaves; NULL: the session */
  GstElement *link, *estimator, *recv_rtpbin, *psnr;
  CallFilm *film;                       /* NULL: none */
  CallMonitor *monitor;
  CallMachine *machine;                 /* NULL: not started */
  CallProtector *protector;             /* NULL: no parity */
  CallRepair *repair;                   /* NULL: no parity, or only one end of it is here */
  CallReport *report;                   /* NULL: none is wanted */
  GPtrArray *about;                     /* about.h's; of a call that was not built NULL, as */
  char *started;                        /* ... this: ISO 8601 */
  guint32 video_ssrc;                   /* of the sender */
  gboolean hanging_up;
  CallStops stops;
  guint wait_ms;                        /* the longest latency of its jitterbuffers */
  GError *error;                        /* what ended the call early */
};

/* elements.c */

/* A new element in the call's pipeline, with properties as text: "name", "value",
 * ..., NULL.  NULL with one sentence that names the Debian package to install. */
GstElement *call_add (Call *call, GError **error, const char *factory,
    ...) G_GNUC_NULL_TERMINATED;
/* Links src, or a new pad of a tee, to sink, in a row. */
gboolean call_chain (GError **error, GstElement *first, ...) G_GNUC_NULL_TERMINATED;
gboolean call_link (GError **error, GstElement *from, const char *from_pad,
    GstElement *to, const char *to_pad);
/* RTCP goes back to where RTP comes from, and a GstBin complains about cycles of pad
 * links: this carries it across without one. */
gboolean call_bridge (Call *call, GstElement *from, const char *from_pad, GstElement *to,
    const char *to_pad, GError **error);
/* A capsfilter. */
GstElement *call_filter (Call *call, GError **error, const char *format,
    ...) G_GNUC_PRINTF (3, 4);

/* source.c: real-time raw video I420 of the wanted size and rate, and audio of
 * 48 kHz; @audio NULL where none is wanted. */
gboolean call_add_source (Call *call, GstElement **video, GstElement **audio,
    GError **error);
/* What is played here: the input, or at an end that only receives what that is compared with,
 * as fast as it is needed. */
const char *call_film_name (const CallOptions *options);
/* After the pipeline has stopped. */
void call_film_free (CallFilm *film);

/* sender.c, receiver.c; transport.c needs both that are wanted */
gboolean call_add_sender (Call *call, GError **error);
gboolean call_add_receiver (Call *call, GError **error);
gboolean call_add_transport (Call *call, GError **error);
/* The fields of RTP caps that both ends agree on, after the media's own. */
gchar *call_rtp_caps_fields (const CallOptions *options);
/* For the signal request-pt-map of rtpbin; @user_data is the Call. */
GstCaps *call_pt_map (GstElement *rtpbin, guint session, guint pt, gpointer user_data);
/* rtcp-min-interval and bandwidth of session 0. */
void call_set_up_session (Call *call, GstElement *rtpbin);

/* end.c */

/* Main thread.  The session says BYE when its media end. */
void call_hang_up (Call *call);
/* Ends the call, from any thread.  @error is kept if it is the first. */
void call_end (Call *call, GError *error);

#endif
