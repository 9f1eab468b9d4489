/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8593.  Departs from it:
 *  - a transient (section 5.2) follows a change of more than 10 % (section 6.3 of
 *    the hybrid model); a controller that adjusts by 1 % a report would otherwise
 *    keep the encoder in its transient for ever;
 *  - the burst frame K_B, 13.5 KB at 1 Mbit/s and 30 fps, is kept as that multiple of B0 (3.24).
 *    At 150 kbit/s eight frames of 13.5 KB and nothing could not average to the target.
 */
#include "sim/source.h"

#include <stdio.h>
#include <stdlib.h>

#define SCALE 0.15                      /* SCALE_t and SCALE_B */
#define TRANSIENT_FRAMES 8              /* K_d */
#define BURST 3.24                      /* K_B / B0 */
#define TRANSIENT_CHANGE 0.10
#define WRAP_SKIP 20                    /* frames left out when a trace starts over */
#define FRAME_MIN 10
#define EKIGA_LEAST 100                 /* bytes, headers included */
#define EKIGA_BPS 288500                /* 3/4 of the time 356 k, 1/4 of it 86 k */
#define FRAME_MAX 10000000              /* B: 2.4 Gbit/s at 30 frames/s */

RccSourceConfig
rcc_source_config_default (void)
{
  return (RccSourceConfig) {
    .model = RCC_SOURCE_STATISTICAL, .min_bps = 150000, .max_bps = 1500000,
    .fps = 30.0, .reaction = 200 * RCC_MSEC,
  };
}

RccSourceConfig
rcc_source_config_ekiga (void)
{
  return (RccSourceConfig) {
    .model = RCC_SOURCE_EKIGA, .min_bps = EKIGA_BPS, .max_bps = EKIGA_BPS, .fps = 10.0,
  };
}

static bool
read_step (RccLadderStep *step, const char *folder, unsigned kbps)
{
  char path[4096], line[256];
  size_t room = 0;
  FILE *f;

  snprintf (path, sizeof path, "%s/chat_720p_%u.txt", folder, kbps);
  *step = (RccLadderStep) { .bps = kbps * 1000.0 };
  if (!(f = fopen (path, "r")))
    return false;
  while (fgets (line, sizeof line, f)) {
    unsigned size;

    if (sscanf (line, "%*u %*s %*s %*s %u", &size) != 1)
      continue;                         /* comment lines begin with % */
    if (step->n == room) {
      room = room ? 2 * room : 4096;
      step->sizes = realloc (step->sizes, room * sizeof *step->sizes);
    }
    step->sizes[step->n++] = size;
  }
  fclose (f);
  return step->n > WRAP_SKIP;
}

static bool
read_ladder (RccSource *s, char *error, size_t error_size)
{
  static const unsigned kbps[] = { 200, 400, 600, 800, 1000, 1200, 1500, 2000 };
  const char *folder = s->config.traces ? s->config.traces : ".";

  for (size_t i = 0; i < sizeof kbps / sizeof *kbps; i++) {
    if (read_step (&s->ladder[s->n_ladder], folder, kbps[i]))
      s->n_ladder++;
    else
      free (s->ladder[s->n_ladder].sizes);
  }
  if (s->n_ladder == 0)
    snprintf (error, error_size, "%s holds no chat_720p_RATE.txt file: give the "
        "folder of the frame-size traces", folder);
  return s->n_ladder > 0;
}

bool
rcc_source_init (RccSource *s, const RccSourceConfig *config, uint32_t start_bps,
    uint64_t seed, RccTime now, char *error, size_t error_size)
{
  *s = (RccSource) {
    .config = *config, .reacted = RCC_NEVER, .start = now, .next = now,
    .bps = RCC_CLAMP (start_bps, config->min_bps, config->max_bps),
  };
  rcc_rng_init (&s->rng, seed, 0x8593);
  return config->model != RCC_SOURCE_TRACE || read_ladder (s, error, error_size);
}

void
rcc_source_clear (RccSource *s)
{
  for (unsigned i = 0; i < s->n_ladder; i++)
    free (s->ladder[i].sizes);
  s->n_ladder = 0;
}

static double
mean_frame (const RccSource *s)
{
  return s->bps / 8.0 / s->config.fps;
}

void
rcc_source_target (RccSource *s, uint32_t bps, RccTime now)
{
  const double wanted = RCC_CLAMP (bps, s->config.min_bps, s->config.max_bps);
  const double change = wanted / s->bps - 1.0;

  if (wanted == s->bps || s->config.model == RCC_SOURCE_EKIGA
      || (s->reacted != RCC_NEVER && now < s->reacted + s->config.reaction))
    return;
  s->bps = wanted;
  s->reacted = now;
  if (s->config.model != RCC_SOURCE_CONSTANT && !s->config.steady
      && (change > TRANSIENT_CHANGE || change < -TRANSIENT_CHANGE)) {
    s->transient = TRANSIENT_FRAMES;
    s->transient_bytes = TRANSIENT_FRAMES * mean_frame (s);
  }
}

static double
traced_size (RccSource *s)
{
  unsigned hi = 0;
  size_t i;
  double share, a, b;

  while (hi + 1 < s->n_ladder && s->ladder[hi].bps < s->bps)
    hi++;
  i = s->frame < s->ladder[hi].n ? s->frame
      : WRAP_SKIP + (s->frame - s->ladder[hi].n) % (s->ladder[hi].n - WRAP_SKIP);
  s->frame++;
  b = s->ladder[hi].sizes[i];
  if (hi == 0 || s->ladder[hi].bps <= s->bps)   /* outside: scale linearly */
    return b * s->bps / s->ladder[hi].bps;
  a = s->ladder[hi - 1].sizes[i % s->ladder[hi - 1].n];
  share = (s->bps - s->ladder[hi - 1].bps)
      / (s->ladder[hi].bps - s->ladder[hi - 1].bps);
  return a + share * (b - a);
}

static double
ekiga_size (RccSource *s)
{
  const RccTime t = (s->next - s->start) % (20 * RCC_SEC);
  const bool still = t >= 10 * RCC_SEC && t < 15 * RCC_SEC;
  const double size = still ? 1075.0 + 475.0 * rcc_rng_normal (&s->rng)
      : 4450.0 + 1000.0 * rcc_rng_normal (&s->rng);

  return RCC_MAX (size, EKIGA_LEAST);
}

/* Of one frame, so that those of a GOP come to its mean. */
static double
gop_share (const RccSource *s)
{
  const double of = s->config.gop - 1 + s->config.gop_factor;

  if (s->config.gop == 0)
    return 1.0;
  return s->config.gop / of * (s->frames % s->config.gop == 0 ? s->config.gop_factor : 1.0);
}

static double
frame_size (RccSource *s)
{
  double size = mean_frame (s);

  if (s->config.model == RCC_SOURCE_EKIGA)
    return ekiga_size (s);
  if (s->transient == TRANSIENT_FRAMES) {
    size *= BURST;
    s->transient_bytes -= size;
    s->transient--;
    return size;
  }
  if (s->transient > 0)
    size = s->transient_bytes / (TRANSIENT_FRAMES - 1);
  s->transient -= s->transient > 0;
  if (s->config.model == RCC_SOURCE_TRACE && s->transient == 0)
    return traced_size (s);
  if (s->config.model == RCC_SOURCE_STATISTICAL)
    size *= RCC_MAX (1.0 + rcc_rng_laplace (&s->rng, SCALE), 0.1);
  return size * gop_share (s);
}

uint32_t
rcc_source_frame (RccSource *s)
{
  const bool key = s->config.gop > 0 && s->frames % s->config.gop == 0;
  const double least = key ? RCC_MAX (s->config.key_size, FRAME_MIN) : FRAME_MIN;
  const double size = frame_size (s);
  double interval = 1e9 / s->config.fps;

  if (s->config.model == RCC_SOURCE_STATISTICAL)
    interval *= RCC_MAX (1.0 + rcc_rng_laplace (&s->rng, SCALE), 0.1);
  s->next += (RccTime) interval;
  s->frames++;
  return (uint32_t) RCC_CLAMP (size, least, FRAME_MAX);
}
