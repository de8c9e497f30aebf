// SPDX-License-Identifier: Apache-2.0
#include "backends/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/aot_eager/aot_eager.h"
#include "backends/eager/eager.h"
#include "backends/eager_fp64/eager_fp64.h"
#include "backends/native/native.h"
#include "backends/plugin/plugin.h"
#include "backends/server/installed.h"
#include "backends/server/programs.h"
#include "backends/server/server.h"
#include "backends/torchscript/torchscript.h"
#include "base/text.h"

namespace culprit::backends {
namespace {

/// Compilers that live in Python, with the module that serves them.
struct PythonServer {
  std::string_view name;
  std::string_view line;
  const char* module;
};
constexpr PythonServer kPythonServers[] = {
    {"inductor", "PyTorch's compiler behind torch.compile, in Python", "culprit.servers.inductor"}};

base::Diagnostic UnknownBackend(const std::string& name) {
  std::vector<std::string_view> names;
  for (const backend::Kind* kind : AllKinds()) names.push_back(kind->description().name);
  for (const PythonServer& server : kPythonServers) names.push_back(server.name);
  const std::vector<server::InstalledServer> installed =
      server::InstalledServers(server::InterpreterAround());
  for (const server::InstalledServer& server : installed) names.push_back(server.name);
  base::Diagnostic error{
      {}, fmt::format("unknown backend '{}'{}", base::Shortened(name), base::DidYouMean(name, names))};
  error.help =
      "a plug-in or a server is named with a slash, as in ./libmine.so or ./mine.py; to see all backends, "
      "run: culprit backends";
  return error;
}

/// The server of a backend; nothing if it lives in none.
base::Result<std::optional<server::ServerProgram>> FindProgram(const backend::Spec& spec) {
  using Found = std::optional<server::ServerProgram>;
  if (const auto command = spec.command()) return Found(server::CommandProgram(spec.name, *command));
  if (spec.names_file() && !spec.names_server_file()) return Found();
  const server::PythonInterpreter python = CULPRIT_TRY(server::InterpreterFor(spec));
  if (spec.names_server_file()) return Found(CULPRIT_TRY(server::FileProgram(spec.name, python)));
  const auto* found = std::ranges::find(kPythonServers, spec.name, &PythonServer::name);
  if (found != std::end(kPythonServers))
    return Found(server::ModuleProgram(spec.name, found->module, python));
  return server::InstalledProgram(spec.name, python);
}

/// What a kind is kept in: those that are built in live as long as the process.
using KindPointer = std::shared_ptr<const backend::Kind>;

base::Result<KindPointer> FindKind(const backend::Spec& spec) {
  for (const backend::Kind* kind : AllKinds()) {
    if (kind->description().name == spec.name) return KindPointer(KindPointer(), kind);
  }
  if (const auto program = CULPRIT_TRY(FindProgram(spec)))
    return KindPointer(std::make_shared<server::Server>(CULPRIT_TRY(server::Server::Load(*program))));
  if (!spec.names_file()) return UnknownBackend(spec.name);
  return KindPointer(std::make_shared<plugin::Plugin>(CULPRIT_TRY(plugin::Plugin::Load(spec.name))));
}

}  // namespace

std::span<const backend::Kind* const> AllKinds() {
  static const eager::Eager eager;
  static const aot_eager::AotEager aot_eager;
  static const eager_fp64::EagerFp64 eager_fp64;
  static const torchscript::TorchScript torchscript;
  static const native::Native native;
  static const backend::Kind* const kinds[] = {&eager, &aot_eager, &eager_fp64, &torchscript, &native};
  return kinds;
}

base::Result<std::unique_ptr<backend::Backend>> Open(const backend::Spec& spec, const OpenOptions& options) {
  return OpenForGraphs(*CULPRIT_TRY(FindKind(spec)), spec, options);
}

base::Status Prepare(const backend::Spec& spec) {
  const auto program = CULPRIT_TRY(FindProgram(spec));
  if (program) CULPRIT_TRY(server::ConnectToServer(*program));
  return base::Done();
}

bool IsServed(const backend::Spec& spec) {
  const auto program = FindProgram(spec);
  return program.ok() && program->has_value();
}

base::Result<backend::Description> Describe(const backend::Spec& spec) {
  return WithGraphOptions(CULPRIT_TRY(FindKind(spec))->description());
}

std::vector<Listed> List(std::string_view files) {
  std::vector<Listed> listed;
  for (const backend::Kind* kind : AllKinds())
    listed.push_back({kind->description().name, WithGraphOptions(kind->description())});
  for (const PythonServer& server : kPythonServers) {
    listed.push_back({std::string(server.name), backend::Description{.name = std::string(server.name),
                                                                     .line = std::string(server.line)}});
  }
  for (const server::InstalledServer& server : server::InstalledServers(server::InterpreterAround())) {
    listed.push_back({server.name, backend::Description{.name = server.name,
                                                        .line = "an installed server: " + server.where}});
  }
  while (!files.empty()) {
    const size_t end = std::min(files.find(':'), files.size());
    std::string file(files.substr(0, end));
    files.remove_prefix(std::min(end + 1, files.size()));
    if (file.empty()) continue;
    if (!backend::Spec{file}.names_file()) file.insert(0, "./");
    listed.push_back({file, Describe(file)});
  }
  return listed;
}

}  // namespace culprit::backends
