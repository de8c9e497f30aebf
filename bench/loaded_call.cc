// SPDX-License-Identifier: Apache-2.0
#include "bench/loaded_call.h"

#include <algorithm>

#include "backends/table.h"
#include "base/internal_error.h"
#include "model/inputs/convert_to.h"
#include "model/inputs/input_text.h"
#include "tests/models/model_archives.h"

namespace culprit::bench {
namespace {

template <typename T>
T Expect(base::Result<T> result) {
  CULPRIT_CHECK(result.ok(), "{}", result.error().Render());
  return *std::move(result);
}

}  // namespace

LoadedCall LoadArchive(const std::string& name) {
  const bool is_in_sample = std::ranges::count(tests::kModelSample, name) > 0;
  const nlohmann::json models = tests::ModelArchives(/*all=*/!is_in_sample);
  const auto row =
      std::find_if(models.begin(), models.end(), [&](const auto& row) { return row["name"] == name; });
  CULPRIT_CHECK(row != models.end(), "there is no model {}", name);
  const model::LoadedModel loaded = Expect(model::LoadModel(tests::ArchiveOf(*row)));
  LoadedCall call{.module = *loaded.module()};
  call.module.eval();
  const auto inputs = (*row)["inputs"].get<std::vector<std::string>>();
  for (const model::Input& input : Expect(model::ReadInputs(inputs, {.name = name})))
    call.inputs.push_back(input.value);
  return call;
}

model::Entry LoadedCall::EntryOf(const torch::jit::Module& module) {
  return {&module.get_method("forward").function(), module._ivalue()};
}

std::vector<c10::IValue> LoadedCall::ArgumentsFor(const torch::jit::Module& module) const {
  std::vector<model::Input> written;
  for (const c10::IValue& input : inputs) written.push_back({.value = input});
  const model::Entry entry = EntryOf(module);
  return Expect(model::BindInputs(written, entry.function->getSchema(), entry.self));
}

capture::Options EagerOptions() {
  capture::Options options;
  options.compile = [](const capture::Segment& segment, const backend::Values& inputs) {
    static const std::unique_ptr<backend::Backend> eager = *backends::Open({.name = "eager"});
    return std::shared_ptr<backend::Compiled>(eager->Compile(segment.graph, inputs));
  };
  return options;
}

}  // namespace culprit::bench
