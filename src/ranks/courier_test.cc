// SPDX-License-Identifier: Apache-2.0
#include "ranks/courier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

namespace culprit::ranks {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)
using Clock = Courier::Clock;
using Question = std::function<int64_t(c10d::Store&)>;

Courier::Connect InMemory() {
  return [] { return c10::make_intrusive<c10d::HashStore>(); };
}

int64_t Add(Courier& courier, int64_t number) {
  return courier.Ask(Question([=](c10d::Store& store) { return store.add("key", number); }),
                     Clock::now() + 10s);
}

TEST(CourierTest, AsksOneStoreInOrder) {
  Courier courier(InMemory());
  EXPECT_EQ(Add(courier, 2), 2);
  EXPECT_EQ(Add(courier, 3), 5);
}

TEST(CourierTest, PassesExceptionsOnAndGoesOn) {
  Courier courier(InMemory());
  const Question fail = [](c10d::Store&) -> int64_t { throw std::out_of_range("text"); };
  EXPECT_THROW(courier.Ask(fail, Clock::now() + 10s), std::out_of_range);
  EXPECT_EQ(Add(courier, 2), 2);
}

TEST(CourierTest, ConnectsAgainIfItHasNot) {
  int calls = 0;
  Courier courier([&]() -> c10::intrusive_ptr<c10d::Store> {
    if (++calls == 1) throw std::out_of_range("text");
    return c10::make_intrusive<c10d::HashStore>();
  });
  EXPECT_THROW(Add(courier, 2), std::out_of_range);
  EXPECT_EQ(Add(courier, 2), 2);
}

TEST(CourierTest, DoesNotWaitLongerThanTheDeadline) {
  const auto answer = std::make_shared<std::latch>(1);
  const Question hang = [answer](c10d::Store&) {
    answer->wait();
    return int64_t{0};
  };
  auto courier = std::make_unique<Courier>(InMemory());
  const auto start = Clock::now();
  EXPECT_THROW(courier->Ask(hang, start + 100ms), NoAnswer);
  EXPECT_THROW(courier->Ask(hang, start + 200ms), NoAnswer);
  answer->count_down();
  EXPECT_EQ(Add(*courier, 2), 2) << "it works again";
}

TEST(CourierTest, IsLeftBehindWhileItWaits) {
  const auto answer = std::make_shared<std::latch>(1);
  const auto ended = std::make_shared<std::latch>(1);
  {
    Courier courier(InMemory());
    const Question hang = [=](c10d::Store&) {
      answer->wait();
      ended->count_down();
      return int64_t{0};
    };
    EXPECT_THROW(courier.Ask(hang, Clock::now() + 50ms), NoAnswer);
  }
  answer->count_down();
  ended->wait();
}

TEST(CourierTest, ItsConnectionIsClosedWithIt) {
  const auto store = c10::make_intrusive<c10d::HashStore>();
  {
    Courier courier([=] { return store; });
    Add(courier, 1);
    EXPECT_GT(store.use_count(), 1);
  }
  EXPECT_EQ(store.use_count(), 1);
}

}  // namespace
}  // namespace culprit::ranks
