// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/control_statements.h"

#include <fmt/format.h>

#include "tests/capture/program_statements.h"
#include "tests/capture/value_statements.h"

namespace culprit::tests {
namespace {

constexpr int kLongestBlock = 4;

}  // namespace

void If(ProgramWriter& w, int& budget) {
  w.Block(fmt::format("if {}:", w.Expression(Kind::kBool)),
          [&] { WriteStatements(w, budget, kLongestBlock); });
  if (w.Chance(60)) w.Block("else:", [&] { WriteStatements(w, budget, kLongestBlock); });
}

void For(ProgramWriter& w, int& budget) {
  const std::string name = w.Fresh('i');
  const auto body = [&] {
    w.Declare(name, Kind::kInt);
    WriteStatements(w, budget, kLongestBlock);
  };
  if (w.Chance(70))
    return w.Block(fmt::format("for {} in range({} % 4):", name, w.Expression(Kind::kInt)), body,
                   BlockKind::kLoop);
  // Over a copy: what is in the loop may add to the list.
  const std::string element = w.Fresh('m');
  w.Block(
      fmt::format("for {}, {} in enumerate({}[0:3]):", name, element, w.NameOf(Kind::kList)),
      [&] {
        w.Declare(element, Kind::kMatrix);
        body();
      },
      BlockKind::kLoop);
}

void While(ProgramWriter& w, int& budget) {
  // No name for others, or they could keep the loop from its end.
  const std::string count = w.Fresh('k');
  w.Line(count + " = 0");
  w.Block(
      fmt::format("while {} < {} and {}:", count, w.Below(4), w.Expression(Kind::kBool)),
      [&] {
        w.Line(fmt::format("{} += 1", count));
        WriteStatements(w, budget, kLongestBlock);
      },
      BlockKind::kLoop);
}

void LeaveLoop(ProgramWriter& w, int& budget) {
  if (!w.in_loop() || !w.has_jumps()) return Assign(w, budget);
  w.Block(fmt::format("if {}:", w.Expression(Kind::kBool)), [&] {
    w.Line(std::string(w.OneOf({"break", "continue"})));
  });
}

void Return(ProgramWriter& w, int& budget) {
  if (!w.has_jumps()) return Assign(w, budget);
  w.Block(fmt::format("if {}:", w.Expression(Kind::kBool)), [&] { w.Line("return " + ReturnOf(w)); });
}

void With(ProgramWriter& w, int& budget) {
  if (w.has_jumps() || w.depth() > 0) return Assign(w, budget);
  w.Block("with __torch__.Quiet():", [&] { WriteStatements(w, budget, kLongestBlock); });
}

void Assert(ProgramWriter& w, int& /*budget*/) {
  w.Line(fmt::format("assert bool({} < {}), \"too large: {{}}\".format({})", w.Expression(Kind::kScalar),
                     w.OneOf({"2", "100"}), w.Expression(Kind::kInt, 1)));
}

void Raise(ProgramWriter& w, int& /*budget*/) {
  w.Block(fmt::format("if bool({} > {}):", w.Expression(Kind::kScalar), w.OneOf({"0.8", "5"})),
          [&] { w.Line("ops.prim.RaiseException(\"too large\", \"builtins.ValueError\")"); });
}

void Refuse(ProgramWriter& w, int& /*budget*/) {
  const std::string m = w.NameOf(Kind::kMatrix);
  w.Block(fmt::format("if bool({} > 1.5):", w.Expression(Kind::kScalar)),
          [&] { w.Line(fmt::format("{0} = torch.mm({0}, torch.cat([{0}, {0}]))", m)); });
}

}  // namespace culprit::tests
