// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {
namespace {

std::string Naming(const std::string& backend) {
  return fmt::format("sed 's|\"eager\"|\"{}\"|' repro.py > bad.py; ", backend);
}

}  // namespace

Attempts Plugins() {
  Attempts attempts;
  for (const char* backend :
       {"./evil.so", "$PWD/evil.so", "././evil.so:level=2", "native:cache_folder=./kernels",
        "native:cache_folder=../outside", "native:cache_mb=1", "/evil.so", "./missing.so"}) {
    for (const char* command :
         {"run bad.py", "query bad.py", "verify bad.py --times 1", "minify bad.py", "hunt bad.py",
          "run bad.py --json", "run bad.py --times 2", "graph bad.py", "convert bad.py --to python"})
      attempts.push_back({Naming(backend) + "culprit " + command, {0, 2}});
  }
  attempts.push_back({Naming("./evil.so") + "culprit run bad.py --backend eager", {0, 1, 2}});
  attempts.push_back({Naming("./evil.so") + "culprit run bad.py --trust", {2}, true});
  attempts.push_back({"culprit run net.py --backend ./evil.so", {2}, true});
  attempts.push_back({"culprit backends ./evil.so", {2}, true});
  attempts.push_back({"CULPRIT_BACKENDS=./evil.so culprit backends", {0, 1, 2}, true});
  return attempts;
}

}  // namespace culprit::tests
