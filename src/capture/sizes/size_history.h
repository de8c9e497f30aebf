// SPDX-License-Identifier: Apache-2.0
//
// Which sizes differ from call to call. The first capture of a place takes all for fixed; a size that was
// another one at an earlier capture there becomes a symbol, by the name of the value and the dimension:
//
//   captured with     x of [8, 3, 224]      later with   x of [6, 3, 224]     =>   x.size(0) varies
//
// What a value is on other ranks counts as earlier captures do. 0 and 1 are never symbols. A value whose
// number of dimensions changes has no symbols ever, and strides are symbols only where the sizes are the
// same. Sizes of different values that were equal at every capture get one symbol. Those of one value, such
// as height and width, get one only if it does not work otherwise.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/segment/place_view.h"
#include "capture/sizes/symbolise.h"

namespace culprit::capture {

/// Larger numbers are no lengths, and trying others out would take long.
inline constexpr int64_t kLargestNumber = 65'536;

/// What users say of sizes, by the name of the value and the dimension.
struct SizeMarks {
  std::set<std::pair<std::string, size_t>> dynamic = {};
  /// Never a symbol.
  std::set<std::pair<std::string, size_t>> fixed = {};
  /// Sizes become symbols only where they are marked.
  bool only_marked = false;
};

/// Of one place.
class SizeHistory {
 public:
  /// What a value was at a capture. A number has one size and no strides.
  struct Seen {
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
    bool is_number = false;
  };

  void Note(const std::string& name, const Seen& seen);
  /// All values that a segment has guards for.
  void Note(const Segment& segment);
  /// What they are on all ranks, in the order of ranks, so that all ranks note the same. The views have the
  /// same inputs as the segment.
  void Note(const Segment& segment, const std::vector<PlaceView>& views);

  enum class Equal : uint8_t { kAcrossValues, kEverywhere };

  /// For a segment whose values are noted; `equal` says where equal sizes are one symbol.
  Varying VaryingIn(const Segment& segment, const SizeMarks& marks, Equal equal) const;
  /// What they were at the last captures before this one, where no two of one symbol differed.
  std::vector<graph::sizes::Hints> EarlierSizes(const Segment& segment, const Varying& varying) const;

 private:
  /// A size at all captures.
  using Sequence = std::vector<int64_t>;
  struct Entry {
    bool is_number = false;
    bool is_useless = false;
    std::vector<Sequence> sizes;
    std::vector<Sequence> strides;
  };

  std::map<std::string, Entry> entries_;
};

}  // namespace culprit::capture
