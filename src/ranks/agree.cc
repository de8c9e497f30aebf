// SPDX-License-Identifier: Apache-2.0
#include "ranks/agree.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ranks/first_difference.h"
#include "ranks/view_text.h"

namespace culprit::ranks {

using capture::PlaceView;

RankOutcome<std::vector<PlaceView>> Agree(RankGroup& group, const PlaceView& view,
                                          std::chrono::milliseconds limit) {
  RankOutcome<std::vector<std::string>> gathered = group.Gather(view.place, TextOf(view), limit);
  if (auto* failure = std::get_if<RankFailure>(&gathered)) return std::move(*failure);
  std::vector<PlaceView> views;
  for (const std::string& text : std::get<0>(gathered)) {
    base::Result<PlaceView> read = ViewOf(text);
    if (!read.ok()) {
      const int rank = static_cast<int>(views.size());
      return RankFailure{.kind = RankFailureKind::kDisagreement,
                         .ranks = {rank},
                         .why = {.place = {base::Printable(view.place)},
                                 .message = fmt::format("what rank {} of {} has sent {}", rank, group.size(),
                                                        read.error().message)}};
    }
    views.push_back(*std::move(read));
  }
  for (size_t rank = 0; rank < views.size(); ++rank) {
    if (views[rank].refusal.empty()) continue;
    return RankFailure{.kind = RankFailureKind::kRefused,
                       .ranks = {static_cast<int>(rank)},
                       .why = {.place = {base::Printable(view.place)},
                               .message = fmt::format("rank {} of {} cannot capture it: {}", rank,
                                                      group.size(), base::Printable(views[rank].refusal))}};
  }
  if (auto difference = FirstDifference(views)) return *std::move(difference);
  return views;
}

}  // namespace culprit::ranks
