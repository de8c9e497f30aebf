// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/random_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/capture/program_statements.h"

namespace culprit::tests {
namespace {

constexpr std::string_view kClasses = R"(
class Triple(NamedTuple):
  first : Tensor
  second : int
  third : float
class Shape(Interface):
  def area(self: __torch__.Shape, x: Tensor) -> Tensor:
    pass
class Square:
  def __init__(self: __torch__.Square) -> NoneType:
    return None
  def area(self: __torch__.Square, x: Tensor) -> Tensor:
    return torch.tanh(x * x)
class Half:
  def __init__(self: __torch__.Half) -> NoneType:
    return None
  def area(self: __torch__.Half, x: Tensor) -> Tensor:
    return x * 0.5
class Quiet:
  before : bool
  def __init__(self: __torch__.Quiet) -> NoneType:
    self.before = False
    return None
  def __enter__(self: __torch__.Quiet) -> NoneType:
    self.before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    return None
  def __exit__(self: __torch__.Quiet, type: Any, value: Any, trace: Any) -> NoneType:
    torch.set_grad_enabled(self.before)
    return None
class Counter:
  n : int
  total : Tensor
  def __init__(self: __torch__.Counter, x: Tensor) -> NoneType:
    self.n = 0
    self.total = x
    return None
  def add(self: __torch__.Counter, x: Tensor) -> NoneType:
    self.n = self.n + 1
    self.total = self.total + x * self.n
    return None
def measure(shape: __torch__.Shape, x: Tensor) -> Tensor:
  return (shape).area(x, ) + 0.1
def work(x: Tensor, n: int) -> Tensor:
  y = x
  for i in range(n % 3):
    y = torch.sin(y) + i
  return y
class Layer(Module):
  __parameters__ = ["weight", ]
  __buffers__ = ["seen", ]
  training : bool
  weight : Tensor  # = f32[]=0.75:grad
  seen : Tensor  # = i64[]=0
  def forward(self: __torch__.Layer, x: Tensor) -> Tensor:
    torch.add_(self.seen, 1)
    return torch.tanh(x) * self.weight
)";

constexpr std::string_view kModule = R"(class Net(Module):
  __parameters__ = []
  __buffers__ = ["scale", "calls", ]
  training : bool
  scale : Tensor  # = f32[]=0.5
  calls : Tensor  # = i64[]=0
  count : int  # = 1
  history : List[Tensor]  # = []
  cache : Dict[str, Tensor]  # = {}
  layer : __torch__.Layer
)";

constexpr std::string_view kResult =
    "Tuple[Tensor, Tensor, Tensor, int, float, List[Tensor], Dict[str, Tensor]]";

/// A part of a budget, so that functions and methods share what a program may have.
std::string Body(ProgramWriter& writer, int statements) {
  int budget = statements;
  while (budget > 0) WriteStatement(writer, budget);
  writer.Line("return " + ReturnOf(writer));
  std::string text;
  for (const std::string& line : writer.lines()) text += line + "\n";
  return text;
}

/// What the body finds: all kinds of which a name has to exist.
void DeclareArguments(ProgramWriter& writer) {
  writer.Line("n = x.size(0)");
  writer.Line("s = v.sum()");
  writer.Line("f = 0.25");
  writer.Line("d = {'a': v, 'b': v + 1}");
  writer.Declare("x", Kind::kMatrix);
  writer.Declare("v", Kind::kVector);
  writer.Declare("s", Kind::kScalar);
  writer.Declare("i", Kind::kInt);
  writer.Declare("f", Kind::kFloat);
  writer.Declare("xs", Kind::kList);
  writer.Declare("d", Kind::kDict);
}

std::string Helper(std::mt19937_64& dice, int number, int statements) {
  ProgramWriter writer(dice, /*has_self=*/false);
  DeclareArguments(writer);
  const std::string body = Body(writer, statements);
  return fmt::format("def helper{}(x: Tensor, v: Tensor, i: int, xs: List[Tensor]) -> Tensor:\n{}", number,
                     body);
}

/// Methods are indented once more than functions.
std::string Indented(const std::string& text) {
  std::string indented;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin) + 1;
    indented += "  " + text.substr(begin, end - begin);
    begin = end;
  }
  return indented;
}

std::string Forward(std::mt19937_64& dice, bool copies_arguments, int statements) {
  ProgramWriter writer(dice, /*has_self=*/true);
  if (copies_arguments) {
    // Leaves that require gradients must not be written.
    writer.Line("x = x * 1");
    writer.Line("v = v * 1");
    writer.Line("xs = [q * 1 for q in xs]");
  }
  DeclareArguments(writer);
  writer.Line("m = y + x");
  writer.Declare("m", Kind::kMatrix);
  const std::string body = Body(writer, statements);
  return "  def forward(self: __torch__.Net, x: Tensor, y: Tensor, v: Tensor, i: int, xs: List[Tensor], u: "
         "Union[int, str]) -> " +
         std::string(kResult) + ":\n" + Indented(body);
}

/// `numbers` is the seed of the first tensor.
std::vector<std::string> Call(ProgramWriter& dice, bool gradients, size_t numbers) {
  const size_t n = 2 + dice.Below(3);
  const std::string_view dtype = dice.Chance(20) ? "f64" : "f32";
  const auto tensor = [&](const std::string& sizes) {
    const std::string_view layout =
        sizes.find(',') != std::string::npos && dice.Chance(20) ? ":transposed" : "";
    return fmt::format("{}[{}]@seed={}{}{}", dtype, sizes, numbers++, layout,
                       gradients && dice.Chance(60) ? ":grad" : "");
  };
  const std::string matrix = fmt::format("{0},{0}", n);
  const bool shares = !gradients && dice.Chance(30);
  return {tensor(matrix),
          shares ? "same:0" : tensor(matrix),
          shares ? fmt::format("same:0[{}]", dice.Below(n)) : tensor(std::to_string(n)),
          std::to_string(dice.Below(6)),
          dice.Chance(20) ? "[same:0, same:1]" : fmt::format("[{}]", tensor(matrix)),
          dice.Chance(50) ? "3" : "'three'"};
}

}  // namespace

std::string MakeRandomProgram(uint64_t seed, const RandomProgramOptions& options) {
  const int statements = options.statements;
  std::mt19937_64 dice(seed);
  ProgramWriter writer(dice, /*has_self=*/true);
  const bool gradients = writer.Chance(30) || options.gradients;
  std::string source(kClasses);
  for (int number = 0; number < 2; ++number) source += Helper(dice, number, statements / 5);
  source += kModule;
  source +=
      "  def method(self: __torch__.Net, x: Tensor, n: int) -> Tensor:\n"
      "    if n % 2 == 0:\n"
      "      return x\n"
      "    self.count = self.count + 1\n"
      "    return (self.layer).forward(x, )\n";
  source += Forward(dice, gradients, statements - 2 * (statements / 5));
  std::string header =
      fmt::format("# SPDX-License-Identifier: Apache-2.0\n# hazard: random program {}\n", seed);
  const size_t calls = 2 + writer.Below(3);
  // Calls that differ only in numbers fit the same guards.
  uint64_t geometry = 0;
  for (size_t i = 0; i < calls; ++i) {
    if (i == 0 || writer.Chance(50)) geometry = dice();
    std::mt19937_64 call_dice(geometry);
    ProgramWriter call(call_dice, /*has_self=*/true);
    header += fmt::format("# call: {}\n", fmt::join(Call(call, gradients, 1 + 10 * i), " ; "));
  }
  return header + source;
}

}  // namespace culprit::tests
