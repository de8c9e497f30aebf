// SPDX-License-Identifier: Apache-2.0
#include "backends/server/installed.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backends/server/programs.h"

namespace culprit::backends::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGroup = "[culprit.servers]";

std::vector<fs::path> Below(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

fs::path FolderOfUser() {
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != '\0')
    return fs::path(config) / "culprit" / "servers";
  const char* home = std::getenv("HOME");
  return home == nullptr ? fs::path() : fs::path(home) / ".config" / "culprit" / "servers";
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// [culprit.servers]
/// mine = my_package.servers:Mine
void ReadEntryPoints(const fs::path& file, std::vector<InstalledServer>& servers) {
  std::ifstream lines(file);
  bool is_ours = false;
  for (std::string line; std::getline(lines, line);) {
    line = Trimmed(line);
    if (line.starts_with('[')) is_ours = line == kGroup;
    const size_t equals = line.find('=');
    if (is_ours && equals != std::string::npos)
      servers.push_back({Trimmed(line.substr(0, equals)), Trimmed(line.substr(equals + 1))});
  }
}

}  // namespace

std::vector<InstalledServer> InstalledServers(const PythonInterpreter& interpreter) {
  std::vector<InstalledServer> servers;
  for (const fs::path& file : Below(FolderOfUser())) {
    if (file.extension() == ".py") servers.push_back({file.stem(), file, /*is_file=*/true});
  }
  const fs::path environment = fs::path(interpreter.path).parent_path().parent_path();
  for (const fs::path& python : Below(environment / "lib")) {
    for (const fs::path& package : Below(python / "site-packages")) {
      if (package.extension() == ".dist-info") ReadEntryPoints(package / "entry_points.txt", servers);
    }
  }
  return servers;
}

std::optional<ServerProgram> InstalledProgram(const std::string& name, const PythonInterpreter& python) {
  const std::vector<InstalledServer> servers = InstalledServers(python);
  const auto found = std::ranges::find(servers, name, &InstalledServer::name);
  if (found == servers.end()) return std::nullopt;
  if (!found->is_file) return ClassProgram(name, found->where, python);
  base::Result<ServerProgram> program = FileProgram(found->where, python);
  if (!program.ok()) return std::nullopt;
  program->name = name;
  return *std::move(program);
}

}  // namespace culprit::backends::server
