/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nada/settings.h - the parameters of RFC 8698, Table 2, and what that document leaves open
 */
#ifndef RCC_NADA_SETTINGS_H
#define RCC_NADA_SETTINGS_H

#include "core/settings.h"

typedef enum {
  RCC_NADA_RFC8698,
  RCC_NADA_NS3_RMCAT,                   /* where cisco/ns3-rmcat, the authors' code, differs */
} RccNadaForm;

typedef struct {
  RccNadaForm form;                     /* NS3_RMCAT: see rcc_nada_settle() */
  double priority;                      /* PRIO */
  RccTime x_ref;                        /* XREF */
  double kappa, eta;
  RccTime tau, delta, log_window;       /* LOGWIN */
  RccTime q_eps, d_filt, q_bound;
  double gamma_max, multi_loss;
  RccTime q_th;
  double lambda, plr_ref, pmr_ref;
  RccTime d_loss, d_mark;
  double fps, alpha;
  double beta_s, beta_v;
  RccTime x_max;                        /* of x_curr */
  RccTime base_horizon;                 /* of d_base, 5.1.1; RCC_NEVER: for ever */
  RccTime feedback_timeout;             /* then the rate is halved; RCC_NEVER: it stands */
} RccNadaConfig;

RccNadaConfig rcc_nada_config (void);
/* With NS3_RMCAT the betas are 0, and the last two RCC_NEVER, whatever they were. */
void rcc_nada_settle (RccNadaConfig *config);
extern const RccSetting rcc_nada_settings[];

#endif
