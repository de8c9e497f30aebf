// SPDX-License-Identifier: Apache-2.0
#include "graph/operators/builtins.h"

#include <c10/util/Exception.h>
#include <torch/library.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace culprit::graph {
namespace {

using torch::jit::pop;
using torch::jit::push;
using torch::jit::Stack;

// Overflow is reported as a c10::Error, like every other failure of an operator's call.
int64_t AddInts(int64_t a, int64_t b) {
  int64_t result = 0;
  TORCH_CHECK(!__builtin_add_overflow(a, b, &result), "integer overflow in ", a, " + ", b);
  return result;
}
int64_t SubtractInts(int64_t a, int64_t b) {
  int64_t result = 0;
  TORCH_CHECK(!__builtin_sub_overflow(a, b, &result), "integer overflow in ", a, " - ", b);
  return result;
}
int64_t MultiplyInts(int64_t a, int64_t b) {
  int64_t result = 0;
  TORCH_CHECK(!__builtin_mul_overflow(a, b, &result), "integer overflow in ", a, " * ", b);
  return result;
}
int64_t FloorDivideInts(int64_t a, int64_t b) {
  TORCH_CHECK(b != 0, "integer division of ", a, " by zero");
  if (b == -1) return SubtractInts(0, a);
  const int64_t quotient = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? quotient - 1 : quotient;
}
int64_t ModuloInts(int64_t a, int64_t b) {
  TORCH_CHECK(b != 0, "integer modulo of ", a, " by zero");
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest;
}
int64_t PowerInts(int64_t base, int64_t exponent) {
  TORCH_CHECK(exponent >= 0, "integer power ", base, " ** ", exponent, " is not an integer");
  int64_t result = 1;
  for (int64_t i = 0; i < exponent && result != 0; ++i) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    result = MultiplyInts(result, base);
  }
  return result;
}
int64_t IntFromFloat(double value, const char* what) {
  const bool fits = value >= -0x1p63 && value < 0x1p63;
  TORCH_CHECK(fits, what, " of ", value, " is not a 64-bit integer");
  return static_cast<int64_t>(value);
}

template <auto function>
void OnInts(Stack& stack) {
  const int64_t b = pop(stack).toInt();
  const int64_t a = pop(stack).toInt();
  push(stack, function(a, b));
}
template <auto function>
void OnFloats(Stack& stack) {
  const double b = pop(stack).toDouble();
  const double a = pop(stack).toDouble();
  push(stack, function(a, b));
}

void TrueDivideInts(Stack& stack) {
  const int64_t b = pop(stack).toInt();
  const int64_t a = pop(stack).toInt();
  TORCH_CHECK(b != 0, "division of ", a, " by zero");
  push(stack, static_cast<double>(a) / static_cast<double>(b));
}

template <typename List>
void GetItem(const List& list, int64_t index, Stack& stack) {
  const auto size = static_cast<int64_t>(list.size());
  const int64_t place = index < 0 ? index + size : index;
  TORCH_CHECK(place >= 0 && place < size, "index ", index, " is out of range for a list of ", size);
  push(stack, list.get(place));
}
void GetItemOfTensors(Stack& stack) {
  const int64_t index = pop(stack).toInt();
  GetItem(pop(stack).toTensorList(), index, stack);
}
void GetItemOfInts(Stack& stack) {
  const int64_t index = pop(stack).toInt();
  GetItem(pop(stack).toIntList(), index, stack);
}

void SizesOf(Stack& stack) {
  push(stack, pop(stack).toTensor().sizes().vec());
}
void StridesOf(Stack& stack) {
  push(stack, pop(stack).toTensor().strides().vec());
}
void SizeOf(Stack& stack) {
  const int64_t dimension = pop(stack).toInt();
  push(stack, pop(stack).toTensor().size(dimension));
}
void StrideOf(Stack& stack) {
  const int64_t dimension = pop(stack).toInt();
  push(stack, pop(stack).toTensor().stride(dimension));
}

struct Row {
  const char* schema;
  void (*function)(Stack&);
};

constexpr Row kRows[] = {
    {"aten::sym_size(Tensor self) -> int[]", SizesOf},
    {"aten::sym_size.int(Tensor self, int dim) -> int", SizeOf},
    {"aten::sym_stride(Tensor self) -> int[]", StridesOf},
    {"aten::sym_stride.int(Tensor self, int dim) -> int", StrideOf},
    {"aten::sym_numel(Tensor self) -> int", [](Stack& stack) { push(stack, pop(stack).toTensor().numel()); }},
    {"aten::sym_storage_offset(Tensor self) -> int",
     [](Stack& stack) { push(stack, pop(stack).toTensor().storage_offset()); }},

    {"python::getitem.Tensor(Tensor[] list, int index) -> Tensor", GetItemOfTensors},
    {"python::getitem.int(int[] list, int index) -> int", GetItemOfInts},

    {"python::add.int(int a, int b) -> int", OnInts<AddInts>},
    {"python::sub.int(int a, int b) -> int", OnInts<SubtractInts>},
    {"python::mul.int(int a, int b) -> int", OnInts<MultiplyInts>},
    {"python::floordiv.int(int a, int b) -> int", OnInts<FloorDivideInts>},
    {"python::mod.int(int a, int b) -> int", OnInts<ModuloInts>},
    {"python::pow.int(int a, int b) -> int", OnInts<PowerInts>},
    {"python::truediv.int(int a, int b) -> float", TrueDivideInts},
    {"python::max.int(int a, int b) -> int", OnInts<[](int64_t a, int64_t b) { return std::max(a, b); }>},
    {"python::min.int(int a, int b) -> int", OnInts<[](int64_t a, int64_t b) { return std::min(a, b); }>},
    {"python::neg.int(int a) -> int", [](Stack& stack) { push(stack, SubtractInts(0, pop(stack).toInt())); }},
    {"python::eq.int(int a, int b) -> bool", OnInts<std::equal_to<int64_t>{}>},
    {"python::ne.int(int a, int b) -> bool", OnInts<std::not_equal_to<int64_t>{}>},
    {"python::lt.int(int a, int b) -> bool", OnInts<std::less<int64_t>{}>},
    {"python::le.int(int a, int b) -> bool", OnInts<std::less_equal<int64_t>{}>},
    {"python::gt.int(int a, int b) -> bool", OnInts<std::greater<int64_t>{}>},
    {"python::ge.int(int a, int b) -> bool", OnInts<std::greater_equal<int64_t>{}>},

    {"python::add.float(float a, float b) -> float", OnFloats<std::plus<double>{}>},
    {"python::sub.float(float a, float b) -> float", OnFloats<std::minus<double>{}>},
    {"python::mul.float(float a, float b) -> float", OnFloats<std::multiplies<double>{}>},
    {"python::truediv.float(float a, float b) -> float", OnFloats<std::divides<double>{}>},
    {"python::pow.float(float a, float b) -> float",
     OnFloats<[](double a, double b) { return std::pow(a, b); }>},
    {"python::neg.float(float a) -> float", [](Stack& stack) { push(stack, -pop(stack).toDouble()); }},

    {"python::float.int(int a) -> float",
     [](Stack& stack) { push(stack, static_cast<double>(pop(stack).toInt())); }},
    {"python::int.float(float a) -> int",
     [](Stack& stack) { push(stack, IntFromFloat(std::trunc(pop(stack).toDouble()), "int()")); }},
    {"python::floor.float(float a) -> int",
     [](Stack& stack) { push(stack, IntFromFloat(std::floor(pop(stack).toDouble()), "floor()")); }},
    {"python::ceil.float(float a) -> int",
     [](Stack& stack) { push(stack, IntFromFloat(std::ceil(pop(stack).toDouble()), "ceil()")); }},
    {"python::sqrt.float(float a) -> float",
     [](Stack& stack) { push(stack, std::sqrt(pop(stack).toDouble())); }},
    {"python::not_.bool(bool a) -> bool", [](Stack& stack) { push(stack, !pop(stack).toBool()); }},
};

}  // namespace

const std::vector<Builtin>& AllBuiltins() {
  static const std::vector<Builtin>& builtins = *[] {
    auto* all = new std::vector<Builtin>();
    for (const Row& row : kRows) {
      all->push_back({*new c10::FunctionSchema(torch::schema(row.schema)), row.function});
    }
    return all;
  }();
  return builtins;
}

const Builtin* FindBuiltin(std::string_view name, std::string_view overload) {
  for (const Builtin& builtin : AllBuiltins()) {
    if (builtin.schema.name() == name && builtin.schema.overload_name() == overload) return &builtin;
  }
  return nullptr;
}

}  // namespace culprit::graph
