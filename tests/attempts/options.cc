// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

namespace {

constexpr const char* kWrongWords[] = {
    "",
    "--",
    "nothing",
    "-x",
    "--help extra",
    "--version extra",
    "$'\\x1b[31m'",
    "run",
    "graph net.py net.py",
    "run net.py --which 0",
    "run net.py --which 99",
    "run net.py --which -1",
    "run net.py --device mars",
    "run net.py --device cuda:99",
    "run net.py --store missing",
    "run net.py --load-library missing",
    "run net.py --load-library net.py",
    "run net.py --backend ''",
    "run net.py --backend :",
    "run net.py --backend eager:",
    "run net.py --backend nativ",
    "run net.py --backend native:x=1",
    "run net.py --backend native:math=wrong",
    "run net.py --backend native:cache_mb=0",
    "run net.py --backend native:off=fuse@0",
    "run net.py --backend $'native:off=\\x1b[2J'",
    "run net.py --backend ./missing.so",
    "run net.py --backend ./net.py",
    "run net.py --fault x",
    "run net.py --fault tanh:nothing",
    "run net.py --fault :",
    "run net.py --fault tanh:accuracy:x",
    "run net.py --fault $'\\x1b:accuracy'",
    "run net.py --freeze missing",
    "run net.py --timeout 0",
    "run net.py --timeout 1e9",
    "run net.py --timeout -5",
    "run net.py --memory-limit 0",
    "run net.py --cpu-limit x",
    "run net.py --output-limit 99999999999",
    "run net.py --accuracy --no-accuracy",
    "run net.py --tolerance x --accuracy",
    "run net.py --tolerance -1 --accuracy",
    "run net.py --tolerance nan --accuracy",
    "run net.py --calls 0 --accuracy",
    "run net.py --seed -1",
    "run net.py --seed 99999999999999999999",
    "run net.py --samples 0 --backend eager",
    "run net.py --times 0 --backend eager",
    "run net.py --record missing/x.py --backend eager --fault tanh:accuracy",
    "run net.py --record / --backend eager --fault tanh:accuracy",
    "run net.py --autocast mars",
    "run net.py --inputs f32[4]",
    "run model.py",
    "run model.py --inputs",
    "explain model.py --inputs f32[",
    "explain model.py --inputs f99[1]",
    "explain model.py --inputs f32[-1]",
    "explain model.py --inputs f32[99999999999,99999999999]",
    "explain model.py --inputs file:missing",
    "explain model.py --inputs file:.",
    "explain model.py --inputs $(printf '[%.0s' $(seq 5000))",
    "explain net.py",
    "query net.py",
    "verify net.py",
    "verify repro.py --times 0",
    "query repro.py --match wrong",
    "minify",
    "minify net.py",
    "minify repro.py --resume .",
    "minify --resume .",
    "minify --resume missing",
    "minify --resume net.py",
    "minify repro.py --only nothing",
    "minify repro.py --jobs 0",
    "minify repro.py --max-queries 0",
    "minify repro.py --check missing",
    "minify repro.py --check net.py",
    "minify repro.py --check .",
    "minify repro.py --out /dev/null",
    "hunt net.py",
    "hunt net.py --backend eager --out net.py",
    "convert net.py",
    "convert net.py --to nothing",
    "convert net.py --to cpp --out net.py/x",
    "backends nothing",
    "backends ./missing.so",
    "faults nothing",
    "config nothing",
    "strategies nothing"};

constexpr const char* kWrongVariables[] = {"CULPRIT_REPRO_LEVEL=9",
                                           "CULPRIT_REPRO_LEVL=1",
                                           "CULPRIT_CALL_TIMEOUT=never",
                                           "CULPRIT_BACKENDS=missing.so",
                                           "CULPRIT_LOG=$'\\x1b'",
                                           "CULPRIT_STORE_LIMIT=-1",
                                           "TMPDIR=/missing",
                                           "HOME=",
                                           "OMP_NUM_THREADS=x",
                                           "LANG=tlh",
                                           "TERM=",
                                           "COLUMNS=0",
                                           "CULPRIT_DIRECTORY=/dev/null"};

}  // namespace

Attempts WrongOptions() {
  Attempts attempts;
  const std::set<int> codes = {0, 1, 2, 4};
  for (const char* words : kWrongWords)
    attempts.push_back({fmt::format("culprit {}", words), codes, false, /*may_misspell=*/true});
  for (const char* variable : kWrongVariables)
    attempts.push_back({fmt::format("{} culprit run repro.py", variable), codes});
  return attempts;
}

}  // namespace culprit::tests
