/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packet-trace.h - every media packet of a flow from its departure to its end, for the figures
 * of fecmetrics.h
 *
 * Told from outside both ends, so it knows what neither of them does.  It also keeps the
 * newest packets' bytes: what parity gave back has to be what was sent.
 */
#ifndef RCC_WORLD_PACKET_TRACE_H
#define RCC_WORLD_PACKET_TRACE_H

#include "core/fbra/fecmetrics.h"
#include "core/seq.h"
#include "sim/packet.h"

#define RCC_PACKET_TRACE_COPIES 256

typedef struct {
  uint64_t frame;
  uint32_t size;
  bool covered;                         /* parity that protects it has left */
  RccTime sent, received, mended;       /* RCC_NEVER: did not */
} RccTracedPacket;

typedef struct {
  RccTime d_max;                        /* what takes longer is of no use */
  RccTracedPacket *packets;             /* by number, from the first */
  size_t n, room;
  int64_t first;
  RccUnwrap unwrap;
  struct {
    uint16_t seq, size;
    uint8_t data[RCC_WORLD_MTU];
  } copies[RCC_PACKET_TRACE_COPIES];
  uint64_t wrong;                       /* given back, and not what was sent */
  RccFecMetrics metrics;
} RccPacketTrace;

void rcc_packet_trace_init (RccPacketTrace *t, RccTime d_max);
void rcc_packet_trace_clear (RccPacketTrace *t);
/* A media or parity packet is put on the link. */
void rcc_packet_trace_sent (RccPacketTrace *t, const RccDatagram *d, RccTime now);
/* A media packet came. */
void rcc_packet_trace_received (RccPacketTrace *t, uint16_t seq, RccTime now);
/* Parity gave back these bytes. */
void rcc_packet_trace_mended (RccPacketTrace *t, RccBytes packet, RccTime now);
/* Works t->metrics out over all packets that left before @end; once, within 30 s of what
 * was sent last.  What may still be under way then is left out. */
void rcc_packet_trace_close (RccPacketTrace *t, RccTime span, RccTime end);

#endif
