/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rccell/layout.h"

#include <math.h>

#define SITES 7
#define SECTORS 3
#define APART 500.0                     /* m */
#define NEAREST 35.0
#define POWER_DBM 46.0
#define ANTENNA_DBI 14.0
#define BEAM 70.0                       /* degrees to -3 dB */
#define BACK_DB 20.0
#define WALLS_DB 20.0
#define SHADOW_DB 8.0
#define COMMON 0.5                      /* of its variance, to all sites */
#define NOISE_MW 2.85e-10               /* -174 dBm/Hz, 9 MHz and a noise figure of 9 dB */

typedef struct {
  double x, y;
} Point;

/* Steps of a hexagonal grid. */
static Point
at (int i, int j)
{
  return (Point) { APART * (i + j * 0.5), APART * j * sqrt (0.75) };
}

static Point
site (int k)
{
  static const int around[SITES][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { -1, 1 }, { -1, 0 },
    { 0, -1 }, { 1, -1 } };

  return at (around[k][0], around[k][1]);
}

/* Where the whole cluster lies again: itself and six around it. */
static Point
cluster (int k)
{
  static const int around[SITES][2] = { { 0, 0 }, { 2, 1 }, { -1, 3 }, { -3, 2 }, { -2, -1 },
    { 1, -3 }, { 3, -2 } };

  return at (around[k][0], around[k][1]);
}

/* From the nearest of the site's copies. */
static Point
towards (Point from, int k)
{
  Point best = { 0, 0 };

  for (int c = 0; c < SITES; c++) {
    const Point s = site (k), shift = cluster (c);
    const Point d = { from.x - s.x - shift.x, from.y - s.y - shift.y };

    if (c == 0 || hypot (d.x, d.y) < hypot (best.x, best.y))
      best = d;
  }
  return best;
}

static double
antenna_db (Point d, int sector)
{
  const double off = remainder (atan2 (d.y, d.x) * 180 / M_PI - (30 + 120 * sector), 360);

  return ANTENNA_DBI - fmin (12 * (off / BEAM) * (off / BEAM), BACK_DB);
}

static double
received_mw (Point d, int sector, double shadow_db)
{
  const double km = hypot (d.x, d.y) / 1000;
  const double loss = 128.1 + 37.6 * log10 (km) + WALLS_DB;

  return pow (10, (POWER_DBM + antenna_db (d, sector) - loss - shadow_db) / 10);
}

/* Within the hexagon of one of the sites, which is where that one is the nearest. */
static Point
somewhere (RccRng *rng)
{
  const Point centre = site ((int) (rcc_rng_u32 (rng) % SITES));

  for (;;) {
    const Point p = { centre.x + APART * (rcc_rng_uniform (rng) - 0.5) * 1.2,
      centre.y + APART * (rcc_rng_uniform (rng) - 0.5) * 1.2 };
    double nearest = INFINITY;

    for (int k = 0; k < SITES; k++) {
      const Point d = towards (p, k);

      nearest = fmin (nearest, hypot (d.x, d.y));
    }
    if (hypot (p.x - centre.x, p.y - centre.y) <= nearest && nearest >= NEAREST)
      return p;
  }
}

void
rcc_layout_place (RccPlace *place, RccRng *rng)
{
  const Point p = somewhere (rng);
  const double common = rcc_rng_normal (rng) * sqrt (COMMON);

  *place = (RccPlace) { .x = p.x, .y = p.y };
  for (int k = 0; k < SITES; k++) {
    const double shadow = SHADOW_DB * (common + rcc_rng_normal (rng) * sqrt (1 - COMMON));
    const Point d = towards (p, k);

    for (int s = 0; s < SECTORS; s++) {
      const unsigned cell = (unsigned) (SECTORS * k + s);

      place->power[cell] = received_mw (d, s, shadow);
      if (place->power[cell] > place->power[place->cell])
        place->cell = cell;
    }
  }
}

double
rcc_layout_sinr (const RccPlace *place, const double *load)
{
  double others = NOISE_MW;

  for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++)
    if (k != place->cell)
      others += load[k] * place->power[k];
  return place->power[place->cell] / others;
}
