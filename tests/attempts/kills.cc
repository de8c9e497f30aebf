// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

Attempts Kills() {
  Attempts attempts;
  const char* const long_hunts[] = {
      "culprit hunt net.py --backend eager --fault tanh:hang --timeout 5",
      "culprit hunt model.py --inputs 'f32[4,4]' --backend eager --fault tanh:hang --timeout 5"};
  for (const char* command : long_hunts) {
    for (const char* signal : {"INT", "TERM", "HUP", "KILL", "PIPE"}) {
      for (const char* seconds : {"0.1", "0.5", "1.5"}) {
        // After a kill -9 the next run sweeps; after the others nothing may be left at once.
        attempts.push_back(
            {fmt::format("timeout --preserve-status -s {} {} {}; code=$?; sleep 0.3; culprit run "
                         "model.py --inputs 'f32[4,4]' --backend eager > /dev/null; exit $code",
                         signal, seconds, command),
             {0, 1, 4, 129, 130, 137, 141, 143}});
      }
    }
  }
  return attempts;
}

}  // namespace culprit::tests
