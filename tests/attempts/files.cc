// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

Attempts FileKinds() {
  Attempts attempts;
  const char* const kinds[] = {"touch bad",
                               "mkdir bad",
                               "ln -s bad bad",
                               "ln -s nowhere bad",
                               "ln -s /dev/zero bad",
                               "ln -s /dev/full bad",
                               "ln -s /dev/null bad",
                               "gzip -c net.py > bad",
                               "printf '\\x7fELF\\x02\\x01\\x01' > bad",
                               "printf '\\x89PNG\\r\\n\\x1a\\n' > bad",
                               "printf '\\x80\\x02}q\\x00.' > bad",
                               "iconv -t UTF-16 net.py > bad",
                               "printf '\\xef\\xbb\\xbf' > bad; cat net.py >> bad",
                               "head -c 100000 /dev/urandom > bad",
                               "cp net.py bad; chmod 000 bad",
                               "truncate -s 1T bad",
                               "printf '\\x08\\x07\\x12\\x07pytorch' > bad",
                               "cp net.pt bad.pt2; mv bad.pt2 bad",
                               "tar cf bad net.py"};
  for (const char* kind : kinds) {
    for (const char* command : {"graph bad", "run bad", "explain bad --inputs f32[4,4]"})
      attempts.push_back({fmt::format("{}; culprit {}", kind, command)});
  }
  for (const char* name : {"$'a\\x1b[31mb'", "$'a\\nb'", "'a b'", "'-x'", "\"'\"", "$'\\xff'", "''",
                           "missing", "$(printf 'x%.0s' $(seq 300))", "$(printf 'a/%.0s' $(seq 3000))"}) {
    for (const char* command : {"graph -- {}", "hunt --backend eager -- {}"})
      attempts.push_back({"culprit " + fmt::format(fmt::runtime(command), name)});
  }
  attempts.push_back({"mkfifo pipe; head -c 100 net.py > pipe & culprit graph pipe"});
  attempts.push_back({"culprit graph <(cat net.py)"});
  attempts.push_back({"cat net.py | culprit run -"});
  attempts.push_back({"culprit graph - < ."});
  return attempts;
}

}  // namespace culprit::tests
