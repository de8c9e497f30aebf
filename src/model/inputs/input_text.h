// SPDX-License-Identifier: Apache-2.0
//
// Arguments of a model as text.
//
//   f32[1,3,224,224]            a tensor with standard normal numbers; bools are coin flips, integers 0
//   i64[8,128]<30000            integers from 0 to 29999; floating numbers from [0, n)
//   f32[2,3]=1.5                all elements the same
//   f32[2,2]=[1,2,3,4]          each its own, in row-major order
//   f32[]                       without dimensions
//   f32[?,3]  f32[?8,3]  ?8     a size, or a whole number, that differs from call to call; here it is 4, or 8
//   f32[=8,3]                   a size that is always the same
//   f32[8,3]@seed=7             what torch.manual_seed(7) and torch.randn give
//   f32[8,3]:grad               requires gradients; also :channels_last, :channels_last_3d, :transposed
//   file:weights.pt             what torch.save() wrote: tensors, and lists, tuples and dicts of them; or a
//   file
//                               in the folder tensors/ of a store of Culprit's. Nothing in a file is executed
//   same:0  same:0[1]  same:0[1:3]   the first argument once more, or a part of it as Python indexes it: it
//                               shares memory with the first, or is the same list
//   [1,2]  (1,'a')  {'a': f32[]}  None  True  3  -0.5  1e-3  inf  nan  'text'
//   scale=2.0                   the argument called scale; positional ones come first
//
// dtypes are f16 bf16 f32 f64 i8 u8 i16 i32 i64 b8 c64 c128, or as PyTorch names them (float32, bool). Blanks
// between tokens do not count. Quotes around a path allow every character in it.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/source.h"
#include "model/inputs/size_mark.h"

namespace culprit::model {

struct Input {
  /// Empty for a positional one.
  std::string keyword;
  c10::IValue value;
  std::vector<SizeMark> marks = {};
};

struct InputTextOptions {
  /// How messages call the place of the text: a file, or an option of the command line.
  std::string name = "inputs";
  /// Tensor number i (from 0, over all texts of a reader) without a seed of its own has the seed `seed` + 1 +
  /// i, as graph::inputs::DrawUnknown gives to storage i.
  uint64_t seed = 0;
  /// Where paths that are not absolute begin; the current folder if empty.
  std::string folder = {};
  /// Whether there is a next call, so that sizes can be marked.
  bool has_marks = true;
  /// For all tensors of a reader together.
  int64_t max_bytes = int64_t{16} << 30;
};

/// How much a text may ask for; an error says which limit it exceeds.
constexpr size_t kLongestInputText = size_t{1} << 20;
constexpr size_t kDeepestInput = 32;
constexpr size_t kMostInputValues = 100'000;

/// Reads the arguments of one call in order.
class InputReader {
 public:
  explicit InputReader(InputTextOptions options = {}) : options_(std::move(options)) {}

  /// One argument; the whole text has to belong to it. Lists and dicts have the type of their elements, if
  /// they all have one, and else Any; model/inputs/convert_to.h makes them what a function wants.
  base::Result<Input> Read(std::string_view text);
  /// The part [begin, end) of a longer text, which messages show.
  base::Result<Input> Read(const graph::text::Source& source, size_t begin, size_t end);

 private:
  InputTextOptions options_;
  std::vector<c10::IValue> arguments_;
  size_t tensors_ = 0;
  int64_t bytes_ = 0;
};

base::Result<std::vector<Input>> ReadInputs(const std::vector<std::string>& texts,
                                            const InputTextOptions& options = {});

}  // namespace culprit::model
