// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/rules.h"

#include <unordered_map>

namespace culprit::compiler::lower {

std::span<const RuleFamily> RuleFamilies() {
  static const RuleFamily families[] = {
      {"unary", UnaryRules()},
      {"binary", BinaryRules()},
      {"choice", ChoiceRules()},
      {"activation", ActivationRules()},
      {"activation backward", ActivationBackwardRules()},
      {"copy", CopyRules()},
      {"view", ViewRules()},
      {"reduction", ReductionRules()},
      {"softmax", SoftmaxRules()},
      {"layer norm", LayerNormRules()},
      {"batch norm", BatchNormRules()},
      {"group norm", GroupNormRules()},
      {"statistics", StatisticsRules()},
      {"arrangement", ArrangementRules()},
      {"pooling", PoolingRules()},
      {"pooling backward", PoolingBackwardRules()},
      {"upsample", UpsampleRules()},
      {"index", IndexRules()},
      {"loss", LossRules()},
  };
  return families;
}

const LoweringRule* FindRule(std::string_view op) {
  static const std::unordered_map<std::string_view, const LoweringRule*> rules = [] {
    std::unordered_map<std::string_view, const LoweringRule*> by_name;
    for (const RuleFamily& family : RuleFamilies())
      for (const LoweringRule& rule : family.rules) by_name.emplace(rule.op, &rule);
    return by_name;
  }();
  const auto found = rules.find(op);
  return found == rules.end() ? nullptr : found->second;
}

}  // namespace culprit::compiler::lower
