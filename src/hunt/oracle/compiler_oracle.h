// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "hunt/oracle/isolated_check.h"
#include "hunt/oracle/oracle.h"
#include "hunt/request/hunt_request.h"
#include "hunt/request/listener.h"
#include "tasks/ask_workers.h"

namespace culprit::hunt {

/// A compiler answers, in a process of its own for each candidate: here, or in workers elsewhere.
class CompilerOracle : public Oracle {
 public:
  /// Forks what has to be forked. All of them have to outlive it.
  static base::Result<std::unique_ptr<CompilerOracle>> Prepare(const HuntRequest& request,
                                                               const tasks::Children& children,
                                                               Listener& listener);

  base::Status Begin(const repro::Header& header, bool as_recorded) override;
  base::Result<check::Character> Characterize(const repro::Repro& repro, bool quickly,
                                              const OnQuery& on_query) override;
  void Expect(const check::Expectation& expected, const repro::RunFolder& folder) override;

  minify::FailureCheck& check() override { return *check_; }
  std::optional<base::Diagnostic> broken() const override { return check_->broken(); }
  base::Result<Verification> Verify(const std::string& path) override;
  check::AskOnce ask() override;
  ShownRun Show(const std::string& path) override;
  std::optional<backend::PlainProgram> InPlainCalls(const std::string& path) override;

 private:
  CompilerOracle(const HuntRequest& request, const tasks::Children& children, Listener& listener)
      : request_(&request), children_(&children), listener_(&listener) {}

  base::Result<check::Character> CharacterizeAsRecorded(const check::AskOnce& ask,
                                                        const repro::Repro& repro) const;
  base::Status StartWorkers();
  base::Result<Verification> AskAnew(const std::string& path) const;
  base::Result<check::QuestionReply> AskFreshWorkers(const tasks::AskRequest& about) const;
  tasks::AskRequest About(const std::string& path) const;
  std::map<std::string, std::string> InsightAfter(const check::Finding& death, tasks::RunRequest request);

  const HuntRequest* request_;
  const tasks::Children* children_;
  Listener* listener_;
  /// Where queries run: in children of this process, unless there are workers.
  check::RunQueryRequest run_;
  std::shared_ptr<tasks::Workers> workers_;
  repro::Header header_;
  /// Of the header, if it is wanted.
  std::optional<check::Expectation> recorded_;
  check::Expectation expected_;
  std::unique_ptr<IsolatedCheck> check_;
};

}  // namespace culprit::hunt
