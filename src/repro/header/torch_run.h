// SPDX-License-Identifier: Apache-2.0
//
// What a script that PyTorch wrote after AOT says about its run: repros, launchers of the minifier and
// fx_graph_runnable.py, of 2.1 to 2.14. Their compiler is always Inductor, below autograd.
//
//   torch._inductor.config.cpp.simdlen = 1
//   ...
//       run_repro(mod, load_args, accuracy=True, command='minify', save_dir='/tmp/run/checkpoints',
//                 tracing_mode='real', check_str=None)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "repro/header/header.h"

namespace culprit::repro {

struct TorchRun {
  /// "inductor:graphs=below,cpp.simdlen=1"
  std::string backend;
  /// Nothing if the file does not say.
  std::optional<Accuracy> accuracy = std::nullopt;
  /// An exception counts if its text holds this.
  std::string check_text = {};
  /// Sizes are symbols (repro/symbols_by_size.h).
  bool has_symbols = false;
  /// Where PyTorch has put the data of inputs.
  std::string save_dir = {};
  /// What of the configuration was left out.
  std::vector<base::Diagnostic> warnings = {};
};

/// Nothing if PyTorch did not write it after AOT. With `trust` every entry of the configuration is taken.
std::optional<TorchRun> ReadTorchRun(const std::string& file, std::string_view text, bool trust);

}  // namespace culprit::repro
