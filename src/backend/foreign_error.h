// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace culprit::backend {

/// What a compiler in another language threw. Its type has a name there: "torch._inductor.exc.InductorError".
class ForeignError : public std::runtime_error {
 public:
  ForeignError(std::string type, const std::string& message, std::vector<std::string> frames = {})
      : std::runtime_error(message), type_(std::move(type)), frames_(std::move(frames)) {}

  const std::string& type() const { return type_; }
  /// Where it was thrown, innermost first: "compile at /opt/mine.py:12". Empty if nobody knows.
  const std::vector<std::string>& frames() const { return frames_; }

  /// Lets whoever catches it in that language read this behind the message; false if nobody there can.
  virtual bool AddNote(const std::string& /*text*/) const { return false; }

 private:
  std::string type_;
  std::vector<std::string> frames_;
};

/// What asks a program in another language to do something else, and is no error of anybody: Python's
/// KeyboardInterrupt and SystemExit. It has to come out where it would without Culprit.
class ForeignRequest {
 public:
  virtual ~ForeignRequest() = default;
};

}  // namespace culprit::backend
