/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows.h - the controllers of this tree
 *
 * A new one has its row, rcc_controller_NAME, in gst/core/NAME.c or gst/core/NAME/NAME.c, and
 * its line here.  gst/core/meson.build reads the list, too.  In the name that users write '-' is in
 * the place of '_'.
 */
#ifndef RCC_ROWS_H
#define RCC_ROWS_H

#include "core/controller.h"

/* In the order in which users see them; the first is the default. */
#define RCC_ROWS(ROW) \
  ROW (gcc) \
  ROW (gcc_paper) \
  ROW (rrtcc) \
  ROW (fbra) \
  ROW (cnadu) \
  ROW (tfrc) \
  ROW (nada) \
  ROW (scream)

#define RCC_ROW_DECLARE(name) extern const RccController rcc_controller_##name;
RCC_ROWS (RCC_ROW_DECLARE)
#undef RCC_ROW_DECLARE

#endif
