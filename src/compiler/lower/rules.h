// SPDX-License-Identifier: Apache-2.0
//
// The rules: how operators become loops. One ordered table, in families by file. A rule defines results of
// the call, all or some; what it does not define is called for. If it returns false, it has declined: nothing
// of what it has defined stays.
//
// An operator is no loop for dtypes that libtorch has no kernel for, nor with a number that is complex or too
// large for the dtype: it is called, and fails with libtorch's own words.
#pragma once

#include <span>
#include <string_view>

#include "compiler/lower/call.h"
#include "compiler/lower/dtype_set.h"

namespace culprit::compiler::lower {

struct Rule {
  std::string_view op;
  bool (*lower)(Call& call);
  /// For whoever reads the table.
  std::string_view line;
  /// Of operands, or of results if there are none. With other dtypes libtorch is called, which refuses most
  /// of them.
  DtypeSet dtypes = kAnyDtype;
};

struct RuleFamily {
  std::string_view name;
  std::span<const Rule> rules;
};

std::span<const RuleFamily> RuleFamilies();

/// Null if there is none.
const Rule* FindRule(std::string_view op);

std::span<const Rule> UnaryRules();
std::span<const Rule> BinaryRules();
std::span<const Rule> ChoiceRules();
std::span<const Rule> ActivationRules();
std::span<const Rule> ActivationBackwardRules();
std::span<const Rule> CopyRules();
std::span<const Rule> ViewRules();
std::span<const Rule> ReductionRules();
std::span<const Rule> SoftmaxRules();
std::span<const Rule> LayerNormRules();
std::span<const Rule> BatchNormRules();
std::span<const Rule> GroupNormRules();
std::span<const Rule> StatisticsRules();
std::span<const Rule> ArrangementRules();
std::span<const Rule> PoolingRules();
std::span<const Rule> PoolingBackwardRules();
std::span<const Rule> UpsampleRules();
std::span<const Rule> IndexRules();
std::span<const Rule> LossRules();

}  // namespace culprit::compiler::lower
