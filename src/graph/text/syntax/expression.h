// SPDX-License-Identifier: Apache-2.0
//
// Expressions of Python, as far as scripts with graphs use them. The nodes of one statement live in an arena
// that is emptied before the next statement, so memory stays that of the largest statement.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/token_stream.h"

namespace culprit::graph::text {

enum class ExpressionKind : uint8_t {
  kName,       // text: the name, dots included: torch.ops.aten.add.Tensor
  kInt,        // text: the digits
  kFloat,      // text: the digits
  kImaginary,  // text: the digits and the j
  kString,     // text: with prefix and quotes; adjacent strings are not joined
  kCall,       // children: callee, arguments (kKeyword ones behind the others)
  kKeyword,    // text: the name; child: the argument
  kAttribute,  // text: the name; child: what it is an attribute of (not a plain name)
  kSubscript,  // children: what is indexed, the index
  kSlice,      // x[a:b]: never meaningful in a graph, but it has to be read to be named in an error
  kList,       // children: the elements
  kTuple,      // children: the elements
  kDict,       // children: key, value, key, value ...
  kUnary,      // text: the operator; child
  kBinary,     // text: the operator; children: left, right
};

using ExpressionId = uint32_t;

struct Expression {
  ExpressionKind kind;
  std::string_view text;
  size_t offset = 0;
  uint32_t first_child = 0;
  uint32_t child_count = 0;
  /// Of the tree that begins here: 1 for a leaf. Whatever walks the tree recurses so often.
  uint32_t depth = 1;
};

class ExpressionArena {
 public:
  void Clear() {
    nodes_.clear();
    children_.clear();
  }
  const Expression& operator[](ExpressionId id) const { return nodes_[id]; }
  ExpressionId child(const Expression& parent, size_t index) const {
    return children_[parent.first_child + index];
  }
  const Expression& ChildOf(const Expression& parent, size_t index) const {
    return nodes_[child(parent, index)];
  }

  ExpressionId Add(ExpressionKind kind, std::string_view text, size_t offset,
                   const std::vector<ExpressionId>& children = {});

 private:
  std::vector<Expression> nodes_;
  std::vector<ExpressionId> children_;
};

/// Reads one expression (a tuple without parentheses included) from the tokens into the arena.
base::Result<ExpressionId> ParseExpression(TokenStream& tokens, ExpressionArena& arena);

/// As ParseExpression, but stops before a comma.
base::Result<ExpressionId> ParseSingleExpression(TokenStream& tokens, ExpressionArena& arena);

}  // namespace culprit::graph::text
