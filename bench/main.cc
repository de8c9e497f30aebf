// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "bench/early_zygote.h"
#include "process/settings.h"

int main(int argc, char** argv) {
  culprit::process::ApplySettings();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  culprit::bench::EarlyZygote();
  benchmark::RunSpecifiedBenchmarks();
}
