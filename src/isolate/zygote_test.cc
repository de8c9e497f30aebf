// SPDX-License-Identifier: Apache-2.0
#include "isolate/zygote.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <thread>

#include "tests/lib/temporary_folder.h"

namespace culprit::isolate {
namespace {

using testing::HasSubstr;

constexpr Task kTasks[] = {
    {"echo", [](const Message& request) { return request; }},
    {"add up",
     [](const Message& request) {
       int sum = 0;
       for (const auto& memory : request.attachments) {
         for (size_t i = 0; i < memory->size(); ++i) sum += std::to_integer<int>(memory->data()[i]);
         if (memory->size() > 0) memory->data()[0] = std::byte{99};
       }
       return Message{std::to_string(sum)};
     }},
    {"attach",
     [](const Message& request) {
       auto memory = SharedMemory::Make(std::stoul(request.bytes));
       std::memset((*memory)->data(), 7, (*memory)->size());
       return Message{"", {*memory}};
     }},
    {"throw", [](const Message& request) -> Message { throw std::out_of_range(request.bytes); }},
    {"throw 42", [](const Message&) -> Message { throw 42; }},
    {"exit", [](const Message& request) -> Message { exit(std::stoi(request.bytes)); }},
    {"_exit", [](const Message& request) -> Message { _exit(std::stoi(request.bytes)); }},
    {"exit in phase",
     [](const Message& request) -> Message {
       AnnouncePhase("compile");
       AnnouncePhase(request.bytes);
       _exit(7);
     }},
    {"scribble",
     [](const Message&) -> Message {
       for (int number = 3; number < 50; ++number) {
         [[maybe_unused]] const ssize_t size = write(number, "scribble", 8);
       }
       return {"too late"};
     }},
    {"close all",
     [](const Message&) -> Message {
       for (int number = 0; number < 1000; ++number) close(number);
       return {"nobody hears"};
     }},
    {"close all and abort",
     [](const Message&) -> Message {
       for (int number = 0; number < 1000; ++number) close(number);
       abort();
     }},
    {"return twice",
     [](const Message&) {
       fork();
       return Message{"once"};
     }},
    {"print",
     [](const Message&) {
       std::printf("one ");
       std::cout << "two ";
       std::fprintf(stderr, "three");
       return Message{};
     }},
    {"open to read",
     [](const Message& request) { return Message{std::to_string(open(request.bytes.c_str(), O_RDONLY))}; }},
    {"open to write",
     [](const Message& request) { return Message{std::to_string(open(request.bytes.c_str(), O_WRONLY))}; }},
    {"read", [](const Message&) { return Message{std::to_string(std::getchar())}; }},
};

class ZygoteTest : public testing::Test {
 protected:
  Outcome Run(std::string_view task, const Message& request = {}, const Limits& limits = {}) {
    auto outcome = zygote_->RunFresh(task, request, limits);
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return *outcome;
  }
  std::string Describe(std::string_view task, const std::string& request = {}) {
    return Run(task, {request}).ToString();
  }

  const std::shared_ptr<const Zygote> zygote_ = *Zygote::Start(kTasks);
};

TEST_F(ZygoteTest, BringsBackWhatTheTaskReturns) {
  const Outcome outcome = Run("echo", {std::string("a\0b", 3)});
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(std::get<Returned>(outcome.ending).message.bytes, std::string("a\0b", 3));
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.phase, "");
  EXPECT_GT(outcome.wall_time.count(), 0);
}

TEST_F(ZygoteTest, BringsBackLongBytes) {
  const std::string bytes(3'000'000, 'x');
  EXPECT_EQ(std::get<Returned>(Run("echo", {bytes}).ending).message.bytes, bytes);
}

TEST_F(ZygoteTest, TaskReadsAttachmentsAndWritesOnlyItsOwnCopy) {
  const auto memory = *SharedMemory::Make(100'000);
  std::memset(memory->data(), 2, memory->size());
  const Message request{"", {memory, *SharedMemory::Make(0), memory}};
  // The second mapping of the same memory is another copy.
  EXPECT_EQ(std::get<Returned>(Run("add up", request).ending).message.bytes, "400000");
  EXPECT_EQ(memory->data()[0], std::byte{2});
}

TEST_F(ZygoteTest, BringsBackAttachments) {
  const Outcome outcome = Run("attach", {"100000"});
  const auto& attachments = std::get<Returned>(outcome.ending).message.attachments;
  ASSERT_EQ(attachments.size(), 1u);
  ASSERT_EQ(attachments[0]->size(), 100'000u);
  EXPECT_EQ(attachments[0]->data()[99'999], std::byte{7});
}

TEST_F(ZygoteTest, NamesTheTypeOfAnException) {
  EXPECT_EQ(Describe("throw", "index 7"), "std::out_of_range: index 7");
  EXPECT_EQ(Describe("throw 42"), "threw something of type int");
}

TEST_F(ZygoteTest, NoticesAnExit) {
  EXPECT_EQ(Describe("exit", "0"), "exited with 0");
  EXPECT_EQ(Describe("exit", "7"), "exited with 7");
  EXPECT_EQ(Describe("_exit", "0"), "exited with 0");
  EXPECT_EQ(Describe("_exit", "70"), "exited with 70");
}

TEST_F(ZygoteTest, NamesTheLastPhase) {
  EXPECT_EQ(Describe("exit in phase", "call 2"), "in call 2: exited with 7");
  EXPECT_EQ(Run("exit in phase", {std::string(1000, 'x')}).phase, std::string(127, 'x'));
}

TEST_F(ZygoteTest, NoticesGarbageOnTheWire) {
  EXPECT_EQ(Describe("scribble"), "received 8 bytes where an answer was due");
}

TEST_F(ZygoteTest, NoticesAClosedConnection) {
  EXPECT_EQ(Describe("close all"), "the answer could not be sent: the child has closed its connection");
  EXPECT_THAT(Describe("close all and abort"), HasSubstr("SIGABRT"));
}

TEST_F(ZygoteTest, TakesOneAnswerOfATaskThatReturnsTwice) {
  EXPECT_EQ(std::get<Returned>(Run("return twice").ending).message.bytes, "once");
}

TEST_F(ZygoteTest, CapturesBothOutputs) {
  testing::internal::CaptureStdout();
  const Outcome outcome = Run("print");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  // Standard error is not buffered.
  EXPECT_EQ(outcome.output, "threeone two ");
  EXPECT_EQ(outcome.output_bytes, 13u);
}

TEST_F(ZygoteTest, GivesNoInput) {
  EXPECT_EQ(std::get<Returned>(Run("read").ending).message.bytes, std::to_string(EOF));
}

TEST_F(ZygoteTest, PrintsNothingTwiceThatWasBufferedBefore) {
  testing::internal::CaptureStdout();
  std::printf("buffered");
  const auto zygote = *Zygote::Start(kTasks);
  EXPECT_EQ(zygote->RunFresh("exit", {"0"})->output, "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "buffered");
}

TEST_F(ZygoteTest, DoesNotDependOnTheCallersSignals) {
  const auto own = signal(SIGCHLD, SIG_IGN);
  const auto zygote = *Zygote::Start(kTasks);
  EXPECT_EQ(zygote->RunFresh("_exit", {"7"})->ToString(), "exited with 7");
  signal(SIGCHLD, own);
}

TEST_F(ZygoteTest, ServesSeveralThreads) {
  std::vector<std::thread> threads;
  std::array<int, 2> right = {};
  for (size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const std::string bytes = std::to_string(t * 100 + i);
        const bool throws = i % 2 == 0;
        const auto outcome = zygote_->RunFresh(throws ? "throw" : "echo", {bytes});
        right[t] += throws ? std::get<Exception>(outcome->ending).message == bytes
                           : std::get<Returned>(outcome->ending).message.bytes == bytes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(right, testing::Each(20));
}

TEST_F(ZygoteTest, QueriesOverlap) {
  const tests::TemporaryFolder folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  // Each end waits until somebody opens the other.
  std::thread writer([&] { EXPECT_TRUE(zygote_->RunFresh("open to write", {fifo})->ok()); });
  EXPECT_TRUE(zygote_->RunFresh("open to read", {fifo})->ok());
  writer.join();
}

TEST_F(ZygoteTest, SaysSoIfTheZygoteIsDead) {
  kill(zygote_->pid(), SIGKILL);
  siginfo_t info;
  waitid(P_PID, zygote_->pid(), &info, WEXITED | WNOWAIT);
  const auto outcome = zygote_->RunFresh("echo", {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message, "the process that starts queries has died");
}

}  // namespace
}  // namespace culprit::isolate
