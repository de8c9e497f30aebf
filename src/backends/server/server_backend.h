// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.h"
#include "backends/server/hello.h"
#include "backends/server/session.h"

namespace culprit::backends::server {

/// Whose eager the compiler is compared with.
enum class Reference : uint8_t { kHere, kElsewhere };

class ServerBackend : public backend::Backend {
 public:
  ServerBackend(std::shared_ptr<Session> session, Hello hello, backend::Configuration configuration,
                Reference reference)
      : session_(std::move(session)),
        hello_(std::move(hello)),
        configuration_(std::move(configuration)),
        reference_(reference) {}

  backend::Parameters parameters() const override;
  bool gives_gradients() const override;
  bool takes_symbols() const override { return hello_.takes_symbols; }
  bool draws_as_eager() const override { return hello_.draws_as_eager; }
  int calls() const override { return hello_.calls; }
  std::unique_ptr<backend::Backend> EagerElsewhere() const override;
  std::optional<std::string> InPython(const graph::Graph& graph, const backend::Values& inputs,
                                      backend::Graphs graphs) const override;
  std::optional<backend::PlainProgram> InPlainCalls(const std::string& script,
                                                    const std::string& expected) const override;
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override;

 private:
  ServerMessage QuestionFor(const graph::Graph& graph, const backend::Values& inputs, int64_t handle) const;
  nlohmann::json ChangedOptions() const;
  nlohmann::json SwitchesOff() const;

  std::shared_ptr<Session> session_;
  Hello hello_;
  backend::Configuration configuration_;
  Reference reference_;
  /// It runs graphs as they are.
  bool is_eager_ = false;
};

}  // namespace culprit::backends::server
