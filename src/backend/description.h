// SPDX-License-Identifier: Apache-2.0
//
// What a backend says about itself: what `culprit backends NAME` prints, and what its settings are checked
// against.
#pragma once

#include <string>
#include <vector>

namespace culprit::backend {

struct OptionDescription {
  std::string name;
  std::string default_value;
  /// One line, in lower case and without a full stop.
  std::string line;
  /// The values it may have; empty if any text will do.
  std::vector<std::string> choices = {};
};

/// A pass, a stage or a flag of the compiler that can be turned off, so that a bisection can find the one
/// that breaks a graph. The name is stable.
struct SwitchDescription {
  std::string name;
  std::string line;
};

struct Description {
  std::string name;
  std::string line;
  std::vector<OptionDescription> options = {};
  std::vector<SwitchDescription> switches = {};
};

}  // namespace culprit::backend
