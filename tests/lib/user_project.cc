// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/user_project.h"

namespace culprit::tests {
namespace {

void CheckSuccess(const char* what, const ProgramRun& run) {
  CULPRIT_CHECK(run.exit_code == 0, "{} fails:\n{}{}", what, run.out, run.err);
}

}  // namespace

UserProject::UserProject(const std::vector<std::string>& components) {
  for (const std::string& component : components) {
    CheckSuccess("installing", RunProgram({CULPRIT_CMAKE, "--install", CULPRIT_BUILD_FOLDER, "--prefix",
                                           prefix(), "--component", component}));
  }
}

ProgramRun UserProject::Configure(const std::string& source, const std::vector<std::string>& options) const {
  std::vector<std::string> command = {CULPRIT_CMAKE,
                                      "-S",
                                      source,
                                      "-B",
                                      folder_ / "build",
                                      "-DCMAKE_PREFIX_PATH=" + prefix(),
                                      "-DCMAKE_CXX_COMPILER=" CULPRIT_COMPILER,
                                      "-DCMAKE_CXX_FLAGS=-Wall -Wextra -pedantic -Werror"};
  command.insert(command.end(), options.begin(), options.end());
  return RunProgram(command);
}

void UserProject::Build(const std::string& source) const {
  CheckSuccess("configuring", Configure(source));
  CheckSuccess("building", RunProgram({CULPRIT_CMAKE, "--build", folder_ / "build"}));
}

}  // namespace culprit::tests
