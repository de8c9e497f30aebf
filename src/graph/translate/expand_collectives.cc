// SPDX-License-Identifier: Apache-2.0
//
// Collectives on lists of tensors, and those whose results have other sizes than their arguments.
#include <numeric>

#include "graph/translate/expansions.h"

namespace culprit::graph::translate {
namespace {

using base::Result;

constexpr int64_t kMostRanks = 65536;

Result<Argument> Copied(const Argument& tensor, Emitter& emitter) {
  const auto contiguous = static_cast<int64_t>(at::MemoryFormat::Contiguous);
  return emitter.EmitOne("aten::clone", {tensor}, {{"memory_format", Constant(contiguous)}});
}

Result<int64_t> Ranks(const Argument& group_size) {
  const bool is_int = group_size.is_constant() && group_size.constant().isInt();
  const int64_t ranks = is_int ? group_size.constant().toInt() : 0;
  if (ranks >= 1 && ranks <= kMostRanks) return ranks;
  return base::Diagnostic{{}, "argument 'group_size' must be a constant number of ranks here"};
}

// A number alone becomes a vector. `cat` would keep another memory format, which the collective does not.
Result<Argument> Gathered(const Argument& tensor, const Argument& group_size, Emitter& emitter) {
  const int64_t ranks = CULPRIT_TRY(Ranks(group_size));
  const Argument vector = CULPRIT_TRY(emitter.EmitOne("aten::atleast_1d", {tensor}));
  const Argument part = CULPRIT_TRY(Copied(vector, emitter));
  return emitter.EmitOne("aten::cat", {Argument(Argument::List(ranks, part))});
}

Result<Argument> Scattered(const Argument& tensor, const Argument& group_size, Emitter& emitter) {
  const Argument rows = CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {tensor, Constant(0)}));
  const Argument kept = CULPRIT_TRY(emitter.EmitOne("python::floordiv.int", {rows, group_size}));
  const Argument part =
      CULPRIT_TRY(emitter.EmitOne("aten::slice.Tensor", {tensor, Constant(0), Constant(0), kept}));
  return Copied(part, emitter);
}

/// One result, which is a list.
template <typename Function>
Result<std::vector<Argument>> ForEachIn(const Argument& tensors, Function&& function) {
  if (!tensors.is_list()) return base::Diagnostic{{}, "argument 'inputs' must be a list"};
  Argument::List results;
  for (const Argument& tensor : tensors.list()) results.push_back(CULPRIT_TRY(function(tensor)));
  return std::vector<Argument>{Argument(std::move(results))};
}

Result<Argument> Sum(const Argument& sizes, Emitter& emitter) {
  Argument sum = Constant(0);
  for (const Argument& size : sizes.list()) {
    sum = sum == Constant(0) ? size : CULPRIT_TRY(emitter.EmitOne("python::add.int", {sum, size}));
  }
  return sum;
}

/// The first rows of the tensor, from the beginning again where these do not suffice.
Result<Argument> Rows(const Argument& tensor, const Argument& count, Emitter& emitter) {
  const Argument dtype = Constant(static_cast<int64_t>(at::kLong));
  const Argument ones = CULPRIT_TRY(
      emitter.EmitOne("aten::new_ones", {tensor, Argument(Argument::List{count})}, {{"dtype", dtype}}));
  const Argument positions = CULPRIT_TRY(emitter.EmitOne("aten::cumsum", {ones, Constant(0)}));
  const Argument from_zero = CULPRIT_TRY(emitter.EmitOne("aten::sub.Scalar", {positions, Constant(1)}));
  const Argument rows = CULPRIT_TRY(emitter.EmitOne("aten::sym_size.int", {tensor, Constant(0)}));
  const Argument wrapped = CULPRIT_TRY(emitter.EmitOne("aten::remainder.Scalar", {from_zero, rows}));
  return emitter.EmitOne("aten::index_select", {tensor, Constant(0), wrapped});
}

bool HaveEqualSums(const Argument& a, const Argument& b) {
  if (a == b) return true;
  const Result<std::vector<int64_t>> left = ConstantInts(a, "a");
  const Result<std::vector<int64_t>> right = ConstantInts(b, "b");
  return left.ok() && right.ok() &&
         std::accumulate(left->begin(), left->end(), int64_t{0}) ==
             std::accumulate(right->begin(), right->end(), int64_t{0});
}

}  // namespace

// (input, group_size, group_name)
Result<std::vector<Argument>> ExpandAllGather(const WrittenArguments& call, Emitter& emitter) {
  return std::vector<Argument>{CULPRIT_TRY(Gathered(call.positional[0], call.positional[1], emitter))};
}

// (input, tag, ranks, group_size)
Result<std::vector<Argument>> ExpandOldAllGather(const WrittenArguments& call, Emitter& emitter) {
  return std::vector<Argument>{CULPRIT_TRY(Gathered(call.positional[0], call.positional[3], emitter))};
}

// (input, group_size, group_name, *, out)
Result<std::vector<Argument>> ExpandAllGatherOut(const WrittenArguments& call, Emitter& emitter) {
  const Argument all = CULPRIT_TRY(Gathered(call.positional[0], call.positional[1], emitter));
  return std::vector<Argument>{CULPRIT_TRY(emitter.EmitOne("aten::copy_", {call.positional[3], all}))};
}

// (inputs, group_size, group_name)
Result<std::vector<Argument>> ExpandAllGatherAll(const WrittenArguments& call, Emitter& emitter) {
  return ForEachIn(call.positional[0],
                   [&](const Argument& tensor) { return Gathered(tensor, call.positional[1], emitter); });
}

// (inputs, reduce_op, group_size, group_name)
Result<std::vector<Argument>> ExpandReduceScatterAll(const WrittenArguments& call, Emitter& emitter) {
  return ForEachIn(call.positional[0],
                   [&](const Argument& tensor) { return Scattered(tensor, call.positional[2], emitter); });
}

// (inputs, reduce_op, group_name)
Result<std::vector<Argument>> ExpandCopyAll(const WrittenArguments& call, Emitter& emitter) {
  return ForEachIn(call.positional[0], [&](const Argument& tensor) { return Copied(tensor, emitter); });
}

// (input, output_split_sizes, input_split_sizes, ...)
Result<std::vector<Argument>> ExpandAllToAll(const WrittenArguments& call, Emitter& emitter) {
  const Argument& input = call.positional[0];
  const Argument& splits = call.positional[1];
  const bool has_splits = splits.is_list() && !splits.list().empty();
  if (!has_splits || HaveEqualSums(splits, call.positional[2]))
    return std::vector<Argument>{CULPRIT_TRY(Copied(input, emitter))};
  const Argument count = CULPRIT_TRY(Sum(splits, emitter));
  return std::vector<Argument>{CULPRIT_TRY(Rows(input, count, emitter))};
}

}  // namespace culprit::graph::translate
