// SPDX-License-Identifier: Apache-2.0
#include "base/settings.h"

#include <unistd.h>

#include <mutex>

#include "base/setting_layer.h"

namespace culprit::base {
namespace {

using LayerPointer = std::shared_ptr<const SettingLayer>;

struct Layer {
  std::string_view origin;
  LayerPointer values;
};

// What belongs to the process is never destroyed: threads may go on when it ends.

Result<LayerPointer> OfEnvironment() {
  static const auto* layer = new Result<SettingLayer>(ReadEnvironment(environ));
  if (!layer->ok()) return layer->error();
  return LayerPointer(LayerPointer(), &layer->value());
}

struct ProcessLayer {
  std::mutex mutex;
  /// Replaced, never changed, so that readers need the lock for no longer than it takes to copy the pointer.
  LayerPointer values = std::make_shared<SettingLayer>();
};

ProcessLayer& OfProcess() {
  static auto* layer = new ProcessLayer;
  return *layer;
}

// The oldest first. A patch that has ended, on whichever thread, is an expired pointer.
std::vector<std::weak_ptr<const SettingLayer>>& PatchesOfThread() {
  thread_local std::vector<std::weak_ptr<const SettingLayer>> patches;
  return patches;
}

/// Those that later ones are laid over first.
Result<std::vector<Layer>> AllLayers() {
  std::vector<Layer> layers = {{"environment", CULPRIT_TRY(OfEnvironment())}};
  {
    const std::lock_guard lock(OfProcess().mutex);
    layers.push_back({"process", OfProcess().values});
  }
  for (const auto& patch : PatchesOfThread()) {
    if (LayerPointer values = patch.lock()) layers.push_back({"patch", std::move(values)});
  }
  return layers;
}

Settings Merged(const std::vector<Layer>& layers) {
  Settings settings;
  for (const Layer& layer : layers) layer.values->LayOver(settings);
  return settings;
}

std::string_view OriginOf(const SettingRow& row, const std::vector<Layer>& layers) {
  std::string_view origin = "default";
  for (const Layer& layer : layers) {
    if (layer.values->Has(row)) origin = layer.origin;
  }
  return origin;
}

}  // namespace

Result<Settings> CurrentSettings() {
  return Merged(CULPRIT_TRY(AllLayers()));
}

Result<std::vector<SettingValue>> DescribeSettings() {
  const std::vector<Layer> layers = CULPRIT_TRY(AllLayers());
  const Settings settings = Merged(layers);
  std::vector<SettingValue> values;
  for (const SettingRow& row : AllSettings())
    values.push_back({&row, PrintSetting(row, settings), OriginOf(row, layers)});
  return values;
}

Status SetForProcess(std::string_view name, std::string_view text) {
  const SettingRow* row = CULPRIT_TRY(FindSetting(name));
  const std::lock_guard lock(OfProcess().mutex);
  auto changed = std::make_shared<SettingLayer>(*OfProcess().values);
  CULPRIT_TRY(changed->Set(*row, text, name));
  OfProcess().values = std::move(changed);
  return Done();
}

Result<SettingsPatch> SettingsPatch::Make(const Texts& texts) {
  auto layer = std::make_shared<SettingLayer>();
  for (const auto& [name, text] : texts) CULPRIT_TRY(layer->Set(*CULPRIT_TRY(FindSetting(name)), text, name));
  std::erase_if(PatchesOfThread(), [](const auto& patch) { return patch.expired(); });
  PatchesOfThread().push_back(layer);
  return SettingsPatch(std::move(layer));
}

std::map<std::string, std::string> NonDefault(const Settings& settings) {
  std::map<std::string, std::string> texts;
  for (const SettingRow& row : AllSettings()) {
    if (!row.in_repro) continue;
    std::string text = PrintSetting(row, settings);
    if (text != PrintSetting(row, Settings())) texts.emplace(row.name, std::move(text));
  }
  return texts;
}

}  // namespace culprit::base
