// SPDX-License-Identifier: Apache-2.0
#include "isolate/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

#include "isolate/zygote.h"

namespace culprit::isolate {
namespace {

using std::chrono::seconds;

int calls = 0;

constexpr Task kTasks[] = {
    {"count", [](const Message&) { return Message{std::to_string(++calls)}; }},
    {"pid", [](const Message&) { return Message{std::to_string(getpid())}; }},
    {"throw", [](const Message&) -> Message { throw std::runtime_error(std::to_string(++calls)); }},
    {"abort", [](const Message&) -> Message { abort(); }},
    {"print",
     [](const Message& request) {
       std::printf("%s", request.bytes.c_str());
       return Message{};
     }},
    {"phase",
     [](const Message& request) {
       if (!request.bytes.empty()) AnnouncePhase(request.bytes);
       return Message{};
     }},
    {"hang",
     [](const Message&) -> Message {
       while (true) pause();
     }},
};

class WorkerTest : public testing::Test {
 protected:
  Outcome Run(std::string_view task, const std::string& request = {}, seconds limit = seconds(20)) {
    auto outcome = worker_.Run(task, {request}, {.wall_time = limit});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return *outcome;
  }
  std::string Answer(std::string_view task) {
    const Outcome outcome = Run(task);
    EXPECT_TRUE(outcome.ok()) << outcome.ToString();
    return std::get<Returned>(outcome.ending).message.bytes;
  }

  const std::shared_ptr<const Zygote> zygote_ = *Zygote::Start(kTasks);
  Worker worker_{zygote_};
};

TEST_F(WorkerTest, StaysWarm) {
  EXPECT_EQ(Answer("count"), "1");
  EXPECT_EQ(Answer("count"), "2");
  EXPECT_EQ(calls, 0);
}

TEST_F(WorkerTest, SurvivesAnException) {
  EXPECT_EQ(Answer("count"), "1");
  EXPECT_EQ(Run("throw").ToString(), "std::runtime_error: 2");
  EXPECT_EQ(Answer("count"), "3");
}

TEST_F(WorkerTest, IsReplacedAfterACrash) {
  EXPECT_EQ(Answer("count"), "1");
  EXPECT_THAT(Run("abort").ToString(), testing::HasSubstr("SIGABRT"));
  EXPECT_EQ(Answer("count"), "1");
}

TEST_F(WorkerTest, IsReplacedAfterATimeout) {
  EXPECT_EQ(Answer("count"), "1");
  EXPECT_THAT(Run("hang", "", seconds(1)).ToString(), testing::HasSubstr("wall time"));
  EXPECT_EQ(Answer("count"), "1");
}

TEST_F(WorkerTest, DeathBetweenQueriesIsNoFaultOfTheNext) {
  const pid_t pid = std::stoi(Answer("pid"));
  kill(pid, SIGKILL);
  EXPECT_EQ(Answer("count"), "1");
  EXPECT_NE(std::stoi(Answer("pid")), pid);
}

TEST_F(WorkerTest, StartsAfreshWhenDiscarded) {
  EXPECT_EQ(Answer("count"), "1");
  worker_.Discard();
  EXPECT_EQ(Answer("count"), "1");
}

TEST_F(WorkerTest, GivesEachQueryItsOwnOutputAndPhase) {
  EXPECT_EQ(Run("print", "one").output, "one");
  EXPECT_EQ(Run("print", "two").output, "two");
  EXPECT_EQ(Run("phase", "compile").phase, "compile");
  EXPECT_EQ(Run("phase").phase, "");
}

TEST_F(WorkerTest, OutlivesTheCallersHoldOnTheZygote) {
  auto zygote = *Zygote::Start(kTasks);
  Worker worker(zygote);
  zygote.reset();
  EXPECT_TRUE(worker.Run("count", {})->ok());
}

}  // namespace
}  // namespace culprit::isolate
