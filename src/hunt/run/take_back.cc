// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/take_back.h"

#include <algorithm>

#include "backend/spec.h"
#include "backends/table.h"
#include "check/query/in_python.h"
#include "graph/analysis/structural_hash.h"
#include "hunt/run/run_record.h"
#include "process/environment.h"
#include "repro/read_repro.h"
#include "repro/run_folder.h"
#include "repro/write_repro.h"

namespace culprit::hunt {
namespace {

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

/// What the report says is about the file, whatever the search has arrived at: the last steps may have been
/// taken back.
base::Status Describe(const MinifyRepro& job, const minify::Program& found, Report& report) {
  const std::string path = job.folder.repro();
  report.program_text = CULPRIT_TRY(repro::ReadScript(path));
  repro::ReadRepro read = CULPRIT_TRY(repro::OpenRepro(path, report.program_text));
  report.needs_store = NeedsStore(read.script);
  const repro::LoadedRepro loaded = CULPRIT_TRY(repro::LoadRepro(std::move(read)));
  report.fails_in_python = check::CompiledInPython(loaded.repro).has_value();
  if (const auto spec = backend::ParseSpec(loaded.repro.header.backend);
      spec.ok() && job.plan.judge.empty()) {
    if (const auto description = backends::Describe(*spec); description.ok()) {
      report.versions = description->versions;
      report.place = description->place;
    }
  }
  report.cpu_model = process::DescribeEnvironment().cpu_model;
  if (!loaded.repro.header.expected.empty())
    report.signature = CULPRIT_TRY(backend::FailureSignature::FromJson(loaded.repro.header.expected));
  const minify::Program on_disk{loaded.repro.graph, loaded.repro.inputs};
  report.after = ExtentOf(on_disk);
  report.guilty = GuiltyOf(on_disk.graph, job.repro.graph, job.plan.sources);
  if (StructuralHash(on_disk.graph, on_disk.inputs) == StructuralHash(found.graph, found.inputs))
    return base::Done{};
  report.is_last_step = false;
  report.nearest.reset();
  report.tried.clear();
  return base::Done{};
}

/// One that was taken back in an earlier run is tried again.
base::Status UseStep(const MinifyRepro& job, const std::vector<std::string>& steps, size_t count) {
  if (count == 0) return WriteOriginal(job, job.folder.repro());
  const std::string text = CULPRIT_TRY(repro::ReadScript(job.folder.path() + "/" + steps[count - 1]));
  const base::Result<std::string> now = repro::ReadScript(job.folder.repro());
  return now.ok() && *now == text ? base::Status(base::Done{}) : repro::WriteText(job.folder.repro(), text);
}

}  // namespace

base::Status TakeBackUntilVerified(const MinifyRepro& job, const std::vector<std::string>& steps,
                                   const minify::Program& found, Oracle& oracle, Listener& listener,
                                   Report& report) {
  for (size_t left = steps.size(); !HasToStop(oracle, listener); --left) {
    CULPRIT_TRY(UseStep(job, steps, left));
    listener.OnPhase("verifying it in fresh processes");
    report.verification = CULPRIT_TRY(oracle.Verify(job.folder.repro()));
    if (report.verification.holds() || left == 0 || HasToStop(oracle, listener)) break;
    ++report.taken_back;
  }
  return Describe(job, found, report);
}

}  // namespace culprit::hunt
