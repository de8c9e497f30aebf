// SPDX-License-Identifier: Apache-2.0
#include "minify/rewrite/adapter.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "graph/ir/bind.h"

namespace culprit::minify {
namespace {

using graph::Argument;
using Sizes = std::vector<int64_t>;

int64_t NumelOf(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

bool Expands(const Sizes& from, const Sizes& to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.rbegin(), from.rend(), to.rbegin(),
                    [](int64_t f, int64_t t) { return f == t || f == 1; });
}

/// The only dimension in which `from` is larger, if that is all that differs.
std::optional<size_t> LargerIn(const Sizes& from, const Sizes& to) {
  if (from.size() != to.size()) return std::nullopt;
  std::optional<size_t> larger;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    if (from[i] < to[i] || larger) return std::nullopt;
    larger = i;
  }
  return larger;
}

class Adapter {
 public:
  Adapter(graph::Rebuild& rebuild, graph::FreshNames& names, std::string name)
      : rebuild_(rebuild), names_(names), name_(std::move(name)) {}

  Argument Call(std::string_view op_name, std::vector<Argument> positional,
                std::vector<std::pair<std::string, Argument>> keyword = {}) {
    const graph::Operator& op = graph::Operator::Get(op_name);
    base::Result<std::vector<Argument>> arguments =
        graph::BindArguments(rebuild_.graph(), op, {std::move(positional), std::move(keyword)});
    return rebuild_.graph().AddNode(op, *std::move(arguments), {names_.Derive(name_)}).results[0];
  }

  std::optional<Argument> Reshaped(const Argument& operand, const Sizes& from, const Sizes& to) {
    if (from == to) return operand;
    if (NumelOf(from) == NumelOf(to)) return Call("aten::reshape", {operand, Argument::Ints(to)});
    if (Expands(from, to)) return Call("aten::expand", {operand, Argument::Ints(to)});
    const std::optional<size_t> larger = LargerIn(from, to);
    if (!larger) return std::nullopt;
    const auto number = [](int64_t value) { return Argument(c10::IValue(value)); };
    return Call("aten::narrow",
                {operand, number(static_cast<int64_t>(*larger)), number(0), number(to[*larger])});
  }

 private:
  graph::Rebuild& rebuild_;
  graph::FreshNames& names_;
  std::string name_;
};

}  // namespace

std::optional<graph::Geometry> GeometryOf(const Subject& subject, graph::ValueId value) {
  const graph::RecordedValue& recorded = subject.recording().value(value);
  if (recorded.is_list || recorded.items.size() != 1 || !recorded.items[0].object) return std::nullopt;
  const graph::ObjectState& state = subject.recording().StateOf(*recorded.items[0].object, recorded.since);
  if (!subject.recording().IsStorage(state.memory)) return std::nullopt;
  return state.geometry;
}

std::optional<Argument> Adapt(graph::Rebuild& rebuild, graph::FreshNames& names, graph::ValueId operand,
                              const graph::Geometry& from, const graph::Geometry& to) {
  Adapter adapter(rebuild, names, rebuild.graph().value(operand).name);
  std::optional<Argument> adapted = adapter.Reshaped(operand, from.sizes, to.sizes);
  if (!adapted || from.dtype == to.dtype) return adapted;
  return adapter.Call("aten::_to_copy", {*adapted},
                      {{"dtype", Argument(c10::IValue(static_cast<int64_t>(to.dtype)))}});
}

}  // namespace culprit::minify
