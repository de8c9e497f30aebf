// SPDX-License-Identifier: Apache-2.0
#include "cli/options/call_options.h"

#include <fstream>
#include <string_view>

#include "cli/options/piped_input.h"

namespace culprit::cli {

void DeclareCall(CLI::App& app, explain::CallRequest& call) {
  app.add_option(
         "--inputs", call.inputs,
         "For a model: an argument of the call, one option each, in order; f32[1,3,224,224], f32[?8,3], "
         "i64[8,128]<30000, file:x.pt, 'text', [1,2] (docs/models.md)")
      ->type_name("SPEC")
      ->expected(1)
      // Otherwise CLI11 takes [a,b] apart.
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--method", call.method,
                 "For a model: the method or function to call; without it forward, or the last function")
      ->type_name("NAME");
  app.add_option(
         "--disable", call.disabled,
         "For a model: a function that is not captured but runs as written; may be given several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_flag("--train", call.train,
               "For a model: in training mode and with gradients; without it in evaluation mode and without");
}

void DescribeScriptOrModel(CLI::App& app) {
  app.get_option("FILE")->description(
      "A script with a graph, as PyTorch or Culprit writes it (docs/text-form.md), or a TorchScript model "
      "(docs/models.md); - is standard input");
}

bool IsModel(const std::string& file, const explain::CallRequest& call) {
  if (call.is_given()) return true;
  if (IsPiped(file)) return false;
  char magic[4] = {};
  std::ifstream(file, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == "PK\x03\x04";
}

}  // namespace culprit::cli
