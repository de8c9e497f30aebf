// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

Attempts FullDisks() {
  Attempts attempts;
  // A file may grow to so many blocks of 1,024 bytes; 0 is as full as a disk gets.
  for (const int blocks : {0, 1, 2, 4, 8, 16}) {
    for (const char* command : {"hunt repro.py", "minify repro.py", "run repro.py --record found.py",
                                "convert net.py --to cpp --output project",
                                "hunt model.py --inputs 'f32[4,4]' --backend eager --fault tanh:accuracy",
                                "explain model.py --inputs 'f32[4,4]' --graphs g"}) {
      // With no room at all everything that writes says so.
      const std::set<int> codes = blocks == 0 ? std::set{4} : std::set{0, 1, 4};
      attempts.push_back(
          {fmt::format("(ulimit -f {}; culprit {}) 2>&1 | cat; exit ${{PIPESTATUS[0]}}", blocks, command),
           codes});
    }
  }
  return attempts;
}

}  // namespace culprit::tests
