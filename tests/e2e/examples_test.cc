// SPDX-License-Identifier: Apache-2.0
//
// Every script and every model in examples/ opens and runs, and every example says what it shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/e2e/culprit_program.h"
#include "tests/house/source_tree.h"

namespace culprit::tests {
namespace {

/// A server is no script, although it is Python.
bool IsServer(const SourceFile& file) {
  return file.text.find("from culprit.servers import") != std::string::npos;
}

std::vector<std::string> FilesEndingIn(std::string_view ending) {
  std::vector<std::string> paths;
  for (const SourceFile& file : ReadTree("examples")) {
    if (file.path.ends_with(ending) && !IsServer(file)) paths.push_back("examples/" + file.path);
  }
  return paths;
}

std::vector<std::string> Scripts() {
  return FilesEndingIn(".py");
}

std::vector<std::string> Models() {
  return FilesEndingIn(".torchscript");
}

TEST(ExamplesTest, EachFolderHasAReadmeAndAProgram) {
  std::set<std::string> folders;
  std::set<std::string> paths;
  for (const SourceFile& file : ReadTree("examples")) {
    folders.insert(file.path.substr(0, file.path.find('/')));
    paths.insert(file.path);
  }
  EXPECT_FALSE(folders.empty());
  for (const std::string& folder : folders) {
    EXPECT_TRUE(paths.contains(folder + "/README.md")) << folder;
    EXPECT_TRUE(std::ranges::any_of(paths, [&](const std::string& path) {
      const bool is_program =
          path.ends_with(".py") || path.ends_with(".torchscript") || path.ends_with(".cc");
      return path.starts_with(folder + "/") && is_program;
    })) << folder;
  }
}

TEST(ExamplesTest, EachScriptIsReadAndItsNormalFormIsStable) {
  for (const std::string& path : Scripts()) {
    const ProgramRun once = RunShell("culprit graph " + path);
    EXPECT_EQ(once.exit_code, 0) << once.err;
    EXPECT_EQ(once.err, "") << path;
    const ProgramRun twice = RunShell(fmt::format("culprit graph {} | culprit graph /dev/stdin", path));
    EXPECT_EQ(twice.out, once.out) << path << twice.err;
  }
}

TEST(ExamplesTest, EachModelIsCaptured) {
  for (const std::string& path : Models()) {
    const ProgramRun run = RunShell(fmt::format("culprit explain {} --inputs f32[1,3,16,16] --json", path));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GT(nlohmann::json::parse(run.out).at("counters").at("operators"), 0);
  }
}

TEST(ExamplesTest, EachScriptRunsAndFloat64IsNear) {
  for (const std::string& path : Scripts()) {
    // It names a compiler. Its README, which is tested too, hunts in it.
    if (path.ends_with("05_inductor/minifier_launcher.py")) continue;
    const ProgramRun run = RunShell(fmt::format("culprit run {} --fp64 --json", path));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto outputs = nlohmann::json::parse(run.out);
    EXPECT_FALSE(outputs.empty());
    for (const auto& output : outputs) {
      EXPECT_EQ(output["nan"], 0) << path << output;
      EXPECT_LT(output["max_rel"], 0.1) << path << output;
    }
  }
}

}  // namespace
}  // namespace culprit::tests
