/* SPDX-License-Identifier: GPL-2.0-only
 *
 * world.h - the media endpoints of tools/rccns3, as C++ sees them
 */
#ifndef RCC_SIM_WORLD_H
#define RCC_SIM_WORLD_H

extern "C" {
#include "sim/options.h"
#include "sim/summary.h"
#include "sim/world.h"
}

#include <stdexcept>
#include <string>

namespace sim {

/* What went wrong, in one plain sentence; ends the program with 1. */
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace sim

#endif
