// SPDX-License-Identifier: Apache-2.0
//
// Fewer outputs: just one of them, those that nothing else uses first, since a tensor that is shown to the
// outside is one that a compiler cannot fuse away; then each one less. What nothing needs any more goes with
// them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "minify/change_inputs.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

using Names = std::vector<std::string>;

/// One per output: the name of the value; where a value is returned again, with a number behind it.
Names NamesOf(const graph::Graph& graph) {
  Names names;
  std::map<std::string, int> seen;
  for (const graph::Argument& output : graph.outputs()) {
    const std::string name = output.is_value() ? graph.value(output.value()).name : "";
    const int times = ++seen[name];
    names.push_back(times == 1 ? name : fmt::format("{}#{}", name, times));
  }
  return names;
}

base::Result<Program> KeepOutputs(const Subject& subject,
                                  const std::function<bool(const std::string&)>& keeps) {
  graph::Graph graph = subject.graph();
  std::vector<graph::Argument> kept;
  const Names names = NamesOf(graph);
  for (size_t i = 0; i < names.size(); ++i) {
    if (keeps(names[i])) kept.push_back(graph.outputs()[i]);
  }
  if (kept.empty() || kept.size() == graph.outputs().size())
    return base::Diagnostic{{}, "nothing would change"};
  graph.SetOutputs(std::move(kept));
  return WithoutUnused({std::move(graph), subject.program().inputs});
}

Edit Only(const std::string& name) {
  return {fmt::format("keep only the output {}", name), [name](const Subject& subject) {
            return KeepOutputs(subject, [&](const std::string& other) { return other == name; });
          }};
}

Edit Without(const std::string& name) {
  return {fmt::format("drop the output {}", name), [name](const Subject& subject) {
            return KeepOutputs(subject, [&](const std::string& other) { return other != name; });
          }};
}

class Outputs : public Strategy {
 public:
  std::vector<Edit> Propose(const Subject& subject, size_t at_most) override {
    if (subject.graph().outputs().size() < 2) return {};
    if (!begun_) Begin(subject);
    std::vector<Edit> edits;
    for (; next_ < edits_.size() && edits.size() < at_most; ++next_) edits.push_back(edits_[next_]);
    return edits;
  }

  void Learn(std::span<const Learned>) override {}

 private:
  void Begin(const Subject& subject) {
    begun_ = true;
    const graph::Graph& graph = subject.graph();
    std::unordered_set<uint32_t> used;
    for (const graph::Node& node : graph.nodes()) {
      for (const graph::Argument& argument : node.arguments)
        ForEachValue(argument, [&](graph::ValueId id) { used.insert(Index(id)); });
    }
    Names sinks;
    Names others;
    const Names names = NamesOf(graph);
    for (size_t i = 0; i < names.size(); ++i) {
      const graph::Argument& output = graph.outputs()[i];
      const bool is_sink = output.is_value() && !used.contains(Index(output.value()));
      (is_sink ? sinks : others).push_back(names[i]);
    }
    std::ranges::reverse(sinks);
    for (const Names& names : {sinks, others}) {
      for (const std::string& name : names) edits_.push_back(Only(name));
    }
    for (const Names& names : {others, sinks}) {
      for (const std::string& name : names) edits_.push_back(Without(name));
    }
  }

  bool begun_ = false;
  std::vector<Edit> edits_;
  size_t next_ = 0;
};

}  // namespace

size_t BoundOfOutputs(const Subject& subject) {
  return 2 * subject.graph().outputs().size();
}

std::unique_ptr<Strategy> MakeOutputs() {
  return std::make_unique<Outputs>();
}

}  // namespace culprit::minify::strategies
