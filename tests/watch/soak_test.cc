// SPDX-License-Identifier: Apache-2.0
//
// Watched calls from four threads, with failures among them of which the test knows every one, while other
// watched programs crash: each failure is reported to its caller and counted, and nothing is left behind that
// grows with the number of calls.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/rand.h>
#include <c10/core/DefaultDtype.h>
#include <culprit/errors.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <thread>

#include "tests/lib/process_census.h"
#include "tests/lib/run_program.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"
#include "tests/watch/injecting_backend.h"
#include "tests/watch/memory_slope.h"
#include "watch/watched_backend.h"

namespace culprit::tests {
namespace {

constexpr int kThreads = 4;

struct Tally {
  uint64_t exceptions = 0;
  uint64_t wrong_numbers = 0;
  uint64_t failures() const { return exceptions + wrong_numbers; }
  bool operator==(const Tally&) const = default;
  friend void PrintTo(const Tally& tally, std::ostream* out) {
    *out << tally.exceptions << " exceptions, " << tally.wrong_numbers << " with wrong numbers";
  }
};

/// What one thread has done, and what it has met.
struct Met {
  Tally injected;
  Tally reported;
  std::string surprise;
};

void Add(const Met& part, Met& all) {
  all.injected.exceptions += part.injected.exceptions;
  all.injected.wrong_numbers += part.injected.wrong_numbers;
  all.reported.exceptions += part.reported.exceptions;
  all.reported.wrong_numbers += part.reported.wrong_numbers;
  if (!part.surprise.empty()) all.surprise = part.surprise;
}

base::Settings Watching(int level, const TemporaryFolder& folder) {
  base::Settings settings;
  settings.repro_after = "aot";
  settings.repro_level = level;
  settings.directory = folder / "runs";
  return settings;
}

/// A graph that is called as often as one likes.
class WatchedGraph {
 public:
  explicit WatchedGraph(const base::Settings& settings)
      : session_(std::make_shared<watch::WatchSession>(settings, repro::Header{},
                                                       [this](const std::string& text) { Warned(text); })) {
    graph::Graph graph = ShortGraph(
        "x, state, code\n"
        "sin = sin(x)\n"
        "mul = mul.Tensor(sin, state)\n"
        "add_ = add_.Tensor(state, 1)\n"
        "return (mul,)");
    graph.set_name("net_0_inference");
    const auto backend = Watch(std::make_unique<InjectingBackend>(), watch::Point::kAot, session_);
    compiled_ = backend->Compile(graph, InputsWith(at::rand({4}), Injected::kNothing));
  }

  static backend::Values InputsWith(const at::Tensor& x, Injected injected) {
    return {x, x.mul(2), CodeOf(injected)};
  }

  /// Empty if it gives and writes what the graph does.
  std::string Call(const at::Tensor& x, Injected injected) {
    const backend::Values given = InputsWith(x, injected);
    const at::Tensor& state = given[1].toTensor();
    const at::Tensor expected = x.sin().mul(state);
    backend::Values inputs = given;
    const backend::Values outputs = compiled_->Call(inputs);
    if (!outputs.at(0).toTensor().equal(expected)) return "wrong numbers came out";
    return state.equal(x.mul(2).add(1)) ? "" : "the input was not written once";
  }

  watch::WatchCounters& counters() { return session_->counters(); }
  std::string warnings() const { return warnings_; }

 private:
  void Warned(const std::string& text) {
    const std::lock_guard lock(mutex_);
    warnings_ += text + "\n";
  }

  std::mutex mutex_;
  std::string warnings_;
  std::shared_ptr<watch::WatchSession> session_;
  std::unique_ptr<backend::Compiled> compiled_;
};

constexpr const char* kLastLine = "repro.py\n";

/// One call in fifty fails.
Injected Draw(std::mt19937& random, const std::vector<Injected>& kinds) {
  return random() % 50 == 0 ? kinds[random() % kinds.size()] : Injected::kNothing;
}

void CallOnce(WatchedGraph& graph, const at::Tensor& x, Injected injected, Met& met) {
  met.injected.exceptions += injected == Injected::kException;
  met.injected.wrong_numbers += injected == Injected::kWrongNumbers;
  std::string text;
  try {
    const std::string wrong = graph.Call(x, injected);
    if (!wrong.empty()) met.surprise = wrong;
    return;
  } catch (const AccuracyError& error) {
    ++met.reported.wrong_numbers;
    text = error.what();
  } catch (const std::runtime_error& error) {
    ++met.reported.exceptions;
    text = error.what();
  }
  if (!text.ends_with(kLastLine)) met.surprise = text;
}

/// Each thread has its own numbers, and so many calls.
Met CallFromThreads(WatchedGraph& graph, int calls, const std::vector<Injected>& kinds, unsigned seed) {
  std::vector<Met> met(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        const at::NoGradGuard no_grad;
        std::mt19937 random(seed + static_cast<unsigned>(thread));
        const at::Tensor x = at::rand({4}, at::kFloat);
        Met& mine = met[static_cast<size_t>(thread)];
        for (int i = 0; i < calls / kThreads; ++i) CallOnce(graph, x, Draw(random, kinds), mine);
      });
    }
  }
  Met all;
  for (const Met& of_thread : met) Add(of_thread, all);
  return all;
}

/// Programs that crash while their inputs are on disk, one after the other.
class CrashingPrograms {
 public:
  explicit CrashingPrograms(std::string runs) : runs_(std::move(runs)) {}

  /// How many crashed as they should.
  int Run(int programs) const {
    int crashed = 0;
    for (int i = 0; i < programs; ++i) {
      const ProgramRun run = RunProgram({CULPRIT_WATCHED}, {{"CULPRIT_REPRO_AFTER", "aot"},
                                                            {"CULPRIT_REPRO_LEVEL", "3"},
                                                            {"CULPRIT_DIRECTORY", runs_},
                                                            {"CULPRIT_FAULTS", "relu:segfault"}});
      crashed += run.exit_code == 128 + SIGSEGV;
    }
    return crashed;
  }

  /// How many have left what they did when they died.
  int Recorded() const {
    int recorded = 0;
    for (const std::string& name : NamesIn(runs_)) {
      if (name != "latest") recorded += EntriesIn(runs_ + "/" + name + "/in_progress") > 1;
    }
    return recorded;
  }

 private:
  const std::string runs_;
};

/// The names of all files below it.
std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.insert(entry.path().filename());
  }
  return names;
}

/// Parts of a soak, behind each of which the memory is measured.
constexpr int kParts = 8;

TEST(SlopeTest, ALeakShowsAndNoiseDoesNot) {
  EXPECT_DOUBLE_EQ(SlopeOf({1, 3, 5, 7}), 2);
  EXPECT_DOUBLE_EQ(SlopeOf({5, 9, 9, 5}), 0);
}

/// `beside` runs at the same time.
void Soak(
    const base::Settings& settings, const std::vector<Injected>& kinds,
    const std::function<void()>& beside = [] {}) {
  const int calls = Volume(/*sample=*/4000, /*full=*/100000);
  WatchedGraph graph(settings);
  const Met warm = CallFromThreads(graph, calls / 4, kinds, 1);
  const Census before = SettledCensus();
  Met met;
  std::vector<double> memory;
  {
    const std::jthread other(beside);
    for (int part = 0; part < kParts; ++part) {
      Add(CallFromThreads(graph, calls / kParts, kinds, 100 * (static_cast<unsigned>(part) + 1)), met);
      memory.push_back(ResidentMemory());
    }
  }
  const Census after = SettledCensus();
  EXPECT_EQ(met.surprise, "");
  EXPECT_GT(met.injected.failures(), 0U);
  EXPECT_EQ(met.reported, met.injected);
  EXPECT_EQ(graph.counters().failures, warm.reported.failures() + met.reported.failures());
  EXPECT_EQ(after.descendants, before.descendants);
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.threads, before.threads);
  for (const std::string& file : FilesIn(settings.directory)) EXPECT_EQ(file, "repro.py");
  ExpectNoSlope(memory, calls / kParts);
  EXPECT_EQ(graph.warnings(), "");
  EXPECT_EQ(c10::get_default_dtype_as_scalartype(), at::kFloat);
}

TEST(WatchSoakTest, ExceptionsAtLevel2AreReportedToTheirCallers) {
  const TemporaryFolder folder;
  base::Settings settings = Watching(2, folder);
  settings.call_timeout = 100;
  Soak(settings, {Injected::kException});
  // The failure, and the link to the newest.
  EXPECT_EQ(NamesIn(folder / "runs").size(), 2U);
}

TEST(WatchSoakTest, ExceptionsAndWrongNumbersAtLevel4AreReportedToTheirCallers) {
  const TemporaryFolder folder;
  base::Settings settings = Watching(4, folder);
  settings.call_timeout = 100;
  Soak(settings, {Injected::kException, Injected::kWrongNumbers});
  EXPECT_EQ(NamesIn(folder / "runs").size(), 3U);
}

TEST(WatchSoakTest, SuppressedFailuresGiveWhatTheProgramGives) {
  const TemporaryFolder folder;
  base::Settings settings = Watching(4, folder);
  settings.suppress_errors = true;
  WatchedGraph graph(settings);
  const Met met = CallFromThreads(graph, Volume(/*sample=*/4000, /*full=*/100000),
                                  {Injected::kException, Injected::kWrongNumbers}, 1);
  EXPECT_EQ(met.surprise, "");
  EXPECT_EQ(met.reported, Tally{});
  EXPECT_EQ(c10::get_default_dtype_as_scalartype(), at::kFloat);
  EXPECT_EQ(graph.counters().failures, met.injected.failures());
  EXPECT_EQ(graph.counters().suppressed, met.injected.failures());
}

TEST(WatchSoakTest, CrashesOfOtherProgramsDisturbNobody) {
  const TemporaryFolder folder;
  const int programs = Volume(/*sample=*/4, /*full=*/48);
  const CrashingPrograms crashing(folder / "crashes");
  int crashed = 0;
  Soak(Watching(4, folder), {Injected::kException, Injected::kWrongNumbers},
       [&] { crashed = crashing.Run(programs); });
  EXPECT_EQ(crashed, programs);
  EXPECT_EQ(crashing.Recorded(), programs);
}

TEST(WatchSoakTest, Level3WritesEachContentOnce) {
  const TemporaryFolder folder;
  WatchedGraph graph(Watching(3, folder));
  constexpr size_t kContents = 5;
  std::vector<at::Tensor> contents;
  for (size_t i = 0; i < kContents; ++i) contents.push_back(at::rand({4096}));
  const int calls = Volume(/*sample=*/200, /*full=*/4000);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < calls / kThreads; ++i)
        EXPECT_EQ(graph.Call(contents[static_cast<size_t>(i) % kContents], Injected::kNothing), "");
    });
  }
  threads.clear();
  const std::string run = folder / "runs/latest";
  EXPECT_EQ(graph.warnings(), "");
  // Beside them is the link to the store.
  EXPECT_EQ(EntriesIn(run + "/calls"), kContents + 1 + /*the compilation*/ 1);
  EXPECT_EQ(EntriesIn(run + "/in_progress"), 1U);
  // x and state of each.
  EXPECT_EQ(EntriesIn(run + "/store/storages"), 2 * kContents);
}

uint64_t BytesIn(const std::string& folder) {
  uint64_t bytes = 0;
  std::error_code gone;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder, gone))
    bytes += file.is_regular_file(gone) ? file.file_size(gone) : 0;
  return bytes;
}

TEST(WatchSoakTest, Level3KeepsTheLimitOfItsStoreWhileAllThreadsAreBusy) {
  const TemporaryFolder folder;
  base::Settings settings = Watching(3, folder);
  settings.store_limit = 1;
  constexpr int64_t kElements = 1 << 15;
  // What the calls of all threads need, and the one that comes.
  constexpr uint64_t kMost = (1 << 20) + (kThreads + 1) * (2 * kElements * sizeof(float) + (64 << 10));
  WatchedGraph graph(settings);
  std::atomic<uint64_t> most = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < Volume(/*sample=*/30, /*full=*/300); ++i) {
        EXPECT_EQ(graph.Call(at::rand({kElements}), Injected::kNothing), "");
        const uint64_t bytes = BytesIn(folder / "runs");
        for (uint64_t seen = most; bytes > seen && !most.compare_exchange_weak(seen, bytes);) continue;
      }
    });
  }
  threads.clear();
  EXPECT_GT(most, uint64_t{1} << 19);
  EXPECT_LT(most, kMost);
  EXPECT_EQ(graph.warnings(), "");
}

}  // namespace
}  // namespace culprit::tests
