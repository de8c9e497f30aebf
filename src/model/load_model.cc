// SPDX-License-Identifier: Apache-2.0
#include "model/load_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/api/function_impl.h>

#include "base/shell_word.h"
#include "base/text.h"
#include "files/read_file.h"
#include "model/archive.h"
#include "model/files/file_kind.h"
#include "model/files/open_file.h"
#include "model/script_file_operators.h"
#include "model/source_model.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Result;

constexpr int64_t kLargestSource = int64_t{16} << 20;

Diagnostic WrongKind(const std::string& path, const FileKind& kind) {
  Diagnostic error{{path}, fmt::format("is {}, where a TorchScript model is expected", kind.name)};
  error.help = kind.HelpFor(path);
  return error;
}

/// The error for a text that is no TorchScript.
Diagnostic IsGraph(const std::string& path) {
  Diagnostic error{{path}, "is a script with a graph, where a TorchScript model is expected"};
  error.notes.emplace_back("--inputs, --method, --disable and --train are about models");
  error.help = fmt::format("to see the graph, run: culprit graph {}", base::ShellWord(path));
  return error;
}

Result<LoadedModel> Load(const std::string& path, const LoadOptions& options) {
  const files::OpenedFile file = CULPRIT_TRY(OpenNamedFile(path));
  if (file.bytes == 0) return Diagnostic{{path}, "the file is empty"};
  const FileKind* kind = KindOfFile(path);
  if (kind != nullptr && kind->is_archive) return LoadArchive(file, options);
  if (kind != nullptr) return WrongKind(path, *kind);
  const std::string text = CULPRIT_TRY(files::ReadText(file, kLargestSource));
  if (text.find('\0') != std::string::npos)
    return Diagnostic{{path}, "is neither an archive of TorchScript nor a source text"};
  Result<LoadedModel> model = LoadSource(path, text, options);
  return !model.ok() && IsGraphText(text) ? IsGraph(path) : std::move(model);
}

}  // namespace

std::vector<std::string> LoadedModel::EntryNames() const {
  std::vector<std::string> names;
  if (module_) {
    for (const torch::jit::Method& method : module_->get_methods()) names.push_back(method.name());
  } else {
    for (const torch::jit::Function* function : functions_->get_functions())
      names.push_back(function->name());
  }
  return names;
}

Result<Entry> LoadedModel::FindEntry(const std::string& name) const {
  const std::vector<std::string> names = EntryNames();
  const auto find = [&](const std::string& wanted) {
    return std::find(names.begin(), names.end(), wanted) != names.end();
  };
  std::string chosen = name.empty() ? "forward" : name;
  if (name.empty() && !module_ && !find(chosen) && !names.empty()) chosen = names.back();
  if (!find(chosen)) {
    const std::string_view kind = module_ ? "method" : "function";
    const std::vector<std::string_view> views(names.begin(), names.end());
    Diagnostic error{
        {path_},
        fmt::format("there is no {} '{}'{}", kind, base::Printable(chosen), base::DidYouMean(chosen, views))};
    error.notes.push_back(names.empty() ? fmt::format("there is no {} at all", kind)
                                        : fmt::format("there are: {}", fmt::join(names, ", ")));
    return error;
  }
  if (!module_) return Entry{functions_->find_function(c10::QualifiedName(chosen))};
  return Entry{&module_->get_method(chosen).function(), module_->_ivalue()};
}

std::vector<torch::jit::Function*> LoadedModel::AllFunctions() const {
  return module_ ? module_->_ivalue()->compilation_unit()->get_functions() : functions_->get_functions();
}

Result<LoadedModel> LoadModel(const std::string& path, const LoadOptions& options) {
  LoadedModel model = CULPRIT_TRY(Load(path, options));
  if (!options.allow_file_operators) CULPRIT_TRY(RefuseFileOperators(model));
  return model;
}

}  // namespace culprit::model
