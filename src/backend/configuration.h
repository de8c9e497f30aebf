// SPDX-License-Identifier: Apache-2.0
//
// The settings of a backend after they were checked against its description: every option has a value, every
// switch exists.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/description.h"
#include "backend/spec.h"
#include "base/result.h"

namespace culprit::backend {

class Configuration {
 public:
  /// The error names the option or switch and the nearest that exists.
  static base::Result<Configuration> Make(const Spec& spec, const Description& description);

  /// An option of the description.
  const std::string& operator[](std::string_view option) const;
  /// An option that is a number from `least` to `most`.
  base::Result<int64_t> Integer(std::string_view option, int64_t least, int64_t most) const;

  /// Every option, with its value.
  const std::map<std::string, std::string, std::less<>>& options() const { return options_; }
  const std::vector<SwitchOff>& off() const { return off_; }

  /// The vector instructions that a program was recorded with, by ATen's name ("avx2"), where code is to be
  /// made for these and not for this machine's best. Empty if nobody says.
  const std::string& isa() const { return isa_; }
  void set_isa(std::string isa) { isa_ = std::move(isa); }

  /// Which of the graphs that it takes the backend will be given.
  Graphs graphs() const { return graphs_; }
  void set_graphs(Graphs graphs) { graphs_ = graphs; }

 private:
  std::string backend_;
  std::map<std::string, std::string, std::less<>> options_;
  std::vector<SwitchOff> off_;
  std::string isa_;
  Graphs graphs_ = Graphs::kCaptured;
};

/// Counts the applications of switches during one compilation.
class SwitchBoard {
 public:
  explicit SwitchBoard(std::vector<SwitchOff> off) : off_(std::move(off)) {}

  /// Is the pass to be applied now? Each call is one application.
  bool Apply(std::string_view name);

 private:
  std::vector<SwitchOff> off_;
  std::map<std::string, uint64_t, std::less<>> applications_;
};

}  // namespace culprit::backend
