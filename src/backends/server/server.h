// SPDX-License-Identifier: Apache-2.0
//
// Compilers in processes of their own. docs/servers.md is the protocol.
//
//   launch     starts a server, once             tensors_out, graph_json   what is sent
//   session    a child of it, for one query      hello, outputs_in         what comes back
//   server_compiled   what it has compiled       server_gradients          of a call of that
//
// A server imports its compiler once and forks a child for every query, so that a query costs a fork and not
// an import. What it throws is a backend::ForeignError; if it dies, so does the query (companion.h).
#pragma once

#include <memory>

#include "backend/backend.h"
#include "backends/server/hello.h"
#include "backends/server/launch.h"
#include "backends/server/session.h"

namespace culprit::backends::server {

class Server : public backend::Kind {
 public:
  /// Starts the program, if it does not run yet, and asks what it is.
  static base::Result<Server> Load(const ServerProgram& program);

  const backend::Description& description() const override { return description_; }
  /// The backend may outlive the kind. It has a child of the server to itself.
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;

 private:
  Server(std::shared_ptr<Session> session, Hello hello, backend::Description description)
      : session_(std::move(session)), hello_(std::move(hello)), description_(std::move(description)) {}

  std::shared_ptr<Session> session_;
  Hello hello_;
  /// With what Culprit itself does for a server.
  backend::Description description_;
};

}  // namespace culprit::backends::server
