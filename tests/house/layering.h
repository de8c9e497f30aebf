// SPDX-License-Identifier: Apache-2.0
//
// The layers of the house: reads tests/layers.txt (its format is explained there) and compares it with the
// #include lines of the sources.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tests/house/source_tree.h"

namespace culprit::tests {

struct Layers {
  struct Folder {
    std::string name;
    std::set<std::string> may_include;
  };
  /// The lowest first: a folder may include only what stands before it.
  std::vector<Folder> folders;
  /// Names of outside libraries by the prefix of their headers. The longest prefix counts.
  std::map<std::string, std::string> outside_by_prefix;
  std::set<std::string> never;

  /// The folder that a path below src/ belongs to, or an empty name.
  std::string FolderOf(std::string_view path) const;
};

base::Result<Layers> ReadLayers(std::string_view text);

/// One line per violation: an arrow that is not allowed, a header that is forbidden, a folder or
/// library that is not listed, an allowed arrow that nothing uses. Paths of the files are relative to src/.
std::vector<std::string> FindViolations(const Layers& layers, const std::vector<SourceFile>& files);

/// The same with folders directly below src/ only: what one of their rooms may include.
Layers WithoutRooms(const Layers& layers);

/// The arrows as ARCHITECTURE.md shows them, the highest folder first.
std::string DrawLayers(const Layers& layers);

}  // namespace culprit::tests
