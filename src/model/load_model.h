// SPDX-License-Identifier: Apache-2.0
//
// Programs in TorchScript, from
//   an archive      what torch.jit.script(model).save() or torch.jit.trace(...).save() wrote
//   a source text   functions, or classes (model/source_model.h)
//
// Loading an archive runs code of it (__setstate__), and libtorch's reader may be brought down by a hostile
// one: files of strangers are loaded in a process of their own (isolate/). What can be checked without
// libtorch is checked before: that the archive is whole, that nothing in it claims more than the file holds,
// that there is code in it, and that no code opens files.
#pragma once

#include <ATen/core/function.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace culprit::model {

/// A function that can be called, and the object it is a method of, or None.
struct Entry {
  torch::jit::Function* function = nullptr;
  c10::IValue self = {};
};

class LoadedModel {
 public:
  LoadedModel(std::string path, torch::jit::Module module)
      : path_(std::move(path)), module_(std::move(module)) {}
  LoadedModel(std::string path, std::shared_ptr<torch::jit::CompilationUnit> functions)
      : path_(std::move(path)), functions_(std::move(functions)) {}

  const std::string& path() const { return path_; }
  /// Nothing for a text of functions.
  const std::optional<torch::jit::Module>& module() const { return module_; }

  /// The names that FindEntry knows, in the order of the text.
  std::vector<std::string> EntryNames() const;
  /// A method of the module, or a function. Without a name it is `forward` if there is one, else the last
  /// function of the text.
  base::Result<Entry> FindEntry(const std::string& name = {}) const;
  /// Everything that may be called: functions, and the methods of all classes.
  std::vector<torch::jit::Function*> AllFunctions() const;

 private:
  std::string path_;
  std::optional<torch::jit::Module> module_;
  std::shared_ptr<torch::jit::CompilationUnit> functions_;
};

struct LoadOptions {
  /// Also models with operators that open files (model/script_file_operators.h).
  bool allow_file_operators = false;
  /// For numbers that the attributes of a source text do not give.
  uint64_t seed = 0;
};

base::Result<LoadedModel> LoadModel(const std::string& path, const LoadOptions& options = {});

}  // namespace culprit::model
