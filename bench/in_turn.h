// SPDX-License-Identifier: Apache-2.0
//
// Two sides of a comparison, measured in turn within each iteration, so that a busy machine slows both.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace culprit::bench {

struct MedianSeconds {
  double ours = 0;
  double theirs = 0;
};

inline double Seconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double Median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + numbers.size() / 2, numbers.end());
  return numbers[numbers.size() / 2];
}

/// Of what was measured side by side: how many times as long the first took.
inline double MedianRatio(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> ratios;
  for (size_t i = 0; i < first.size(); ++i) ratios.push_back(first[i] / second[i]);
  return Median(std::move(ratios));
}

/// The benchmark must use manual time, which is that of `ours`.
MedianSeconds MeasureInTurn(benchmark::State& state, const auto& ours, const auto& theirs) {
  std::vector<double> our_seconds;
  std::vector<double> their_seconds;
  for (auto _ : state) {
    their_seconds.push_back(Seconds(theirs));
    our_seconds.push_back(Seconds(ours));
    state.SetIterationTime(our_seconds.back());
  }
  return {Median(our_seconds), Median(their_seconds)};
}

}  // namespace culprit::bench
