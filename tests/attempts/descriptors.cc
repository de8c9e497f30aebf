// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

Attempts Descriptors() {
  Attempts attempts;
  for (int closed = 1; closed < 8; ++closed) {
    std::string closing;
    for (int number = 0; number < 3; ++number) {
      if ((closed >> number) % 2 == 1) closing += fmt::format(" {}>&-", number);
    }
    for (const char* command :
         {"graph net.py", "run repro.py", "query repro.py", "hunt repro.py", "run -", "--version"})
      attempts.push_back({fmt::format("culprit {}{}", command, closing), {0, 1, 2, 4}});
  }
  for (const char* command :
       {"graph net.py", "run repro.py", "run repro.py --json", "query repro.py", "verify repro.py --times 1",
        "hunt repro.py", "backends", "faults", "strategies", "config", "config --markdown", "--help",
        "run --help", "--version", "convert net.py --to python", "explain model.py --inputs f32[4,4]"}) {
    attempts.push_back({fmt::format("culprit {} > /dev/full", command), {4}});
    attempts.push_back({fmt::format("culprit {} 2> /dev/full", command)});
  }
  attempts.push_back({"culprit graph net.py | true"});
  attempts.push_back({"culprit hunt repro.py | head -1"});
  attempts.push_back({"culprit run model.py --inputs 'f32[4,4]' --train --backend eager | head -1"});
  return attempts;
}

}  // namespace culprit::tests
