// SPDX-License-Identifier: Apache-2.0
//
// Whatever happens, nothing is left: no process, descriptor, shared memory or file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "isolate/worker.h"
#include "isolate/zygote.h"
#include "tests/lib/process_census.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::isolate {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tests::Census;

[[noreturn]] void HangForever() {
  while (true) pause();
}

/// Tells the pid in a file whose name is the request.
void TellPid(const Message& request) {
  std::ofstream(request.bytes, std::ios::app) << getpid() << "\n";
}

constexpr Task kTasks[] = {
    {"echo", [](const Message& request) { return request; }},
    {"segfault", [](const Message&) { return *static_cast<volatile int*>(nullptr) = 1, Message{}; }},
    {"abort", [](const Message&) -> Message { abort(); }},
    {"throw", [](const Message&) -> Message { throw std::runtime_error("message"); }},
    {"exit", [](const Message&) -> Message { _exit(7); }},
    {"hang", [](const Message&) -> Message { HangForever(); }},
    {"leave a child",
     [](const Message& request) {
       if (fork() == 0) {
         TellPid(request);
         HangForever();
       }
       return request;
     }},
    {"leave a child and crash",
     [](const Message& request) -> Message {
       if (fork() == 0) {
         TellPid(request);
         HangForever();
       }
       usleep(20'000);
       abort();
     }},
    {"leave a daemon",
     [](const Message& request) {
       if (fork() == 0) {
         setsid();
         signal(SIGTERM, SIG_IGN);
         if (fork() == 0) {
           setsid();
           TellPid(request);
           HangForever();
         }
         _exit(0);
       }
       wait(nullptr);
       usleep(20'000);
       return request;
     }},
};

/// With a folder of its own for temporary files: others use the machine's at the same time.
class ZygoteLeaks : public testing::Test {
 protected:
  ZygoteLeaks() { setenv("TMPDIR", folder_.path().c_str(), 1); }
  ~ZygoteLeaks() override {
    if (own_folder_)
      setenv("TMPDIR", own_folder_->c_str(), 1);
    else
      unsetenv("TMPDIR");
  }

  const tests::TemporaryFolder folder_;

 private:
  const std::optional<std::string> own_folder_ =
      getenv("TMPDIR") != nullptr ? std::optional<std::string>(getenv("TMPDIR")) : std::nullopt;
};

/// Where tasks tell their pids.
class PidFile {
 public:
  explicit PidFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::vector<pid_t> Pids() const {
    std::ifstream file(path_);
    std::vector<pid_t> pids;
    for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
    return pids;
  }

 private:
  const std::string path_;
};

/// Gone, or dead and not yet reaped by whoever has to.
bool IsDead(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  for (int i = 0; i < 3; ++i) file >> word;
  return !file || word == "Z" || word == "X";
}

bool BecomesTrue(const std::function<bool()>& condition, milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    usleep(1000);
  }
  return condition();
}

TEST_F(ZygoteLeaks, NothingAfterManyCrashes) {
  const auto zygote = *Zygote::Start(kTasks);
  const auto memory = *SharedMemory::Make(10'000);
  const auto query = [&](std::string_view task, seconds limit) {
    return zygote->RunFresh(task, {"bytes", {memory}}, {.wall_time = limit});
  };
  ASSERT_TRUE(query("segfault", seconds(10)).ok());
  const Census before = tests::SettledCensus();
  constexpr std::string_view kKinds[] = {"segfault", "abort", "exit", "hang", "throw", "echo"};
  for (int i = 0; i < tests::Volume(/*sample=*/300, /*full=*/10'000); ++i) {
    const std::string_view task = kKinds[i % std::size(kKinds)];
    const auto outcome = query(task, seconds(task == "hang" ? 0 : 10));
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    ASSERT_EQ(outcome->ok(), task == "echo") << outcome->ToString();
  }
  EXPECT_EQ(tests::SettledCensus(), before);
}

TEST_F(ZygoteLeaks, NothingWhenTheZygoteEnds) {
  const Census before = tests::SettledCensus();
  {
    auto zygote = *Zygote::Start(kTasks);
    Worker worker(zygote);
    EXPECT_TRUE(worker.Run("echo", {})->ok());
    EXPECT_NE(Census(), before);
  }
  EXPECT_EQ(tests::SettledCensus(), before);
}

TEST_F(ZygoteLeaks, GrandchildrenDieWithTheirQuery) {
  const auto zygote = *Zygote::Start(kTasks);
  const PidFile file(folder_ / "pids");
  const Census before = tests::SettledCensus();
  for (const std::string_view task : {"leave a child", "leave a child and crash", "leave a daemon"}) {
    ASSERT_TRUE(zygote->RunFresh(task, {file.path()}).ok());
  }
  EXPECT_EQ(Census().descendants, before.descendants);
  // The first may be killed before it told.
  EXPECT_GE(file.Pids().size(), 2u);
  for (const pid_t pid : file.Pids()) EXPECT_EQ(kill(pid, 0), -1) << pid;
}

TEST_F(ZygoteLeaks, DaemonOfAWorkerDiesWithIt) {
  const auto zygote = *Zygote::Start(kTasks);
  const PidFile file(folder_ / "pids");
  Worker worker(zygote);
  ASSERT_TRUE(worker.Run("leave a daemon", {file.path()})->ok());
  ASSERT_EQ(file.Pids().size(), 1u);
  EXPECT_FALSE(IsDead(file.Pids()[0]));
  worker.Discard();
  EXPECT_EQ(kill(file.Pids()[0], 0), -1);
}

/// A process with a zygote, a query that hangs and one that left a child. Gives the pids of all.
std::vector<pid_t> StartCaller(const PidFile& file) {
  const pid_t caller = fork();
  if (caller == 0) {
    const auto zygote = *Zygote::Start(kTasks);
    // From a thread that ends: nothing may depend on it.
    Worker worker(zygote);
    std::thread([&] { static_cast<void>(worker.Run("leave a child", {file.path()})); }).join();
    std::thread([&] { static_cast<void>(zygote->RunFresh("hang", {})); }).detach();
    HangForever();
  }
  EXPECT_TRUE(BecomesTrue([&] { return tests::DescendantsOf(caller).size() == 4 && file.Pids().size() == 1; },
                          seconds(5)));
  std::vector<pid_t> pids = tests::DescendantsOf(caller);
  pids.insert(pids.begin(), caller);
  return pids;
}

class KilledMember : public ZygoteLeaks {
 protected:
  // Orphans come here, so that they can be counted and reaped.
  KilledMember() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~KilledMember() override {
    for (const pid_t pid : tests::DescendantsOf(getpid())) kill(pid, SIGKILL);
    while (wait(nullptr) > 0) {
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }

  static bool AllDie(const std::vector<pid_t>& pids) {
    return BecomesTrue([&] { return std::all_of(pids.begin(), pids.end(), IsDead); }, seconds(1));
  }

  const PidFile file_{folder_ / "pids"};
};

TEST_F(KilledMember, CallerTakesAllWithIt) {
  const std::vector<pid_t> pids = StartCaller(file_);
  kill(pids[0], SIGKILL);
  EXPECT_TRUE(AllDie(pids));
}

TEST_F(KilledMember, ZygoteTakesItsChildrenWithIt) {
  const std::vector<pid_t> pids = StartCaller(file_);
  const pid_t zygote = pids[1];
  const std::vector<pid_t> children = tests::ChildrenOf(zygote);
  ASSERT_EQ(children.size(), 2u);
  kill(zygote, SIGKILL);
  EXPECT_TRUE(AllDie(children));
  EXPECT_FALSE(IsDead(pids[0]));
}

TEST_F(ZygoteLeaks, GrandchildrenDieThoughTheZygoteIsDead) {
  const PidFile file(folder_ / "pids");
  auto zygote = *Zygote::Start(kTasks);
  Worker worker(zygote);
  ASSERT_TRUE(worker.Run("leave a child", {file.path()})->ok());
  ASSERT_TRUE(BecomesTrue([&] { return file.Pids().size() == 1; }, seconds(5)));
  kill(zygote->pid(), SIGKILL);
  worker.Discard();
  EXPECT_TRUE(BecomesTrue([&] { return IsDead(file.Pids()[0]); }, seconds(1)));
}

TEST_F(ZygoteLeaks, MixedQueriesOnTwoWorkersLeaveMemoryAndThreadsAsTheyWere) {
  const auto zygote = *Zygote::Start(kTasks);
  Worker workers[] = {Worker(zygote), Worker(zygote)};
  const auto memory = *SharedMemory::Make(100'000);
  const auto run_queries = [&](int count) {
    std::vector<std::thread> threads;
    for (Worker& worker : workers) {
      threads.emplace_back([&worker, &memory, count] {
        for (int i = 0; i < count; ++i) {
          const std::string_view task = i % 100 == 0 ? "segfault" : i % 10 == 0 ? "throw" : "echo";
          const auto outcome = worker.Run(task, {std::string(i % 70'000, 'x'), {memory}});
          ASSERT_TRUE(outcome.ok());
          ASSERT_EQ(outcome->ok(), task == "echo") << outcome->ToString();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  const auto resident_pages = [] {
    long size = 0;
    long resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident;
  };
  run_queries(500);
  const Census before = tests::SettledCensus();
  const long pages_before = resident_pages();
  run_queries(tests::Volume(/*sample=*/1000, /*full=*/10'000));
  EXPECT_EQ(tests::SettledCensus(), before);
  // The allocator's noise is some 30 pages; a kilobyte per query would be thousands.
  EXPECT_LT(resident_pages() - pages_before, 500);
}

}  // namespace
}  // namespace culprit::isolate
