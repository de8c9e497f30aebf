// SPDX-License-Identifier: Apache-2.0
#include "bench/functorch.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/internal_error.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::bench {

std::vector<Minified> RunFunctorch(const std::vector<FunctorchCase>& cases, const FunctorchLimits& limits) {
  tests::TemporaryFolder folder;
  const std::string list = folder / "cases";
  std::ofstream file(list);
  for (const FunctorchCase& one : cases) file << one.path << ' ' << NameOf(one.oracle) << '\n';
  file.close();
  // As in process/settings.h.
  const tests::EnvironmentChanges same_settings = {{"OMP_NUM_THREADS", "1"},
                                                   {"MALLOC_MMAP_THRESHOLD_", "1073741824"},
                                                   {"MALLOC_TRIM_THRESHOLD_", "2000000000"}};
  const tests::ProgramRun run =
      tests::RunProgram({CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER "/bench/functorch_minifier.py", list,
                         std::to_string(limits.queries), fmt::format("{}", limits.seconds)},
                        same_settings);
  CULPRIT_CHECK(run.exit_code == 0, "functorch's minifier ended with {}: {}", run.exit_code, run.err);
  std::vector<Minified> all;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json json = nlohmann::json::parse(line);
    all.push_back({json.at("queries"), json.at("distinct"), json.at("seconds"), json.at("outside"),
                   json.at("megabytes"), json.at("left"), json.at("ended")});
  }
  CULPRIT_CHECK(all.size() == cases.size(), "functorch's minifier answered {} of {} cases", all.size(),
                cases.size());
  return all;
}

}  // namespace culprit::bench
