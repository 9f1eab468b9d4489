/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/tfrc/tfrc.h"

static const RccChoice form_values[] = {
  { RCC_TFRC_RFC5348, "RFC 5348", "rfc5348" },
  { RCC_TFRC_RFC3448, "RFC 3448, as the SBPN paper had it", "rfc3448" },
  RCC_CHOICES_END
};
static const RccChoices forms = { "TfrcForm", form_values };

#define ROW(member, name, type, unit, most, text, source) \
  RCC_SETTING (RccTfrcConfig, member, name, type, false, unit, 0, most, text, source)
#define SWITCH(member, name, text, source) \
  ROW (member, name, RCC_SET_BOOL, "", 1, text, source)

const RccSetting rcc_tfrc_settings[] = {
  RCC_SETTING_CHOICE (RccTfrcConfig, form, "tfrc-form", false, &forms,
      "Which document TFRC follows", "RFC 5348"),
  ROW (packet_size, "tfrc-packet-size", RCC_SET_U32, "B", 65535,
      "Packet size s; 0: the mean of what is sent", "RFC 5348 4.1"),
  ROW (mss, "tfrc-mss", RCC_SET_U32, "B", 65535, "Largest packet, for the initial window",
      "RFC 5348 4.2"),
  SWITCH (damping, "tfrc-damping", "Lower the rate while the round trip grows", "RFC 5348 4.5"),
  SWITCH (discounting, "tfrc-discounting", "Give old loss intervals less weight after a long one",
      "RFC 5348 5.5"),
  SWITCH (faster_restart, "tfrc-faster-restart",
      "After a pause return sooner to a rate that was received before it",
      "draft-ietf-dccp-tfrc-faster-restart"),
  RCC_SETTINGS_END
};
