// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/keep_insight.h"

#include <filesystem>

#include "repro/file_name.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

std::string FileNameOf(const std::string& name) {
  const std::filesystem::path given(name);
  const std::string extension = given.extension();
  const std::string stem = repro::AsFileName(given.stem().string(), "text");
  return extension.size() < 2 ? stem : stem + "." + repro::AsFileName(extension.substr(1), "txt");
}

}  // namespace

base::Status KeepInsight(const repro::RunFolder& folder, const ShownRun& shown) {
  std::error_code ignored;
  std::filesystem::remove_all(folder.insight(), ignored);
  for (const auto& [name, text] : shown.insight)
    CULPRIT_TRY(repro::WriteText(folder.insight() + "/" + FileNameOf(name), text));
  return base::Done{};
}

}  // namespace culprit::hunt
