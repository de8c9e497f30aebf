// SPDX-License-Identifier: Apache-2.0
//
// The calls in load_args, one statement each. PyTorch's reader knows those that begin with `reader.`; the
// others are functions that a repro brings along (repro/), for what PyTorch's scripts have no words for.
//
//   buf0 = reader.storage(hash, nbytes, device=..., dtype_hint=...)
//   buf0 = fill(reader.storage(...), contents)                       graph/text/values/storage_expression.h
//   reader.tensor(buf0, sizes, strides, storage_offset=..., dtype=..., requires_grad=..., is_leaf=...)
//   reader.symint(7, expr='s0')
//   reader.generator('cpu', None)
//   reader.const(name), reader.unsupported(name), reader.opaque(name)
//   sparse(reader, sizes, piece(buf0, ...), piece(buf1, ...), coalesced=...)     indices and values
//   quantized(reader, piece(buf0, ...), 0.1, 3)                      integers, scale, zero point
//   quantized(reader, piece(buf0, ...), piece(buf1, ...), piece(buf2, ...), axis=0)      ... per channel
//   put(reader, 2.5)                                                 a float, bool or string
//   put(reader, seeded(7))                                           a generator
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/tensors/input_spec.h"
#include "graph/text/inputs/bind_symbols.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/statement.h"
#include "graph/text/values/size_expression.h"

namespace culprit::graph::text {

class InputCalls {
 public:
  /// `guessed` are symbols whose values are guesses, for errors to name.
  InputCalls(const Source& source, const ExpressionArena& arena, const Symbols& symbols,
             const GuessedSymbols& guessed)
      : source_(source), arena_(arena), symbols_(symbols), guessed_(guessed) {}

  /// Adds what the statement says; statements that are no such call are passed over.
  base::Status Read(const Statement& statement);

  /// An entry of what scripts of 2.0 have in place of load_args: ((4, 4), (4, 1), torch.float32, 'cuda'),
  /// with or without a fifth that says whether it requires a gradient.
  base::Status ReadTuple(const Expression& entry);

  InputSpecs& specs() { return specs_; }

  /// What was odd about them.
  std::vector<base::Diagnostic> Warnings() const;

 private:
  struct Row;
  static const Row kRows[];

  base::Status ReadStorage(const Statement& statement, const CallView& call);
  base::Status ReadFilledStorage(const Statement& statement, const CallView& call);
  base::Status ReadTensor(const Statement& statement, const CallView& call);
  base::Status ReadInt(const Statement& statement, const CallView& call);
  base::Status ReadGenerator(const Statement& statement, const CallView& call);
  base::Status ReadConst(const Statement& statement, const CallView& call);
  base::Status ReadUnsupported(const Statement& statement, const CallView& call);
  base::Status ReadOpaque(const Statement& statement, const CallView& call);
  base::Status ReadSparse(const Statement& statement, const CallView& call);
  base::Status ReadQuantized(const Statement& statement, const CallView& call);
  base::Status ReadPut(const Statement& statement, const CallView& call);

  base::Status AddAbsent(AbsentSpec::Reason reason, const CallView& call);
  base::Result<TensorSpec> Tensor(size_t offset, const CallView& call);
  base::Result<TensorSpec> Piece(size_t offset, std::optional<ExpressionId> id);
  base::Status CheckRank(const TensorSpec& tensor, size_t offset) const;
  /// Makes storages of 0 bytes as large as their tensors need: sharding frees them.
  base::Status CheckReach(const TensorSpec& tensor, size_t offset);
  base::Result<std::string> Text(ExpressionId id) const;
  base::Result<std::vector<int64_t>> Sizes(ExpressionId id) const;
  base::Result<at::ScalarType> Dtype(ExpressionId id) const;

  const Source& source_;
  const ExpressionArena& arena_;
  const Symbols& symbols_;
  const GuessedSymbols& guessed_;
  std::map<std::string_view, size_t> storage_by_name_;
  // Storages of 0 bytes that got some, with the place of the first tensor on them.
  std::map<size_t, size_t> enlarged_;
  InputSpecs specs_;
};

}  // namespace culprit::graph::text
