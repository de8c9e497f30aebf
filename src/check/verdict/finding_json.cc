// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/finding_json.h"

#include <nlohmann/json.hpp>

namespace culprit::check {

using nlohmann::json;

std::string FindingToJson(const Finding& finding) {
  json object = json::object();
  if (finding.failure) object["failure"] = finding.failure->ToJson();
  for (const backend::FailureSignature& also : finding.also) object["also"].push_back(also.ToJson());
  for (const backend::FailureSignature& ignored : finding.ignored)
    object["ignored"].push_back(ignored.ToJson());
  if (finding.how_wrong) object["how_wrong"] = HowWrongToJson(*finding.how_wrong);
  if (!finding.python_frames.empty()) object["python_frames"] = finding.python_frames;
  if (!finding.invalid.empty()) object["invalid"] = finding.invalid;
  if (!finding.help.empty()) object["help"] = finding.help;
  if (finding.is_near_noise) object["near_noise"] = true;
  object["wrong_outputs"] = finding.wrong_outputs;
  object["warnings"] = finding.warnings;
  // Messages of compilers may be any bytes.
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

base::Result<Finding> FindingFromJson(std::string_view text) {
  Finding finding;
  try {
    const json object = json::parse(text);
    if (object.contains("failure"))
      finding.failure =
          CULPRIT_TRY(backend::FailureSignature::FromJson(object.at("failure").get<std::string>()));
    for (const std::string& also : object.value("also", std::vector<std::string>{}))
      finding.also.push_back(CULPRIT_TRY(backend::FailureSignature::FromJson(also)));
    for (const std::string& ignored : object.value("ignored", std::vector<std::string>{}))
      finding.ignored.push_back(CULPRIT_TRY(backend::FailureSignature::FromJson(ignored)));
    if (object.contains("how_wrong")) finding.how_wrong = HowWrongFromJson(object.at("how_wrong"));
    finding.python_frames = object.value("python_frames", std::vector<std::string>{});
    finding.invalid = object.value("invalid", "");
    finding.help = object.value("help", "");
    finding.is_near_noise = object.value("near_noise", false);
    object.at("wrong_outputs").get_to(finding.wrong_outputs);
    object.at("warnings").get_to(finding.warnings);
  } catch (const json::exception& error) {
    return base::Diagnostic{{}, std::string("no finding: ") + error.what()};
  }
  return finding;
}

}  // namespace culprit::check
