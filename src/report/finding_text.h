// SPDX-License-Identifier: Apache-2.0
//
// What was found out about a graph and a compiler, in a few lines and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "check/question/question.h"
#include "check/verdict/sign.h"

namespace culprit::report {

/// "failure: ...", "passes: ..." or "invalid: ...".
std::string FindingAsText(const check::Finding& finding);
nlohmann::ordered_json FindingAsJson(const check::Finding& finding);

/// What several runs have shown.
std::string CharacterAsText(const check::Character& character);
std::string CharacterAsJson(const check::Character& character);

/// Whether it is the failure that was expected.
std::string ReplyAsText(const check::QuestionReply& reply);
std::string ReplyAsJson(const check::QuestionReply& reply);

/// A line for each failure that was set aside.
std::string IgnoredLines(const std::vector<backend::FailureSignature>& ignored);

/// A line for each frame of Python that a crash was in.
std::string PythonLines(const check::Finding& finding);

/// A line of what to type; nothing if there is nothing.
std::string HelpLine(const std::string& help);

/// JSON of several lines; bytes that are no text are replaced.
std::string Dumped(const nlohmann::ordered_json& object);

}  // namespace culprit::report
