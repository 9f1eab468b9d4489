#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The controller of aimd.c in Python, over a scenario: aimd.py [SCENARIO [CSV]]

Needs librcc and Debian's python3-cffi, and compiles its glue at each start.
"""
import importlib.util
import shlex
import subprocess
import sys
import tempfile

import cffi

ffi = cffi.FFI()
ffi.cdef('''
typedef uint64_t RccTime;
typedef struct { uint32_t min_bps, start_bps, max_bps; ...; } RccConfig;
typedef struct { double fraction_lost; bool nothing_new; RccTime rtt; ...; } RccReport;
typedef struct { unsigned changed; uint32_t target_bps, pacing_bps; const char *reason; ...; }
  RccUpdate;
typedef struct RccSender RccSender;
typedef struct { const char *name;
  RccUpdate (*on_report) (RccSender *, const RccReport *, RccTime); ...; } RccSenderOps;
struct RccSender { const RccSenderOps *ops; ...; };
typedef struct { uint32_t target_bps, pacing_bps; bool paces; RccTime rtt;
  uint32_t equation_bps; const char *state, *usage; ...; } RccSenderView;
typedef struct { const char *name, *text; size_t size;
  void (*init) (RccSender *, const void *, const RccConfig *);
  RccSenderView (*view) (const RccSender *); ...; } RccController;
typedef struct { const RccController *controller; const char *scenario, *csv; RccTime duration;
  uint64_t seed; ...; } RccScenarioCall;
typedef struct { double utilisation, delivered_bps, lost, queue_p95; ...; } RccScenarioResult;
bool rcc_scenario_run (const RccScenarioCall *, RccScenarioResult *, char *);
#define RCC_RUN_ERROR ...
#define RCC_TARGET ...
#define RCC_PACING ...
extern "Python" RccUpdate on_report (RccSender *, const RccReport *, RccTime);
extern "Python" void init (RccSender *, const void *, const RccConfig *);
extern "Python" RccSenderView view (const RccSender *);
''')


def load(folder):
    flags = shlex.split(subprocess.run(['pkg-config', '--cflags', '--libs', '--static', 'librcc'],
                                       check=True, capture_output=True, text=True).stdout)
    ffi.set_source('_rcc', '#include "sim/run.h"',
                   extra_compile_args=[f for f in flags if f.startswith('-I')],
                   extra_link_args=[f for f in flags if f.startswith('-L')],
                   libraries=[f[2:] for f in flags if f.startswith('-l')])
    spec = importlib.util.spec_from_file_location('_rcc', ffi.compile(tmpdir=folder))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ffi, module.lib


def text(words):
    return TEXTS.setdefault(words, rcc.new('char[]', words.encode()))


TEXTS = {}                              # what the library points at lives as long as it does
with tempfile.TemporaryDirectory() as folder:
    rcc, lib = load(folder)
ops = rcc.new('RccSenderOps *', {'name': text('aimd'), 'on_report': lib.on_report})
limits, rate = {}, {}                   # by sender


@rcc.def_extern()
def init(sender, config, given):
    sender.ops = ops
    limits[sender] = given.min_bps, given.max_bps
    rate[sender] = given.start_bps


@rcc.def_extern()
def on_report(sender, report, now):
    update = rcc.new('RccUpdate *')
    if not report.nothing_new:
        loss = report.fraction_lost > 0.02
        wanted = rate[sender] * 0.7 if loss else rate[sender] + 25000
        least, most = limits[sender]
        rate[sender] = int(min(max(wanted, least), most))
        update.changed = lib.RCC_TARGET | lib.RCC_PACING
        update.target_bps = update.pacing_bps = rate[sender]
        update.reason = text('loss' if loss else 'no loss')
    return update[0]


@rcc.def_extern()
def view(sender):
    bps = rate[rcc.cast('RccSender *', sender)]
    return rcc.new('RccSenderView *', {
        'target_bps': bps, 'pacing_bps': bps, 'paces': True, 'rtt': 2 ** 64 - 1,
        'equation_bps': 2 ** 32 - 1, 'state': text(''), 'usage': text('')})[0]


def main():
    row = rcc.new('RccController *', {
        'name': text('aimd'), 'text': text('AIMD in Python'), 'size': rcc.sizeof('RccSender'),
        'init': lib.init, 'view': lib.view})
    call = rcc.new('RccScenarioCall *', {
        'controller': row, 'duration': 100 * 10 ** 9, 'seed': 1,
        'scenario': text(sys.argv[1] if len(sys.argv) > 1 else 'rfc8867-5.1'),
        'csv': text(sys.argv[2]) if len(sys.argv) > 2 else rcc.NULL})
    result = rcc.new('RccScenarioResult *')
    error = rcc.new('char[]', lib.RCC_RUN_ERROR)
    if not lib.rcc_scenario_run(call, result, error):
        sys.exit(rcc.string(error).decode())
    print(f'utilisation {result.utilisation:.3f}, {result.delivered_bps / 1000:.0f} kbit/s, '
          f'{100 * result.lost:.2f} % lost, queue p95 {result.queue_p95:.0f} ms')


main()
