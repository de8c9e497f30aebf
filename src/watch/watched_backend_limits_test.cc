// SPDX-License-Identifier: Apache-2.0
//
// Which part of a check may take how long.
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/lib/watched_graph.h"
#include "watch/watched_backend.h"

namespace culprit::watch {
namespace {

using backend::Values;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr double kLimit = 0.3;

void Sleep(double limits) {
  std::this_thread::sleep_for(std::chrono::duration<double>(limits * kLimit));
}

class WatchedLimitsTest : public tests::WatchedGraphTest {
 protected:
  WatchedLimitsTest() {
    settings_.repro_after = "capture";
    settings_.repro_level = 4;
    settings_.call_timeout = kLimit;
  }
};

/// Operators of graphs take longer than the limit, but not inside of what was compiled.
class SlowEager {
 public:
  explicit SlowEager(const tests::Behaviour& odd) {
    running = &odd;
    handle_ =
        at::addThreadLocalCallback(at::RecordFunctionCallback([](const at::RecordFunction& function)
                                                                  -> std::unique_ptr<at::ObserverContext> {
                                     if (std::string(function.name()) == "aten::sin" && !running->is_called) {
                                       ++calls;
                                       Sleep(1.5);
                                     }
                                     return nullptr;
                                   }).scopes({at::RecordScope::FUNCTION}));
  }
  ~SlowEager() { at::removeCallback(handle_); }
  SlowEager(const SlowEager&) = delete;
  SlowEager& operator=(const SlowEager&) = delete;

  inline static int calls = 0;

 private:
  inline static const tests::Behaviour* running = nullptr;
  at::CallbackHandle handle_;
};

TEST_F(WatchedLimitsTest, AProgramThatIsSlowByItselfDoesNotHang) {
  const SlowEager slow(odd_);
  const auto compiled = Compile(Point::kCapture);
  EXPECT_EQ(SlowEager::calls, 2) << "eager runs twice";
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_EQ(session_->counters().failures, 0);
}

TEST_F(WatchedLimitsTest, EachPartOfACheckHasTheWholeTime) {
  odd_.compile = [](graph::Graph&, const Values&) { Sleep(0.6); };
  odd_.call = [](Values&, Values&) { Sleep(0.6); };
  Compile(Point::kCapture);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WatchedLimitsTest, ACallOfACheckThatHangsIsReported) {
  odd_.call = [](Values&, Values&) { Sleep(1.5); };
  Compile(Point::kCapture);
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], StartsWith("a call has not come back after 0.3 s\n"));
  ASSERT_THAT(Repros(), SizeIs(1));
  EXPECT_THAT(Repros()[0].header.expected, HasSubstr("\"phase\":\"call\""));
}

TEST_F(WatchedLimitsTest, ACompilationOfACheckThatHangsIsReported) {
  odd_.compile = [&](graph::Graph&, const Values&) {
    if (odd_.compilations == 1) Sleep(1.5);
  };
  Compile(Point::kCapture);
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], StartsWith("a compilation has not come back after 0.3 s\n"));
}

TEST_F(WatchedLimitsTest, ABackwardPassOfALaterCheckThatHangsIsReported) {
  inputs_ = {tests::Numbers().set_requires_grad(true)};
  const auto compiled = Compile(Point::kCapture);
  odd_.call = [](Values&, Values& outputs) {
    outputs[0].toTensor().register_hook([](const at::Tensor&) { Sleep(1.5); });
  };
  Call(*compiled);
  ASSERT_THAT(Repros(), SizeIs(1));
  EXPECT_THAT(Repros()[0].header.expected, HasSubstr("\"phase\":\"backward\""));
}

}  // namespace
}  // namespace culprit::watch
