// SPDX-License-Identifier: Apache-2.0
//
// What a compiled program can throw that the program itself cannot. What the program throws comes out as it
// is; if a compiler is to blame for it, and the program is watched, its last lines name the repro.
#ifndef CULPRIT_ERRORS_H
#define CULPRIT_ERRORS_H

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace culprit {

/// A compiler has failed on a graph of the program.
class Failure : public std::runtime_error {
 public:
  Failure(const std::string& text, std::string graph, std::string signature, std::string repro)
      : std::runtime_error(text),
        graph_(std::move(graph)),
        signature_(std::move(signature)),
        repro_(std::move(repro)) {}

  /// `<model>_<n>_<captured|forward|backward|inference>`
  const std::string& graph() const { return graph_; }
  /// What failed, in one line: "compare: wrong values in outputs[0] (call 1)".
  const std::string& signature() const { return signature_; }
  /// A file for `culprit minify`; empty if none was written.
  const std::string& repro() const { return repro_; }

 private:
  std::string graph_;
  std::string signature_;
  std::string repro_;
};

class BackendCompilerFailed : public Failure {
 public:
  BackendCompilerFailed(const std::string& text, std::string graph, std::string signature, std::string repro,
                        std::exception_ptr cause)
      : Failure(text, std::move(graph), std::move(signature), std::move(repro)), cause_(std::move(cause)) {}

  /// What the compiler threw.
  const std::exception_ptr& cause() const { return cause_; }

 private:
  std::exception_ptr cause_;
};

/// Ranks that have to agree on what they compile are about to do different things. Thrown on all of them,
/// with the same text. Where a program has to be one graph, it is thrown for a rank that is missing, too.
class RanksDiffer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was compiled computes other numbers than the program.
class AccuracyError : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace culprit

#endif  // CULPRIT_ERRORS_H
