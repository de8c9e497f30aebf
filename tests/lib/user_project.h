// SPDX-License-Identifier: Apache-2.0
//
// Does as a user does: installs Culprit, or parts of it, and builds projects against that alone.
#pragma once

#include <string>
#include <vector>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

class UserProject {
 public:
  /// Installs these components; cmake/Install.cmake lists them.
  explicit UserProject(const std::vector<std::string>& components);

  /// Where Culprit is installed.
  std::string prefix() const { return folder_ / "prefix"; }
  const TemporaryFolder& folder() const { return folder_; }

  /// Lets CMake configure the project in the folder `source`, with these options on top.
  ProgramRun Configure(const std::string& source, const std::vector<std::string>& options = {}) const;

  /// Configures and builds it, warnings being errors; throws InternalError with the output if that fails.
  void Build(const std::string& source) const;
  /// The path of a file that was built.
  std::string Built(const std::string& name) const { return folder_ / "build/" + name; }

 private:
  TemporaryFolder folder_;
};

}  // namespace culprit::tests
