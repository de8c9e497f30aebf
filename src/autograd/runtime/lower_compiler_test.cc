// SPDX-License-Identifier: Apache-2.0
#include "autograd/runtime/lower_compiler.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/lib/short_graph.h"

namespace culprit::autograd {
namespace {

/// Says how many are in it at once.
class Crowded : public backend::Compiled {
 public:
  Crowded(bool is_thread_safe, std::atomic<int>& most) : is_thread_safe_(is_thread_safe), most_(most) {}

  backend::Values Call(backend::Values& inputs) override {
    const int now = ++inside_;
    if (now > most_) most_ = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --inside_;
    return {c10::IValue(at::GradMode::is_enabled()), inputs[0]};
  }
  bool is_thread_safe() const override { return is_thread_safe_; }

 private:
  const bool is_thread_safe_;
  std::atomic<int>& most_;
  std::atomic<int> inside_ = 0;
};

int MostAtOnce(bool is_thread_safe) {
  std::atomic<int> most = 0;
  LowerCompiled compiled(std::make_unique<Crowded>(is_thread_safe, most));
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { compiled.Call({at::ones({1})}); });
  for (std::thread& thread : threads) thread.join();
  return most;
}

TEST(LowerCompiledTest, OneThreadAtATimeCallsWhatIsNotThreadSafe) {
  EXPECT_EQ(MostAtOnce(false), 1);
  EXPECT_GT(MostAtOnce(true), 1);
}

TEST(LowerCompiledTest, GradientsAreOffDuringACall) {
  std::atomic<int> most = 0;
  LowerCompiled compiled(std::make_unique<Crowded>(true, most));
  const at::AutoGradMode on(true);
  EXPECT_FALSE(compiled.Call({at::ones({1})})[0].toBool());
  EXPECT_TRUE(at::GradMode::is_enabled());
}

/// Keeps the kind of the first placeholder that it was to compile.
class KindBackend : public backend::Backend {
 public:
  explicit KindBackend(graph::PlaceholderKind& kind) : kind_(kind) {}
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& /*inputs*/) override {
    kind_ = graph.placeholders()[0].kind;
    return nullptr;
  }

 private:
  graph::PlaceholderKind& kind_;
};

TEST(LowerCompilerTest, ParametersReachTheBackendAsInputs) {
  graph::Graph graph = tests::ShortGraph("w\nreturn (w,)");
  graph.SetPlaceholderKind(0, graph::PlaceholderKind::kParameter);
  graph::PlaceholderKind kind = graph::PlaceholderKind::kBuffer;
  LowerCompiler(std::make_unique<KindBackend>(kind)).Compile(graph, {at::ones({1})});
  EXPECT_EQ(kind, graph::PlaceholderKind::kInput);
}

}  // namespace
}  // namespace culprit::autograd
