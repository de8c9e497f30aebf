// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/top_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::backend {
namespace {

using testing::ElementsAre;

TEST(TopFramesTest, SymbolsLoseWhatDiffersBetweenBuilds) {
  EXPECT_EQ(NormalizeSymbol("_ZN4mine4EmitIfEEvRKNS_4NodeEi+0x1f"), "mine::Emit");
  EXPECT_EQ(NormalizeSymbol("mine::Lower(mine::Graph const&) const [clone .cold]"), "mine::Lower");
  EXPECT_EQ(NormalizeSymbol("void mine::Loop<float, std::pair<int, int> >(int)"), "mine::Loop");
  EXPECT_EQ(NormalizeSymbol("at::native::(anonymous namespace)::relu_kernel(at::TensorIterator&)"),
            "at::native::relu_kernel");
  EXPECT_EQ(NormalizeSymbol("fold.constprop.0"), "fold");
  EXPECT_EQ(NormalizeSymbol("cblas_sgemm@@LIB_1+0x10"), "cblas_sgemm");
}

TEST(TopFramesTest, OperatorsKeepTheirNames) {
  EXPECT_EQ(NormalizeSymbol("mine::Call::operator()(int) const"), "mine::Call::operator()");
  EXPECT_EQ(NormalizeSymbol("mine::operator<< <char>(int)"), "mine::operator<<");
  EXPECT_EQ(NormalizeSymbol("mine::Pointer<int>::operator->() const"), "mine::Pointer::operator->");
}

TEST(TopFramesTest, LambdasAreNamedAfterTheirFunction) {
  EXPECT_EQ(NormalizeSymbol("mine::Run(int)::{lambda(int)#1}::operator()(int) const"),
            "mine::Run::{lambda#1}::operator()");
}

TEST(TopFramesTest, FramesOfLibcAndOfCulpritAreNoneOfTheCompiler) {
  const NativeFrame stack[] = {
      {"__pthread_kill_implementation", "/lib/x86_64-linux-gnu/libc.so.6"},
      {"raise", ""},
      {"abort", ""},
      {"std::terminate()", ""},
      {"", "/usr/lib/libmine.so"},
      {"mine::Emit(int)", "/usr/lib/libmine.so"},
      {"culprit::graph::Interpreter::Run()", ""},
      {"mainline::Optimize()", ""},
      {"culprit::check::Query()", ""},
      {"main", ""},
  };
  EXPECT_THAT(TopFrames(stack), ElementsAre("mine::Emit", "mainline::Optimize"));
}

TEST(TopFramesTest, ThreeFramesAreEnough) {
  const NativeFrame stack[] = {{"a"}, {"b"}, {"c"}, {"d"}};
  EXPECT_THAT(TopFrames(stack), ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace culprit::backend
