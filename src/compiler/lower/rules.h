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

struct LoweringRule {
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
  std::span<const LoweringRule> rules;
};

std::span<const RuleFamily> RuleFamilies();

/// Null if there is none.
const LoweringRule* FindRule(std::string_view op);

std::span<const LoweringRule> UnaryRules();
std::span<const LoweringRule> BinaryRules();
std::span<const LoweringRule> ChoiceRules();
std::span<const LoweringRule> ActivationRules();
std::span<const LoweringRule> ActivationBackwardRules();
std::span<const LoweringRule> CopyRules();
std::span<const LoweringRule> ViewRules();
std::span<const LoweringRule> ReductionRules();
std::span<const LoweringRule> SoftmaxRules();
std::span<const LoweringRule> LayerNormRules();
std::span<const LoweringRule> BatchNormRules();
std::span<const LoweringRule> GroupNormRules();
std::span<const LoweringRule> StatisticsRules();
std::span<const LoweringRule> ArrangementRules();
std::span<const LoweringRule> PoolingRules();
std::span<const LoweringRule> PoolingBackwardRules();
std::span<const LoweringRule> UpsampleRules();
std::span<const LoweringRule> IndexRules();
std::span<const LoweringRule> LossRules();

}  // namespace culprit::compiler::lower
