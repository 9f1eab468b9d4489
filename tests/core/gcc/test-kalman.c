/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <string.h>
#include <glib.h>
#include "core/gcc/kalman.h"
#include "core/rng.h"

static RccGroupDelta
delta (double d_ms, double gap_ms, gint64 d_size)
{
  return (RccGroupDelta) {
    .d_send = (gint64) (gap_ms * 1e6), .d_size = d_size,
    .d_arrival = (gint64) ((gap_ms + d_ms) * 1e6),
  };
}

static double
feed (RccKalman *k, double d_ms, double gap_ms, guint n)
{
  const RccGroupDelta d = delta (d_ms, gap_ms, 0);

  while (n--)
    rcc_kalman_update (k, &d);
  return k->m;
}

static void
converges_to_a_constant_gradient (void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    RccKalman k;

    rcc_kalman_init (&k);
    g_assert_cmpfloat (sign * feed (&k, sign * 2.0, 33.0, 1), >, 0);
    g_assert_cmpfloat_with_epsilon (feed (&k, sign * 2.0, 33.0, 1500), sign * 2.0, 0.02);
  }
}

/* Draft 5.3: the outlier filter is of the noise; clip_state has it in the state, too. */
static void
clips_outliers_on_both_sides (void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int state = 0; state < 2; state++) {
      const double takes = state ? 3.0 : 1000.0;
      double gain;
      RccKalman k;

      rcc_kalman_init (&k);
      k.clip_state = state;
      feed (&k, 0, 33, 1500);           /* var is down to its floor of 1 ms^2 */
      g_assert_cmpfloat (k.var, ==, 1.0);
      feed (&k, sign * 1000.0, 33, 1);
      g_assert_cmpfloat_with_epsilon (k.var, 0.99 + 0.01 * 9, 1e-3);
      gain = k.e / k.var;               /* e = (1 - K) (e + q), K = (e + q) / (var + e + q) */
      g_assert_cmpfloat_with_epsilon (sign * k.m, takes * gain, 1e-9 * takes);
    }
  }
}

/* Bursts of small negative variations between large positive ones, as channel outages
 * make them, have a mean of 0.  A state that clips them has not: the large ones count for
 * less, and over-use is hardly ever seen. */
static void
clipping_is_a_bias_where_outliers_have_one_sign (void)
{
  double m[2];

  for (int clips = 0; clips < 2; clips++) {
    double sum = 0;
    RccKalman k;

    rcc_kalman_init (&k);
    k.clip_state = clips;
    for (guint i = 0; i < 200; i++) {
      sum += feed (&k, -5.0, 5, 20);
      sum += feed (&k, 100.0, 105, 1);
    }
    m[clips] = sum / 400;
  }
  g_assert_cmpfloat (fabs (m[0]), <, 0.5);
  g_assert_cmpfloat (m[1], <, -0.5);
}

static void
noise_adapts (void)
{
  RccKalman k;
  RccRng r;

  rcc_rng_init (&r, 5, 5);
  rcc_kalman_init (&k);
  for (guint i = 0; i < 3000; i++)
    feed (&k, 4.0 * rcc_rng_normal (&r), 33, 1);
  g_assert_cmpfloat (k.var, >, 10);
  g_assert_cmpfloat (k.var, <, 25);
  g_assert_cmpfloat (fabs (k.m), <, 1);
  for (guint i = 0; i < 3000; i++)
    feed (&k, 1.5 * rcc_rng_normal (&r), 33, 1);
  g_assert_cmpfloat (k.var, <, 4);
}

/* draft-ietf-rmcat-gcc-02 5.3: alpha = (1 - chi)^(30 / (1000 f_max)), seen through
 * the variance when the residual is 0. */
static void
alpha (double gap, double exponent)
{
  RccKalman k;

  rcc_kalman_init (&k);
  feed (&k, 0, gap, 1);
  g_assert_cmpfloat_with_epsilon (k.var / 50.0, pow (0.99, exponent), 1e-6);
}

static void
forgets_by_time_not_by_group (void)
{
  alpha (1000.0 / 30, 1.0);
  alpha (5.0, 0.15);
}

static void
goes_by_the_fastest_of_the_last_groups (void)
{
  RccKalman k;
  double var;

  rcc_kalman_init (&k);
  feed (&k, 0, 5, 1);
  feed (&k, 0, 100.0 / 3, 58);
  var = k.var;
  feed (&k, 0, 100.0 / 3, 1);           /* the 60th: 5 ms is still among them */
  g_assert_cmpfloat_with_epsilon (k.var / var, pow (0.99, 0.15), 1e-6);
  var = k.var;
  feed (&k, 0, 100.0 / 3, 1);
  g_assert_cmpfloat_with_epsilon (k.var / var, 0.99, 1e-6);
}

static void
send_deltas_of_nothing_are_survived (void)
{
  RccKalman k;

  rcc_kalman_init (&k);
  feed (&k, 1, 0, 100);
  feed (&k, 1, -3, 100);
  g_assert_true (isfinite (k.m) && isfinite (k.var) && k.var >= 1);
}

/* Noise, size variation: d = 0.01 ms a byte; no queue. */
static void
size_goes_to_the_slope (void)
{
  RccKalman2 k;
  RccRng r;
  double worst = 0;

  rcc_rng_init (&r, 2, 2);
  rcc_kalman2_init (&k);
  for (guint i = 0; i < 2000; i++) {
    const gint64 size = (gint64) (8000 * rcc_rng_uniform (&r)) - 4000;
    const RccGroupDelta d = delta (0.01 * size + 0.5 * rcc_rng_normal (&r), 33, size);

    rcc_kalman2_update (&k, &d, 0);
    if (i > 200)
      worst = RCC_MAX (worst, fabs (k.m));
  }
  g_assert_cmpfloat_with_epsilon (k.slope, 0.01, 0.001);
  g_assert_cmpfloat (worst, <, 0.5);    /* where single sizes move d by 40 ms */
}

static void
a_queue_goes_to_the_offset (void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    const RccGroupDelta d = delta (sign * 2.0, 33, 0);
    RccKalman2 k;

    rcc_kalman2_init (&k);
    for (guint i = 0; i < 1500; i++)
      rcc_kalman2_update (&k, &d, 0);
    g_assert_cmpfloat_with_epsilon (k.m, sign * 2.0, 0.05);
    g_assert_cmpfloat_with_epsilon (k.slope, 8.0 / 512, 1e-9);
  }
}

static void
noise_is_learnt_in_normal_use_only (void)
{
  const RccGroupDelta d = delta (30, 33, 100);
  RccKalman2 k;
  double var;

  rcc_kalman2_init (&k);
  var = k.var;
  rcc_kalman2_update (&k, &d, +1);
  rcc_kalman2_update (&k, &d, -1);
  g_assert_cmpfloat (k.var, ==, var);
  rcc_kalman2_update (&k, &d, 0);
  g_assert_cmpfloat (k.var, !=, var);
}

/* When state and detector disagree the offset may move faster. */
static void
disagreement_opens_the_filter (void)
{
  const RccGroupDelta up = delta (5, 33, 0), down = delta (-20, 33, 0);
  RccKalman2 agree, disagree;

  rcc_kalman2_init (&agree);
  for (guint i = 0; i < 300; i++)
    rcc_kalman2_update (&agree, &up, 0);
  rcc_kalman2_update (&agree, &down, 0);
  disagree = agree;
  rcc_kalman2_update (&agree, &down, -1);
  rcc_kalman2_update (&disagree, &down, +1);
  g_assert_cmpfloat (disagree.e[1][1], >, agree.e[1][1]);
}

static void
covariance_stays_positive_definite (void)
{
  RccKalman2 k;
  RccRng r;

  rcc_rng_init (&r, 9, 9);
  rcc_kalman2_init (&k);
  for (guint i = 0; i < 1000000; i++) {
    const guint32 kind = rcc_rng_u32 (&r);
    const double scale = kind & 1 ? 5 : kind & 2 ? 100 : 5000;
    const gint64 size = kind & 4 ? 0
        : (gint64) ((rcc_rng_uniform (&r) - 0.5) * (kind & 8 ? 3000 : 2e6));
    const RccGroupDelta d = delta (scale * rcc_rng_normal (&r),
        200 * rcc_rng_uniform (&r) - 1, size);

    rcc_kalman2_update (&k, &d, (int) (kind >> 8) % 3 - 1);
    g_assert_true (isfinite (k.m) && isfinite (k.slope) && isfinite (k.var));
    g_assert_cmpfloat (k.var, >=, 1);
    g_assert_cmpfloat (k.e[0][0], >, 0);
    g_assert_cmpfloat (k.e[1][1], >, 0);
    g_assert_cmpfloat (k.e[0][0] * k.e[1][1] - k.e[0][1] * k.e[1][0], >, 0);
  }
}

/* libwebrtc's overuse_estimator.cc, with matrices: x = (slope, offset), z = h x + noise,
 * h = (size, 1). */
typedef struct {
  double x[2], p[2][2], mean, var, before;
  guint n;
} Estimator;

static double
estimate (Estimator *f, double z, double size, double gap, int drift)
{
  const double h[2] = { size, 1 }, sigma = sqrt (f->var);
  const double alpha = pow (1 - (f->n++ > 300 ? 0.002 : 0.01), 30 * gap * 1e-3);
  const double residual = z - h[0] * f->x[0] - h[1] * f->x[1];
  const double noise = RCC_CLAMP (residual, -3 * sigma, 3 * sigma);
  double ph[2], s, k[2], p[2][2];

  f->p[0][0] += 1e-13;
  f->p[1][1] += 1e-3 + (((drift > 0 && f->x[1] < f->before) || (drift < 0
              && f->x[1] > f->before)) ? 1e-2 : 0);
  if (drift == 0) {
    const double off = noise - f->mean;

    f->mean = alpha * f->mean + (1 - alpha) * noise;
    f->var = MAX (alpha * f->var + (1 - alpha) * off * off, 1);
  }
  for (int i = 0; i < 2; i++)
    ph[i] = f->p[i][0] * h[0] + f->p[i][1] * h[1];
  s = h[0] * ph[0] + h[1] * ph[1] + f->var;
  for (int i = 0; i < 2; i++)
    k[i] = ph[i] / s;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      p[i][j] = f->p[i][j] - k[i] * ph[j];
  memcpy (f->p, p, sizeof p);
  f->before = f->x[1];
  f->x[0] += k[0] * residual;
  f->x[1] += k[1] * residual;
  return f->x[1];
}

static void
is_the_estimator_by_matrices (void)
{
  Estimator f = { .x = { 8.0 / 512, 0 }, .p = { { 100, 0 }, { 0, 0.1 } }, .var = 50 };
  RccKalman2 k;
  RccRng r;

  rcc_rng_init (&r, 4, 4);
  rcc_kalman2_init (&k);
  for (guint i = 0; i < 2000; i++) {
    const double z = 1.5 + (i % 500 > 400 ? 8 : 0) + 2 * rcc_rng_normal (&r);
    const gint64 size = (gint64) (2000 * rcc_rng_uniform (&r)) - 1000;
    const int drift = i % 500 < 300 ? 0 : (int) (i % 3) - 1;
    const RccGroupDelta d = delta (z + 0.004 * size, 25, size);

    g_assert_cmpfloat_with_epsilon (rcc_kalman2_update (&k, &d, drift),
        estimate (&f, rcc_group_variation_ms (&d), size, 25, drift), 1e-6);
    g_assert_cmpfloat_with_epsilon (k.var, f.var, 1e-6);
    g_assert_cmpfloat_with_epsilon (k.slope, f.x[0], 1e-9);
  }
}

/* Groups that left at once, or out of order, tell no interval: it stays what it was, and is
 * 30 groups a second where it is not known. */
static void
no_send_delta_is_no_interval (void)
{
  RccKalman k;
  double var;

  alpha (0.0, 0.99);
  alpha (-3.0, 0.99);
  rcc_kalman_init (&k);
  feed (&k, 0, 5, 1);
  var = k.var;
  feed (&k, 0, 0, 1);
  g_assert_cmpfloat_with_epsilon (k.var / var, pow (0.99, 0.15), 1e-6);
}

/* The very first groups: there is no state that the detector could disagree with. */
static void
a_state_that_has_not_moved_disagrees_with_nobody (void)
{
  for (int drift = -1; drift <= 1; drift += 2) {
    Estimator f = { .x = { 8.0 / 512, 0 }, .p = { { 100, 0 }, { 0, 0.1 } }, .var = 50 };
    const RccGroupDelta d = delta (2.0, 25, 0);
    RccKalman2 k;

    rcc_kalman2_init (&k);
    g_assert_cmpfloat_with_epsilon (rcc_kalman2_update (&k, &d, drift),
        estimate (&f, 2.0, 0, 25, drift), 1e-9);
    g_assert_cmpfloat_with_epsilon (k.e[1][1], f.p[1][1], 1e-9);
  }
}

/* Draft 5.3, line by line: z, alpha, var_v_hat, k, m_hat, e; groups of 40 ms. */
static void
is_the_filter_of_the_draft (void)
{
  const double a = pow (0.99, 30 * 0.04), q = 1e-3;
  double m = 0, e = 0.1, var = 50;
  RccKalman k;
  RccRng r;

  rcc_rng_init (&r, 6, 1);
  rcc_kalman_init (&k);
  for (guint i = 0; i < 500; i++) {
    const double burst = i % 40 == 39 ? 100 : 0;
    const RccGroupDelta d = delta (2 * rcc_rng_normal (&r) + (i > 250 ? 3 : 0) + burst, 40, 300);
    const double z = rcc_group_variation_ms (&d) - m;
    const double v = RCC_CLAMP (z, -3 * sqrt (var), 3 * sqrt (var));
    double gain;

    var = MAX (a * var + (1 - a) * v * v, 1);
    gain = (e + q) / (var + e + q);
    m += gain * z;
    e = (1 - gain) * (e + q);
    g_assert_cmpfloat_with_epsilon (rcc_kalman_update (&k, &d), m, 1e-9);
    g_assert_cmpfloat_with_epsilon (k.var, var, 1e-9);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-kalman/converges-to-a-constant-gradient",
      converges_to_a_constant_gradient);
  g_test_add_func ("/gcc-kalman/clips-outliers-on-both-sides", clips_outliers_on_both_sides);
  g_test_add_func ("/gcc-kalman/clipping-bias",
      clipping_is_a_bias_where_outliers_have_one_sign);
  g_test_add_func ("/gcc-kalman/noise-adapts", noise_adapts);
  g_test_add_func ("/gcc-kalman/forgets-by-time-not-by-group", forgets_by_time_not_by_group);
  g_test_add_func ("/gcc-kalman/goes-by-the-fastest-of-the-last-groups",
      goes_by_the_fastest_of_the_last_groups);
  g_test_add_func ("/gcc-kalman/send-deltas-of-nothing-are-survived",
      send_deltas_of_nothing_are_survived);
  g_test_add_func ("/gcc-kalman/size-goes-to-the-slope", size_goes_to_the_slope);
  g_test_add_func ("/gcc-kalman/a-queue-goes-to-the-offset", a_queue_goes_to_the_offset);
  g_test_add_func ("/gcc-kalman/noise-is-learnt-in-normal-use-only",
      noise_is_learnt_in_normal_use_only);
  g_test_add_func ("/gcc-kalman/disagreement-opens-the-filter",
      disagreement_opens_the_filter);
  g_test_add_func ("/gcc-kalman/covariance-stays-positive-definite",
      covariance_stays_positive_definite);
  g_test_add_func ("/gcc-kalman/is-the-estimator-by-matrices", is_the_estimator_by_matrices);
  g_test_add_func ("/gcc-kalman/no-send-delta-is-no-interval", no_send_delta_is_no_interval);
  g_test_add_func ("/gcc-kalman/a-state-that-has-not-moved-disagrees-with-nobody",
      a_state_that_has_not_moved_disagrees_with_nobody);
  g_test_add_func ("/gcc-kalman/is-the-filter-of-the-draft", is_the_filter_of_the_draft);
  return g_test_run ();
}
