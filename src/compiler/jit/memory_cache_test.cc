// SPDX-License-Identifier: Apache-2.0
#include "compiler/jit/memory_cache.h"

#include <gtest/gtest.h>

namespace culprit::compiler::jit {
namespace {

class FakeKernel : public LoadedKernel {
 public:
  FakeKernel() : LoadedKernel(nullptr) {}
};

MemoryCache::Object Bytes(size_t count) {
  return std::make_shared<const std::string>(count, 'o');
}

TEST(MemoryCacheTest, AKernelIsKnownAsLongAsSomebodyHoldsIt) {
  MemoryCache cache(100);
  MemoryCache::Kernel kernel = cache.AddKernel("key", std::make_shared<FakeKernel>());
  EXPECT_EQ(cache.FindKernel("key"), kernel);
  EXPECT_EQ(cache.FindKernel("other"), nullptr);
  kernel.reset();
  EXPECT_EQ(cache.FindKernel("key"), nullptr);
}

TEST(MemoryCacheTest, WhoComesSecondGetsTheFirstOnesKernel) {
  MemoryCache cache(100);
  const MemoryCache::Kernel first = cache.AddKernel("key", std::make_shared<FakeKernel>());
  EXPECT_EQ(cache.AddKernel("key", std::make_shared<FakeKernel>()), first);
}

TEST(MemoryCacheTest, AKernelIsReplacedWhoeverHoldsTheOther) {
  MemoryCache cache(100);
  const MemoryCache::Kernel first = cache.AddKernel("key", std::make_shared<FakeKernel>());
  const MemoryCache::Kernel second = std::make_shared<FakeKernel>();
  cache.ReplaceKernel("key", second);
  EXPECT_EQ(cache.FindKernel("key"), second);
}

TEST(MemoryCacheTest, KernelsThatNobodyHoldsAreForgotten) {
  MemoryCache cache(100);
  const MemoryCache::Kernel held = cache.AddKernel("held", std::make_shared<FakeKernel>());
  for (int i = 0; i < 1000; ++i) cache.AddKernel(std::to_string(i), std::make_shared<FakeKernel>());
  EXPECT_LT(cache.CountKernels(), 100u);
  EXPECT_EQ(cache.FindKernel("held"), held);
}

TEST(MemoryCacheTest, TheObjectThatWasNotUsedForLongestGoesFirst) {
  MemoryCache cache(100);
  cache.KeepObject("a", Bytes(40));
  cache.KeepObject("b", Bytes(40));
  EXPECT_NE(cache.FindObject("a"), nullptr);
  cache.KeepObject("c", Bytes(40));
  EXPECT_NE(cache.FindObject("a"), nullptr);
  EXPECT_EQ(cache.FindObject("b"), nullptr);
  EXPECT_NE(cache.FindObject("c"), nullptr);
}

TEST(MemoryCacheTest, AnObjectInPlaceOfAnotherCountsOnce) {
  MemoryCache cache(100);
  cache.KeepObject("a", Bytes(40));
  for (int i = 0; i < 3; ++i) cache.KeepObject("b", Bytes(60));
  EXPECT_NE(cache.FindObject("a"), nullptr);
  EXPECT_NE(cache.FindObject("b"), nullptr);
}

TEST(MemoryCacheTest, AnObjectThatIsTooLargeIsNotKept) {
  MemoryCache cache(100);
  cache.KeepObject("a", Bytes(101));
  EXPECT_EQ(cache.FindObject("a"), nullptr);
}

}  // namespace
}  // namespace culprit::compiler::jit
