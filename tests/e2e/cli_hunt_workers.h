// SPDX-License-Identifier: Apache-2.0
//
// For tests of hunts with workers that a launcher starts: the result has to be that of one process.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "tests/e2e/cli_hunt.h"

namespace culprit::tests {

/// What a worker says that has another PyTorch.
inline std::string HelloOfAnotherVersion(const std::string& host) {
  const json hello = {
      {"kind", "hello"}, {"host", host}, {"made_of", {{"culprit", "0.0.1"}, {"PyTorch", "1.0"}}}};
  const std::string head = hello.dump();
  std::string sizes("CUL\x01\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  const auto size = static_cast<uint32_t>(head.size());
  std::memcpy(sizes.data() + 4, &size, sizeof(size));
  return "culprit worker, parcels of version 1\n" + sizes + head + "\n";
}

class CliHuntWorkers : public CliHunt {
 protected:
  CliHuntWorkers() { WriteWholeFile(net_, ChainScript(16)); }

  /// A launcher that runs a script with the worker's words as its own.
  std::string Launcher(const std::string& script) {
    const std::string path = folder_ / fmt::format("launcher{}.sh", ++launchers_);
    WriteWholeFile(path, script + "\n");
    return "sh " + path;
  }

  /// Fails at exp with tanh somewhere behind it; all other options as a hunt here has them.
  std::vector<std::string> WithWorkers(const std::string& launcher, int workers = 2) const {
    return {"hunt",       net_,     "--fault", "exp&tanh:runtime-error", "--no-switches", "--json",
            "--launcher", launcher, "--jobs",  std::to_string(workers)};
  }

  /// As one process finds it: the repro, and the questions that it took in their order.
  struct Found {
    std::string repro;
    std::vector<std::string> questions;
    bool operator==(const Found&) const = default;
  };
  Found FoundIn(const std::string& run) const {
    Found found{ReadWholeFile(run + "/repro.py")};
    std::istringstream lines(ReadWholeFile(run + "/trace.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const json event = json::parse(line, nullptr, false);
      if (event.value("event", "") == "answer")
        found.questions.push_back(event.at("hash").get<std::string>() +
                                  event.at("answer").get<std::string>());
    }
    return found;
  }

  /// In one process, which asks one question at a time.
  static std::vector<std::string> Alone(std::vector<std::string> hunt) {
    const auto launcher = std::ranges::find(hunt, "--launcher");
    hunt.erase(launcher, launcher + 2);
    *(std::ranges::find(hunt, "--jobs") + 1) = "1";
    return hunt;
  }

  /// With the same strategies, whose order does not depend on measured costs.
  ProgramRun HuntAndCompare(std::vector<std::string> hunt) {
    const std::vector<std::string> steady = {"--only", "drop,bypass,inputs,shapes,values"};
    hunt.insert(hunt.end(), steady.begin(), steady.end());
    ProgramRun run = Hunt(hunt);
    const Found found = FoundIn(latest());
    Hunt(Alone(std::move(hunt)));
    EXPECT_EQ(found, FoundIn(latest()));
    EXPECT_FALSE(found.questions.empty());
    EXPECT_EQ(JsonOf(run).value("verified", false), true) << run.err;
    return run;
  }

  int launchers_ = 0;
};

}  // namespace culprit::tests
