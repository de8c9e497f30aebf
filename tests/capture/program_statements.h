// SPDX-License-Identifier: Apache-2.0
//
// The statements that random programs consist of. Each writes itself and, if it has blocks, what is in them.
#pragma once

#include "tests/capture/program_writer.h"

namespace culprit::tests {

/// One statement at random; `budget` is how many more may follow, also inside of it.
void WriteStatement(ProgramWriter& writer, int& budget);

/// Statements until the budget is used up, or `most` are written.
void WriteStatements(ProgramWriter& writer, int& budget, int most);

/// What `return` gives, from the names of the moment.
std::string ReturnOf(ProgramWriter& writer);

}  // namespace culprit::tests
