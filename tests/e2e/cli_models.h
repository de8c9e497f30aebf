// SPDX-License-Identifier: Apache-2.0
//
// TorchScript models from the shell: culprit explain, and run.
#pragma once

#include <gmock/gmock.h>

#include <regex>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

inline constexpr const char* kNet = "examples/04_model/net.torchscript";
inline constexpr const char* kImage = "f32[1,3,16,16]";

inline constexpr const char* kFunctions = R"(def helper(x: Tensor) -> Tensor:
    return torch.sin(x) + 1
def steps(x: Tensor, n: int = 2) -> Tensor:
    y = helper(x) * n
    if bool(y.sum() > 0):
        y = torch.exp(y)
    print('two')
    return torch.cos(y)
def raises(x: Tensor) -> Tensor:
    y = torch.sin(x)
    if x.size(0) > 1:
        raise ValueError("too many rows")
    return y
def rows(x: Tensor) -> int:
    return x.size(0)
def endless(x: Tensor) -> Tensor:
    i = 0
    while i >= 0:
        i = 1
    return x
def takes_list(xs: List[Tensor]) -> Tensor:
    return torch.cat(xs)
)";

inline std::string WithoutTimes(const std::string& text) {
  return std::regex_replace(std::regex_replace(text, std::regex("[0-9.]+ ms"), "# ms"),
                            std::regex("[0-9]+ threads?"), "# threads");
}

class CliModels : public testing::Test {
 protected:
  CliModels() { WriteWholeFile(functions_, kFunctions); }

  /// Of one of the functions above.
  ProgramRun Explain(const std::string& method, const std::string& input,
                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"explain", functions_, "--method", method, "--inputs", input};
    words.insert(words.end(), more.begin(), more.end());
    return Culprit(words);
  }
  std::string Named(const std::string& text) const {
    return std::regex_replace(text, std::regex("FILE"), functions_);
  }
  /// What is refused, with the name of the file left out.
  std::string Refused(const std::string& name, const std::string& contents) const {
    WriteWholeFile(folder_ / name, contents);
    const ProgramRun run = Culprit({"explain", folder_ / name, "--inputs", "f32[2]"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    return run.err.substr(std::min(run.err.size(), folder_.path().size() + 1));
  }

  TemporaryFolder folder_;
  std::string functions_ = folder_ / "functions.py";
};

}  // namespace culprit::tests
