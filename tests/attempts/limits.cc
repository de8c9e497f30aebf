// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

Attempts Limits() {
  Attempts attempts;
  for (const char* limit : {"-n 20", "-n 32", "-n 64", "-s 512", "-s unlimited", "-c 0", "-l 0", "-i 0"}) {
    for (const char* command : {"run repro.py", "hunt repro.py"})
      attempts.push_back({fmt::format("(ulimit {}; culprit {})", limit, command), {0, 1, 2, 3, 4}});
  }
  for (const char* fault : {"hang", "segfault", "abort", "exit7", "memory", "runtime-error"}) {
    attempts.push_back({fmt::format(
        "culprit run net.py --backend eager --fault tanh:{} --timeout 2 --memory-limit 1000", fault)});
    attempts.push_back(
        {fmt::format("culprit hunt net.py --backend eager --fault tanh:{} --timeout 2 --memory-limit 1000 "
                     "--max-queries 3",
                     fault)});
  }
  for (const char* option :
       {"--memory-limit 1", "--memory-limit 100", "--timeout 1", "--cpu-limit 1", "--output-limit 1"})
    attempts.push_back({fmt::format("culprit run repro.py {}", option), {0, 1, 2, 4, 5}});
  attempts.push_back(
      {"sed 's/64)/400000000000)/; s/(4, 4)/(100000, 1000000)/' net.py > bad.py; culprit run bad.py",
       {1, 2, 4, 5}});
  attempts.push_back(
      {"sed 's/(4, 4)/(10, 100000, 1000000), (0, 0, 0)/' net.py > bad.py; culprit run bad.py --timeout 5",
       {0, 1, 2, 4, 5}});
  return attempts;
}

}  // namespace culprit::tests
