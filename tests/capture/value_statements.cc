// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/value_statements.h"

#include <fmt/format.h>

#include "tests/capture/effect_statements.h"

namespace culprit::tests {
namespace {

char LetterOf(Kind kind) {
  return "mvsifbtld"[static_cast<int>(kind)];
}

}  // namespace

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

/// Whether the indices are in range depends on numbers.
void LookUp(ProgramWriter& w, int& /*budget*/) {
  const std::string v = w.Fresh('v');
  const std::string indices = fmt::format("({}).detach().abs().to(4)", w.Expression(Kind::kVector));
  switch (w.Below(3)) {
    case 0:
      w.Line(fmt::format("{} = torch.take({}, {})", v, w.NameOf(Kind::kVector), indices));
      break;
    case 1:
      w.Line(fmt::format("{} = torch.embedding({}, {}).sum(0)", v, w.NameOf(Kind::kMatrix), indices));
      break;
    default:
      w.Line(fmt::format("{} = torch.index_add({}, 0, {}, {})", v, w.NameOf(Kind::kVector), indices,
                         w.NameOf(Kind::kVector)));
  }
  w.Declare(v, Kind::kVector);
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

}  // namespace culprit::tests
