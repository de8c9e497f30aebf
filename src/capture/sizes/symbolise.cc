// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/symbolise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "capture/segment/segment_text.h"
#include "capture/sizes/divergence.h"
#include "capture/sizes/read_numbers.h"
#include "capture/sizes/recipes_of.h"
#include "capture/sizes/same_segment.h"
#include "graph/sizes/worlds/counterexample.h"
#include "graph/sizes/worlds/worlds.h"

namespace culprit::capture {
namespace {

using graph::sizes::Hints;
using graph::sizes::Layout;
using graph::sizes::Numbers;
using graph::sizes::Samples;
using graph::sizes::SizedGraph;

/// One walk with sizes of its own.
struct WalkedWorld {
  Segment segment;
  Sample sample;
  SizedGraph sized;
};

int64_t HintOf(const SymbolSource& place, const Segment& base) {
  const ExpectedValue& expected = base.guards[Index(place.source)].expected;
  if (place.kind == SymbolSource::Kind::kNumber) return std::get<Constant>(expected).value.toInt();
  const auto& like = std::get<TensorLike>(expected);
  return place.kind == SymbolSource::Kind::kSize ? like.sizes[place.dimension]
                                                 : like.strides[place.dimension];
}

class Symboliser {
 public:
  Symboliser(const vm::State& start, vm::CodeBook& book, const WalkOptions& options, Segment& base,
             const EarlierSizes& earlier)
      : start_(start), book_(book), options_(options), base_(base), earlier_(earlier) {}

  /// Nothing if `varying` has become smaller.
  std::optional<Segment> Try(Varying& varying) {
    worlds_.clear();
    divergence_.clear();
    distinguisher_ = {};
    Hints hints;
    for (const SymbolSource& place : varying) {
      if (place.symbol == hints.size()) hints.push_back(HintOf(place, base_));
    }
    const graph::sizes::Chosen chosen = graph::sizes::ChooseWorlds(
        hints, [&](const Hints& other) { return TryWorld(other, varying); },
        earlier_ ? earlier_(varying) : std::vector<Hints>());
    if (!chosen.rigid.empty()) {
      Fix(varying, chosen.rigid,
          walked_ > kMostOperators ? "finding out what depends on it takes too long"
                                   : "the program goes another way with other sizes, " + divergence_);
      return std::nullopt;
    }
    if (worlds_.empty()) {
      // Of what is a view with gradients, autograd knows more than its sizes.
      Fix(varying, {}, "it is a view with gradients");
      return std::nullopt;
    }
    return Generalise(varying, chosen.worlds);
  }

 private:
  /// In all walks together; each counts for some more.
  static constexpr size_t kMostOperators = 50'000;
  static constexpr size_t kWalkCosts = 200;

  bool TryWorld(const Hints& hints, const Varying& varying) {
    if (!worlds_.empty() && walked_ > kMostOperators) return false;
    if (!worlds_.empty() && IsTooLarge(hints)) return false;
    WalkedWorld world{.sample = {.other = OtherSizesFor(hints, varying)}};
    WalkedWorld* first = worlds_.empty() ? nullptr : &worlds_.front();
    WalkOptions options = options_;
    // Whoever goes further is not alike.
    if (first != nullptr) {
      options.limits.instructions = first->sample.log.steps() + 1;
      options.limits.operators = base_.graph.nodes().size() + 1;
    }
    world.segment = Walk(start_, book_, options, base_.name, &world.sample);
    walked_ += world.segment.graph.nodes().size() + kWalkCosts;
    if (first == nullptr) {
      if (!IsSameButForNumbers(base_, world.segment)) return false;
    } else if (!IsSameButForNumbers(first->segment, world.segment) ||
               !graph::sizes::HasSameRanks(first->sized.sizes, world.sample.sizes) ||
               first->sample.log.path() != world.sample.log.path() ||
               first->sample.log.events().size() != world.sample.log.events().size()) {
      divergence_ = DivergenceOf(first->segment, first->sample.log, world.segment, world.sample.log);
      return false;
    }
    world.sized = {world.segment.graph, std::move(world.sample.sizes)};
    worlds_.push_back(std::move(world));
    return true;
  }

  /// Operators without a rule are computed on zeros, which take memory.
  bool IsTooLarge(const Hints& hints) const {
    constexpr int64_t kLarge = 256;
    return !worlds_.front().segment.fallbacks.empty() && std::ranges::max(hints) > kLarge;
  }

  OtherSizes OtherSizesFor(const Hints& hints, const Varying& varying) const {
    OtherSizes other;
    for (const SymbolSource& place : varying) {
      const int64_t hint = hints[place.symbol];
      if (place.kind == SymbolSource::Kind::kNumber) {
        other.numbers[place.source] = hint;
        continue;
      }
      const auto& like = std::get<TensorLike>(base_.guards[Index(place.source)].expected);
      OtherSizes::Geometry& geometry =
          other.tensors
              .try_emplace(place.source, OtherSizes::Geometry{{like.sizes.begin(), like.sizes.end()},
                                                              {like.strides.begin(), like.strides.end()}})
              .first->second;
      (place.kind == SymbolSource::Kind::kSize ? geometry.sizes : geometry.strides)[place.dimension] = hint;
    }
    for (auto& [source, geometry] : other.tensors) {
      const auto& like = std::get<TensorLike>(base_.guards[Index(source)].expected);
      if (HasSizes(source, varying))
        geometry.strides = Layout::Of(like.sizes, like.strides).StridesFor(geometry.sizes);
    }
    return other;
  }

  static bool HasSizes(SourceId source, const Varying& varying) {
    return std::ranges::any_of(varying, [&](const SymbolSource& place) {
      return place.source == source && place.kind == SymbolSource::Kind::kSize;
    });
  }

  /// These symbols become numbers.
  void Fix(Varying& varying, const std::vector<size_t>& symbols, const std::string& reason) {
    // Where nobody knows which symbols are to blame, all are.
    const auto is_fixed = [&](size_t symbol) {
      return symbols.empty() || std::ranges::find(symbols, symbol) != symbols.end();
    };
    for (const SymbolSource& place : varying) {
      if (is_fixed(place.symbol))
        base_.fixed_sizes.push_back(
            fmt::format("{} is fixed to {}: {}", NameOf(place, base_), HintOf(place, base_), reason));
    }
    std::erase_if(varying, [&](const SymbolSource& place) { return is_fixed(place.symbol); });
    std::optional<size_t> last;
    size_t next = 0;
    for (SymbolSource& place : varying) {
      if (last && place.symbol != *last) ++next;
      last = place.symbol;
      place.symbol = next;
    }
  }

  std::optional<Segment> Generalise(Varying& varying, std::vector<Hints> hints) {
    ReadConditions conditions;
    std::optional<Numbers> numbers;
    std::optional<RefusedNumber> refused;
    do {
      conditions = {};
      numbers.emplace(hints);
      refused = ReadNumbers(Logs(), Graphs(), base_.origins, *numbers, conditions);
    } while (!refused && TellApart(conditions, varying, hints));
    if (refused) {
      Fix(varying, refused->symbols,
          fmt::format("{} at {}", refused->op, TextOf(refused->origin).ToString()));
      return std::nullopt;
    }
    return Build(varying, *numbers, std::move(conditions));
  }

  std::vector<const SizedGraph*> Graphs() const {
    std::vector<const SizedGraph*> graphs;
    for (const WalkedWorld& world : worlds_) graphs.push_back(&world.sized);
    return graphs;
  }

  std::vector<const NumberLog*> Logs() const {
    std::vector<const NumberLog*> logs;
    for (const WalkedWorld& world : worlds_) logs.push_back(&world.sample.log);
    return logs;
  }

  /// Whether there is one world more, in which something differs that is equal by chance in the others.
  bool TellApart(const ReadConditions& conditions, const Varying& varying, std::vector<Hints>& hints) {
    const auto plain = [](const std::vector<SizeCondition>& all) {
      std::vector<graph::sizes::Condition> plain;
      plain.reserve(all.size());
      for (const SizeCondition& each : all) plain.push_back(each.condition);
      return plain;
    };
    return distinguisher_.AddWorld(
        plain(conditions.coincidences), plain(conditions.decided),
        [&](const Hints& other) { return TryWorld(other, varying); }, hints);
  }

  std::optional<Segment> Build(Varying& varying, const Numbers& numbers, ReadConditions conditions) {
    auto generalised = graph::sizes::Generalise(Graphs(), PlacesOf(varying), numbers);
    if (const auto* refused = std::get_if<graph::sizes::Refused>(&generalised)) {
      Fix(varying, refused->symbols, Describe(*refused));
      return std::nullopt;
    }
    std::optional<Segment> segment =
        Assemble(std::get<graph::sizes::Generalised>(generalised), varying, numbers);
    if (!segment) return std::nullopt;
    segment->conditions = std::move(conditions.decided);
    segment->conditions.insert(segment->conditions.end(), conditions.coincidences.begin(),
                               conditions.coincidences.end());
    return segment;
  }

  std::string Describe(const graph::sizes::Refused& refused) const {
    if (!refused.node) return refused.reason;
    return fmt::format("{} at {}: {}", base_.graph.node(*refused.node).op->qualified_name(),
                       TextOf(base_.origins[Index(*refused.node)]).ToString(), refused.reason);
  }

  std::vector<graph::sizes::SymbolPlace> PlacesOf(const Varying& varying) const {
    std::vector<graph::sizes::SymbolPlace> places;
    for (const SymbolSource& place : varying) {
      const auto input = std::ranges::find(base_.inputs, place.source);
      if (input == base_.inputs.end() || place.kind != SymbolSource::Kind::kSize) continue;
      places.push_back({.symbol = place.symbol,
                        .placeholder = static_cast<size_t>(input - base_.inputs.begin()),
                        .dimension = place.dimension});
    }
    return places;
  }

  std::optional<Segment> Assemble(const graph::sizes::Generalised& generalised, Varying& varying,
                                  const Numbers& numbers) {
    Segment segment = base_;
    segment.graph = generalised.graph;
    segment.symbol_inputs = generalised.added;
    segment.origins = OriginsOf(generalised);
    for (Checkpoint& checkpoint : segment.checkpoints) {
      if (Index(checkpoint.node) < generalised.nodes.size())
        checkpoint.node = generalised.nodes[Index(checkpoint.node)];
    }
    if (!GeneralisePlan(segment, varying, numbers)) return std::nullopt;
    for (const SymbolSource& place : varying) Loosen(segment.guards[Index(place.source)].expected, place);
    segment.symbol_sources = varying;
    segment.path = worlds_.front().sample.log.path();
    segment.verdicts = std::make_shared<graph::sizes::Verdicts>();
    segment.verdicts->Note(numbers.HintsOf(0), "");
    return segment;
  }

  /// Nodes that compute with sizes come from where the next operator of the program does.
  std::vector<CodeOrigin> OriginsOf(const graph::sizes::Generalised& generalised) const {
    std::vector<CodeOrigin> origins;
    for (size_t i = 0; i < generalised.nodes.size(); ++i)
      origins.resize(Index(generalised.nodes[i]) + 1, base_.origins[i]);
    origins.resize(generalised.graph.nodes().size(), origins.empty() ? CodeOrigin() : origins.back());
    return origins;
  }

  /// Numbers that the program keeps.
  bool GeneralisePlan(Segment& segment, Varying& varying, const Numbers& numbers) {
    std::vector<std::vector<Recipe*>> all;
    for (WalkedWorld& world : worlds_) all.push_back(RecipesOf(world.segment));
    const std::vector<Recipe*> recipes = RecipesOf(segment);
    for (size_t i = 0; i < recipes.size(); ++i) {
      const bool is_same = std::ranges::all_of(
          all, [&](const std::vector<Recipe*>& world) { return IsSame(*world[i], *all[0][i]); });
      if (is_same) continue;
      Samples samples;
      bool is_whole = true;
      for (const std::vector<Recipe*>& world : all) {
        const c10::IValue& constant = world[i]->constant;
        is_whole = is_whole && constant.isInt();
        samples.push_back(constant.isInt() ? constant.toInt() : std::lround(constant.toDouble()));
      }
      recipes[i]->kind = Recipe::Kind::kSize;
      recipes[i]->size = numbers.FindInSymbols(samples);
      if (recipes[i]->size && is_whole) continue;
      Fix(varying, numbers.SymbolsIn(samples), "the program keeps a number that depends on it");
      return false;
    }
    return true;
  }

  static void Loosen(ExpectedValue& expected, const SymbolSource& place) {
    if (place.kind == SymbolSource::Kind::kNumber) {
      expected = NumberSymbol{place.symbol};
      return;
    }
    auto& like = std::get<TensorLike>(expected);
    const bool is_size = place.kind == SymbolSource::Kind::kSize;
    if (is_size) like.layout = Layout::Of(like.sizes, like.strides);
    auto& symbols = is_size ? like.size_symbols : like.stride_symbols;
    symbols.resize(like.sizes.size());
    symbols[place.dimension] = place.symbol;
  }

  const vm::State& start_;
  vm::CodeBook& book_;
  const WalkOptions& options_;
  Segment& base_;
  /// Where they are must not change.
  std::deque<WalkedWorld> worlds_;
  size_t walked_ = 0;
  const EarlierSizes& earlier_;
  graph::sizes::Distinguisher distinguisher_;
  /// Where the last world that was refused went another way.
  std::string divergence_;
};

}  // namespace

std::optional<Segment> Symbolise(const vm::State& start, vm::CodeBook& book, const WalkOptions& options,
                                 Segment& base, Varying varying, const EarlierSizes& earlier) {
  Symboliser symboliser(start, book, options, base, earlier);
  while (!varying.empty()) {
    if (std::optional<Segment> segment = symboliser.Try(varying)) {
      segment->fixed_sizes = base.fixed_sizes;
      return segment;
    }
  }
  return std::nullopt;
}

std::optional<Segment> SymboliseBest(const vm::State& start, vm::CodeBook& book, const WalkOptions& options,
                                     Segment& base, const std::vector<Varying>& choices,
                                     const EarlierSizes& earlier) {
  std::optional<Segment> best;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0 && choices[i] == choices[0]) continue;
    Segment tried = base;
    tried.fixed_sizes.clear();
    std::optional<Segment> symbolic = Symbolise(start, book, options, tried, choices[i], earlier);
    if (i == 0) base.fixed_sizes = tried.fixed_sizes;
    if (symbolic && tried.fixed_sizes.empty()) {
      base.fixed_sizes.clear();
      return symbolic;
    }
    if (symbolic && !best) {
      base.fixed_sizes = tried.fixed_sizes;
      best = std::move(symbolic);
    }
  }
  return best;
}

}  // namespace culprit::capture
