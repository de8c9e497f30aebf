// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "hunt/oracle/oracle.h"
#include "hunt/oracle/outside_judge.h"
#include "hunt/request/hunt_request.h"
#include "hunt/request/listener.h"

namespace culprit::hunt {

/// A program of the user answers (--check).
class ProgramOracle : public Oracle {
 public:
  /// Both have to outlive it.
  ProgramOracle(const HuntRequest& request, const Listener& listener)
      : request_(&request), listener_(&listener) {}

  base::Status Begin(const repro::Header& header, bool as_recorded) override;
  base::Result<check::Character> Characterize(const repro::Repro& repro, bool quickly,
                                              const OnQuery& on_query) override;
  void Expect(const check::Expectation& expected, const repro::RunFolder& folder) override;

  minify::FailureCheck& check() override { return *judge_; }
  std::optional<base::Diagnostic> broken() const override { return judge_->broken(); }
  base::Result<Verification> Verify(const std::string& path) override;
  check::AskOnce ask() override { return nullptr; }
  ShownRun Show(const std::string& /*path*/) override { return {}; }
  std::optional<backend::PlainProgram> InPlainCalls(const std::string& /*path*/) override {
    return std::nullopt;
  }

 private:
  const HuntRequest* request_;
  const Listener* listener_;
  std::unique_ptr<OutsideJudge> judge_;
};

}  // namespace culprit::hunt
