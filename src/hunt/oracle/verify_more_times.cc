// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/verify_more_times.h"

#include <deque>
#include <future>

#include "repro/read_repro.h"
#include "repro/run_folder.h"

namespace culprit::hunt {
namespace {

constexpr size_t kMoreTimes = 9;

base::Result<minify::Program> ReadAgain(const std::string& path) {
  const std::string text = CULPRIT_TRY(repro::ReadScript(path));
  repro::LoadedRepro loaded = CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(path, text))));
  return minify::Program{std::move(loaded.repro.graph), std::move(loaded.repro.inputs)};
}

}  // namespace

void VerifyMoreTimes(minify::FailureCheck& check, const std::string& path, size_t jobs,
                     const Listener& listener, Verification& verification) {
  const base::Result<minify::Program> program = ReadAgain(path);
  std::deque<std::future<minify::Reply>> replies;
  for (size_t asked = 0; program.ok() && (asked < kMoreTimes || !replies.empty());) {
    for (; asked < kMoreTimes && replies.size() < jobs; ++asked)
      replies.push_back(std::async(std::launch::async, [&] { return check.Ask(*program); }));
    const minify::Reply reply = replies.front().get();
    replies.pop_front();
    if (!reply.is_answer || listener.stop()) break;
    ++verification.times;
    if (reply.fails()) ++verification.same;
    if (!reply.fails()) verification.otherwise = NameOf(reply.verdict.answer);
  }
}

}  // namespace culprit::hunt
