// SPDX-License-Identifier: Apache-2.0
//
// For tests of the whole job from the shell: culprit hunt and minify.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/e2e/culprit_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// sin ... exp ... tanh ...; faults speak of exp and tanh.
inline std::string ChainScript(int length) {
  std::string text = "class Repro(torch.nn.Module):\n    def forward(self, x):\n";
  std::string value = "x";
  for (int i = 0; i < length; ++i) {
    const std::string op = i == length / 4 ? "exp" : i == length / 2 ? "tanh" : "sin";
    const std::string name = op == "sin" ? "sin_" + std::to_string(i) : op;
    text += "        " + name + " = torch.ops.aten." + op + ".default(" + value + ")\n";
    value = name;
  }
  return text + "        return (" + value + ",)\n\n" +
         "def load_args(reader):\n"
         "    buf0 = reader.storage(None, 64)\n"
         "    reader.tensor(buf0, (4, 4), is_leaf=True)  # x\n"
         "load_args._version = 0\n";
}

class CliHunt : public testing::Test {
 protected:
  CliHunt() { WriteWholeFile(net_, ChainScript(40)); }

  /// With the run folder in the test's own.
  ProgramRun Hunt(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--out", folder_ / "runs"});
    return Culprit(arguments);
  }
  std::string latest() const { return folder_ / "runs/latest"; }
  std::string repro() const { return latest() + "/repro.py"; }

  /// A program with this script.
  std::string Judge(const std::string& script) const {
    const std::string path = folder_ / "judge.sh";
    WriteWholeFile(path, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::all);
    return path;
  }

  static json JsonOf(const ProgramRun& run) { return json::parse(run.out, nullptr, false); }
  static std::vector<std::string> GuiltyOf(const json& report) {
    std::vector<std::string> operators;
    for (const json& guilty : report.at("guilty")) operators.push_back(guilty.at("operator"));
    return operators;
  }

  TemporaryFolder folder_;
  std::string net_ = folder_ / "net.py";
};

}  // namespace culprit::tests
