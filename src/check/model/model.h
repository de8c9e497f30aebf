// SPDX-License-Identifier: Apache-2.0
//
// Something that computes outputs from inputs: a graph, what a compiler made of it, any function.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "repro/header/run_settings.h"

namespace culprit::check {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

/// What a model holds beside its inputs. A graph holds nothing: its parameters and buffers are inputs.
struct ModelState {
  std::vector<NamedTensor> parameters;
  std::vector<NamedTensor> buffers;

  bool empty() const { return parameters.empty() && buffers.empty(); }
};

struct RoundingTrial {
  /// Decides which numbers go up.
  uint64_t pattern = 0;
  /// Inputs are off, too, where an operator takes them that rounds inside (move_at_use.h).
  bool moves_inputs = false;
  /// Numbers came so near to the largest of their dtype that sums of them are infinite in one order and not
  /// in another.
  bool may_overflow = false;
  /// So many numbers.
  size_t moved = 0;
};

/// What memory holds that nobody has written: floating-point numbers, integers and bools of four fillings.
/// The integers of the first two may be places or sizes; comparisons with most numbers come out both ways.
enum class Filling { kNan, kNegative, kPositive, kZero };

class Model {
 public:
  virtual ~Model() = default;

  /// The same model with a state of its own, for one run: it may be written into, and gets gradients.
  virtual std::unique_ptr<Model> Copy() const = 0;

  /// Boxed: the list belongs to the model from now on, which may clear it to free inputs early. Throws what
  /// it likes.
  virtual c10::IValue Call(std::vector<c10::IValue>& inputs) = 0;

  virtual const ModelState& state() const = 0;

  /// The same model in float64, for inputs that are cast from these (graph/passes/cast_to_fp64.h): it draws
  /// the random numbers that the model draws under these settings. Refuses with the reason.
  virtual base::Result<std::unique_ptr<Model>> InFp64(const std::vector<c10::IValue>& inputs,
                                                      const repro::RunSettings& settings) const = 0;

  /// The same model with every rounding step off by a unit in the last place (rounding_observer.h): what it
  /// computes is as good. It writes into `trial`. Nothing where that cannot be done.
  virtual std::unique_ptr<Model> Rounded(RoundingTrial& /*trial*/) const { return nullptr; }

  /// The same model with memory filled that nobody writes, in one of several ways (fill_observer.h). Nothing
  /// if it has no such memory.
  virtual std::unique_ptr<Model> Filled(Filling /*filling*/) const { return nullptr; }

  /// Of a model in float64: the inputs that it casts by itself, each when it needs it, and leaves alone. They
  /// can be given as they are. Inputs at the end of the list may be missing.
  virtual std::vector<bool> casts() const { return {}; }
};

}  // namespace culprit::check
