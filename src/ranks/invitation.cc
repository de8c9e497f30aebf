// SPDX-License-Identifier: Apache-2.0
#include "ranks/invitation.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace culprit::ranks {
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestText = 250;

}  // namespace

std::string BytesOf(const Invitation& invitation) {
  const Json json = {{"host", invitation.host.substr(0, kLongestText)},
                     {"port", invitation.port},
                     {"machine", invitation.machine.substr(0, kLongestText)},
                     {"refusal", invitation.refusal.substr(0, kLongestText)}};
  // Escapes can make a text longer; then there is no room for what it says.
  std::string bytes = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  bytes.resize(kInvitationBytes);
  return bytes;
}

base::Result<Invitation> InvitationOf(std::string_view bytes) {
  const Json json = Json::parse(bytes.substr(0, bytes.find('\0')), nullptr, false);
  try {
    return Invitation{.host = json.at("host").get<std::string>(),
                      .port = json.at("port").get<uint16_t>(),
                      .machine = json.at("machine").get<std::string>(),
                      .refusal = json.at("refusal").get<std::string>()};
  } catch (const Json::exception&) {
    return base::Diagnostic{
        .place = {},
        .message = "rank 0 has broadcast something else than where the ranks meet",
        .help = "let all ranks make the same collective calls, culprit::Compile with ranks among them"};
  }
}

std::string ThisMachine() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  // Containers have a network of their own.
  struct stat network = {};
  if (stat("/proc/self/ns/net", &network) != 0) return boot;
  return fmt::format("{}/{}", boot, network.st_ino);
}

}  // namespace culprit::ranks
