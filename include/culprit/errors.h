// SPDX-License-Identifier: Apache-2.0
//
// What a watched program throws when a compiler failed.
#ifndef CULPRIT_ERRORS_H
#define CULPRIT_ERRORS_H

#include <stdexcept>
#include <string>
#include <utility>

namespace culprit {

class Failure : public std::runtime_error {
 public:
  Failure(const std::string& message, std::string graph, std::string repro, std::string signature)
      : std::runtime_error(message),
        graph_(std::move(graph)),
        repro_(std::move(repro)),
        signature_(std::move(signature)) {}

  /// The name of the graph.
  const std::string& graph() const { return graph_; }
  /// The path of the repro, empty if none was written.
  const std::string& repro() const { return repro_; }
  /// In one line.
  const std::string& signature() const { return signature_; }

 private:
  std::string graph_;
  std::string repro_;
  std::string signature_;
};

/// What was compiled computes something else than the program.
class AccuracyError : public Failure {
 public:
  using Failure::Failure;
};

/// The backend threw while it compiled.
class BackendCompilerFailed : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace culprit

#endif  // CULPRIT_ERRORS_H
