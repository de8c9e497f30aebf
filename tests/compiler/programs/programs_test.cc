// SPDX-License-Identifier: Apache-2.0
//
// The programs that try capture and autograd, hazards and random ones, and models: every graph of theirs is
// compiled by the native compiler too, and every call, forward and backward, is judged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "capture/captured_program.h"
#include "tests/autograd/training_program.h"
#include "tests/capture/hazard.h"
#include "tests/capture/random_program.h"
#include "tests/compiler/judging_backend.h"
#include "tests/lib/fixtures.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"

namespace culprit::tests {
namespace {

class Judge {
 public:
  explicit Judge(const std::string& setting, const JudgeOptions& options = {})
      : setting_(setting), options_(options) {}

  void Run(const Hazard& program) {
    const auto observed = RunHazard(program, [&](const model::Entry& entry) { return MakeCallable(entry); });
    ASSERT_TRUE(observed.ok()) << observed.error().Render();
    for (const std::string& difference : judged_->differences)
      ADD_FAILURE() << program.path << " by " << setting_ << ": " << difference;
    judged_->differences.clear();
  }

  ~Judge() {
    fmt::print("{}: {} graphs, {} calls judged, {} more say nothing\n", setting_, judged_->graphs,
               judged_->calls - judged_->calls_that_say_nothing, judged_->calls_that_say_nothing);
    EXPECT_GT(judged_->calls, 2 * judged_->calls_that_say_nothing);
  }
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

 private:
  Callable MakeCallable(const model::Entry& entry) {
    const std::shared_ptr<backend::Backend> backend = OpenJudging(SettingOf(setting_), judged_, options_);
    capture::Options options;
    options.parameters = backend->parameters();
    options.compile = [backend](const capture::Segment& segment, const backend::Values& inputs) {
      return std::shared_ptr<backend::Compiled>(backend->Compile(segment.graph, inputs));
    };
    const auto program = std::make_shared<capture::CapturedProgram>(*entry.function, options);
    return [program](std::vector<c10::IValue> arguments) { return program->Call(std::move(arguments)); };
  }

  std::string setting_;
  JudgeOptions options_;
  std::shared_ptr<Judged> judged_ = std::make_shared<Judged>();
};

/// All, or every so many.
void RunFixtures(const std::string& folder, size_t every, Judge& judge) {
  const std::vector<std::string> paths = FixturesIn(folder);
  for (size_t i = 0; i < paths.size(); i += FullVolume() ? 1 : every)
    judge.Run(*ParseHazard(paths[i], ReadFixture(paths[i])));
}

void RunTexts(int count, const std::function<std::string(uint64_t)>& make, Judge& judge,
              const std::set<int>& left_out = {}) {
  const TemporaryFolder folder;
  const std::string path = folder / "program.py";
  for (int seed = 0; seed < count; ++seed) {
    if (left_out.contains(seed)) continue;
    const std::string text = make(seed);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    WriteWholeFile(path, text);
    judge.Run(*ParseHazard(path, text));
  }
}

TEST(ProgramsTest, HazardsOfCapture) {
  Judge judge("fast");
  RunFixtures("hazards", 2, judge);
}

TEST(ProgramsTest, HazardsOfAutograd) {
  Judge judge("fast");
  RunFixtures("autograd", 2, judge);
}

TEST(ProgramsTest, HazardsOfAutogradByLlvmsPasses) {
  Judge judge("llvm-o3");
  RunFixtures("autograd", 8, judge);
}

TEST(ProgramsTest, HazardsWithFrozenParameters) {
  Judge judge("frozen");
  RunFixtures("hazards", 8, judge);
  RunFixtures("autograd", 8, judge);
}

TEST(ProgramsTest, RandomPrograms) {
  Judge judge("fast");
  RunTexts(
      Volume(40, 2000), [](uint64_t seed) { return MakeRandomProgram(seed); }, judge);
}

TEST(ProgramsTest, RandomTraining) {
  Judge judge("fast");
  // Here libtorch is wrong: in its gradient of batch norm it reads a weight whose elements do not lie side by
  // side as if they did.
  RunTexts(Volume(40, 700), [](uint64_t seed) { return MakeTrainingProgram(seed); }, judge,
           /*left_out=*/{215});
}

void RunModel(const nlohmann::json& row, bool train, Judge& judge) {
  const std::string key = train ? "train_inputs" : "inputs";
  if (row[key].is_null()) return;
  SCOPED_TRACE(row["name"].get<std::string>() + (train ? " in training" : ""));
  judge.Run({.path = ArchiveOf(row),
             .calls = {row[key].get<std::vector<std::string>>()},
             .train = train,
             .no_grad = !train,
             .gradients = false});
}

TEST(ModelsTest, EveryModelIsJudged) {
  Judge judge("fast", {.noise = 20});
  for (const nlohmann::json& row : ModelArchives(/*all=*/FullVolume())) {
    RunModel(row, /*train=*/false, judge);
    RunModel(row, /*train=*/true, judge);
  }
}

TEST(ModelsTest, ModelsWithFrozenParameters) {
  Judge judge("frozen", {.noise = 20});
  for (const nlohmann::json& row : ModelArchives(/*all=*/FullVolume())) {
    if (!FullVolume() && row["name"] != "resnet18" && row["name"] != "mobilenet_v3_small") continue;
    RunModel(row, /*train=*/false, judge);
  }
}

}  // namespace
}  // namespace culprit::tests
