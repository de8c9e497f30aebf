// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/effect_statements.h"

#include <fmt/format.h>

#include "tests/capture/value_statements.h"

namespace culprit::tests {

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

void Print(ProgramWriter& w, int& /*budget*/) {
  w.Line(fmt::format("print(\"p\", {}, {}, {})", w.Expression(Kind::kInt, 1), w.Expression(Kind::kFloat, 1),
                     w.Chance(30) ? w.NameOf(Kind::kVector) : w.Expression(Kind::kString, 1)));
}

void Warn(ProgramWriter& w, int& /*budget*/) {
  w.Line("torch.warn(\"careful\")");
}

void Fork(ProgramWriter& w, int& /*budget*/) {
  const std::string future = w.Fresh('u'), m = w.Fresh('m');
  const bool is_lazy = w.Chance(30);
  w.Line(fmt::format("{} = {}(__torch__.work, {}, {})", future, is_lazy ? "awaitable" : "fork",
                     w.Expression(Kind::kMatrix), w.Expression(Kind::kInt)));
  w.Line(fmt::format("{} = {}({})", m, is_lazy ? "ops.prim.awaitable_wait" : "torch.wait", future));
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

}  // namespace culprit::tests
