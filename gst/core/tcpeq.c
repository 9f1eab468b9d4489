/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 4.3, RFC 5348 3.1. Sarker, Singh and Perkins' paper on LTE prints a "+" after t_RTO in
 * its Eq. 2, and brackets that do not close. Taken at its word, t_RTO alone (0.4 s at R = 0.1 s)
 * outweighs the rest and every flow would be stopped. Both RFCs and Padhye's own paper have the
 * product. Like the RFCs, this leaves out Padhye's min (1, 3 sqrt (3bp/8)).
 */
#include "core/tcpeq.h"

#include <math.h>

#define RTO_RTTS 4.0
#define NEWTON_STEPS 100
#define NEWTON_PRECISION 1e-13          /* of sqrt (p): far below the 1e-9 of p */

/* s / X as a polynomial of q = sqrt (p): near q + far (q^3 + 32 q^7). */
typedef struct {
  double near, far;
} Terms;

static Terms
terms (RccTcpModel model, const RccTcpPath *path)
{
  const double b = path->b > 0 ? path->b : 1.0;
  const double rtt = (double) path->rtt / RCC_SEC;
  const double rto = path->rto ? (double) path->rto / RCC_SEC : RTO_RTTS * rtt;

  return (Terms) {
    .near = rtt * sqrt (2.0 * b / 3.0),
    .far = model == RCC_TCP_PADHYE ? rto * 3.0 * sqrt (3.0 * b / 8.0) : 0,
  };
}

double
rcc_tcp_throughput (RccTcpModel model, const RccTcpPath *path, double p)
{
  const Terms t = terms (model, path);

  if (path->rtt == 0 || !(p > 0))
    return INFINITY;
  return path->packet_size / (sqrt (p) * (t.near + t.far * p * (1.0 + 32.0 * p * p)));
}

/* Convex and rising for q >= 0: Newton from above never overshoots.  Each term alone
 * bounds the root from above, the least of the bounds is near it. */
static double
solve (const Terms *t, double d)
{
  double q = d / t->near;

  if (t->far > 0)
    q = fmin (q, fmin (cbrt (d / t->far), pow (d / (32.0 * t->far), 1.0 / 7.0)));
  for (int i = 0; i < NEWTON_STEPS; i++) {
    const double q2 = q * q, q6 = q2 * q2 * q2;
    const double value = q * (t->near + t->far * (q2 + 32.0 * q6)) - d;
    const double slope = t->near + t->far * (3.0 * q2 + 224.0 * q6);
    const double step = value / slope;

    q -= step;
    if (!(fabs (step) > NEWTON_PRECISION * q))
      break;
  }
  return q;
}

double
rcc_tcp_loss (RccTcpModel model, const RccTcpPath *path, double bytes_per_s)
{
  const Terms t = terms (model, path);
  double q;

  if (path->rtt == 0)
    return 0;
  if (!(bytes_per_s > 0))
    return INFINITY;
  q = solve (&t, path->packet_size / bytes_per_s);
  return q * q;
}
