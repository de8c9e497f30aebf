// SPDX-License-Identifier: Apache-2.0
//
// The failure that a repro records, and whether it came back: what `query` and `verify` share.
#pragma once

#include <string>

#include "backend/failure/query_verdict.h"
#include "base/result.h"
#include "check/question/question.h"
#include "cli/open_script.h"
#include "repro/header/header.h"

namespace culprit::cli {

/// The header of a file that nobody trusts yet: it is read in a child.
base::Result<repro::Header> ReadHeaderInChild(const ScriptOptions& options);

/// Of the failure that the header records; if it records none, any failure will do.
base::Result<check::Expectation> ExpectationOf(const repro::Header& header, backend::MatchMode match);

/// What `run --times` says.
std::string CharacterAsText(const check::Character& character);
std::string CharacterAsJson(const check::Character& character);

/// What `query` says.
std::string ReplyAsText(const check::Reply& reply);
std::string ReplyAsJson(const check::Reply& reply);

/// A line for each failure that was set aside.
std::string IgnoredLines(const std::vector<backend::FailureSignature>& ignored);

/// A line of what to type; nothing if there is nothing.
std::string HelpLine(const std::string& help);

}  // namespace culprit::cli
