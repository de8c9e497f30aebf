// SPDX-License-Identifier: Apache-2.0
//
// Exceptions on their way through C++, in both directions.
#pragma once

#include <string>

#include "backend/foreign_error.h"
#include "python/gil.h"

namespace culprit::python {

/// What a compiler in Python threw. It comes out of Culprit as the object that it is.
class PythonError : public backend::ForeignError {
 public:
  PythonError(std::string type, const std::string& message, SharedObject exception)
      : ForeignError(std::move(type), message), exception_(std::move(exception)) {}

  /// As PEP 678 has it. Python 3.10 has no notes: there the text is appended to the message.
  bool AddNote(const std::string& text) const override;
  const SharedObject& exception() const { return exception_; }

 private:
  SharedObject exception_;
};

/// Not an error of a compiler: KeyboardInterrupt, SystemExit, and what Dynamo tells itself by exceptions.
class PythonRequest : public backend::ForeignRequest {
 public:
  explicit PythonRequest(SharedObject exception) : exception_(std::move(exception)) {}
  const SharedObject& exception() const { return exception_; }

 private:
  SharedObject exception_;
};

/// Classes whose exceptions are requests, beside those that are no `Exception`. With the lock.
void SetRequests(pybind11::tuple classes);

/// The exception that Python has raised in this thread; what has come from a watcher further down as what it was
/// there. With the lock.
[[noreturn]] void ThrowRaised();

/// In a handler, without the lock: throws what was caught, an exception of a backward pass of Python's as a PythonError.
[[noreturn]] void RethrowFromBackward();

/// In a handler, with the lock: throws what Python is to see for it. A Failure becomes one of culprit.errors,
/// with the compiler's own exception as its cause.
[[noreturn]] void RaiseCaught();

}  // namespace culprit::python
