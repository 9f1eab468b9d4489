/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrareceiver/settings.h"

#define S GstRtpCcFbraReceiverSettings
#define SWITCH(member, name, text, source) \
  RCC_SETTING (S, member, name, RCC_SET_BOOL, true, "", 0, 1, text, source)

static const RccSetting rows[] = {
  RCC_SETTING (S, feedback.avpf.interval, "feedback-interval", RCC_SET_TIME, true, "ns",
      GST_MSECOND, 60.0 * GST_SECOND,
      "Least time between regular reports; two round trips where those are longer", "RFC 4585"),
  RCC_SETTING (S, feedback.avpf.share, "rtcp-fraction", RCC_SET_DOUBLE, true, "", 0.001, 1,
      "Share of the bandwidth received that reports may take", "RFC 3550 6.2: 0.05"),
  SWITCH (feedback.avpf.early, "early",
      "Report the first loss or late packet after a regular report at once", "RFC 4585 3.5.2"),
  SWITCH (feedback.receipt_times, "receipt-times",
      "Report when each packet came, in four bytes each, where the caps have a clock-rate",
      "RFC 3611 4.3"),
  RCC_SETTING (S, feedback.max_delay, "max-delay", RCC_SET_TIME, true, "ns", GST_MSECOND,
      10.0 * GST_SECOND,
      "Time that a packet may be under way before it is late and reported as discarded",
      "the paper's d_max: 400 ms"),
  SWITCH (drop_late, "drop-late",
      "Drop late packets, parity and retransmissions too; else only report them", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = { { rows, 0 }, { NULL, 0 } };

static void
init (gpointer settings)
{
  *(S *) settings = (S) {
    .feedback = { .avpf = { 100 * GST_MSECOND, 0.05, true }, .max_delay = 400 * GST_MSECOND,
      .receipt_times = TRUE },
    .drop_late = true,
  };
}

const GstRtpCcSettings gst_rtp_cc_fbra_receiver_settings = {
  sizeof (S), init, properties, NULL, 0
};
