/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.h - what was asked for on the command line
 */
#ifndef RTPCALL_OPTIONS_H
#define RTPCALL_OPTIONS_H

#include <gst/gst.h>

#include "core/registry/registry.h"

/* Every error of the program is one sentence for the person who started it. */
#define CALL_ERROR (call_error_quark ())
GQuark call_error_quark (void);
gboolean call_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

typedef enum {
  CALL_BOTH,                            /* both ends here, over linksim */
  CALL_SEND, CALL_RECEIVE               /* one end here, over UDP */
} CallMode;

typedef enum {                          /* which element has the controller */
  CALL_NOTHING, CALL_GCC_SENDER, CALL_FBRA_FEC, CALL_MUX,
  CALL_PEER,                            /* somebody else's (peer.h) */
  CALL_SENDER                           /* rtpccsender, by its name */
} CallElement;

typedef enum { CALL_REMB, CALL_TMMBR, CALL_TWCC, CALL_CCFB, CALL_XR } CallFeedback;

typedef struct {
  CallMode mode;
  gchar *host;                          /* of --send and --call */
  guint port;                           /* RTP; RTCP is one higher */
  guint listen;                         /* where the other end of --call sends to; 0: one way */
  gchar *input, *link, *report;
  gchar *reference;                     /* what the other end plays; NULL: nobody says */
  gboolean stamp;                       /* the pictures sent bear their numbers */
  const RccController *cc;
  CallElement element;
  const char *profile;                  /* of rtpgccsender; NULL: it is another */
  const char *variant;                  /* rtpfbrafec's profile, rtpgccbwe's estimator; or NULL */
  CallFeedback feedback;
  const char *feedback_name;            /* NULL: there is none */
  const char *breaker;                  /* its model of TCP; NULL: no breaker */
  const char *scheduler;                /* the mux's mode; NULL: nothing is sent */
  gdouble duration;                     /* s; 0: until interrupted */
  guint min_bps, start_bps, max_bps;    /* all media of the call, RTP headers included */
  const char *repair;                   /* which leads to the next two */
  gboolean rtx;                         /* what is lost is asked for, and sent again */
  gboolean probe_protection;            /* of GCC: probes are filled with it */
  gboolean parity;                      /* protects GCC's video where that takes too long */
  guint fec_protection, fec_interleave; /* parity outside probes; of rtpfbrafec */
  guint video_bps;                      /* of an encoder that does not adapt; 0: it does */
  gint width, height, fps;
  guint gop;                            /* frames from key frame to key frame; 0: on request */
  gint latency_ms, latency_most_ms;     /* of the receiver's wait */
  gint skew_ppm;                        /* of the pipeline's clock */
  gboolean no_audio, no_page, csv, json, show;
  gboolean quiet;                       /* nothing but what --csv and --json print */
  gchar *command;                       /* the line that started us, quoted */
} CallOptions;

/* FALSE with @error, or with @error unset after --help or --version. */
gboolean call_options_parse (CallOptions *options, int argc, char **argv,
    GError **error);
void call_options_clear (CallOptions *options);

#endif
