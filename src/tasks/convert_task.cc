// SPDX-License-Identifier: Apache-2.0
#include "tasks/convert_task.h"

#include <filesystem>

#include "check/query/in_python.h"
#include "check/query/stamp.h"
#include "open/open_file.h"
#include "repro/cpp/cpp_text.h"
#include "repro/write_repro.h"

namespace culprit::tasks {
namespace {

base::Status CheckIsFree(const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return base::Done{};
  if (std::filesystem::is_directory(folder, error) && std::filesystem::is_empty(folder, error) && !error)
    return base::Done{};
  base::Diagnostic taken{{folder}, "exists already, and is not an empty folder"};
  taken.help = "to write to another folder, add: --output DIR";
  return taken;
}

}  // namespace

base::Result<ConvertAnswer> ConvertFile(const ConvertRequest& request, open::Notes& notes) {
  CULPRIT_TRY(CheckIsFree(request.folder));
  repro::ReadRepro read = CULPRIT_TRY(open::OpenFile(request.file, notes));
  repro::Repro repro = CULPRIT_TRY(open::LoadInputs(std::move(read), request.file, {}, notes));
  check::Stamp(repro.header);
  repro::WriteOptions write{
      .data = request.no_data ? repro::WriteOptions::Data::kNone : repro::WriteOptions::Data::kStore,
      .stable_output = request.stable_output};
  if (request.language == "cpp")
    return ConvertAnswer{CULPRIT_TRY(repro::WriteCppProject(request.folder, repro, write)).random};
  write.compiled_in_python = check::CompiledInPython(repro);
  return ConvertAnswer{CULPRIT_TRY(repro::WriteRepro(request.folder + "/repro.py", repro, write)).random};
}

}  // namespace culprit::tasks
