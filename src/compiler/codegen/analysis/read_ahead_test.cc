// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/analysis/read_ahead.h"

#include <gtest/gtest.h>

#include "tests/lib/generated_kernels.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Kernel;
using loops::Lanes;
using loops::Op;

Kernel Negated(int64_t extent) {
  return Pointwise({at::kFloat}, at::kFloat, extent,
                   [](Body& body, const std::vector<ExprId>& of) { return body.Apply(Op::kNeg, of); });
}

/// How often the processor is asked for memory to be read, and to be written.
struct Requests {
  size_t reads = 0;
  size_t writes = 0;
};

Requests RequestsOf(const Kernel& kernel) {
  Listing listing;
  GenerateFor(Named("znver3"), kernel, {}, &listing);
  const auto count = [&](const std::string& words) {
    size_t found = 0;
    for (size_t at = listing.assembly.find(words); at != std::string::npos;
         at = listing.assembly.find(words, at + 1))
      ++found;
    return found;
  };
  return {count("\tprefetcht0"), count("\tprefetchw")};
}

TEST(ReadAheadTest, WhatIsReadAndWhatIsWrittenAreAskedFor) {
  const Requests requests = RequestsOf(Negated(1 << 20));
  EXPECT_GT(requests.reads, 0U);
  EXPECT_EQ(requests.writes, requests.reads);
}

TEST(ReadAheadTest, LittleMemoryIsThereSoonEnough) {
  const Requests requests = RequestsOf(Negated(1 << 12));
  EXPECT_EQ(requests.reads, 0U);
  EXPECT_EQ(requests.writes, 0U);
}

TEST(ReadAheadTest, SizesThatAreNotKnownAreLarge) {
  Kernel kernel = Negated(1000);
  kernel.numbers = {1000};
  kernel.extents[0] = kernel.body.Add({.op = Op::kSize, .type = loops::Type::Long, .integer = 0});
  EXPECT_EQ(ReadAhead(kernel).OfStore(0, kernel.stages[0].stores[0]), ReadAheadDistance::kPage);
}

TEST(ReadAheadTest, RowsThatAreReducedAreAskedFor) {
  const auto each = [](Body&, const std::vector<ExprId>& of) { return of[0]; };
  const auto rows = Reduction(at::kFloat, at::kFloat, 1000, 100, loops::Combine::kSum, Lanes::kInner, each);
  EXPECT_GT(RequestsOf(rows).reads, 0U);
  EXPECT_EQ(RequestsOf(rows).writes, 0U);
}

TEST(ReadAheadTest, ColumnsAreNotSinceTheyDoNotLieInARow) {
  const auto each = [](Body&, const std::vector<ExprId>& of) { return of[0]; };
  const auto columns =
      Reduction(at::kFloat, at::kFloat, 1000, 100, loops::Combine::kSum, Lanes::kOuter, each);
  EXPECT_EQ(RequestsOf(columns).reads, 0U);
}

}  // namespace
}  // namespace culprit::compiler::codegen
