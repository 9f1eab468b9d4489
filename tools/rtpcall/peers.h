/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * peers.h - somebody else's congestion control, by the name of its element
 */
#ifndef RTPCALL_PEERS_H
#define RTPCALL_PEERS_H

#include <gst/gst.h>

#include "core/controller.h"
#include "wire/ccfb.h"

#define CALL_PEER_NAMES "rtpgccbwe, screamtx"
#define CALL_PEER_ESTIMATORS "rtpgccbwe"        /* has a choice of them */

typedef struct {
  RccController row;                    /* for --cc, which reads name and feedbacks; no core of ours */
  const char *estimate;                 /* its property, a guint */
  double unit;                          /* bit/s */
  const char *advice;                   /* where it is missing */
} CallPeer;

/* NULL: it is not one of them. */
const CallPeer *call_peer_find (const char *name);

/* @packet, of which @ccfb was parsed, becomes what screamtx reads: RFC 8888 3.1 as it was before
 * erratum 8166, where num_reports is one less than there are. FALSE: a block has none, which cannot be
 * said so, or is malformed, which screamtx would read past the end. */
gboolean call_peer_scream_ccfb (guint8 *packet, const RccCcfb *ccfb);

#endif
