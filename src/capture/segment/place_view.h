// SPDX-License-Identifier: Apache-2.0
//
// What one rank knows of a place that is about to be compiled. Ranks that show each other their views before
// they compile can choose the same sizes as symbols, and find out that they are not about to do the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace culprit::capture {

struct InputView {
  /// Of its source, in the words of the program: "x", "self.layers.0.weight".
  std::string name;
  /// Without an article: "Float tensor", "int".
  std::string type;
  /// Of a tensor.
  std::vector<int64_t> sizes = {};
  std::vector<int64_t> strides = {};
  /// Of a plain integer.
  std::optional<int64_t> number = std::nullopt;

  bool operator==(const InputView&) const = default;
};

/// Why a graph ends before the program does.
struct BreakView {
  /// "B02"
  std::string code;
  std::string reason;
  /// "net.py:29"
  std::string place;

  bool operator==(const BreakView&) const = default;
};

struct PlaceView {
  /// "forward: from net.py:12"
  std::string place;
  std::vector<InputView> inputs = {};
  /// Nothing if the program returns.
  std::optional<BreakView> end = std::nullopt;
  /// 0 for an empty graph, of which there is a view too: otherwise the other ranks would wait for it.
  uint64_t operators = 0;
  /// Why what was compiled before does not fit; empty if there was nothing.
  std::string failed_guard = {};
  /// Why this rank cannot capture the place. Then none does.
  std::string refusal = {};

  bool operator==(const PlaceView&) const = default;
};

/// Ranks are missing, or cannot capture the place: it is to run as written.
class NoViews : public std::runtime_error {
 public:
  NoViews(const std::string& text, bool is_told) : std::runtime_error(text), is_told_(is_told) {}
  /// The user knows already.
  bool is_told() const { return is_told_; }

 private:
  bool is_told_;
};

/// The views of all ranks, in their order, this one's among them. Throws NoViews, or culprit::RanksDiffer
/// where the call has to end.
using ShareView = std::function<std::vector<PlaceView>(const PlaceView&)>;

}  // namespace culprit::capture
