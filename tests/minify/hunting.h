// SPDX-License-Identifier: Apache-2.0
//
// A hunt as tests do it: characterise a failure, then minify it with all strategies, every question in a
// process of its own.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "minify/program/program.h"
#include "minify/search.h"
#include "repro/header/header.h"

namespace culprit::tests {

/// A program of tests/fixtures: "models/resnet18", "real_bugs/conv_avg_pool".
minify::Program ReadProgram(const std::string& name);

struct Hunt {
  /// Empty if the program does not fail; then nothing was minified.
  std::string signature;
  minify::Program program;
  /// "convolution avg_pool2d", in program order.
  std::string operators;
  size_t questions = 0;
  double seconds = 0;
  /// One line per question.
  std::string log;
};

struct HuntLimits {
  std::chrono::nanoseconds wall_time = std::chrono::seconds(60);
  /// Before a program counts as passing, or as failing always.
  int queries = 3;
};

Hunt HuntFor(const minify::Program& program, const repro::Header& header, const HuntLimits& limits = {});

/// One line for people: operators, questions and time.
std::string Summary(const std::string& name, const Hunt& hunt);

}  // namespace culprit::tests
