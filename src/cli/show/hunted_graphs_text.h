// SPDX-License-Identifier: Apache-2.0
//
// What a hunt in several graphs says at its end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hunt/graph_series.h"

namespace culprit::cli {

/// A row for each graph: its verdict, the signature, how small it got, and the folder of its run.
std::string HuntedGraphsAsTable(const std::vector<hunt::HuntedGraph>& graphs);

/// Behind the report about the first that fails: which of the others fail too, and the command to hunt there.
/// `count` is of all graphs of the program, `command` gives the command line of this process with words
/// behind it. Nothing if none failed, or if there are no others or they were not looked at.
using CommandWith = std::function<std::string(const std::string& more)>;
std::string OtherGraphsAsText(const std::vector<hunt::HuntedGraph>& graphs, size_t count,
                              const CommandWith& command);

struct HuntedGraphsOptions {
  bool all = false;
  /// The program threw: graphs behind that are not known.
  bool is_cut_off = false;
};
/// Of all graphs a list with a report for each that failed; else the report about the first that failed, and
/// in short what the others do.
std::string HuntedGraphsAsJson(const std::vector<hunt::HuntedGraph>& graphs,
                               const HuntedGraphsOptions& options);

}  // namespace culprit::cli
