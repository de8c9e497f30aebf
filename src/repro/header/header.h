// SPDX-License-Identifier: Apache-2.0
//
// What a repro says beside the graph and its inputs: how it is run and compared, and where it came from. It
// stands as JSON in the text that the file gives to the name `culprit`. What is at its default is left out.
//
//   {
//     "format": 1,
//     "backend": "torchscript:stage=ofi",
//     "faults": ["tanh:accuracy"],
//     "run": { "grad": false, "threads": 2, "seed": 7 },
//     "compare": { "tolerance": 0.001 },
//     "random": ["x"],
//     "written_by": { "culprit": "0.1.0", "libtorch": "2.13.0", "blas": "MKL ...", "cpu": "AVX2" }
//   }
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compare/verdict/options.h"
#include "repro/header/header_settings.h"
#include "repro/header/run_settings.h"

namespace culprit::repro {

/// How numbers are judged when nobody says otherwise on the command line.
enum class Accuracy : uint8_t {
  /// Only whether it runs.
  kOff,
  /// The fp64 reference is a must, and differences of integers and bools do not count.
  kOn,
  /// Every difference counts; fp64 helps if it can be had.
  kStrict,
};

struct WrittenBy {
  std::string culprit;
  std::string libtorch;
  std::string blas;
  std::string cpu;
  bool operator==(const WrittenBy&) const = default;
};

struct Header {
  std::string backend = "eager";
  /// Bugs that were put into the backend, as WHERE:KIND[:ARGUMENT].
  std::vector<std::string> faults = {};
  RunSettings run;
  /// Nothing: whoever runs it decides.
  std::optional<Accuracy> accuracy = std::nullopt;
  bool only_forward = false;
  /// How many calls in a row; some failures need a second one.
  int calls = 1;
  compare::Options compare;
  /// The recorded failure, as JSON; whoever signs it knows what it means.
  std::string expected = {};
  /// What else the failure depends on (header_settings.h).
  std::map<std::string, std::string> settings = {};
  /// Inputs and constants whose data was not kept: they hold numbers from a seed.
  std::vector<std::string> random = {};
  /// Missing in stable output, like everything else that differs between machines (threads).
  std::optional<WrittenBy> written_by = std::nullopt;
};

/// Ends with a newline.
std::string HeaderToJson(const Header& header);

struct ParsedHeader {
  Header header;
  /// Keys that are not known, and a newer format: such a file may come from a later version, and is read
  /// anyway.
  std::vector<std::string> warnings;
};
/// The error names the key and what it should be.
base::Result<ParsedHeader> HeaderFromJson(std::string_view text);

}  // namespace culprit::repro
