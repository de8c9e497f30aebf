// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/program_statements.h"

#include <fmt/format.h>

#include "tests/capture/control_statements.h"
#include "tests/capture/effect_statements.h"
#include "tests/capture/value_statements.h"

namespace culprit::tests {
namespace {

constexpr int kDeepest = 3;

struct Statement {
  int weight;
  bool has_blocks;
  /// Needs names that only a method has.
  bool in_method;
  void (*write)(ProgramWriter& writer, int& budget);
};

constexpr Statement kStatements[] = {
    {20, false, false, Assign},
    {8, false, false, Alias},
    {14, false, false, WriteInPlace},
    {8, false, false, ChangeList},
    {5, false, false, ChangeDict},
    {10, true, false, If},
    {7, true, false, For},
    {4, true, false, While},
    {3, true, false, LeaveLoop},
    {2, true, false, Return},
    {4, false, false, Print},
    {1, false, false, Warn},
    {2, false, false, Assert},
    {1, true, false, Raise},
    {3, true, false, UseOptional},
    {3, false, false, UseTuple},
    {2, false, false, Unpack},
    {2, true, false, UseObject},
    {2, true, false, UseInterface},
    {3, true, false, With},
    {2, false, false, Fork},
    {3, true, true, UseNumbers},
    {8, false, true, UseSelf},
    {1, true, false, Refuse},
    {2, false, false, Search},
    {3, false, false, LookUp},
    {1, false, false, UseUnusualTensor},
    {2, false, false, ChangeProcess},
    {2, true, false, ShareList},
};

}  // namespace

void WriteStatement(ProgramWriter& writer, int& budget) {
  std::vector<const Statement*> choices;
  for (const Statement& statement : kStatements) {
    if (statement.has_blocks && writer.depth() >= kDeepest) continue;
    if (statement.in_method && !writer.has_self()) continue;
    choices.insert(choices.end(), static_cast<size_t>(statement.weight), &statement);
  }
  --budget;
  choices[writer.Below(choices.size())]->write(writer, budget);
}

void WriteStatements(ProgramWriter& writer, int& budget, int most) {
  for (int count = 0; count < most && budget > 0; ++count) WriteStatement(writer, budget);
}

std::string ReturnOf(ProgramWriter& writer) {
  if (!writer.has_self()) return writer.NameOf(Kind::kMatrix);
  return fmt::format("({}, {}, {}, {}, {}, {}, {})", writer.NameOf(Kind::kMatrix),
                     writer.NameOf(Kind::kVector), writer.NameOf(Kind::kScalar), writer.NameOf(Kind::kInt),
                     writer.NameOf(Kind::kFloat), writer.NameOf(Kind::kList), writer.NameOf(Kind::kDict));
}

}  // namespace culprit::tests
