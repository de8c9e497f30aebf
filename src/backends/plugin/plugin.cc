// SPDX-License-Identifier: Apache-2.0
#include "backends/plugin/plugin.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/plugin/host.h"
#include "backends/plugin/load_plugin.h"
#include "backends/plugin/view.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::backends::plugin {
namespace {

using backend::Values;

/// What the plug-in wants, after it has seen its options.
struct Wishes {
  backend::Parameters parameters = backend::Parameters::kLifted;
  int calls = 1;
};

std::string NameOfInput(const graph::Graph& graph, size_t index) {
  return fmt::format("input '{}'", graph.value(graph.placeholders()[index].value).name);
}

class PluginCompiled : public backend::Compiled {
 public:
  PluginCompiled(const CulpritPlugin& plugin, const backend::Description& description,
                 const backend::Configuration& configuration, graph::Graph graph)
      : plugin_(plugin),
        graph_(std::move(graph)),
        host_(plugin.name, description, configuration),
        view_(graph_) {}
  ~PluginCompiled() override {
    if (is_compiled_ && plugin_.destroy != nullptr) plugin_.destroy(compiled_);
  }
  PluginCompiled(const PluginCompiled&) = delete;
  PluginCompiled& operator=(const PluginCompiled&) = delete;

  void Compile(const Values& inputs, backend::Parameters parameters) {
    std::vector<CulpritArgument> arguments;
    arguments.reserve(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool frozen = parameters == backend::Parameters::kFrozen &&
                          graph_.placeholders()[i].kind != graph::PlaceholderKind::kInput;
      // The plug-in may read it whenever it likes, and the program may change it.
      if (frozen) frozen_.push_back(copies_.Copy(inputs[i]));
      arguments.push_back(
          compile_inputs_.Value(frozen ? frozen_.back() : inputs[i], frozen, NameOfInput(graph_, i)));
    }
    // A copy in the views: the plug-in may keep the address.
    const CulpritArgument list = compile_inputs_.List(std::move(arguments));
    host_.BeginCompile(graph_);
    const int32_t status = plugin_.compile(host_.abi(), &view_.view(), list.as.list, &compiled_);
    host_.EndCompile();
    is_compiled_ = status == 0;
    host_.Check(status);
  }

  Values Call(Values& inputs) override {
    CULPRIT_CHECK(inputs.size() == graph_.placeholders().size(), "{} inputs for {} placeholders",
                  inputs.size(), graph_.placeholders().size());
    Views views;
    std::vector<CulpritArgument> arguments;
    arguments.reserve(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i)
      arguments.push_back(views.Value(inputs[i], /*with_data=*/true, NameOfInput(graph_, i)));
    host_.BeginCall(inputs, graph_.outputs().size());
    return host_.EndCall(plugin_.call(host_.abi(), compiled_, arguments.data()));
  }

 private:
  const CulpritPlugin& plugin_;
  graph::Graph graph_;
  Host host_;
  GraphView view_;
  graph::TensorCopies copies_;
  Values frozen_;
  Views compile_inputs_;
  void* compiled_ = nullptr;
  bool is_compiled_ = false;
};

class PluginBackend : public backend::Backend {
 public:
  PluginBackend(const CulpritPlugin& plugin, backend::Description description,
                backend::Configuration configuration, Wishes wishes)
      : plugin_(plugin),
        description_(std::move(description)),
        configuration_(std::move(configuration)),
        wishes_(wishes) {}

  backend::Parameters parameters() const override { return wishes_.parameters; }
  int calls() const override { return wishes_.calls; }
  bool gives_gradients() const override { return false; }
  bool takes_symbols() const override {
    const bool says_so = plugin_.struct_size >= offsetof(CulpritPlugin, symbols) + sizeof(plugin_.symbols);
    return says_so && plugin_.symbols != 0;
  }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const Values& inputs) override {
    auto compiled = std::make_unique<PluginCompiled>(plugin_, description_, configuration_, std::move(graph));
    compiled->Compile(inputs, wishes_.parameters);
    return compiled;
  }

 private:
  const CulpritPlugin& plugin_;
  backend::Description description_;
  backend::Configuration configuration_;
  Wishes wishes_;
};

base::Result<Wishes> Configure(const CulpritPlugin& plugin, const backend::Description& description,
                               const backend::Configuration& configuration) {
  CulpritWishes wishes{.struct_size = sizeof(CulpritWishes),
                       .frozen_parameters = plugin.frozen_parameters,
                       .calls = plugin.calls};
  if (plugin.configure != nullptr) {
    Host host(plugin.name, description, configuration);
    if (const auto failure = host.TakeFailure(plugin.configure(host.abi(), &wishes))) {
      base::Diagnostic error{{fmt::format("backend '{}'", description.name)}, *failure};
      error.help = fmt::format("to see its options and switches, run: culprit backends {}", description.name);
      return error;
    }
  }
  return Wishes{.parameters = wishes.frozen_parameters != 0 ? backend::Parameters::kFrozen
                                                            : backend::Parameters::kLifted,
                .calls = std::max(wishes.calls, 1)};
}

}  // namespace

base::Result<Plugin> Plugin::Load(const std::string& path) {
  const CulpritPlugin* plugin = CULPRIT_TRY(LoadPlugin(path));
  return Plugin(*plugin, Describe(*plugin, path));
}

base::Result<std::unique_ptr<backend::Backend>> Plugin::Open(
    const backend::Configuration& configuration) const {
  const Wishes wishes = CULPRIT_TRY(Configure(*plugin_, description_, configuration));
  return std::unique_ptr<backend::Backend>(
      std::make_unique<PluginBackend>(*plugin_, description_, configuration, wishes));
}

}  // namespace culprit::backends::plugin
