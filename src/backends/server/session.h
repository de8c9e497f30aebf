// SPDX-License-Identifier: Apache-2.0
//
// A child of a server, which serves one caller. If it dies, so does the query that it works for
// (isolate/companion.h); outside of a query its death is thrown.
#pragma once

#include <string>

#include "backends/server/launch.h"
#include "backends/server/packet.h"
#include "base/result.h"
#include "isolate/child.h"

namespace culprit::backends::server {

class Session {
 public:
  static base::Result<Session> Start(const ServerProgram& program);

  /// Throws backend::Refusal or backend::ForeignError if the server says so.
  ServerMessage Ask(const ServerMessage& question);

  /// For what it is to compile next: its own in this session.
  int64_t NextHandle() { return ++handles_; }

 private:
  Session(std::string name, isolate::Child child) : name_(std::move(name)), child_(std::move(child)) {}

  ServerMessage WaitForAnswer();
  /// Dies or throws.
  [[noreturn]] void FollowChild();

  std::string name_;
  isolate::Child child_;
  int64_t handles_ = 0;
};

}  // namespace culprit::backends::server
