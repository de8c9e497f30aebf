// SPDX-License-Identifier: Apache-2.0
#include "cli/options/file_options.h"

#include "cli/options/checked_option.h"

namespace culprit::cli {

void DeclareFile(CLI::App& app, open::FileRequest& file) {
  const auto set_file = [&file](const std::string& text) {
    if (text.empty()) throw CLI::ValidationError("FILE is an empty name");
    file.file = text;
  };
  app.add_option_function<std::string>(
         "FILE", set_file,
         "A script with a graph, as PyTorch or Culprit writes it (docs/text-form.md); - is standard input")
      ->required();
  AddDevice(
      app, "--device", [&file](at::Device wanted) { file.device = wanted; },
      "Map all devices in the graph and of its inputs to this one, for example a graph for a GPU to cpu");
  app.add_option(
         "--store", file.store,
         "The folder that holds the data of inputs and constants, Culprit's or the one that PyTorch saved; "
         "without it the folder 'store' beside the file")
      ->type_name("DIR");
  app.add_flag("--allow-file-operators", file.allow_file_operators,
               "Run graphs that open files (aten::from_file); without it they are refused");
  // Exactly one for each mention: the next word may be FILE.
  app.add_option("--load-library", file.libraries,
                 "A shared library that registers operators with libtorch (TORCH_LIBRARY), loaded before the "
                 "file is read; may be given several times")
      ->type_name("LIB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void DeclareWhich(CLI::App& app, open::FileRequest& file) {
  AddInteger(
      app, "--which", [&file](uint64_t number) { file.which = number; }, 1, UINT32_MAX,
      "Which graph, counted from 1, if the file holds several; without it such a file is an error that "
      "lists them");
}

void DeclareWhichGraph(CLI::App& app, std::string& graph) {
  app.add_option(
         "--which", graph,
         "Which graph: of a model its name, as `culprit explain` shows it, or its number; of a script "
         "its number, counted from 1. Without it all graphs of a model; a script that holds several "
         "is an error that lists them")
      ->type_name("GRAPH");
}

}  // namespace culprit::cli
