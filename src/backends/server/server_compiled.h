// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.h"
#include "backends/server/session.h"

namespace culprit::backends::server {

/// A graph that a server has compiled.
class ServerCompiled : public backend::Compiled {
 public:
  struct Traits {
    bool draws_as_eager = false;
    bool gives_gradients = false;
  };
  ServerCompiled(std::shared_ptr<Session> session, int64_t handle, Traits traits)
      : session_(std::move(session)), handle_(handle), traits_(traits) {}

  backend::Values Call(backend::Values& inputs) override;

 private:
  std::shared_ptr<Session> session_;
  int64_t handle_;
  Traits traits_;
};

}  // namespace culprit::backends::server
