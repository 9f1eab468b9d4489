/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/controller.h - GCC and RRTCC as rows of the registry
 */
#ifndef RCC_GCC_CONTROLLER_H
#define RCC_GCC_CONTROLLER_H

#include "core/controller.h"

extern const RccController rcc_controller_gcc, rcc_controller_rrtcc;

#endif
