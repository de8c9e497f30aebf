// SPDX-License-Identifier: Apache-2.0
#include "backends/server/hello.h"

#include <fmt/format.h>

#include <algorithm>

namespace culprit::backends::server {
namespace {

using backend::Graphs;
using nlohmann::json;

/// Version 1 knows no gradients.
constexpr int kOldestProtocol = 1, kProtocol = 2;

Graphs GraphsOf(const std::string& text) {
  if (text == "aot") return Graphs::kAfterAutograd;
  return text == "below" ? Graphs::kBelow : Graphs::kCaptured;
}

backend::OptionDescription OptionOf(const json& option) {
  return {
      .name = option.at("name"),
      .default_value = option.at("default"),
      .line = option.at("line"),
      .choices = option.value("choices", std::vector<std::string>()),
      .from_file = option.value("is_harmless", false) ? backend::FromFile::kUse : backend::FromFile::kAsk};
}

backend::Description DescriptionOf(const std::string& name, const json& answer) {
  backend::Description description{.name = name, .line = answer.at("line"), .graphs = {}};
  for (const json& option : answer.at("options")) description.options.push_back(OptionOf(option));
  for (const json& entry : answer.at("switches"))
    description.switches.push_back({entry.at("name"), entry.at("line")});
  for (const json& graphs : answer.at("graphs")) description.graphs.push_back(GraphsOf(graphs));
  answer.at("versions").get_to(description.versions);
  if (description.graphs.empty()) description.graphs = {Graphs::kCaptured};
  return description;
}

}  // namespace

base::Result<Hello> ReadHello(const std::string& name, const json& answer) {
  const auto wrong = [&](const std::string& what) {
    return base::Diagnostic{{fmt::format("backend '{}'", name)}, what};
  };
  try {
    const int protocol = answer.at("protocol");
    if (protocol < kOldestProtocol || protocol > kProtocol) {
      return wrong(fmt::format("its server speaks version {} of the protocol, and Culprit versions {} to {}",
                               protocol, kOldestProtocol, kProtocol));
    }
    Hello hello{.description = DescriptionOf(name, answer),
                .parameters = answer.at("parameters") == "frozen" ? backend::Parameters::kFrozen
                                                                  : backend::Parameters::kLifted,
                .devices = answer.value("devices", std::vector<std::string>{"cpu"}),
                .takes_symbols = answer.at("symbols"),
                .draws_as_eager = answer.value("random", "own") == "eager",
                .calls = std::max(answer.at("calls").get<int>(), 1),
                .gives_gradients = protocol > 1 && answer.value("gradients", false),
                .freezes_with = answer.value("freezes_with", "")};
    const bool is_option = std::ranges::count(hello.description.options, hello.freezes_with,
                                              &backend::OptionDescription::name) > 0;
    if (!hello.freezes_with.empty() && !is_option)
      return wrong(fmt::format("its server freezes with '{}', which is no option", hello.freezes_with));
    return hello;
  } catch (const json::exception& error) {
    return wrong(fmt::format("its server does not say what it is: {}", error.what()));
  }
}

}  // namespace culprit::backends::server
