// SPDX-License-Identifier: Apache-2.0
#include "capture/vm/machine.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/frontend/resolver.h>

#include <algorithm>
#include <sstream>

#include "capture/vm/failure.h"
#include "capture/vm/real_effects.h"

namespace culprit::capture::vm {
namespace {

using c10::IValue;
using torch::jit::Stack;

/// A function that has the instruction, and what it is called with.
struct Case {
  const char* name;
  torch::jit::OpCode op;
  const char* source;
  Stack arguments;
};

std::vector<Case> AllCases() {
  const at::Tensor x = at::ones({2});
  return {
      {"Op", torch::jit::OP, "def f(x: Tensor):\n  return x + 1\n", {x}},
      {"Opn", torch::jit::FORMAT, "def f(n: int):\n  return '{} and {}'.format(n, n + 1)\n", {3}},
      {"Load", torch::jit::LOAD, "def f(x: Tensor):\n  y = x * 2\n  return y + y\n", {x}},
      {"Move", torch::jit::MOVE, "def f(x: Tensor):\n  y = x * 2\n  z = y + 1\n  return z\n", {x}},
      {"StoreN", torch::jit::STOREN, "def f(x: Tensor, n: int):\n  return x * n\n", {x, 3}},
      {"Store", torch::jit::STORE, "def f(x: Tensor):\n  return x * x\n", {x}},
      {"Drop",
       torch::jit::DROP,
       "def f(l: List[int]):\n  l.pop()\n  return l\n",
       {c10::List<int64_t>({1, 2})}},
      {"DropR", torch::jit::DROPR, "def f(x: Tensor, n: int):\n  return x\n", {x, 3}},
      {"LoadC", torch::jit::LOADC, "def f(n: int):\n  return n + 40\n", {2}},
      {"Jf", torch::jit::JF, "def f(n: int):\n  if n > 2:\n    return 1\n  return 2\n", {3}},
      {"Jmp",
       torch::jit::JMP,
       "def f(n: int):\n  if n > 2:\n    m = 1\n  else:\n    m = 2\n  return m\n",
       {3}},
      {"Loop",
       torch::jit::LOOP,
       "def f(n: int):\n  s = 0\n  for i in range(n):\n    s += i\n  return s\n",
       {5}},
      {"Ret", torch::jit::RET, "def f():\n  return 1\n", {}},
      {"Call",
       torch::jit::CALL,
       "def g(n: int):\n  return n * 2\ndef f(n: int):\n  return g(n) + g(n + 1)\n",
       {5}},
      {"ListUnpack",
       torch::jit::LIST_UNPACK,
       "def f(l: List[int]):\n  a, b = l\n  return a - b\n",
       {c10::List<int64_t>({7, 2})}},
      {"TupleConstruct", torch::jit::TUPLE_CONSTRUCT, "def f(n: int):\n  return n, n + 1\n", {5}},
      {"TupleSlice",
       torch::jit::TUPLE_SLICE,
       "def f(n: int):\n  t = (n, n + 1, n + 2)\n  return t[1:]\n",
       {5}},
      {"TupleIndex",
       torch::jit::TUPLE_INDEX,
       "def f(t: Tuple[int, int], n: int):\n  return t[1] + n\n",
       {c10::ivalue::Tuple::create({1, 2}), 3}},
      {"ListConstruct", torch::jit::LIST_CONSTRUCT, "def f(n: int):\n  return [n, n + 1]\n", {5}},
      {"DictConstruct", torch::jit::DICT_CONSTRUCT, "def f(n: int):\n  return {'a': n, 'b': n + 1}\n", {5}},
      {"DictIndex", torch::jit::DICT_INDEX, "def f(n: int):\n  d = {'a': n}\n  return d['a']\n", {5}},
      {"IsInstance", torch::jit::ISINSTANCE, "def f(x: Optional[Any]):\n  return isinstance(x, int)\n", {5}},
      {"UncheckedCast",
       torch::jit::UNCHECKED_CAST,
       "def f(x: Optional[int]):\n  if x is not None:\n    return x + 1\n  return 0\n",
       {5}},
      {"Is", torch::jit::__IS__, "def f(x: Optional[int]):\n  return x is None\n", {IValue()}},
      {"IsNot", torch::jit::__ISNOT__, "def f(x: Optional[int]):\n  return x is not None\n", {IValue()}},
      {"UnInitialized",
       torch::jit::UN_INITIALIZED,
       "def f(n: int):\n  while True:\n    if n > 3:\n      return n\n    n += 1\n",
       {1}},
      {"Device", torch::jit::DEVICE, "def f(x: Tensor):\n  return x.device\n", {x}},
      {"Dtype", torch::jit::DTYPE, "def f(x: Tensor):\n  return x.dtype\n", {x}},
      {"Dim", torch::jit::DIM, "def f(x: Tensor):\n  return x.dim()\n", {x}},
      {"Not", torch::jit::__NOT__, "def f(b: bool):\n  return not b\n", {true}},
      {"ToList", torch::jit::TO_LIST, "def f(x: Tensor):\n  l: List[float] = x.tolist()\n  return l\n", {x}},
      {"NumToTensor",
       torch::jit::NUM_TO_TENSOR,
       "def f(n: int):\n  return torch._shape_as_tensor(torch.ones([n]))\n",
       {2}},
      {"IsCuda", torch::jit::IS_CUDA, "def f(x: Tensor):\n  return x.is_cuda\n", {x}},
      {"RaiseException",
       torch::jit::RAISE_EXCEPTION,
       "def f(n: int):\n  assert n < 3, 'too big'\n  return n\n",
       {5}},
      {"Fork",
       torch::jit::FORK,
       "def g(n: int):\n  return n * 2\ndef f(n: int):\n  h = torch.jit.fork(g, n)\n  return "
       "torch.jit.wait(h)\n",
       {5}},
  };
}

torch::jit::Function& Define(torch::jit::CompilationUnit& unit, const char* source) {
  unit.define(c10::nullopt, source, torch::jit::nativeResolver(), nullptr);
  return unit.get_function(c10::QualifiedName("f"));
}

struct Ran {
  std::string result;
  std::string error;
};

std::string TextOf(const IValue& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

Ran RunWithLibtorch(torch::jit::Function& function, Stack stack) {
  try {
    const torch::jit::Code code(torch::jit::toGraphFunction(function).graph(), "f");
    torch::jit::InterpreterState(code).run(stack);
    return {TextOf(stack.back()), ""};
  } catch (const std::exception& error) {
    return {"", error.what()};
  }
}

Ran RunWithMachine(torch::jit::Function& function, Stack stack) {
  CodeBook book;
  RealEffects effects(book);
  State state = State::AtEntry(book.Of(function), std::move(stack));
  try {
    try {
      Machine(book, effects).Run(state);
      return {TextOf(state.stack.back()), ""};
    } catch (const std::exception& error) {
      LeaveWithError(state, error);
    }
  } catch (const std::exception& error) {
    return {"", error.what()};
  }
}

class OpcodeTest : public testing::TestWithParam<Case> {};

TEST_P(OpcodeTest, DoesWhatLibtorchDoes) {
  torch::jit::CompilationUnit unit;
  torch::jit::Function& function = Define(unit, GetParam().source);
  const torch::jit::Code code(torch::jit::toGraphFunction(function).graph(), "f");
  EXPECT_TRUE(std::ranges::any_of(code.instructions(), [](const auto& i) { return i.op == GetParam().op; }))
      << "the function does not have the instruction";
  const auto copy = [] {
    return IValue(c10::ivalue::Tuple::create(GetParam().arguments)).deepcopy().toTupleRef().elements().vec();
  };
  const Ran expected = RunWithLibtorch(function, copy());
  const Ran actual = RunWithMachine(function, copy());
  EXPECT_EQ(actual.result, expected.result);
  EXPECT_EQ(actual.error, expected.error);
}

INSTANTIATE_TEST_SUITE_P(All, OpcodeTest, testing::ValuesIn(AllCases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace culprit::capture::vm
