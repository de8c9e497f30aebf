// SPDX-License-Identifier: Apache-2.0
#include "backends/server/server.h"

#include <fmt/format.h>

#include "backends/server/programs.h"
#include "backends/server/server_backend.h"

namespace culprit::backends::server {

namespace {

/// A server in Python can be run by another interpreter.
backend::Description DescriptionOf(const ServerProgram& program, const Hello& hello) {
  backend::Description description = hello.description;
  if (!program.python) return description;
  description.options.push_back(
      {.name = std::string(backend::kPythonOption),
       .default_value = "",
       .line = "the interpreter of another environment, whose eager is the reference then"});
  if (!program.python->is_chosen) return description;
  const auto torch = description.versions.find("torch");
  if (torch != description.versions.end()) description.place = fmt::format("PyTorch {}, ", torch->second);
  description.place += fmt::format("run by {}", program.python->path);
  return description;
}

}  // namespace

base::Result<Server> Server::Load(const ServerProgram& program) {
  auto session = std::make_shared<Session>(CULPRIT_TRY(Session::Start(program)));
  try {
    const ServerMessage answer = session->Ask({{{"kind", "hello"}}});
    Hello hello = CULPRIT_TRY(ReadHello(program.name, answer.content));
    backend::Description description = DescriptionOf(program, hello);
    return Server(std::move(session), std::move(hello), std::move(description));
  } catch (const std::runtime_error& error) {
    return base::Diagnostic{{fmt::format("backend '{}'", program.name)}, error.what()};
  }
}

base::Result<std::unique_ptr<backend::Backend>> Server::Open(
    const backend::Configuration& configuration) const {
  const bool is_elsewhere = !description_.place.empty();
  return std::unique_ptr<backend::Backend>(std::make_unique<ServerBackend>(
      session_, hello_, configuration, is_elsewhere ? Reference::kElsewhere : Reference::kHere));
}

}  // namespace culprit::backends::server
