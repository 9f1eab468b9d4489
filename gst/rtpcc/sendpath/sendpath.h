/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/sendpath.h - from an element's sink pads over the send path to its source pad
 *
 * The one place where pads, events and the task that sleeps and pushes meet gst/send, which
 * decides what leaves when. A packet that finds nothing queued, nobody pushing and the pacer
 * willing passes straight through in its own thread. The rest queues, and the source pad's task
 * lets it out when it is due. What is queued is guarded by the driver's lock; nothing is locked
 * across a push.
 *
 * A serialised event leaves when the packets of the same class that came before it have gone. So
 * it keeps its place in its stream. EOS leaves when all sink pads have ended and nothing is
 * queued. A flush takes what its pad has queued, and goes on downstream when all pads are
 * flushing.
 */
#ifndef GST_RTP_CC_SEND_H
#define GST_RTP_CC_SEND_H

#include <stdatomic.h>

#include "rtpcc/common/driver.h"
#include "rtpcc/common/wakeup.h"
#include "rtpcc/sendpath/fecpad.h"
#include "send/clusters.h"
#include "send/path.h"
#include "wire/sendtime-finder.h"

#define GST_RTP_CC_SEND_ENTRIES 16384   /* packets that wait at most */

typedef struct _GstRtpCcSend GstRtpCcSend;

typedef struct {                        /* a sink pad; its element private */
  GstRtpCcSend *send;
  guint k;                              /* its number */
  GstPad *pad;                          /* borrowed; NULL: there is none */
  RccMedia media;
  guint32 clock_rate;                   /* Hz; 0: unknown */
  gboolean inter;                       /* a codec whose frames build upon others */
  GstClockTime expiry;                  /* after arrival; GST_CLOCK_TIME_NONE: never */
  guint8 abs_id, transport_id;          /* of the header extensions; 0: none */
  guint32 ssrc;                         /* of the caps; 0: they name none */
  gboolean extends;                     /* they name an extension that measures */
  gboolean eos, flushing;
} GstRtpCcSendInput;

typedef struct {
  /* With the core locked, something is about to be pushed: the events that have to go
   * first, 3 at most.  NULL: there never are any. */
  guint (*before) (GstElement *element, GstEvent **events);
  /* With the core locked: the segment has to go again, or (@stream) all that begins a
   * stream.  NULL: sink pads' events do. */
  void (*again) (GstElement *element, gboolean stream);
  /* With the core locked, packets have come: what is to be set before they leave. */
  void (*adjust) (GstElement *element);
  /* With the core locked: what of RCC_PACKET_* parity that left at @sent has, which may be
   * now (@leaves). */
  guint32 (*mark) (GstElement *element, RccTime sent, gboolean leaves);
} GstRtpCcSendFuncs;

typedef struct {                        /* parity that goes behind what is pushed */
  GstBuffer *buffer;                    /* NULL: there is none, or more than one */
  GstBufferList *list;
  gboolean apart;                       /* by ->fec */
} GstRtpCcSendTail;

struct _GstRtpCcSend {
  GstElement *element;
  GstPad *src;
  GstRtpCcDriver *driver;
  const GstRtpCcSendFuncs *funcs;
  GstRtpCcFecPad *fec;                  /* the element's; parity of its own stream */
  gboolean passes_extensions;           /* abs-send-time leaves as it came */
  GstRtpCcWakeup *wakeup;               /* of the task, which then looks again */

  /* the driver's lock */
  RccSend path;
  GstRtpCcSendInput inputs[RCC_SEND_PADS];
  GArray *waiting;                      /* serialised events, oldest first */
  GstEvent *eos;                        /* the last that came; NULL: none has */
  gboolean ended;                       /* it has left */
  gboolean flushed;                     /* FLUSH_START has gone downstream */
  gboolean announced;                   /* a packet has left since the start */
  guint8 default_abs_id;                /* where caps name none */
  RccSendTimeFinder finder;             /* where that is 0, too */
  guint header_size;                    /* of the RTP packet that left last */
  guint32 last_ssrc;                    /* of the packet that came last */
  GstClockTime pts, dts;                /* of the buffer that left last */
  RccSendClusters clusters;             /* by the system's clock */

  atomic_int passing;                   /* somebody is pushing; set under the lock */
  atomic_int blocked;                   /* the task waits for that to end */
  gint flow;                            /* atomic: GstFlowReturn of the task's last push */
  GstClockTime max_latency;             /* the element's object lock */
};

/* Sets the source pad's query and activation functions; its event function and adding it
 * are the element's.  @funcs is static, or NULL.  The driver, which drives ->path.sender,
 * is to be set before anything else is called. */
GstRtpCcSend *gst_rtp_cc_send_new (GstElement *element, GstPad *src,
    const GstRtpCcSendFuncs *funcs);
void gst_rtp_cc_send_free (GstRtpCcSend *x);

/* @pad is an input from now on: sets its chain, event, query and activation functions.  Its
 * number; RCC_SEND_PADS: there are so many already. */
guint gst_rtp_cc_send_add (GstRtpCcSend *x, GstPad *pad);
/* Once it is inactive: drops what it has queued. */
void gst_rtp_cc_send_remove (GstRtpCcSend *x, guint k);

/* With the core locked: a new life of the controller.  What is queued stays. */
void gst_rtp_cc_send_begin (GstRtpCcSend *x, const RccSendConfig *config,
    RccSender *controller, RccTime now);
/* With the core locked: lets go what has no room any more. */
void gst_rtp_cc_send_trim_queue (GstRtpCcSend *x, RccTime now);
static inline void
gst_rtp_cc_send_trim (GstRtpCcSend *x, RccTime now)
{
  if (G_UNLIKELY (!rcc_send_is_empty (&x->path)))
    gst_rtp_cc_send_trim_queue (x, now);
}
/* The abs-send-time id to use where caps name none; 0: none. */
void gst_rtp_cc_send_set_abs_send_time_id (GstRtpCcSend *x, guint id);
/* What the source pad adds to the maximum latency. */
void gst_rtp_cc_send_set_max_latency (GstRtpCcSend *x, GstClockTime max_latency);

/* What _add() sets, for sink functions of the element's own. */
GstFlowReturn gst_rtp_cc_send_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer);
GstFlowReturn gst_rtp_cc_send_chain_list (GstPad *pad, GstObject *parent,
    GstBufferList *list);
gboolean gst_rtp_cc_send_sink_event (GstPad *pad, GstObject *parent, GstEvent *event);
gboolean gst_rtp_cc_send_sink_query (GstPad *pad, GstObject *parent, GstQuery *query);
/* Of it, what a stream's start and its caps do, for an element that keeps them. */
void gst_rtp_cc_send_stream_start (GstPad *pad);
void gst_rtp_cc_send_caps (GstPad *pad, const GstCaps *caps);

/* With the core locked. */
void gst_rtp_cc_send_stats (GstRtpCcSend *x, GstStructure *stats);

#endif
