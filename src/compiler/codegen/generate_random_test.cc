// SPDX-License-Identifier: Apache-2.0
//
// Random kernels by both routes: lanes, tails, scopes and narrow indices on the one side, plain loops and
// LLVM's own passes on the other. What they store is the same, bit by bit.
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "compiler/loops/type_rules.h"
#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using at::Tensor;
using loops::Body;
using loops::Combine;
using loops::Domain;
using loops::ExprId;
using loops::Kernel;
using loops::Lanes;
using loops::Op;
using loops::Type;

constexpr int64_t kElements = 4096;
constexpr at::ScalarType kDtypes[] = {at::kFloat, at::kFloat, at::kDouble, at::kInt,  at::kLong,
                                      at::kByte,  at::kShort, at::kBool,   at::kHalf, at::kBFloat16};
constexpr Type kTypes[] = {Type::Float, Type::Double, Type::Int, Type::Long,
                           Type::Byte,  Type::Short,  Type::Bool};

/// libtorch brings no SLEEF for registers of 128 bits, and calls the C library.
enum class Functions : uint8_t { kAll, kOfAllProcessors };

class Writer {
 public:
  explicit Writer(uint64_t seed, Functions functions = Functions::kAll)
      : random_(seed), functions_(functions) {}

  Kernel Write() {
    kernel_.lanes = Roll(2) == 0 ? Lanes::kInner : Lanes::kOuter;
    kernel_.outer = 2;
    for (const int64_t extent : {1 + Roll(3), 1 + Roll(70), 1 + Roll(40)})
      kernel_.extents.push_back(Roll(3) == 0 ? Number(extent) : Long(extent));
    for (int i = 0; i < 5; ++i) kernel_.buffers.push_back({kDtypes[Roll(std::size(kDtypes))], false});
    kernel_.buffers.push_back({at::kLong, false});
    if (Roll(2) == 0) Reduce();
    Compute();
    return std::move(kernel_);
  }

 private:
  int64_t Roll(int64_t sides) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(sides)); }
  Body& body() { return kernel_.body; }
  ExprId Long(int64_t value) { return body().Constant(value, Type::Long); }
  /// As an argument.
  ExprId Number(int64_t value) {
    kernel_.numbers.push_back(value);
    const auto place = static_cast<int64_t>(kernel_.numbers.size()) - 1;
    return body().Add({.op = Op::kSize, .type = Type::Long, .integer = place});
  }
  ExprId Sum(ExprId a, ExprId b) { return body().Apply(Op::kAdd, {a, b}); }
  ExprId Product(ExprId a, int64_t b) { return body().Apply(Op::kMul, {a, Long(b)}); }

  /// Of the inner variable, too, if there is one.
  ExprId Place(bool is_inner) {
    ExprId place = Sum(Product(body().IndexOf(0), Roll(3) * 211), Product(body().IndexOf(1), Roll(3)));
    if (is_inner) place = Sum(place, Product(body().IndexOf(2), Roll(3)));
    switch (Roll(5)) {
      case 0:
        return body().Apply(Op::kFloorDiv, {place, Long(2 + Roll(3))});
      case 1:
        return body().Apply(Op::kRemainder, {place, Long(5 + Roll(60))});
      case 2:
        return body().Load(5, Type::Long, {place});
      default:
        return place;
    }
  }

  ExprId Load(bool is_inner) {
    const auto buffer = static_cast<uint32_t>(Roll(5));
    const Type type = loops::TypeInRegisters(kernel_.buffers[buffer].dtype);
    const ExprId place = Place(is_inner);
    if (Roll(3) > 0) return body().Load(buffer, type, {place});
    // Where the mask is false the place is none.
    const ExprId moved = body().Apply(Op::kSub, {place, Long(Roll(30))});
    return body().MaskedLoad(buffer, type, {moved}, body().Apply(Op::kGe, {moved, Long(0)}));
  }

  ExprId OfType(Type type) {
    for (int tries = 0; tries < 20; ++tries) {
      const ExprId id = pool_[static_cast<size_t>(Roll(static_cast<int64_t>(pool_.size())))];
      if (body().type(id) == type) return id;
    }
    const ExprId any = pool_[static_cast<size_t>(Roll(static_cast<int64_t>(pool_.size())))];
    return body().type(any) == type ? any : body().Cast(any, type);
  }

  static bool IsOfSleef(Op op) {
    static const auto& functions =
        *new std::set<Op>{Op::kExp2,  Op::kExpOfNegative, Op::kExpm1, Op::kLog1p, Op::kSinh, Op::kCosh,
                          Op::kAtanh, Op::kLgamma,        Op::kPow,   Op::kAtan2, Op::kHypot};
    return functions.contains(op);
  }

  static bool IsAllowed(const loops::OpDescription& op, Type type) {
    switch (op.domain) {
      case Domain::kFloats:
        return loops::IsFloat(type);
      case Domain::kIntegers:
        return loops::IsInteger(type);
      case Domain::kNumbers:
        return type != Type::Bool;
      case Domain::kIntegersAndBool:
        return !loops::IsFloat(type);
      default:
        return true;
    }
  }

  /// One more expression from those that are there.
  void Grow() {
    const Type type = kTypes[Roll(std::size(kTypes))];
    const loops::OpDescription& op = loops::kOps[static_cast<size_t>(Roll(std::size(loops::kOps)))];
    if (op.operands == 0 || !IsAllowed(op, type)) return;
    if (functions_ == Functions::kOfAllProcessors && IsOfSleef(op.op)) return;
    if (op.op == Op::kRoundToHalf || op.op == Op::kRoundToBFloat16) {
      pool_.push_back(body().Apply(op.op, {OfType(Type::Float)}));
    } else if (op.op == Op::kCast) {
      pool_.push_back(OfType(type));
    } else if (op.op == Op::kSelect) {
      pool_.push_back(body().Select(OfType(Type::Bool), OfType(type), OfType(type)));
    } else if (op.operands == 1) {
      pool_.push_back(body().Apply(op.op, {OfType(type)}));
    } else {
      const bool divides = !loops::IsFloat(type) && op.op >= Op::kFloorDiv && op.op <= Op::kFmod;
      const bool shifts = op.op == Op::kShiftLeft || op.op == Op::kShiftRight;
      pool_.push_back(
          body().Apply(op.op, {OfType(type), divides || shifts ? body().Constant(3, type) : OfType(type)}));
    }
  }

  void Fill(bool is_inner) {
    pool_ = {body().IndexOf(0), body().IndexOf(1), body().Constant(1.5, Type::Float),
             body().Constant(2, Type::Long)};
    if (is_inner) pool_.push_back(body().IndexOf(2));
    if (!kernel_.stages.empty()) pool_.push_back(row_);
    for (int i = 0; i < 4; ++i) pool_.push_back(Load(is_inner));
    for (int i = 0; i < 40; ++i) Grow();
  }

  /// In which the order of combination does not matter.
  void Reduce() {
    Fill(true);
    const Combine combine = static_cast<Combine>(Roll(std::size(loops::kCombines)));
    const bool is_logic = combine == Combine::kAnd || combine == Combine::kOr;
    const bool is_sum = combine == Combine::kSum || combine == Combine::kProduct;
    const Type type = is_logic ? Type::Bool : is_sum ? Type::Long : kTypes[Roll(std::size(kTypes) - 1)];
    ExprId combined = OfType(type);
    // What comes of a NaN is left open.
    if (combine == Combine::kMaxOfNumbers)
      combined =
          body().Select(body().Apply(Op::kEq, {combined, combined}), combined, body().Constant(1, type));
    kernel_.stages.push_back(
        {.variables = {2}, .kind = loops::LoopKind::kReduction, .combine = combine, .combined = combined});
    row_ = body().Row(0, loops::FindsPlace(combine) ? Type::Long : type);
  }

  /// Each place is stored once.
  void Compute() {
    const bool is_inner = kernel_.lanes == Lanes::kInner;
    Fill(is_inner);
    ExprId place = Sum(Product(body().IndexOf(0), 71), body().IndexOf(1));
    if (is_inner) place = Sum(Product(place, 41), body().IndexOf(2));
    loops::Stage stage;
    if (is_inner) stage.variables = {2};
    for (int i = 0; i < 3; ++i) {
      const at::ScalarType dtype = kDtypes[Roll(std::size(kDtypes))];
      const auto buffer = static_cast<uint32_t>(kernel_.buffers.size());
      kernel_.buffers.push_back({dtype, true});
      const Type type = loops::TypeInRegisters(dtype);
      // The newest are the deepest.
      const ExprId newest = pool_[pool_.size() - 1 - static_cast<size_t>(Roll(4))];
      const ExprId value = body().type(newest) == type ? newest : body().Cast(newest, type);
      const bool is_apart = Roll(4) == 0;
      stage.stores.push_back({buffer, is_apart ? Product(place, 2) : place, value});
    }
    kernel_.stages.push_back(std::move(stage));
  }

  std::mt19937_64 random_;
  Functions functions_;
  Kernel kernel_;
  std::vector<ExprId> pool_;
  ExprId row_ = {};
};

Tensor Input(at::ScalarType dtype, bool is_index) {
  if (is_index) return at::randint(0, kElements, {kElements}, at::kLong);
  if (at::isFloatingType(dtype)) return (at::randn({kElements}) * 4).to(dtype);
  return at::randint(0, dtype == at::kBool ? 2 : 100, {kElements}, at::kLong).to(dtype);
}

class Stored {
 public:
  Stored(const Kernel& kernel, uint64_t seed) : kernel_(kernel) {
    at::manual_seed(seed);
    for (size_t i = 0; i < kInputs; ++i) inputs_.push_back(Input(kernel.buffers[i].dtype, i + 1 == kInputs));
  }

  std::vector<Tensor> By(Route route, const Processor& processor) const {
    std::vector<Tensor> tensors = inputs_;
    for (size_t i = kInputs; i < kernel_.buffers.size(); ++i)
      tensors.push_back(at::zeros({int64_t{3} * 71 * 41 * 2}, kernel_.buffers[i].dtype));
    RunKernel(kernel_, tensors, {Math::kExact, route}, processor);
    return {tensors.begin() + kInputs, tensors.end()};
  }

 private:
  static constexpr size_t kInputs = 6;
  const Kernel& kernel_;
  std::vector<Tensor> inputs_;
};

void ExpectSame(const std::vector<Tensor>& left, const std::vector<Tensor>& right) {
  for (size_t i = 0; i < left.size(); ++i) {
    const Tensor a = left[i].to(at::kDouble);
    const Tensor b = right[i].to(at::kDouble);
    const Tensor same = (a == b) | ((a != a) & (b != b));
    EXPECT_TRUE(same.all().item<bool>())
        << "store " << i << ", " << (~same).sum().item<int64_t>() << " differ";
  }
}

uint64_t Kernels(uint64_t usually) {
  return std::getenv("CULPRIT_TEST_VOLUME") == nullptr ? usually : 100 * usually;
}

TEST(Random, BothRoutesStoreTheSame) {
  for (uint64_t seed = 0; seed < Kernels(120); ++seed) {
    const Kernel kernel = Writer(seed).Write();
    const Stored stored(kernel, seed);
    ExpectSame(stored.By(Route::kVectors, Host()), stored.By(Route::kLlvmO3, Host()));
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << loops::ToText(kernel);
  }
}

TEST(Random, OldProcessorsStoreTheSame) {
  const Processor old = Named("x86-64");
  for (uint64_t seed = 1000; seed < 1000 + Kernels(40); ++seed) {
    const Kernel kernel = Writer(seed, Functions::kOfAllProcessors).Write();
    const Stored stored(kernel, seed);
    ExpectSame(stored.By(Route::kVectors, Host()), stored.By(Route::kVectors, old));
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << loops::ToText(kernel);
  }
}

TEST(Random, NarrowRegistersStoreTheSame) {
  for (uint64_t seed = 3000; seed < 3000 + Kernels(40); ++seed) {
    for (const unsigned bits : {128, 256}) {
      const Functions functions = bits == 128 ? Functions::kOfAllProcessors : Functions::kAll;
      const Kernel kernel = Writer(seed, functions).Write();
      const Stored stored(kernel, seed);
      ExpectSame(stored.By(Route::kVectors, Host()), stored.By(Route::kVectors, Host(bits)));
      ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << loops::ToText(kernel);
    }
  }
}

/// These cannot be run here, perhaps, but LLVM ends the process if it has no instructions for something.
TEST(Random, AllProcessorsHaveCode) {
  for (const char* name : {"znver4", "skylake-avx512", "sandybridge"}) {
    const Processor processor = Named(name);
    for (uint64_t seed = 2000; seed < 2000 + Kernels(20); ++seed)
      EXPECT_FALSE(GenerateFor(processor, Writer(seed).Write(), {}).empty()) << name << " " << seed;
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
