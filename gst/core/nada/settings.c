/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/settings.h"

RccNadaConfig
rcc_nada_config (void)
{
  return (RccNadaConfig) {
    .form = RCC_NADA_RFC8698, .priority = 1.0, .x_ref = 10 * RCC_MSEC, .kappa = 0.5, .eta = 2.0,
    .tau = 500 * RCC_MSEC, .delta = 100 * RCC_MSEC, .log_window = 500 * RCC_MSEC,
    .q_eps = 10 * RCC_MSEC, .d_filt = 120 * RCC_MSEC, .q_bound = 50 * RCC_MSEC,
    .gamma_max = 0.5, .multi_loss = 7.0, .q_th = 50 * RCC_MSEC, .lambda = 0.5,
    .plr_ref = 0.01, .pmr_ref = 0.01, .d_loss = 10 * RCC_MSEC, .d_mark = 2 * RCC_MSEC,
    .fps = 30.0, .alpha = 0.1, .beta_s = 0.1, .beta_v = 0.1,
    .x_max = 500 * RCC_MSEC, .base_horizon = 600 * RCC_SEC,
    .feedback_timeout = 2 * RCC_SEC,
  };
}

void
rcc_nada_settle (RccNadaConfig *config)
{
  if (config->form == RCC_NADA_RFC8698)
    return;
  config->beta_s = config->beta_v = 0.0;
  config->base_horizon = config->feedback_timeout = RCC_NEVER;
}

static const RccChoice form_values[] = {
  { RCC_NADA_RFC8698, "RFC 8698", "rfc8698" },
  { RCC_NADA_NS3_RMCAT, "As the authors' code: no rate-shaping buffer, the least delay of "
      "all times, deaf to missing feedback", "ns3-rmcat" },
  RCC_CHOICES_END
};
static const RccChoices forms = { "NadaForm", form_values };

#define TABLE_2 "RFC 8698 4.1, Table 2"
#define TIME(member, name, least, most, text, source) \
  RCC_SETTING (RccNadaConfig, member, "nada-" name, RCC_SET_TIME, false, "ns", least, most, \
      text, source)
#define NUMBER(member, name, least, most, text) \
  RCC_SETTING (RccNadaConfig, member, "nada-" name, RCC_SET_DOUBLE, false, "", least, most, \
      text, TABLE_2)
#define LEAST_TIME 1e6                  /* what is divided by */
#define MOST_TIME 60e9

const RccSetting rcc_nada_settings[] = {
  RCC_SETTING_CHOICE (RccNadaConfig, form, "nada-form", false, &forms,
      "What NADA follows", "RFC 8698"),
  NUMBER (priority, "priority", 0.01, 100, "PRIO, weight of the flow"),
  TIME (x_ref, "x-ref", 0, MOST_TIME, "XREF, reference congestion level", TABLE_2),
  NUMBER (kappa, "kappa", 0, 10, "KAPPA, of the gradual update"),
  NUMBER (eta, "eta", 0, 100, "ETA, of the gradual update"),
  TIME (tau, "tau", LEAST_TIME, MOST_TIME, "TAU, upper bound of the round trip", TABLE_2),
  TIME (delta, "delta", LEAST_TIME, MOST_TIME, "DELTA, between two updates", TABLE_2),
  TIME (log_window, "log-window", LEAST_TIME, MOST_TIME, "LOGWIN, of the statistics", TABLE_2),
  TIME (q_eps, "q-eps", 0, MOST_TIME, "QEPS, a queuing delay from which on there is no ramp-up",
      TABLE_2),
  TIME (d_filt, "d-filt", 0, MOST_TIME, "DFILT, bound on the filtering delay", TABLE_2),
  NUMBER (gamma_max, "gamma-max", 0, 10, "GAMMA_MAX, most that the ramp-up adds"),
  TIME (q_bound, "q-bound", 0, MOST_TIME, "QBOUND, queue that the ramp-up may build", TABLE_2),
  NUMBER (multi_loss, "multi-loss", 0, 1000, "MULTILOSS, loss intervals until a loss expires"),
  TIME (q_th, "q-th", LEAST_TIME, MOST_TIME, "QTH, a queuing delay from which on it is warped",
      TABLE_2),
  NUMBER (lambda, "lambda", 0, 100, "LAMBDA, of the warping"),
  NUMBER (plr_ref, "plr-ref", 0.0001, 1, "PLRREF, reference loss ratio"),
  NUMBER (pmr_ref, "pmr-ref", 0.0001, 1, "PMRREF, reference marking ratio"),
  TIME (d_loss, "d-loss", 0, MOST_TIME, "DLOSS, penalty for loss at PLRREF", TABLE_2),
  TIME (d_mark, "d-mark", 0, MOST_TIME, "DMARK, penalty for marks at PMRREF", TABLE_2),
  NUMBER (fps, "fps", 0, 1000, "FPS, frame rate of the video"),
  NUMBER (alpha, "alpha", 0, 1, "ALPHA, of the smoothed loss and marking ratios"),
  NUMBER (beta_s, "beta-s", 0, 10, "BETA_S, what waits raises the sending rate"),
  NUMBER (beta_v, "beta-v", 0, 10, "BETA_V, what waits lowers the encoder's rate"),
  TIME (x_max, "x-max", 0, MOST_TIME, "Largest congestion signal", "cisco/ns3-rmcat, XMAX"),
  TIME (base_horizon, "base-horizon", 1e9, RCC_FOREVER, "How long a base delay is believed",
      "RFC 6817 BASE_HISTORY"),
  TIME (feedback_timeout, "feedback-timeout", 100e6, RCC_FOREVER,
      "Without feedback for so long the rate is halved", NULL),
  RCC_SETTINGS_END
};
