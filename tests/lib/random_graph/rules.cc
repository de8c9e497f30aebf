// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "tests/lib/random_graph/attributes.h"
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using graph::Argument;
using graph::Operator;
using graph::SlotKind;

// The only operators to which Python's torch.ops passes a number as a tensor.
constexpr std::array<std::string_view, 9> kTakeNumbers = {"aten::add",  "aten::sub",  "aten::mul",
                                                          "aten::div",  "aten::add_", "aten::sub_",
                                                          "aten::mul_", "aten::div_", "aten::true_divide"};

bool TakesNumbers(const Operator& op) {
  return std::find(kTakeNumbers.begin(), kTakeNumbers.end(), op.name()) != kTakeNumbers.end();
}

// The tensor slots behind the first, each filled by `make`, or left out if that is allowed.
template <typename Make>
NamedArguments TensorArguments(GraphMaker& maker, const Operator& op, const Operand& first, Make&& make) {
  NamedArguments arguments;
  for (size_t i = 0; i < op.slots().size(); ++i) {
    if (op.slots()[i].kind != SlotKind::kTensor) continue;
    const std::string& name = op.schema().arguments()[i].name();
    if (arguments.empty()) {
      arguments.emplace_back(name, first);
    } else if (op.slots()[i].optional && maker.Chance(50)) {
      arguments.emplace_back(name, None());
    } else {
      arguments.emplace_back(name, make());
    }
  }
  return arguments;
}

}  // namespace

bool AddBroadcast(GraphMaker& maker, const Operator& op, Dtypes dtypes) {
  const Operand first = maker.Pick(dtypes);
  const bool numbers = TakesNumbers(op);
  return maker.Complete(op,
                        TensorArguments(maker, op, first,
                                        [&]() -> Argument {
                                          if (numbers && maker.Chance(40))
                                            return RandomNumber(maker, first.tensor);
                                          return maker.Partner(first, dtypes);
                                        }),
                        first.tensor);
}

bool AddMatching(GraphMaker& maker, const Operator& op, Dtypes dtypes) {
  const Operand first = maker.Pick(dtypes);
  const auto another = [&]() -> Argument { return maker.Sized(first.dtype(), first.sizes()); };
  return maker.Complete(op, TensorArguments(maker, op, first, another), first.tensor);
}

bool AddOne(GraphMaker& maker, const Operator& op, Dtypes dtypes, int64_t lowest_rank, int64_t highest_rank) {
  const Operand first = maker.PickRanks(dtypes, lowest_rank, highest_rank);
  const auto nothing = []() -> Argument { return None(); };
  return maker.Complete(op, TensorArguments(maker, op, first, nothing), first.tensor);
}

}  // namespace culprit::tests
