// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/program_statements.h"

#include <fmt/format.h>

#include <iterator>

namespace culprit::tests {
namespace {

constexpr int kDeepest = 3;
constexpr int kLongestBlock = 4;

char LetterOf(Kind kind) {
  return "mvsifbtld"[static_cast<int>(kind)];
}

void Assign(ProgramWriter& w, int& /*budget*/) {
  const auto kind = static_cast<Kind>(w.Below(static_cast<size_t>(Kind::kString) + 1));
  const std::string old = w.NameOf(kind);
  const bool fresh = old.empty() || w.Chance(50);
  const std::string name = fresh ? w.Fresh(LetterOf(kind)) : old;
  w.Line(fmt::format("{} = {}", name, w.Expression(kind)));
  if (fresh) w.Declare(name, kind);
}

void Alias(ProgramWriter& w, int& /*budget*/) {
  const std::string name = w.Fresh('a');
  switch (w.Below(4)) {
    case 0:
      w.Line(fmt::format("{} = {}", name, w.NameOf(Kind::kMatrix)));
      return w.Declare(name, Kind::kMatrix);
    case 1:
      w.Line(fmt::format("{} = {}.t()", name, w.NameOf(Kind::kMatrix)));
      return w.Declare(name, Kind::kMatrix);
    case 2:
      w.Line(fmt::format("{} = {}[{} % n]", name, w.NameOf(Kind::kMatrix), w.Expression(Kind::kInt, 1)));
      return w.Declare(name, Kind::kVector);
    default:
      w.Line(fmt::format("{} = {}", name, w.NameOf(Kind::kList)));
      return w.Declare(name, Kind::kList);
  }
}

void WriteInPlace(ProgramWriter& w, int& /*budget*/) {
  const std::string m = w.NameOf(Kind::kMatrix), v = w.NameOf(Kind::kVector);
  const std::string index = w.Expression(Kind::kInt, 1);
  switch (w.Below(10)) {
    case 0:
      return w.Line(fmt::format("{}.add_({})", m, w.Expression(Kind::kVector)));
    case 1:
      return w.Line(fmt::format("{}.mul_(0.5)", m));
    case 2:
      return w.Line(fmt::format("{}[{} % n] = {}", m, index, w.Expression(Kind::kVector)));
    case 3:
      return w.Line(fmt::format("{}[{} % n].add_(1)", m, index));
    case 4:
      return w.Line(fmt::format("{}.t().sub_({})", m, w.Expression(Kind::kScalar)));
    case 5:
      return w.Line(fmt::format("{} += {}", m, w.Expression(Kind::kMatrix)));
    case 6:
      return w.Line(fmt::format("{}[{} > 0] = 0.5", m, m));
    case 7:
      return w.Line(fmt::format("{}[{} % n] = {}", v, index, w.Expression(Kind::kFloat)));
    case 8:
      return w.Line(fmt::format("{}.tanh_()", v));
    default:
      return w.Line(fmt::format("{} *= {}", w.NameOf(Kind::kScalar), w.Expression(Kind::kFloat, 1)));
  }
}

void ChangeList(ProgramWriter& w, int& /*budget*/) {
  const std::string list = w.NameOf(Kind::kList);
  const std::string index = w.Expression(Kind::kInt, 1);
  switch (w.Below(8)) {
    case 0:
    case 1:
      return w.Line(fmt::format("{}.append({})", list, w.Expression(Kind::kMatrix)));
    case 2:
      return w.Line(fmt::format("{}[{} % len({})] = {}", list, index, list, w.Expression(Kind::kMatrix)));
    case 3:
      return w.Block(fmt::format("if len({}) > 1:", list),
                     [&] { w.Line(fmt::format("{}.pop({})", list, "0")); });
    case 4:
      return w.Line(fmt::format("{}.insert({}, {})", list, index, w.Expression(Kind::kMatrix)));
    case 5:
      return w.Line(fmt::format("{}.reverse()", list));
    case 6: {
      const std::string name = w.Fresh('l');
      w.Line(fmt::format("{} = {}[0:2] + [{}]", name, list, w.Expression(Kind::kMatrix)));
      return w.Declare(name, Kind::kList);
    }
    default: {
      const std::string name = w.Fresh('l');
      w.Line(fmt::format("{} = [{} * 2 for q in {}]", name, "q", list));
      return w.Declare(name, Kind::kList);
    }
  }
}

void ChangeDict(ProgramWriter& w, int& /*budget*/) {
  const std::string dict = w.NameOf(Kind::kDict);
  switch (w.Below(4)) {
    case 0:
      return w.Line(fmt::format("{}['a'] = {}", dict, w.Expression(Kind::kVector)));
    case 1:
      return w.Line(fmt::format("{}['z'] = {}", dict, w.Expression(Kind::kVector)));
    case 2: {
      const std::string name = w.Fresh('d');
      w.Line(fmt::format("{} = {{'b': {}, 'a': {}}}", name, w.Expression(Kind::kVector),
                         w.NameOf(Kind::kVector)));
      return w.Declare(name, Kind::kDict);
    }
    default:
      return w.Block(fmt::format("for key, value in {}.items():", dict),
                     [&] { w.Line("print(key, value.size(0))"); });
  }
}

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

void Print(ProgramWriter& w, int& /*budget*/) {
  w.Line(fmt::format("print(\"p\", {}, {}, {})", w.Expression(Kind::kInt, 1), w.Expression(Kind::kFloat, 1),
                     w.Chance(30) ? w.NameOf(Kind::kVector) : w.Expression(Kind::kString, 1)));
}

void Warn(ProgramWriter& w, int& /*budget*/) {
  w.Line("torch.warn(\"careful\")");
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

void UseOptional(ProgramWriter& w, int& budget) {
  const std::string name = w.Fresh('o');
  w.Line(fmt::format("{} = annotate(Optional[Tensor], None)", name));
  w.Block(fmt::format("if {}:", w.Expression(Kind::kBool)),
          [&] { w.Line(fmt::format("{} = {}", name, w.Expression(Kind::kVector))); });
  if (w.Chance(30)) Print(w, budget);
  const auto use = [&] {
    w.Line(fmt::format("{} = {} + {}", w.NameOf(Kind::kVector), w.NameOf(Kind::kVector), name));
  };
  if (w.Chance(50)) return w.Block(fmt::format("if {} is not None:", name), use);
  w.Block(fmt::format("if {} is None:", name), [&] { w.Line("print(\"none\")"); });
  w.Block("else:", use);
}

void UseTuple(ProgramWriter& w, int& /*budget*/) {
  // In a list, or libtorch would see through them.
  const std::string tuples = w.Fresh('p'), m = w.Fresh('m'), i = w.Fresh('i');
  const bool named = w.Chance(50);
  w.Line(fmt::format("{} = [{}({}, {}, {})]", tuples, named ? "__torch__.Triple" : "",
                     w.Expression(Kind::kMatrix), w.Expression(Kind::kInt), w.Expression(Kind::kFloat)));
  w.Line(named ? fmt::format("{} = {}[0].first", m, tuples) : fmt::format("{} = {}[0][0]", m, tuples));
  w.Line(fmt::format("{} = ({}[0])[1:][0]", i, tuples));
  w.Declare(m, Kind::kMatrix);
  w.Declare(i, Kind::kInt);
}

void Unpack(ProgramWriter& w, int& /*budget*/) {
  const std::string first = w.Fresh('m'), second = w.Fresh('m');
  w.Line(fmt::format("{}, {} = torch.split(torch.cat([{}, {}]), n)", first, second,
                     w.Expression(Kind::kMatrix), w.Expression(Kind::kMatrix)));
  w.Declare(first, Kind::kMatrix);
  w.Declare(second, Kind::kMatrix);
}

void UseObject(ProgramWriter& w, int& /*budget*/) {
  const std::string object = w.Fresh('c'), other = w.Fresh('c'), m = w.Fresh('m');
  w.Line(fmt::format("{} = __torch__.Counter({})", object, w.Expression(Kind::kMatrix)));
  w.Line(fmt::format("{} = {}", other, object));
  w.Block(
      fmt::format("for step in range({} % 3):", w.Expression(Kind::kInt)),
      [&] { w.Line(fmt::format("{}.add({})", object, w.NameOf(Kind::kMatrix))); }, BlockKind::kLoop);
  w.Line(fmt::format("{} = {}.total", m, other));
  w.Declare(m, Kind::kMatrix);
}

void UseInterface(ProgramWriter& w, int& /*budget*/) {
  const std::string m = w.NameOf(Kind::kMatrix);
  const auto measure = [&](std::string_view shape) {
    w.Line(
        fmt::format("{} = __torch__.measure(__torch__.{}(), {})", m, shape, w.Expression(Kind::kMatrix, 1)));
  };
  w.Block(fmt::format("if {}:", w.Expression(Kind::kBool)), [&] { measure("Square"); });
  w.Block("else:", [&] { measure("Half"); });
}

void With(ProgramWriter& w, int& budget) {
  if (w.has_jumps() || w.depth() > 0) return Assign(w, budget);
  w.Block("with __torch__.Quiet():", [&] { WriteStatements(w, budget, kLongestBlock); });
}

void Fork(ProgramWriter& w, int& /*budget*/) {
  const std::string future = w.Fresh('u'), m = w.Fresh('m');
  w.Line(fmt::format("{} = fork(__torch__.work, {}, {})", future, w.Expression(Kind::kMatrix),
                     w.Expression(Kind::kInt)));
  w.Line(fmt::format("{} = torch.wait({})", m, future));
  w.Declare(m, Kind::kMatrix);
}

void Search(ProgramWriter& w, int& /*budget*/) {
  const std::string name = w.Fresh('q'), m = w.NameOf(Kind::kMatrix);
  switch (w.Below(3)) {
    case 0:
      w.Line(fmt::format("{} = torch.masked_select({}, {} > 0).sum()", name, m, w.Expression(Kind::kMatrix)));
      return w.Declare(name, Kind::kScalar);
    case 1:
      w.Line(fmt::format("{} = torch.nonzero({} > 0).size(0)", name, w.Expression(Kind::kVector)));
      return w.Declare(name, Kind::kInt);
    default: {
      const std::string s = w.NameOf(Kind::kScalar);
      w.Line(fmt::format("{} = [{}, {}].index({})", name, w.Expression(Kind::kScalar), s, s));
      return w.Declare(name, Kind::kInt);
    }
  }
}

/// Tensors that are no plain memory in between.
void UseUnusualTensor(ProgramWriter& w, int& /*budget*/) {
  const std::string unusual = w.Fresh('q'), m = w.Fresh('m');
  if (w.Chance(50)) {
    w.Line(fmt::format("{} = torch.quantize_per_tensor({}.detach().to(6), 0.1, 10, 13)", unusual,
                       w.Expression(Kind::kMatrix)));
    w.Line(fmt::format("{} = torch.dequantize({}).to({}.dtype)", m, unusual, w.NameOf(Kind::kMatrix)));
  } else {
    w.Line(fmt::format("{} = {}.detach().to_sparse()", unusual, w.Expression(Kind::kMatrix)));
    w.Line(fmt::format("{} = {}.to_dense()", m, unusual));
  }
  w.Declare(m, Kind::kMatrix);
}

void ChangeProcess(ProgramWriter& w, int& /*budget*/) {
  if (w.Chance(50)) return w.Line(fmt::format("torch.manual_seed({})", w.Expression(Kind::kInt, 1)));
  const std::string m = w.Fresh('m');
  w.Line(fmt::format("torch.set_grad_enabled(bool({} > 0))", w.Expression(Kind::kScalar)));
  // What follows a print is one place for both modes.
  w.Line("print(\"mode\")");
  w.Line(fmt::format("{} = {}", m, w.Expression(Kind::kMatrix)));
  w.Line(fmt::format("print({}.requires_grad)", m));
  w.Declare(m, Kind::kMatrix);
}

/// Whether two names are one list is known only when the program runs.
void ShareList(ProgramWriter& w, int& /*budget*/) {
  const std::string list = w.NameOf(Kind::kList), other = w.Fresh('l'), m = w.Fresh('m');
  w.Line(fmt::format("{} = {}[0:9]", other, list));
  w.Block(fmt::format("if bool({} > 0):", w.Expression(Kind::kScalar)),
          [&] { w.Line(fmt::format("{} = {}", other, list)); });
  w.Line("print(\"lists\")");
  w.Line(fmt::format("{}[0] = {}", other, w.Expression(Kind::kMatrix)));
  w.Line(fmt::format("{} = {}[0]", m, list));
  w.Declare(other, Kind::kList);
  w.Declare(m, Kind::kMatrix);
}

void UseNumbers(ProgramWriter& w, int& /*budget*/) {
  const std::string numbers = w.Fresh('l'), f = w.Fresh('f');
  if (w.Chance(50)) {
    w.Line(
        fmt::format("{} = annotate(List[float], ({}).to(7).tolist())", numbers, w.Expression(Kind::kVector)));
    w.Line(fmt::format("{} = {}[{} % len({})]", f, numbers, w.Expression(Kind::kInt, 1), numbers));
  } else {
    w.Line(fmt::format("{} = 0.5 + len({})", f, w.NameOf(Kind::kList)));
    w.Block("if isinstance(u, int):", [&] { w.Line(fmt::format("{} = {} + u", f, f)); });
  }
  w.Declare(f, Kind::kFloat);
}

void UseSelf(ProgramWriter& w, int& budget) {
  if (!w.has_self()) return Assign(w, budget);
  switch (w.Below(6)) {
    case 0:
      return w.Line(fmt::format("self.count = self.count + {}", w.Expression(Kind::kInt, 1)));
    case 1:
      return w.Line(fmt::format("self.scale = {}", w.Expression(Kind::kScalar)));
    case 2:
      return w.Line("self.calls.add_(1)");
    case 3:
      return w.Line(fmt::format("self.history.append({})", w.Expression(Kind::kMatrix)));
    case 4:
      return w.Line(
          fmt::format("self.cache[str({})] = {}", w.Expression(Kind::kInt, 1), w.Expression(Kind::kVector)));
    default:
      return w.Line(fmt::format("{} = (self).method({}, {})", w.NameOf(Kind::kMatrix),
                                w.Expression(Kind::kMatrix), w.Expression(Kind::kInt)));
  }
}

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
