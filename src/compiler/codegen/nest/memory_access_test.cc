// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of every dtype: consecutive, with steps, at places that are read, masked; and never
// outside of what the kernel's indices say.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using at::Tensor;
using loops::Body;
using loops::ExprId;
using loops::Kernel;
using loops::Op;
using loops::Type;

constexpr at::ScalarType kAll[] = {at::kBool, at::kByte,  at::kChar,   at::kShort, at::kInt,
                                   at::kLong, at::kFloat, at::kDouble, at::kHalf,  at::kBFloat16};

Type RegisterType(at::ScalarType dtype) {
  return dtype == at::kHalf || dtype == at::kBFloat16 ? Type::Float : dtype;
}

ExprId Long(Body& body, int64_t value) {
  return body.Constant(value, Type::Long);
}

/// 0, 1, 2 ... as far as the dtype counts.
Tensor Counted(int64_t count, at::ScalarType dtype) {
  const Tensor numbers = at::arange(count).remainder(100);
  return dtype == at::kBool ? numbers.remainder(3).to(at::kBool) : numbers.to(dtype);
}

/// out[place(i)] = x[index(i)] for i < extent.
Kernel Copy(at::ScalarType dtype, int64_t extent, const std::function<ExprId(Body&, ExprId)>& index,
            const std::function<ExprId(Body&, ExprId)>& place) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.buffers = {{dtype, false}, {dtype, true}, {at::kLong, false}};
  kernel.outer = 1;
  kernel.extents = {Long(body, extent)};
  const ExprId i = body.IndexOf(0);
  const ExprId value = body.Load(0, RegisterType(dtype), {index(body, i)});
  kernel.stages = {{.stores = {{1, place(body, i), value}}}};
  return kernel;
}

ExprId Itself(Body&, ExprId i) {
  return i;
}

ExprId Tripled(Body& body, ExprId i) {
  return body.Apply(Op::kAdd, {body.Apply(Op::kMul, {i, Long(body, 3)}), Long(body, 1)});
}

ExprId Backwards(Body& body, ExprId i) {
  return body.Apply(Op::kSub, {Long(body, 36), i});
}

ExprId Halved(Body& body, ExprId i) {
  return body.Apply(Op::kFloorDiv, {i, Long(body, 2)});
}

ExprId Looked(Body& body, ExprId i) {
  return body.Load(2, Type::Long, {i});
}

TEST(MemoryAccess, LoadsAndStoresWithSteps) {
  const int64_t extent = 37;
  for (const Options& options : AllOptions()) {
    for (const at::ScalarType dtype : kAll) {
      const std::string what = fmt::format("{} {}", loops::NameOf(dtype), TextOf(options));
      const Tensor x = Counted(200, dtype);
      const Tensor indices = at::arange(extent) * 5;
      const auto run = [&](const auto& index, const auto& place) {
        const Tensor out = at::zeros({200}, dtype);
        RunKernel(Copy(dtype, extent, index, place), {x, out, indices}, options);
        return out;
      };
      EXPECT_TRUE(run(Tripled, Itself).narrow(0, 0, extent).equal(x.slice(0, 1, 112, 3))) << what;
      EXPECT_TRUE(run(Backwards, Itself).narrow(0, 0, extent).equal(x.narrow(0, 0, extent).flip(0))) << what;
      EXPECT_TRUE(run(Looked, Itself).narrow(0, 0, extent).equal(x.index_select(0, indices))) << what;
      EXPECT_TRUE(run(Halved, Itself)
                      .narrow(0, 0, extent)
                      .equal(x.index_select(0, at::arange(extent).floor_divide(2))))
          << what;
      const Tensor stored = run(Itself, Tripled);
      EXPECT_TRUE(stored.slice(0, 1, 112, 3).equal(x.narrow(0, 0, extent))) << what;
      EXPECT_FALSE(stored.slice(0, 0, 200, 3).to(at::kBool).any().item<bool>()) << what;
      const Tensor scattered = run(Itself, Looked);
      EXPECT_TRUE(scattered.slice(0, 0, 185, 5).equal(x.narrow(0, 0, extent))) << what;
    }
  }
}

TEST(MemoryAccess, AStepThatIsASizeIsAnArgument) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.buffers = {{at::kFloat, false}, {at::kFloat, true}};
  kernel.outer = 1;
  kernel.extents = {body.Add({.op = Op::kSize, .type = Type::Long, .integer = 0})};
  const ExprId step = body.Add({.op = Op::kSize, .type = Type::Long, .integer = 1});
  const ExprId place = body.Apply(Op::kMul, {body.IndexOf(0), step});
  kernel.stages = {{.stores = {{1, body.IndexOf(0), body.Load(0, Type::Float, {place})}}}};
  kernel.numbers = {2, 2};
  for (const Options& options : AllOptions()) {
    const loops::KernelEntry entry = Loaded(kernel, options);
    for (const int64_t stride : {1, 2, 7}) {
      const Tensor x = Counted(100 * stride, at::kFloat);
      const Tensor out = at::zeros({100});
      kernel.numbers = {100, stride};
      void* buffers[] = {x.data_ptr(), out.data_ptr()};
      entry(buffers, kernel.numbers.data(), 0, kernel.Pieces());
      EXPECT_TRUE(out.equal(x.slice(0, 0, 100 * stride, stride))) << stride << TextOf(options);
    }
  }
}

TEST(MemoryAccess, TransposesMatricesOfAnySize) {
  for (const Options& options : AllOptions()) {
    for (const auto& [rows, columns] : {std::pair{3, 70}, {16, 64}, {37, 129}, {100, 300}}) {
      Kernel kernel;
      Body& body = kernel.body;
      kernel.buffers = {{at::kFloat, false}, {at::kFloat, true}};
      kernel.outer = 2;
      kernel.extents = {Long(body, rows), Long(body, columns)};
      const auto place = [&](ExprId row, int64_t count, ExprId column) {
        return body.Apply(Op::kAdd, {body.Apply(Op::kMul, {row, Long(body, count)}), column});
      };
      const ExprId value = body.Load(0, Type::Float, {place(body.IndexOf(1), rows, body.IndexOf(0))});
      kernel.stages = {{.stores = {{1, place(body.IndexOf(0), columns, body.IndexOf(1)), value}}}};
      const Tensor x = at::arange(rows * columns).to(at::kFloat).view({columns, rows});
      const Tensor out = at::zeros({rows, columns});
      RunKernel(kernel, {x, out}, options);
      EXPECT_TRUE(out.equal(x.t())) << rows << " " << columns << " " << TextOf(options);
    }
  }
}

/// out[i] = x[i - 5] if 5 <= i < 5 + length, else 0.
TEST(MemoryAccess, AMaskedLoadIsZeroWhereTheMaskIsFalse) {
  const int64_t length = 50;
  for (const Options& options : AllOptions()) {
    for (const at::ScalarType dtype : kAll) {
      for (const int64_t step : {1, 2}) {
        Kernel kernel;
        Body& body = kernel.body;
        kernel.buffers = {{dtype, false}, {dtype, true}};
        kernel.outer = 1;
        kernel.extents = {Long(body, length + 10)};
        const ExprId shifted = body.Apply(Op::kSub, {body.IndexOf(0), Long(body, 5)});
        const ExprId mask = body.Apply(Op::kAnd, {body.Apply(Op::kGe, {shifted, Long(body, 0)}),
                                                  body.Apply(Op::kLt, {shifted, Long(body, length)})});
        const ExprId place = body.Apply(Op::kMul, {shifted, Long(body, step)});
        const ExprId value = body.MaskedLoad(0, RegisterType(dtype), {place}, mask);
        kernel.stages = {{.stores = {{1, body.IndexOf(0), value}}}};
        const Tensor x = Counted(length * step, dtype);
        const Tensor out = at::empty({length + 10}, dtype);
        RunKernel(kernel, {x, out}, options);
        const Tensor expected = at::zeros({length + 10}, dtype);
        expected.narrow(0, 5, length).copy_(x.slice(0, 0, length * step, step));
        EXPECT_TRUE(out.equal(expected)) << loops::NameOf(dtype) << " " << TextOf(options);
      }
    }
  }
}

/// Memory that ends where no more may be read.
class Guarded {
 public:
  Guarded() {
    page_ = static_cast<size_t>(getpagesize());
    memory_ = static_cast<char*>(
        mmap(nullptr, 4 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_, page_, PROT_NONE);
    mprotect(memory_ + 3 * page_, page_, PROT_NONE);
  }
  ~Guarded() { munmap(memory_, 4 * page_); }
  void* First() { return memory_ + page_; }
  void* Last(size_t bytes) { return memory_ + 3 * page_ - bytes; }

 private:
  size_t page_ = 0;
  char* memory_ = nullptr;
};

TEST(MemoryAccess, NothingBesideTheBuffersIsTouched) {
  Guarded source;
  Guarded target;
  for (const Options& options : AllOptions()) {
    for (const at::ScalarType dtype : kAll) {
      for (const int64_t extent : {1, 5, 16, 19, 40}) {
        const size_t bytes = static_cast<size_t>(extent) * c10::elementSize(dtype);
        const Kernel forwards = Copy(dtype, extent, Itself, Itself);
        const loops::KernelEntry entry = Loaded(forwards, options);
        void* at_end[] = {source.Last(bytes), target.Last(bytes), nullptr};
        entry(at_end, nullptr, 0, 1);
        void* at_start[] = {source.First(), target.First(), nullptr};
        entry(at_start, nullptr, 0, 1);
      }
    }
  }
}

}  // namespace
}  // namespace culprit::compiler::codegen
