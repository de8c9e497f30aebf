// SPDX-License-Identifier: Apache-2.0
//
// A program that a launcher starts, here or on another machine: whatever carries its standard streams will
// do. The launcher is a piece of shell, and the program's words are added to it:
//
//   srun -n1 --mem=4G   =>   sh -c 'srun -n1 --mem=4G "$@"' culprit /usr/bin/culprit worker --stay
#pragma once

#include <sys/types.h>

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isolate/output_excerpt.h"
#include "isolate/wire/descriptor.h"

namespace culprit::isolate {

struct WorkerLaunch {
  std::string launcher;
  std::vector<std::string> program;
};

class Launched {
 public:
  /// It is killed when the calling thread ends.
  static base::Result<Launched> Start(const WorkerLaunch& launch);
  Launched(Launched&& other) noexcept;
  Launched& operator=(Launched&&) = delete;
  ~Launched();

  /// Waits so long for something to happen, and takes what it printed. False: its output has ended.
  bool Read(std::chrono::milliseconds patience, std::string& out);
  /// As much as it takes at the moment; waits so long until it takes anything. False: it reads no more.
  bool Write(std::chrono::milliseconds patience, std::span<const std::byte>& bytes) const;

  /// What it said, or its launcher.
  std::string errors() const { return errors_.Text(); }

  /// How it ended: "exit code 1". A program whose input ends is expected to end soon; one that is not asked
  /// nicely, or does not follow, is killed with its group.
  enum class Nicely { kYes, kNo };
  std::string End(Nicely nicely);

 private:
  Launched(pid_t pid, Descriptor in, Descriptor out, Descriptor err)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)) {}

  void ReadErrors();
  bool HasEnded(std::chrono::milliseconds patience);

  pid_t pid_;
  int status_ = 0;
  Descriptor in_;
  Descriptor out_;
  Descriptor err_;
  OutputExcerpt errors_{8 << 10};
};

}  // namespace culprit::isolate
