// SPDX-License-Identifier: Apache-2.0
//
// A child as its caller holds it. Letting go of it kills the child and all that it started, and waits until
// nothing is left of them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>

#include "base/result.h"
#include "isolate/query/black_box.h"
#include "isolate/wire/descriptor.h"
#include "isolate/wire/shared_memory.h"

namespace culprit::isolate {

class Child {
 public:
  /// Asks the zygote at the other end of `control`; may be called by several threads. With `output` the child
  /// prints there, and output() is closed.
  static base::Result<Child> Spawn(const Descriptor& control, std::optional<int> output = std::nullopt);

  Child(Child&&) = default;
  Child& operator=(Child&&) = delete;
  // Only a bug throws here, and ends the program.
  ~Child();  // NOLINT(bugprone-exception-escape)

  pid_t pid() const { return pid_; }
  /// For requests and answers.
  const Descriptor& socket() const { return socket_; }
  /// What it prints. Reading never waits.
  const Descriptor& output() const { return output_; }
  BlackBox& black_box() const { return BlackBoxIn(*black_box_); }

  /// Readable when TakeStatus() has something to say.
  const Descriptor& leash() const { return leash_; }
  /// Waits for the child's end; the status is as of waitpid(). An error is the end of the zygote.
  base::Result<int> TakeStatus() const;

 private:
  Child() = default;

  pid_t pid_ = 0;
  Descriptor socket_;
  Descriptor output_;
  Descriptor leash_;
  std::shared_ptr<SharedMemory> black_box_;
};

}  // namespace culprit::isolate
