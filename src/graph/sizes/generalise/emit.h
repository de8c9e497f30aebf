// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/ir/fresh_names.h"
#include "graph/ir/rebuild.h"
#include "graph/sizes/generalise/generalise.h"

namespace culprit::graph::sizes {

/// Puts the computation of sizes into a graph that is being rebuilt. A size is read as soon as its tensor is
/// there, so that nobody has to keep the tensor for it, and arithmetic is done where it is first needed.
class SizeEmitter {
 public:
  /// Both have to stay.
  SizeEmitter(Rebuild& rebuild, const Graph& source, const std::vector<SymbolPlace>& places);

  /// First all that will be emitted has to be announced.
  void WillNeed(const Expression& expression);
  /// When the placeholders are copied: more of them, for symbols that have no place. Which symbols.
  std::vector<size_t> AddPlaceholders();
  /// When constants are, too.
  void BehindPlaceholders();
  /// When this node of the source is.
  void Behind(const Node& node);

  /// In terms of the new graph. Floats are wanted as floats.
  Argument Emit(const Expression& expression, bool as_float);

 private:
  /// A number that is a placeholder itself has the dimension -1.
  using Size = std::pair<ValueId, int64_t>;
  Size PlaceOf(size_t symbol) const;
  void Read(const Size& size, const std::string& name);
  Argument EmitInt(const Expression& expression);
  ValueId AddNode(const char* op, std::vector<Argument> arguments, const std::string& name);

  Rebuild& rebuild_;
  const Graph& source_;
  /// By symbol, in the source.
  std::map<size_t, SymbolPlace> places_;
  FreshNames names_;
  /// Of values of the source, with the names that they get.
  std::map<Size, std::string> wanted_;
  /// Symbols that have no place, in the new graph.
  std::map<size_t, std::optional<ValueId>> added_;
  /// Of values of the source, in the new graph.
  std::map<Size, ValueId> read_;
  /// By its text, since equal expressions are computed once.
  std::map<std::string, ValueId> computed_;
};

}  // namespace culprit::graph::sizes
