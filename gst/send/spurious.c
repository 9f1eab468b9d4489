/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/spurious.h"

#include "core/rcc.h"

#define MANY 10.0                       /* packets too many: more than reordering makes */
#define FEW 5.0                         /* so few again */
#define REAL 0.02                       /* of what is asked for, lost: less is next to nothing. At
                                         * 1 Mbit/s and 25 spurious requests a second that is 0.4
                                         * % loss. There hearing all and hearing the half that is
                                         * asked for twice give the same PSNR */
#define FORGET 0.5                      /* of both sums, at each report */

void
rcc_spurious_report (RccSpurious *s, int64_t newly_lost)
{
  double excess;

  if (newly_lost == RCC_LOST_UNKNOWN) {
    s->asked = s->lost = 0.0;
    return;
  }
  s->lost += (double) RCC_MAX (newly_lost, 0);
  excess = s->asked - s->lost;
  s->likely = excess > (s->likely ? FEW : MANY) && excess > s->lost;
  s->alone = s->likely && s->lost < (s->alone ? 2 : 1) * REAL * s->asked;
  s->asked *= FORGET;
  s->lost *= FORGET;
}
