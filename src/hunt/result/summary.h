// SPDX-License-Identifier: Apache-2.0
//
// summary.md: a report that can be pasted into an issue tracker as it is: what happens and what should, the
// program and how to run it, and with which versions. At most 80 lines, whatever was hunted: of what is long
// the beginning is shown, and what few readers want is folded.
#pragma once

#include <string>

#include "hunt/result/report.h"

namespace culprit::hunt {

std::string SummaryOf(const Report& report);

/// "outputs[3] (add_7): 3 of 8 elements are wrong, by up to 0.5": what was wrong in the original, by its own
/// outputs. Empty if no result was wrong.
std::string OriginalFailureAsText(const Report& report);

/// "same failure always (1 of 1 fresh processes)", for people.
std::string VerificationAsText(const Report& report);
/// How the search ended: "no smaller program was found", "stopped after 100 questions".
std::string EndAsText(const Report& report);
/// "drop: 2 pass", one line for each strategy.
std::string TriedAsText(const minify::Tried& tried);

}  // namespace culprit::hunt
