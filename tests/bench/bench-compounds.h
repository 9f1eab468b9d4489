/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-compounds.h - what the most expensive compounds of each format cost a sender
 *
 * The bound: 2 us and 50 ns for each byte, and 200 us at once, which is for how long an element's
 * lock is held.
 */
#ifndef RCC_BENCH_COMPOUNDS_H
#define RCC_BENCH_COMPOUNDS_H

void bench_compounds (void);

#endif
