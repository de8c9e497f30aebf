// SPDX-License-Identifier: Apache-2.0
#include "backends/server/session.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "backend/foreign_error.h"
#include "backend/insight.h"
#include "backend/refusal.h"
#include "base/text.h"
#include "isolate/companion.h"
#include "isolate/crash/crash_report.h"
#include "isolate/wire/socket.h"

namespace culprit::backends::server {
namespace {

using nlohmann::json;

/// How a child ends that cannot even read the question (python/culprit/servers/child.py).
constexpr int kCannotServe = 70;

/// Of what was compiled, or failed on the way.
void ShowArtefacts(const json& answer) {
  if (!backend::IsInsightWanted() || !answer.contains("artefacts")) return;
  for (const auto& [name, text] : answer.at("artefacts").items())
    backend::ShowInsight(name, text.get<std::string>());
}

std::string TextIn(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> FramesIn(const json& answer) {
  constexpr size_t kMost = 6;
  std::vector<std::string> frames;
  const auto found = answer.find("frames");
  if (found == answer.end() || !found->is_array()) return frames;
  for (const json& frame : *found) {
    if (frame.is_string() && frames.size() < kMost)
      frames.push_back(base::Printable(frame.get<std::string>()));
  }
  return frames;
}

isolate::Ending EndingOf(const isolate::BlackBox& box, int status) {
  if (WIFSIGNALED(status)) return isolate::ReportCrash(box, WTERMSIG(status));
  return isolate::Exit{WEXITSTATUS(status)};
}

}  // namespace

base::Result<Session> Session::Start(const ServerProgram& program) {
  const isolate::Descriptor control = CULPRIT_TRY(ConnectToServer(program));
  base::Result<isolate::Child> child = isolate::Child::Spawn(control, STDERR_FILENO);
  if (!child.ok()) {
    base::Diagnostic error{{fmt::format("backend '{}'", program.name)},
                           fmt::format("its server ended: {}", program.command[0])};
    error.cause = base::Cause::kEnvironment;
    if (std::string output = OutputOfServer(program); !output.empty())
      error.notes.push_back(std::move(output));
    return error;
  }
  isolate::AnnounceCompanion(child->pid());
  return Session(program.name, *std::move(child));
}

void Session::Forget(int64_t call) {
  const std::lock_guard lock(shared_->forgetting);
  shared_->forgotten.push_back(call);
}

std::vector<int64_t> Session::TakeForgotten() {
  const std::lock_guard lock(shared_->forgetting);
  return std::exchange(shared_->forgotten, {});
}

ServerMessage Session::Ask(const ServerMessage& question) {
  const std::lock_guard lock(shared_->asking);
  const base::Status sent = SendMessage(child_.socket(), question);
  if (!sent.ok() && !isolate::IsReadable(child_.leash())) throw std::runtime_error(sent.error().message);
  ServerMessage answer = WaitForAnswer();
  ShowArtefacts(answer.content);
  const std::string kind = TextIn(answer.content, "kind");
  if (kind == "refusal") throw backend::Refusal(TextIn(answer.content, "message"));
  if (kind == "error")
    throw backend::ForeignError(TextIn(answer.content, "type"), TextIn(answer.content, "message"),
                                FramesIn(answer.content));
  return answer;
}

ServerMessage Session::WaitForAnswer() {
  while (true) {
    std::array<pollfd, 2> events = {
        {{child_.socket().number(), POLLIN, 0}, {child_.leash().number(), POLLIN, 0}}};
    poll(events.data(), events.size(), -1);
    // The answer first: a child that answered and died afterwards has answered.
    if (events[0].revents != 0) {
      auto received = ReceiveMessage(child_.socket());
      if (!received.ok()) throw std::runtime_error(received.error().message);
      if (*received) return **std::move(received);
      FollowChild();
    }
    if (events[1].revents != 0) FollowChild();
  }
}

void Session::FollowChild() {
  const auto status = child_.TakeStatus();
  if (!status.ok()) throw backend::Refusal(fmt::format("the server of '{}' has ended", name_));
  // Its own part failed, not the compiler.
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == kCannotServe)
    throw backend::Refusal(fmt::format("the server of '{}' cannot serve it", name_));
  isolate::EndLike(child_.black_box(), *status);
  const isolate::Outcome outcome{.ending = EndingOf(child_.black_box(), *status)};
  throw std::runtime_error(fmt::format("the compiler's process ended: {}", outcome.ToString()));
}

}  // namespace culprit::backends::server
