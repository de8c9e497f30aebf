// SPDX-License-Identifier: Apache-2.0
#include "hunt/take_back.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "repro/read_repro.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

base::Result<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return base::Diagnostic{{path}, "cannot be read"};
  return text.str();
}

/// What the report says is about this program now.
base::Status Describe(const std::string& path, const std::string& text, const Sources& sources,
                      Report& report) {
  const repro::LoadedRepro loaded = CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(path, text))));
  report.after = ExtentOf({loaded.repro.graph, loaded.repro.inputs});
  report.nearest.reset();
  report.tried.clear();
  report.guilty = GuiltyOf(loaded.repro.graph, sources);
  return base::Done{};
}

bool NeedsStore(const graph::text::Script& script) {
  const auto is_stored = [](const graph::StorageContents& contents) {
    return std::holds_alternative<graph::StoredBytes>(contents);
  };
  return std::ranges::any_of(script.constant_contents, is_stored) ||
         (script.inputs &&
          std::ranges::any_of(script.inputs->storages, [&](const graph::StorageSpec& storage) {
            return storage.hash.has_value() || is_stored(storage.contents);
          }));
}

}  // namespace

base::Status TakeBackUntilVerified(const MinifyRepro& job, const std::vector<std::string>& steps,
                                   Report& report) {
  const std::string path = job.folder.repro();
  size_t left = steps.size();
  while (!job.stop()) {
    report.verification = job.verify(path);
    if (report.verification.holds() || left == 0) break;
    ++report.taken_back;
    --left;
    const std::string earlier = left == 0 ? job.folder.original() : job.folder.path() + "/" + steps[left - 1];
    const std::string text = CULPRIT_TRY(ReadText(earlier));
    CULPRIT_TRY(repro::WriteText(path, text));
    CULPRIT_TRY(Describe(path, text, job.plan.sources, report));
  }
  report.program_text = CULPRIT_TRY(ReadText(path));
  report.needs_store = NeedsStore(CULPRIT_TRY(repro::OpenRepro(path, report.program_text)).script);
  return base::Done{};
}

}  // namespace culprit::hunt
