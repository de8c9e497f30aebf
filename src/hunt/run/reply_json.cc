// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/reply_json.h"

#include <array>

namespace culprit::hunt {
namespace {

using minify::Answer;
using nlohmann::ordered_json;

constexpr std::array kAnswers = {Answer::kSameFailure, Answer::kOtherFailure, Answer::kPasses,
                                 Answer::kInvalid};

}  // namespace

ordered_json ReplyToJson(const minify::Reply& reply) {
  ordered_json object{{"answer", NameOf(reply.verdict.answer)}};
  if (reply.verdict.signature) object["signature"] = ordered_json::parse(reply.verdict.signature->ToJson());
  if (!reply.verdict.reason.empty()) object["reason"] = reply.verdict.reason;
  if (!reply.wrong_outputs.empty()) object["wrong_outputs"] = reply.wrong_outputs;
  return object;
}

base::Result<minify::Reply> ReplyFromJson(const ordered_json& object) {
  minify::Reply reply;
  try {
    const std::string name = object.at("answer");
    const auto* found = std::ranges::find_if(kAnswers, [&](Answer answer) { return NameOf(answer) == name; });
    if (found == kAnswers.end()) return base::Diagnostic{{}, "there is no answer '" + name + "'"};
    reply.verdict.answer = *found;
    if (object.contains("signature"))
      reply.verdict.signature =
          CULPRIT_TRY(backend::FailureSignature::FromJson(object.at("signature").dump()));
    reply.verdict.reason = object.value("reason", "");
    if (object.contains("wrong_outputs")) object.at("wrong_outputs").get_to(reply.wrong_outputs);
  } catch (const nlohmann::json::exception& error) {
    return base::Diagnostic{{}, std::string("not an answer: ") + error.what()};
  }
  return reply;
}

}  // namespace culprit::hunt
