// SPDX-License-Identifier: Apache-2.0
//
// The programs in tests/fixtures/hazards: each a small TorchScript program (model/source_model.h) with
// something in it that is easily got wrong. Comments at its beginning say what, and how to call it:
//
//   # hazard: a loop that ends depending on data
//   # call: f32[3]=[1,2,3] ; 2        one line per call, arguments in the form of model/inputs/input_text.h
//   # call: f32[4] ; 3                in this order, on the same object
//   # train                           the module is in training mode
//   # no_grad                         gradients are off
//   # autocast                        to bfloat16
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/load_model.h"
#include "tests/capture/observe.h"

namespace culprit::tests {

struct Variant {
  Backward backward = Backward::kSum;
  InputForm form = InputForm::kAsWritten;
};

struct Hazard {
  std::string path;
  std::string description;
  /// The texts of the arguments of each call.
  std::vector<std::vector<std::string>> calls;
  bool train = false;
  bool no_grad = false;
  bool autocast = false;
  /// Look at the gradients too.
  bool gradients = true;
  /// All calls are made for each of these, on the same object.
  std::vector<Variant> variants = {Variant()};
};

base::Result<Hazard> ParseHazard(const std::string& path, const std::string& text);

/// A way to run programs: takes the entry of a loaded model, and gives what can be called again and again.
using MakeCallable = std::function<Callable(const model::Entry& entry)>;

/// libtorch's interpreter on the code as it was written.
Callable PlainInterpreter(const model::Entry& entry);

/// Loads the program and makes all its calls, each with new inputs from the texts.
base::Result<std::vector<Observation>> RunHazard(const Hazard& hazard, const MakeCallable& make);

}  // namespace culprit::tests
