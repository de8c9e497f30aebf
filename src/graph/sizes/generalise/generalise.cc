// SPDX-License-Identifier: Apache-2.0
#include "graph/sizes/generalise/generalise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/ir/rebuild.h"
#include "graph/sizes/generalise/emit.h"
#include "graph/sizes/generalise/find_number.h"
#include "graph/sizes/generalise/map_numbers.h"

namespace culprit::graph::sizes {
namespace {

using Worlds = std::vector<const SizedGraph*>;

/// A number of the graph, resolved.
struct Resolved {
  Expression expression;
  bool is_float = false;
};
using Factor = NumberFinder::Factor;

std::vector<const Argument*> ArgumentIn(const Worlds& worlds, size_t node, size_t argument) {
  std::vector<const Argument*> all;
  for (const SizedGraph* world : worlds) all.push_back(&world->graph.nodes()[node].arguments[argument]);
  return all;
}

class Generaliser {
 public:
  Generaliser(const Worlds& worlds, const std::vector<SymbolPlace>& places, const Numbers& numbers,
              size_t readable)
      : worlds_(worlds),
        source_(worlds[0]->graph),
        places_(places),
        finder_(worlds, numbers, readable),
        numbers_(numbers) {}

  std::variant<Generalised, Refused> Run() {
    if (std::optional<Refused> refused = CompareConstants()) return *std::move(refused);
    for (size_t node = 0; node < source_.nodes().size(); ++node) {
      if (std::optional<Refused> refused = ResolveNode(node)) return *std::move(refused);
      finder_.Add(NodeId(node));
    }
    return Build();
  }

 private:
  /// Tensors that are made of numbers.
  std::optional<Refused> CompareConstants() const {
    for (size_t i = 0; i < source_.constants().size(); ++i) {
      for (const SizedGraph* world : worlds_) {
        if (SameTensor(world->graph.constants()[i].tensor, source_.constants()[i].tensor)) continue;
        return Refused{.node = UserOf(source_.constants()[i].value),
                       .reason = "a tensor is made of a size",
                       .symbols = AllSymbols()};
      }
    }
    return std::nullopt;
  }

  std::optional<NodeId> UserOf(ValueId value) const {
    for (size_t node = 0; node < source_.nodes().size(); ++node) {
      for (const Argument& argument : source_.nodes()[node].arguments) {
        bool uses = false;
        ForEachValue(argument, [&](ValueId id) { uses = uses || id == value; });
        if (uses) return NodeId(node);
      }
    }
    return std::nullopt;
  }

  std::vector<size_t> AllSymbols() const {
    std::vector<size_t> all;
    for (size_t symbol = 0; symbol < numbers_.symbols(); ++symbol) all.push_back(symbol);
    return all;
  }

  std::optional<Refused> ResolveNode(size_t node) {
    std::optional<Refused> refused;
    std::vector<Factor> siblings;
    for (size_t i = 0; i < source_.nodes()[node].arguments.size() && !refused; ++i) {
      const std::optional<Argument> mapped =
          MapNumbers(ArgumentIn(worlds_, node, i), {[&](const Samples& samples, bool is_float) {
                       const std::optional<Expression> found = finder_.Find(samples, NodeId(node), siblings);
                       if (found) {
                         siblings.push_back({samples, *found});
                         resolved_[node].push_back({*found, is_float});
                       } else if (!refused) {
                         refused = Refuse(node, samples);
                       }
                       return Argument();
                     }});
      if (!mapped && !refused)
        refused =
            Refused{.node = NodeId(node), .reason = "an argument depends on a size", .symbols = AllSymbols()};
    }
    return refused;
  }

  Refused Refuse(size_t node, const Samples& samples) const {
    return {.node = NodeId(node),
            .reason = fmt::format("where a size comes from that is {} here is not known", samples[0]),
            .symbols = numbers_.SymbolsIn(samples)};
  }

  Generalised Build() {
    Rebuild rebuild(source_);
    SizeEmitter emitter(rebuild, source_, places_);
    for (const auto& [node, all] : resolved_) {
      for (const Resolved& resolved : all) emitter.WillNeed(resolved.expression);
    }
    rebuild.CopyPlaceholders();
    NameSymbols(rebuild.graph());
    std::vector<size_t> added = emitter.AddPlaceholders();
    rebuild.CopyConstants();
    emitter.BehindPlaceholders();
    std::vector<NodeId> nodes;
    for (size_t node = 0; node < source_.nodes().size(); ++node) {
      std::vector<Argument> arguments = Arguments(node, rebuild, emitter);
      nodes.push_back(NodeId(rebuild.graph().nodes().size()));
      rebuild.CopyNode(source_.nodes()[node], std::move(arguments));
      emitter.Behind(source_.nodes()[node]);
    }
    rebuild.CopyOutputs();
    std::vector<ValueId> values;
    for (size_t i = 0; i < source_.values().size(); ++i)
      values.push_back(rebuild.Map(Argument(ValueId(i))).value());
    return {std::move(rebuild).Take(), std::move(nodes), std::move(values), std::move(added)};
  }

  void NameSymbols(Graph& graph) const {
    for (const SymbolPlace& place : places_) {
      const std::string symbol = ToString(Expression::Symbol(place.symbol));
      if (!place.dimension) {
        graph.SetSymbols(place.placeholder, {symbol});
        continue;
      }
      const Placeholder& placeholder = source_.placeholders()[place.placeholder];
      std::vector<std::string> symbols = graph.placeholders()[place.placeholder].symbols;
      symbols.resize(worlds_[0]->sizes[Index(placeholder.value)].size());
      symbols[*place.dimension] = symbol;
      graph.SetSymbols(place.placeholder, std::move(symbols));
    }
  }

  /// Of the new graph; what has to be computed for them is.
  std::vector<Argument> Arguments(size_t node, const Rebuild& rebuild, SizeEmitter& emitter) {
    const auto resolved = resolved_.find(node);
    std::vector<Argument> arguments;
    size_t next = 0;
    for (size_t i = 0; i < source_.nodes()[node].arguments.size(); ++i) {
      arguments.push_back(*MapNumbers(ArgumentIn(worlds_, node, i),
                                      {.number =
                                           [&](const Samples&, bool) {
                                             const Resolved& number = resolved->second[next++];
                                             return emitter.Emit(number.expression, number.is_float);
                                           },
                                       .same = [&](const Argument& same) { return rebuild.Map(same); }}));
    }
    return arguments;
  }

  const Worlds& worlds_;
  const Graph& source_;
  const std::vector<SymbolPlace>& places_;
  NumberFinder finder_;
  const Numbers& numbers_;
  /// By node, in the order in which the arguments mention them.
  std::map<size_t, std::vector<Resolved>> resolved_;
};

}  // namespace

Samples SizeIn(const std::vector<const SizedGraph*>& worlds, ValueId value, size_t dimension) {
  Samples samples;
  for (const SizedGraph* world : worlds) samples.push_back(world->sizes[Index(value)][dimension]);
  return samples;
}

bool HasSameRanks(const std::vector<std::vector<int64_t>>& a, const std::vector<std::vector<int64_t>>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.size() == y.size(); });
}

bool IsSameButForNumbers(const Node& a, const Node& b) {
  if (a.op != b.op || a.results != b.results) return false;
  for (size_t i = 0; i < a.arguments.size(); ++i) {
    const auto same = [](const Samples&, bool) { return Argument(); };
    if (!MapNumbers({&a.arguments[i], &b.arguments[i]}, {same})) return false;
  }
  return true;
}

bool IsSameButForNumbers(const Graph& a, const Graph& b) {
  const auto alike_nodes = [](const Node& x, const Node& y) { return IsSameButForNumbers(x, y); };
  return a.placeholders().size() == b.placeholders().size() && a.constants().size() == b.constants().size() &&
         std::ranges::equal(a.nodes(), b.nodes(), alike_nodes) && a.outputs() == b.outputs();
}

std::variant<Generalised, Refused> Generalise(const std::vector<const SizedGraph*>& worlds,
                                              const std::vector<SymbolPlace>& places, const Numbers& numbers,
                                              size_t readable) {
  return Generaliser(worlds, places, numbers, readable).Run();
}

}  // namespace culprit::graph::sizes
