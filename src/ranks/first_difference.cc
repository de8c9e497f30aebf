// SPDX-License-Identifier: Apache-2.0
#include "ranks/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace culprit::ranks {
namespace {

using base::Printable;
using capture::BreakView;
using capture::InputView;
using capture::PlaceView;

/// A rank and what it sees.
struct Seen {
  size_t rank;
  const PlaceView& view;
};

struct Difference {
  std::string message;
  std::vector<std::string> notes = {};
};

std::string WithArticle(const std::string& noun) {
  const bool is_vowel = !noun.empty() && std::string_view("aeio").find(noun[0]) != std::string_view::npos;
  return fmt::format("{} {}", is_vowel ? "an" : "a", Printable(noun));
}

std::string EndOf(const PlaceView& view) {
  if (!view.end) return "with a return";
  return fmt::format("with break {} at {} ({})", Printable(view.end->code), Printable(view.end->place),
                     Printable(view.end->reason));
}

/// "mask is an input on rank 2 only"
std::vector<std::string> OnlyThere(const Seen& there, const Seen& elsewhere) {
  std::set<std::string_view> known;
  for (const InputView& input : elsewhere.view.inputs) known.insert(input.name);
  std::vector<std::string> names;
  for (const InputView& input : there.view.inputs) {
    if (!known.contains(input.name)) names.push_back(Printable(input.name));
  }
  if (names.empty()) return {};
  return {fmt::format("only on rank {}: {}", there.rank, base::FirstOf(names))};
}

std::optional<Difference> DifferenceInNumber(const Seen& first, const Seen& second) {
  const size_t on_first = first.view.inputs.size();
  const size_t on_second = second.view.inputs.size();
  if (on_first == on_second) return std::nullopt;
  Difference difference = {fmt::format("the graph has {} on rank {} and {} on rank {}",
                                       base::Counted(on_first, "input"), first.rank, on_second, second.rank),
                           OnlyThere(first, second)};
  for (std::string& note : OnlyThere(second, first)) difference.notes.push_back(std::move(note));
  return difference;
}

std::optional<Difference> DifferenceInInputs(const Seen& first, const Seen& second) {
  for (size_t i = 0; i < first.view.inputs.size(); ++i) {
    const InputView& a = first.view.inputs[i];
    const InputView& b = second.view.inputs[i];
    if (a.name != b.name) {
      return Difference{fmt::format("input {} is {} on rank {} and {} on rank {}", i, Printable(a.name),
                                    first.rank, Printable(b.name), second.rank)};
    }
    if (a.type != b.type) {
      return Difference{fmt::format("{} is {} on rank {} and {} on rank {}", Printable(a.name),
                                    WithArticle(a.type), first.rank, WithArticle(b.type), second.rank)};
    }
    if (a.sizes.size() != b.sizes.size()) {
      return Difference{fmt::format("{} is {} of {} on rank {} and of {} on rank {}", Printable(a.name),
                                    WithArticle(a.type), base::Counted(a.sizes.size(), "dimension"),
                                    first.rank, b.sizes.size(), second.rank)};
    }
  }
  return std::nullopt;
}

/// Reasons may speak of sizes, and those may differ.
bool IsSameEnd(const std::optional<BreakView>& a, const std::optional<BreakView>& b) {
  if (!a || !b) return !a && !b;
  return a->code == b->code && a->place == b->place;
}

std::optional<Difference> DifferenceOf(const Seen& first, const Seen& second) {
  if (first.view.place != second.view.place) {
    return Difference{fmt::format("rank {} is at {} and rank {} at {}", first.rank,
                                  Printable(first.view.place), second.rank, Printable(second.view.place))};
  }
  if (auto difference = DifferenceInNumber(first, second)) return difference;
  if (auto difference = DifferenceInInputs(first, second)) return difference;
  if (IsSameEnd(first.view.end, second.view.end)) return std::nullopt;
  return Difference{fmt::format("the graph ends {} on rank {} and {} on rank {}", EndOf(first.view),
                                first.rank, EndOf(second.view), second.rank)};
}

}  // namespace

std::optional<RankFailure> FirstDifference(const std::vector<PlaceView>& views) {
  for (size_t rank = 1; rank < views.size(); ++rank) {
    std::optional<Difference> difference = DifferenceOf({0, views[0]}, {rank, views[rank]});
    if (!difference) continue;
    return RankFailure{
        .kind = RankFailureKind::kDisagreement,
        .ranks = {0, static_cast<int>(rank)},
        .why = {.place = {Printable(views[0].place)},
                .message = fmt::format("ranks 0 and {} differ: {}", rank, difference->message),
                .notes = std::move(difference->notes),
                .help = "run the same program on all ranks, with inputs that differ in sizes and "
                        "numbers only"}};
  }
  return std::nullopt;
}

}  // namespace culprit::ranks
