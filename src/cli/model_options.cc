// SPDX-License-Identifier: Apache-2.0
#include "cli/model_options.h"

namespace culprit::cli {

void ModelOptions::Declare(CLI::App& app) {
  app.add_option(
         "--inputs", inputs,
         "For a model: an argument of the call, one option each, in order; f32[1,3,224,224], f32[?8,3], "
         "i64[8,128]<30000, file:x.pt, 'text', [1,2] (docs/models.md)")
      ->type_name("SPEC")
      ->expected(1)
      // Otherwise CLI11 takes [a,b] apart.
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--method", method,
                 "For a model: the method or function to call; without it forward, or the last function")
      ->type_name("NAME");
  app.add_option(
         "--disable", disabled,
         "For a model: a function that is not captured but runs as written; may be given several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_flag("--train", train,
               "For a model: in training mode and with gradients; without it in evaluation mode and without");
}

void DescribeScriptOrModel(CLI::App& app) {
  app.get_option("FILE")->description(
      "A script with a graph, as PyTorch or Culprit writes it (docs/text-form.md), or a TorchScript model "
      "(docs/models.md); - is standard input");
}

std::vector<std::string> ModelOptions::Words() const {
  std::vector<std::string> words;
  for (const std::string& input : inputs) words.insert(words.end(), {"--inputs", input});
  for (const std::string& name : disabled) words.insert(words.end(), {"--disable", name});
  if (!method.empty()) words.insert(words.end(), {"--method", method});
  if (train) words.emplace_back("--train");
  return words;
}

}  // namespace culprit::cli
