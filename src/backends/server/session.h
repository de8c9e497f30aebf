// SPDX-License-Identifier: Apache-2.0
//
// A child of a server, which serves one caller. If it dies, so does the query that it works for
// (isolate/companion.h); outside of a query its death is thrown.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

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
  int64_t NextHandle() { return ++shared_->handles; }

  /// Nobody will ask about this call again; the next message that has a place for it tells the server. Any
  /// thread may call it.
  void Forget(int64_t call);
  std::vector<int64_t> TakeForgotten();

 private:
  Session(std::string name, isolate::Child child) : name_(std::move(name)), child_(std::move(child)) {}

  ServerMessage WaitForAnswer();
  /// Dies or throws.
  [[noreturn]] void FollowChild();

  struct Shared {
    /// One question at a time: backward passes may run in threads of their own.
    std::mutex asking;
    std::atomic<int64_t> handles = 0;
    std::mutex forgetting;
    std::vector<int64_t> forgotten;
  };

  std::string name_;
  isolate::Child child_;
  std::unique_ptr<Shared> shared_ = std::make_unique<Shared>();
};

}  // namespace culprit::backends::server
