// SPDX-License-Identifier: Apache-2.0
#include "api/agreement.h"

#include <culprit/errors.h>
#include <fmt/format.h>

#include <cstdlib>
#include <mutex>
#include <stdexcept>

#include "base/text.h"
#include "ranks/agree.h"
#include "ranks/join.h"

namespace culprit::api {
namespace {

using capture::NoViews;
using capture::PlaceView;
using ranks::RankFailureKind;
using std::chrono::milliseconds;

constexpr auto kBetweenLooks = std::chrono::seconds(1);

/// Behind the words of another message.
std::string TextOf(const base::Diagnostic& why) {
  std::string text = why.message;
  for (const std::string& note : why.notes) text += "\n  note: " + note;
  if (!why.help.empty()) text += "\n  help: " + why.help;
  return text;
}

/// A process joins once, however many modules it compiles: it has one rank.
base::Result<std::shared_ptr<ranks::RankGroup>> GroupOfProcess(const ranks::Launch& launch,
                                                               const base::Settings& settings,
                                                               milliseconds limit) {
  static const base::Result<std::shared_ptr<ranks::RankGroup>> group =
      ranks::JoinByLaunch(launch, static_cast<uint16_t>(settings.ranks_port), limit);
  return group;
}

}  // namespace

Agreement::Agreement(int rank, int size, Joined group, milliseconds limit, Warn warn)
    : rank_(rank), size_(size), group_(std::move(group)), limit_(limit), warn_(std::move(warn)) {
  next_look_ = Clock::now() + kBetweenLooks;
}

std::shared_ptr<Agreement> Agreement::Open(c10d::ProcessGroup* program, const base::Settings& settings,
                                           Warn warn) {
  const milliseconds limit(static_cast<int64_t>(settings.ranks_timeout * 1000));
  const auto make = [&](int rank, int size, Joined group) {
    return std::make_shared<Agreement>(rank, size, std::move(group), limit, std::move(warn));
  };
  if (program != nullptr) {
    const ranks::Position position = ranks::PositionIn(*program);
    return make(position.rank, position.size, ranks::JoinByProcessGroup(*program, limit));
  }
  if (settings.ranks == "off") return nullptr;
  const base::Result<ranks::Launch> launch = ranks::ReadLaunch(std::getenv);
  if (!launch.ok()) throw std::invalid_argument(launch.error().Render());
  return make(launch->rank, launch->size, GroupOfProcess(*launch, settings, limit));
}

std::vector<PlaceView> Agreement::Share(const PlaceView& view) {
  if (!group_.ok()) throw NoViews(TextOf(group_.error()), is_loss_told_.exchange(true));
  ranks::RankOutcome<std::vector<PlaceView>> outcome = ranks::Agree(**group_, view, limit_);
  if (const auto* failure = std::get_if<ranks::RankFailure>(&outcome)) {
    if (failure->kind == RankFailureKind::kDisagreement) throw RanksDiffer(failure->why.Render());
    throw NoViews(TextOf(failure->why),
                  failure->kind == RankFailureKind::kLost && is_loss_told_.exchange(true));
  }
  return std::get<0>(std::move(outcome));
}

void Agreement::Tell(const std::string& text) noexcept {
  if (!group_.ok()) return;
  const base::Status told = (*group_)->Tell(std::string_view(text).substr(0, ranks::RankGroup::kLongestText));
  if (!told.ok()) is_deaf_ = true;
}

// What might throw is the look at a failed result, and it has not failed there.
void Agreement::Listen() noexcept {  // NOLINT(bugprone-exception-escape)
  if (!group_.ok() || is_deaf_ || Clock::now() < next_look_.load()) return;
  next_look_ = Clock::now() + kBetweenLooks;
  const base::Result<std::vector<ranks::Told>> told = (*group_)->Listen();
  if (!told.ok()) {
    is_deaf_ = true;
    return;
  }
  for (const ranks::Told& each : *told) {
    try {
      warn_(fmt::format("rank {} of {}: {}", each.rank, size_, base::Printable(each.text)));
    } catch (...) {  // NOLINT(bugprone-empty-catch): where warnings are errors, they are the other rank's.
    }
  }
}

}  // namespace culprit::api
