// SPDX-License-Identifier: Apache-2.0
#include "culprit/config.h"

#include <stdexcept>

#include "base/setting_table.h"
#include "base/settings.h"

namespace culprit::config {
namespace {

template <typename T>
T ValueOrThrow(base::Result<T> result) {
  if (!result.ok()) throw std::invalid_argument(result.error().Render());
  return *std::move(result);
}

}  // namespace

class Patch::State {
 public:
  explicit State(const std::vector<NameAndValue>& values)
      : patch_(ValueOrThrow(base::SettingsPatch::Make(values))) {}

 private:
  base::SettingsPatch patch_;
};

Patch::Patch(const std::vector<NameAndValue>& values) : state_(std::make_unique<State>(values)) {}

Patch::Patch(std::initializer_list<NameAndValue> values) : Patch(std::vector<NameAndValue>(values)) {}

Patch::~Patch() = default;
Patch::Patch(Patch&& other) noexcept = default;
Patch& Patch::operator=(Patch&& other) noexcept = default;

void Set(const std::string& name, const std::string& value) {
  ValueOrThrow(base::SetForProcess(name, value));
}

std::string Get(const std::string& name) {
  const base::SettingRow* row = ValueOrThrow(base::FindSetting(name));
  return base::PrintSetting(*row, ValueOrThrow(base::CurrentSettings()));
}

}  // namespace culprit::config
