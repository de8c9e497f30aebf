// SPDX-License-Identifier: Apache-2.0
#include "repro/write_repro.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "files/temporary_file.h"
#include "graph/text/script/script.h"
#include "repro/describe_inputs.h"
#include "repro/failing_command.h"
#include "repro/keep_data.h"
#include "repro/python_text.h"

namespace culprit::repro {
namespace {

using base::Done;
using base::Result;
using base::Status;

std::string FailingCommandOf(const std::string& path, const Header& header) {
  return FailingCommand(std::filesystem::path(path).filename().string(),
                        header.settings.contains(kRepeatsSetting));
}

std::string OpeningOf(const std::string& path, const Header& header, const std::vector<std::string>& random) {
  const std::string file = std::filesystem::path(path).filename();
  std::string text =
      fmt::format("# A repro written by Culprit. Run it with one of\n#\n#   {}\n#   python3 {}\n",
                  FailingCommandOf(path, header), file);
  if (!random.empty()) {
    text += fmt::format("#\n# The data of these was not kept; they hold random numbers: {}\n",
                        fmt::join(random, ", "));
  }
  return text + "import json\nimport os\nimport zlib\n";
}

std::string MainOf(const std::string& path, const Header& header, const WriteOptions& options) {
  if (options.compiled_in_python) return CompilingMain(*options.compiled_in_python);
  if (header.backend == "eager" && header.faults.empty()) return std::string(HandOverMain());
  return EagerMain(FailingCommandOf(path, header));
}

/// A device or pipe would be replaced by a file.
Status CheckIsNoDevice(const std::string& path) {
  const std::filesystem::path file(path);
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  if (!exists(status) || is_regular_file(status) || is_directory(status)) return Done{};
  return base::Diagnostic{{path}, "is a device or pipe, where a file is to be written"};
}

}  // namespace

Status WriteText(const std::string& path, const std::string& text) {
  CULPRIT_TRY(CheckIsNoDevice(path));
  const std::filesystem::path file(path);
  const std::string folder_path = file.has_parent_path() ? file.parent_path().string() : ".";
  const files::Folder folder = CULPRIT_TRY(files::Folder::Create(folder_path));
  // Of writers that were killed; whether that works is nobody's question here.
  static_cast<void>(files::RemoveStaleFiles(folder));
  files::TemporaryFile temporary = CULPRIT_TRY(files::TemporaryFile::Create(folder));
  CULPRIT_TRY(temporary.Write(std::as_bytes(std::span(text)), path));
  CULPRIT_TRY(std::move(temporary).PublishOver(file.filename()));
  // Unlike data, a script is there to be edited.
  std::error_code ignored;
  std::filesystem::permissions(file, std::filesystem::perms::owner_write, std::filesystem::perm_options::add,
                               ignored);
  return Done{};
}

std::string StorePathOf(const std::string& path) {
  return std::filesystem::path(path).parent_path() / "store";
}

Result<WrittenRepro> PrintRepro(const std::string& path, const Repro& repro, const WriteOptions& options) {
  KeptData kept = CULPRIT_TRY(KeepData(repro, options, StorePathOf(path)));
  const graph::text::Script script{.graph = repro.graph,
                                   .inputs = std::move(kept.inputs),
                                   .constant_contents = std::move(kept.constants),
                                   .header = "\n" + HeaderToJson(kept.header)};
  graph::text::ScriptFrame frame{.opening = OpeningOf(path, repro.header, kept.random),
                                 .main = MainOf(path, repro.header, options)};
  frame.definitions = PythonDefinitions(CULPRIT_TRY(PrintScript(script, frame)));
  return WrittenRepro{CULPRIT_TRY(PrintScript(script, frame)), std::move(kept.random)};
}

Result<WrittenRepro> WriteRepro(const std::string& path, const Repro& repro, const WriteOptions& options) {
  CULPRIT_TRY(CheckIsNoDevice(path));
  // Only this says something about the repro; after any other error what was there before stays.
  if (const auto inputs = DescribeInputs(repro.graph, repro.inputs); !inputs.ok()) {
    CULPRIT_TRY(WriteText(path, fmt::format("# There is no repro: {}.\n", inputs.error().message)));
    return inputs.error();
  }
  Result<WrittenRepro> written = PrintRepro(path, repro, options);
  if (written.ok()) CULPRIT_TRY(WriteText(path, written->text));
  return written;
}

}  // namespace culprit::repro
