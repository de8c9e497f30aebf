// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {
namespace {

/// A run that was stopped early; `change` spoils its folder, called `run`.
std::string Stopped(const std::string& change) {
  return "culprit minify repro.py --max-queries 1 > /dev/null 2>&1; mv culprit_runs/2* run; " + change + "; ";
}

constexpr const char* kResume = "culprit minify --resume run";

}  // namespace

Attempts Traversal() {
  Attempts attempts;
  for (const char* link : {"repro.py", "original.py", "trace.jsonl", "summary.md", "plain.py", "compiler",
                           "checkpoints", "finds", "store", "checkpoints/store", "finds/store"})
    attempts.push_back(
        {Stopped(fmt::format("rm -rf run/{0}; ln -s \"$PWD/../outside\" run/{0}", link)) + kResume, {2}});
  attempts.push_back({Stopped("mv run/trace.jsonl t; ln -s ../t run/trace.jsonl") + kResume, {2}});
  const char* const judge =
      "sed -i '1s|\"strategies\"|\"judge\":\"'$PWD'/judge.sh\",\"strategies\"|' run/trace.jsonl";
  attempts.push_back({Stopped(judge) + kResume, {2}});
  attempts.push_back({Stopped(judge) + kResume + " --check ./net.py", {2}});
  attempts.push_back({Stopped(judge) + kResume + " --check ./judge.sh", {0, 1}, true});
  attempts.push_back({Stopped(judge) + kResume + " --trust", {0, 1}, true});
  attempts.push_back({Stopped("sed -i 's|\"eager\"|\"./evil.so\"|' run/original.py") + kResume, {2}});
  // Steps that are verified when the run goes on; the run has to make one first.
  const char* const step =
      "culprit minify repro.py > /dev/null 2>&1; mv culprit_runs/2* run; step=$(ls run/checkpoints/*.py | "
      "tail -1); ";
  for (const char* backend : {"./evil.so", "native:cache_folder=../outside/kernels"}) {
    for (const char* file : {"$step", "run/repro.py"})
      attempts.push_back(
          {fmt::format("{}sed -i 's|\"eager\"|\"{}\"|' {}; {}", step, backend, file, kResume), {0, 1, 2}});
  }
  for (const char* other : {"mkfifo $step", "ln -s /dev/zero $step", "ln -s /etc/passwd $step", "mkdir $step",
                            "head -c 400M /dev/zero > $step"})
    attempts.push_back({fmt::format("{}rm $step; {}; {}", step, other, kResume), {1, 2, 4}});
  for (const char* line :
       {R"({"event":"smaller","operators":1,"strategy":"drop","file":"../../outside/x.py"})",
        R"({"event":"find","operators":99,"signature":"x","file":"../../outside/x.py"})",
        R"({"event":"find","operators":99,"signature":"\u001b[2J","file":"finds/01.py"})",
        R"({"event":"answer"})", "nonsense", R"({"event":1})", "[]", "{}"})
    attempts.push_back({Stopped(fmt::format("echo '{}' >> run/trace.jsonl", line)) + kResume});
  attempts.push_back({Stopped("python3 -c \"print('[' * 300000)\" >> run/trace.jsonl") + kResume, {2}});
  attempts.push_back({Stopped("rm run/trace.jsonl; mkfifo run/trace.jsonl") + kResume, {2}});
  attempts.push_back({Stopped("rm run/original.py; mkfifo run/original.py") + kResume, {2}});
  attempts.push_back({Stopped("truncate -s 0 run/trace.jsonl") + kResume, {2}});
  attempts.push_back({Stopped("truncate -s 100 run/trace.jsonl") + kResume, {2}});
  for (const char* hash : {"../../outside/x", "/etc/passwd", "", "zz", "00000000000000000000000000000000"})
    attempts.push_back({fmt::format(
        "mkdir -p store/storages; sed \"s|storage(None, 64)|storage('{}', 64)|\" net.py > bad.py; "
        "culprit run bad.py --store store",
        hash)});
  for (const char* name : {"../../../outside/x", "a/b", "$'\\x1b[2J'"})
    attempts.push_back(
        {fmt::format("sed \"s|class Repro(torch.nn.Module):|&\\n    graph_name = '{}'|\" repro.py > bad.py; "
                     "culprit hunt bad.py --max-queries 2",
                     name)});
  attempts.push_back(
      {"mkdir -p culprit_runs; echo mine > culprit_runs/latest; culprit hunt repro.py --max-queries 2; "
       "code=$?; grep -q mine culprit_runs/latest || exit 99; exit $code"});
  attempts.push_back(
      {"mkdir -p culprit_runs/latest; culprit hunt repro.py --max-queries 2; code=$?; "
       "[ -d culprit_runs/latest ] && [ ! -L culprit_runs/latest ] || exit 99; exit $code"});
  attempts.push_back({"ln -s ../outside culprit_runs; culprit hunt repro.py --out ./runs --max-queries 2"});
  return attempts;
}

}  // namespace culprit::tests
