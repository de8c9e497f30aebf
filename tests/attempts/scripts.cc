// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {
namespace {

/// `text` as it stands, or a number of times.
std::string Python(const std::string& expression) {
  return fmt::format("python3 -c \"import sys; sys.stdout.write({})\"", expression);
}

/// The graph with the value of one call's argument replaced.
std::string WithArgument(const std::string& argument) {
  return "{ printf 'class Repro:\\n    def forward(self, x, s0):\\n        a = torch.ops.aten.add.Tensor(x, "
         "'; " +
         Python(argument) + "; printf ')\\n        return (a,)\\n'; } > bad.py";
}

/// load_args with this size.
std::string WithSize(const std::string& size) {
  return "{ printf 'class Repro:\\n    def forward(self, x):\\n        return (x,)\\ndef "
         "load_args(reader):\\n    s0 = 3\\n"
         "    buf0 = reader.storage(None, 4*('; " +
         Python(size) +
         "; printf '))\\n    reader.tensor(buf0, (1,))\\nload_args._version = 0\\n'; } > bad.py";
}

void AddNesting(Attempts& attempts) {
  for (const char* text :
       {"'1' + ' + 1' * 10000", "'s0' + '.a' * 1000000", "'s0' + '[0]' * 10000",
        "'(' * 100000 + ')' * 100000", "'[' * 100000", "'-' * 100000 + '1'",
        "'{0:' * 5000 + '0' + '}' * 5000", "'f(' * 100000 + ')' * 100000", "'not ' * 100000 + '1'",
        "'2 ** ' * 50000 + '1'", "'x' * 3000000", "'9' * 1000000", "'1e' + '9' * 1000", "'0x' + 'f' * 100000",
        "'\\\\'' + 'a' * 3000000 + '\\\\''", "'s0' + '()' * 10000", "'1 if ' * 10000"}) {
    attempts.push_back({WithArgument(text) + "; culprit graph bad.py"});
    attempts.push_back({WithSize(text) + "; culprit run bad.py"});
  }
}

void AddHeaders(Attempts& attempts) {
  for (const char* header : {R"({"format": "x"})",
                             R"({"format": 99})",
                             R"({"backend": 1})",
                             R"({"backend": ""})",
                             R"({"backend": "a:b"})",
                             R"({"backend": "eager:x=1"})",
                             R"({"backend": "torchscript:off=nothing@x"})",
                             R"({"faults": "tanh"})",
                             R"({"faults": ["tanh"]})",
                             R"({"faults": [1]})",
                             R"({"faults": ["\\u001b[31m:accuracy"]})",
                             R"({"run": {"threads": 100000}})",
                             R"({"run": {"threads": -1}})",
                             R"({"run": {"seed": -1}})",
                             R"({"run": {"autocast": {"mars": "x"}}})",
                             R"({"run": {"generator_state": "zz"}})",
                             R"({"calls": 1000000})",
                             R"({"compare": {"tolerance": "a"}})",
                             R"({"compare": {"revision": "Z"}})",
                             R"({"accuracy": "maybe"})",
                             R"({"expected": []})",
                             R"({"expected": {"phase": "x"}})",
                             R"({"settings": []})",
                             R"({"settings": {"timeout": "never"}})",
                             R"({"settings": {"memory_limit": "99999999999999999999"}})",
                             R"({"settings": {"repeats": "0"}})",
                             R"({"settings": {"repro_level": "9"}})",
                             R"({"settings": {"\\u001b]0;x\\u0007": "1"}})",
                             R"({"random": 3})",
                             R"({"written_by": 1})",
                             "[[[[[[",
                             "{",
                             R"({"backend": "\\u001b[2J"})",
                             R"({"backend": "eager:\\u001b[2J=1"})",
                             R"({"backend": "torchscript:off=\\u001b[2J"})",
                             R"({"\\u001b[2J": 1})"}) {
    attempts.push_back({fmt::format(
        "{{ cat <<'EOF'\nculprit = '''{}'''\nEOF\ncat net.py; }} > bad.py; culprit run bad.py", header)});
  }
  attempts.push_back({"{ printf \"culprit = '''\"; " + Python("'[' * 200000") +
                      "; printf \"'''\\n\"; cat net.py; } > b.py; culprit run b.py"});
}

}  // namespace

Attempts BadScripts() {
  Attempts attempts;
  for (int bytes = 0; bytes < 600; bytes += 30)
    attempts.push_back({fmt::format("head -c {} repro.py > bad.py; culprit run bad.py", bytes)});
  for (int place = 5; place < 600; place += 35)
    attempts.push_back({fmt::format(
        "cp repro.py bad.py; printf '\\033\\377' | dd of=bad.py bs=1 seek={} conv=notrunc status=none; "
        "culprit query bad.py --backend eager",
        place)});
  AddNesting(attempts);
  AddHeaders(attempts);
  for (const char* change :
       {"s/sin.default/s\\x1b[31min.default/", "s/aten/\\x9b/", "s/exp/exp_\\x07/g", "s/(x)/(\\x1b)/",
        "s/x/\\xff/g", "s/aten.sin/prim.sin/", "s/default(x)/default()/", "s/default(x)/default(x, x, x)/",
        "s/(4, 4)/(4000000000, 4)/", "s/(4, 4)/(-4, 4)/", "s/64/-64/", "s/64/99999999999999/",
        "s/float32/float99/", "s/return/yield/", "s/torch.ops.aten.sin.default(x)/os.system('touch canary')/",
        "s/class Repro/import os; os.system('touch canary')\\n&/",
        "s/load_args._version = 0/load_args._version = 99/"})
    attempts.push_back({fmt::format("sed \"{}\" net.py > bad.py; culprit run bad.py", change)});
  return attempts;
}

}  // namespace culprit::tests
