/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrc/controller.h - TFRC as a row of the registry
 */
#ifndef RCC_TFRC_CONTROLLER_H
#define RCC_TFRC_CONTROLLER_H

#include "core/controller.h"

extern const RccController rcc_controller_tfrc;

#endif
