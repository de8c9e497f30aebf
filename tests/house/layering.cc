// SPDX-License-Identifier: Apache-2.0
#include "tests/house/layering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace culprit::tests {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;

std::vector<std::string> Words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class LayersReader {
 public:
  Status ReadLine(std::string_view line, uint32_t number) {
    line = line.substr(0, line.find('#'));
    if (Words(line).empty()) return Done{};
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return Error(number, "expected 'folder: what it may include'");
    const std::vector<std::string> subject = Words(line.substr(0, colon));
    const std::vector<std::string> objects = Words(line.substr(colon + 1));
    if (subject.size() == 2 && subject[0] == "outside") {
      for (const std::string& prefix : objects) layers_.outside_by_prefix[prefix] = subject[1];
      known_.insert(subject[1]);
      return Done{};
    }
    if (subject.size() != 1) return Error(number, "expected one name before the colon");
    if (subject[0] == "never") {
      layers_.never.insert(objects.begin(), objects.end());
      return Done{};
    }
    return AddFolder(subject[0], objects, number);
  }

  Layers Take() && { return std::move(layers_); }

 private:
  static Diagnostic Error(uint32_t line, std::string message) {
    return Diagnostic{{"tests/layers.txt", line}, std::move(message)};
  }

  Status AddFolder(const std::string& name, const std::vector<std::string>& may_include, uint32_t line) {
    for (const std::string& target : may_include) {
      if (!known_.contains(target))
        return Error(line,
                     fmt::format("'{}' may not include '{}', which is not listed above it", name, target));
    }
    if (!known_.insert(name).second) return Error(line, fmt::format("'{}' is listed twice", name));
    layers_.folders.push_back({name, {may_include.begin(), may_include.end()}});
    return Done{};
  }

  Layers layers_;
  std::set<std::string> known_;
};

constexpr std::string_view kLibraryFile = "/CMakeLists.txt";

/// The header of an #include line, without quotes or angle brackets; empty if it is none.
std::string_view HeaderOf(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  };
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return {};
  const size_t begin = line.find_first_of("<\"");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin + 1, line.find_first_of(">\"", begin + 1) - begin - 1);
}

class Comparison {
 public:
  explicit Comparison(const Layers& layers) : layers_(layers) {
    for (const Layers::Folder& folder : layers.folders) may_include_[folder.name] = folder.may_include;
  }

  void Look(const SourceFile& file) {
    const std::string folder = layers_.FolderOf(file.path);
    if (folder.empty()) {
      violations_.push_back(fmt::format("src/{}: its folder is not listed in tests/layers.txt", file.path));
      return;
    }
    uint32_t number = 0;
    for (const std::string_view line : Lines(file.text)) {
      ++number;
      const std::string_view header = HeaderOf(line);
      if (!header.empty())
        LookAtInclude(folder, std::string(header), fmt::format("src/{}:{}", file.path, number));
    }
  }

  void LookAtLibrary(std::string_view path) {
    const std::string_view folder = path.substr(0, path.size() - kLibraryFile.size());
    const bool is_listed = std::ranges::any_of(layers_.folders, [&](const Layers::Folder& each) {
      return (each.name + "/").starts_with(std::string(folder) + "/");
    });
    if (!is_listed)
      violations_.push_back(fmt::format("src/{}: this library is not listed in tests/layers.txt", folder));
  }

  std::vector<std::string> Take() && {
    for (const auto& [folder, targets] : may_include_) {
      for (const std::string& target : targets) {
        if (!used_.contains({folder, target}))
          violations_.push_back(
              fmt::format("tests/layers.txt: no file uses the arrow {} -> {}", folder, target));
      }
    }
    return std::move(violations_);
  }

 private:
  void LookAtInclude(const std::string& folder, const std::string& header, const std::string& place) {
    if (layers_.never.contains(header)) {
      violations_.push_back(fmt::format("{}: {} is never included", place, header));
      return;
    }
    const std::string target = TargetOf(header);
    if (target.empty() || target == folder) return;
    used_.insert({folder, target});
    if (!may_include_[folder].contains(target))
      violations_.push_back(fmt::format("{}: {} may not include {} ({})", place, folder, target, header));
  }

  std::string TargetOf(const std::string& header) const {
    // A longer prefix comes behind the shorter ones that it begins with.
    const auto& outside = layers_.outside_by_prefix;
    for (auto each = outside.rbegin(); each != outside.rend(); ++each) {
      if (header.starts_with(each->first)) return each->second;
    }
    return layers_.FolderOf(header);
  }

  const Layers& layers_;
  std::map<std::string, std::set<std::string>> may_include_;
  std::set<std::pair<std::string, std::string>> used_;
  std::vector<std::string> violations_;
};

}  // namespace

std::string Layers::FolderOf(std::string_view path) const {
  std::string best;
  for (const Folder& folder : folders) {
    if (path.starts_with(folder.name + "/") && folder.name.size() > best.size()) best = folder.name;
  }
  return best;
}

base::Result<Layers> ReadLayers(std::string_view text) {
  LayersReader reader;
  uint32_t number = 0;
  for (const std::string_view line : Lines(text)) CULPRIT_TRY(reader.ReadLine(line, ++number));
  return std::move(reader).Take();
}

std::vector<std::string> FindViolations(const Layers& layers, const std::vector<SourceFile>& files) {
  Comparison comparison(layers);
  for (const SourceFile& file : files) {
    if (IsCpp(file.path)) comparison.Look(file);
    if (file.path.ends_with(kLibraryFile)) comparison.LookAtLibrary(file.path);
  }
  return std::move(comparison).Take();
}

Layers WithoutRooms(const Layers& layers) {
  const auto outer = [](const std::string& name) { return name.substr(0, name.find('/')); };
  std::set<std::string> outside;
  for (const auto& [prefix, name] : layers.outside_by_prefix) outside.insert(name);
  Layers whole{.outside_by_prefix = layers.outside_by_prefix, .never = layers.never};
  for (const Layers::Folder& room : layers.folders) {
    const std::string name = outer(room.name);
    auto folder = std::ranges::find(whole.folders, name, &Layers::Folder::name);
    if (folder == whole.folders.end()) folder = whole.folders.insert(folder, Layers::Folder{name, {}});
    for (const std::string& target : room.may_include) {
      const std::string to = outside.contains(target) ? target : outer(target);
      if (to != name) folder->may_include.insert(to);
    }
  }
  return whole;
}

std::string DrawLayers(const Layers& layers) {
  std::set<std::string> outside;
  for (const auto& [prefix, name] : layers.outside_by_prefix) outside.insert(name);
  std::string picture;
  for (auto folder = layers.folders.rbegin(); folder != layers.folders.rend(); ++folder) {
    std::vector<std::string> inner;
    std::vector<std::string> outer;
    for (const Layers::Folder& target : layers.folders) {
      if (folder->may_include.contains(target.name)) inner.push_back(target.name);
    }
    for (const std::string& target : folder->may_include) {
      if (outside.contains(target)) outer.push_back(target);
    }
    std::string row = fmt::format("{:16}", folder->name);
    if (!inner.empty()) row += fmt::format(" -> {}", fmt::join(inner, ", "));
    if (!outer.empty())
      row += fmt::format("{:{}} | {}", "", 54 - std::min<size_t>(row.size(), 54), fmt::join(outer, ", "));
    row.erase(row.find_last_not_of(' ') + 1);
    picture += row + "\n";
  }
  return picture;
}

}  // namespace culprit::tests
