// SPDX-License-Identifier: Apache-2.0
//
// The question of a search, put to a compiler in processes of their own.
#pragma once

#include <memory>

#include "check/query/query_task.h"
#include "check/question/question.h"
#include "hunt/oracle/breakable_check.h"

namespace culprit::hunt {

/// The program with everything else that a header says.
repro::Repro ReproOf(const minify::Program& program, const repro::Header& header);

class IsolatedCheck : public BreakableCheck {
 public:
  IsolatedCheck(check::RunQueryRequest run, const isolate::Limits& limits, repro::Header header,
                check::Expectation expected);

  minify::Reply Ask(const minify::Program& program) override;

 private:
  check::IsolatedQuery query_;
  const repro::Header header_;
  const check::Expectation expected_;
};

}  // namespace culprit::hunt
