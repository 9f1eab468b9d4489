/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/settings.h"
#include "core/sbpn/owd.h"

static const RccChoice mode_values[] = {
  { RCC_SBPN_FIFO, "In order of arrival", "fifo" },
  { RCC_SBPN_1, "By priority and expiry; what would come too late is dropped", "sbpn1" },
  { RCC_SBPN_2, "The same, but what is alone in the queue is sent", "sbpn2" },
  { RCC_SBPN_3, "Expired packets are dropped only where room is short, and go when nothing is "
    "live", "sbpn3" },
  { RCC_SBPN_WEIGHTED, "The same, by priority and slack together; nobody starves", "weighted" },
  RCC_CHOICES_END
};

const RccChoices rcc_sbpn_modes = { "SbpnMuxMode", mode_values };

static const RccChoice one_way_delay_values[] = {
  { RCC_SBPN_OWD_MEASURED, "The one-way delay that feedback per packet shows; RTT / 2 where there "
    "is none", "measured" },
  { RCC_SBPN_OWD_HALF_RTT, "RTT / 2, as the SBPN paper has it", "half-rtt" },
  RCC_CHOICES_END
};

const RccChoices rcc_sbpn_one_way_delays = { "SbpnMuxOneWayDelay", one_way_delay_values };

const RccSetting rcc_sbpn_settings[] = {
  RCC_SETTING (RccSbpnConfig, priority_weight, "priority-weight", RCC_SET_TIME, true, "ns",
      0, RCC_FOREVER, "Mode weighted: how much sooner a packet has to expire, to go before "
      "one of the next higher priority; 0: by expiry alone", NULL),
  RCC_SETTING (RccSbpnConfig, deficit_limit, "deficit-limit", RCC_SET_U32, true, "B", 0, UINT32_MAX,
      "Mode weighted: how far a pad may fall behind its share, by weight, of what leaves, before "
      "it goes first whatever waits elsewhere", NULL),
  RCC_SETTINGS_END
};
