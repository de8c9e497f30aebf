// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server.h"

#include <fmt/format.h>

#include "backends/server/server_backend.h"

namespace culprit::backends::server {

base::Result<Server> Server::Load(const ServerProgram& program) {
  auto session = std::make_shared<Session>(CULPRIT_TRY(Session::Start(program)));
  try {
    const ServerMessage answer = session->Ask({{{"kind", "hello"}}});
    return Server(std::move(session), CULPRIT_TRY(ReadHello(program.name, answer.content)));
  } catch (const std::runtime_error& error) {
    return base::Diagnostic{{fmt::format("backend '{}'", program.name)}, error.what()};
  }
}

base::Result<std::unique_ptr<backend::Backend>> Server::Open(
    const backend::Configuration& configuration) const {
  return std::unique_ptr<backend::Backend>(std::make_unique<ServerBackend>(session_, hello_, configuration));
}

}  // namespace culprit::backends::server
