/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/controller.h - FBRA and C-NADU as rows of the registry
 */
#ifndef RCC_FBRA_CONTROLLER_H
#define RCC_FBRA_CONTROLLER_H

#include "core/controller.h"

extern const RccController rcc_controller_fbra, rcc_controller_cnadu;

#endif
