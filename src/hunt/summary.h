// SPDX-License-Identifier: Apache-2.0
//
// summary.md: a report that can be pasted into an issue tracker as it is: the program, how to run it, what
// happens, what should happen, and with which versions.
#pragma once

#include <string>

#include "hunt/report.h"

namespace culprit::hunt {

std::string SummaryOf(const Report& report);

/// "same failure always (1 of 1 fresh processes)", for people.
std::string VerificationAsText(const Report& report);
/// How the search ended: "no smaller program was found", "stopped after 100 questions".
std::string EndAsText(const Report& report);
/// "drop: 2 pass", one line for each strategy.
std::string TriedAsText(const minify::Tried& tried);

}  // namespace culprit::hunt
