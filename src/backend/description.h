// SPDX-License-Identifier: Apache-2.0
//
// What a backend says about itself: what `culprit backends NAME` prints, and what its settings are checked
// against.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit::backend {

/// Is the value of an option used when a file sets it? An option that leads to code, a program or a folder
/// has to ask the user first (backends/trust.h).
enum class FromFile : uint8_t { kAsk, kUse };

struct OptionDescription {
  std::string name;
  std::string default_value;
  /// One line, in lower case and without a full stop.
  std::string line;
  /// The values it may have; empty if any text will do.
  std::vector<std::string> choices = {};
  FromFile from_file = FromFile::kAsk;
};

/// A pass, a stage or a flag of the compiler that can be turned off, so that a bisection can find the one
/// that breaks a graph. The name is stable.
struct SwitchDescription {
  std::string name;
  std::string line;
};

/// Which graphs a backend takes: as they were captured, with gradients recorded while they run; those that
/// autograd makes of them, forward and backward (autograd/with_autograd.h); or those that some autograd has
/// made before, as they are. A backend without kBelow takes these for captured ones.
enum class Graphs : uint8_t { kCaptured, kAfterAutograd, kBelow };

struct Description {
  std::string name;
  std::string line;
  std::vector<OptionDescription> options = {};
  std::vector<SwitchDescription> switches = {};
  /// The first is what it takes unless told otherwise.
  std::vector<Graphs> graphs = {Graphs::kCaptured};
  /// Where it runs, if that is no process of Culprit's: "PyTorch 2.13.0+cpu, run by /opt/env/bin/python".
  std::string place = {};
  /// Of the compiler and what it stands on, by name, as far as they are not Culprit's own.
  std::map<std::string, std::string> versions = {};
};

}  // namespace culprit::backend
