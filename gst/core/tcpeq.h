/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tcpeq.h - what a bulk TCP Reno connection would achieve over a path
 *
 * Mathis: s / (R sqrt (2bp/3)); Padhye (RFC 8083 4.3, RFC 5348 3.1):
 * s / (R sqrt (2bp/3) + t_RTO (3 sqrt (3bp/8)) p (1 + 32 p^2)).
 */
#ifndef RCC_TCPEQ_H
#define RCC_TCPEQ_H

#include "core/rcc.h"

typedef enum { RCC_TCP_MATHIS, RCC_TCP_PADHYE } RccTcpModel;

typedef struct {
  double packet_size;                   /* s, bytes; > 0 */
  RccTime rtt;                          /* R */
  RccTime rto;                          /* t_RTO; 0: 4 R (RFC 8083 3) */
  double b;                             /* packets that one ACK acknowledges; 0: 1 */
} RccTcpPath;

/* Bytes per second at loss event rate @p (0..1); infinite where @p or R is 0. */
double rcc_tcp_throughput (RccTcpModel model, const RccTcpPath *path, double p);

/* The loss event rate at which that is @bytes_per_s (> 0), to a relative 1e-9. It may be above 1
 * (no loss slows TCP down so far), and is 0 where R is 0. */
double rcc_tcp_loss (RccTcpModel model, const RccTcpPath *path, double bytes_per_s);

#endif
