// SPDX-License-Identifier: Apache-2.0
//
// What can be set about Culprit, from within a program:
//
//   culprit::config::Set("directory", "/var/tmp/runs");
//   {
//     culprit::config::Patch patch{{"repro_after", "aot"}, {"repro_level", "4"}};
//     auto fast = culprit::Compile(module);
//   }
//
// What is set holds from then on, for all threads; a patch until the end of its scope, for its thread.
// Patches go over what was set for the process, and that over environment variables, CULPRIT_REPRO_LEVEL and
// the like, which are read once. Names and values are those of docs/settings.md; `culprit config` lists them.
//
// All of it may be called from several threads. An unknown name, a value that is none, or a wrong environment
// variable throw std::invalid_argument with a text that says what was meant. C++17 is enough.
#ifndef CULPRIT_CONFIG_H
#define CULPRIT_CONFIG_H

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace culprit::config {

/// Values that hold for the thread that makes it while it lives, over those of patches that were made before.
class Patch {
 public:
  using NameAndValue = std::pair<std::string, std::string>;

  explicit Patch(const std::vector<NameAndValue>& values);
  Patch(std::initializer_list<NameAndValue> values);
  ~Patch();
  Patch(Patch&& other) noexcept;
  Patch& operator=(Patch&& other) noexcept;
  Patch(const Patch&) = delete;
  Patch& operator=(const Patch&) = delete;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// For the process, from now on.
void Set(const std::string& name, const std::string& value);

/// As it is for this thread now.
std::string Get(const std::string& name);

}  // namespace culprit::config

#endif  // CULPRIT_CONFIG_H
