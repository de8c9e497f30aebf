// SPDX-License-Identifier: Apache-2.0
#include "isolate/stacks/symbol_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>

#include "isolate/wire/descriptor.h"

namespace culprit::isolate {
namespace {

/// A file in memory. Whatever it says about itself is checked against its size.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status = {};
    if (!file.is_open() || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    const auto size = static_cast<size_t>(status.st_size);
    void* data = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0) : MAP_FAILED;
    if (data != MAP_FAILED) bytes_ = {static_cast<const char*>(data), size};
  }
  ~ElfFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  /// `count` values that begin there, or none if they are not all in the file.
  template <typename T>
  std::span<const T> At(uint64_t offset, uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(T)) return {};
    if ((reinterpret_cast<uintptr_t>(bytes_.data()) + offset) % alignof(T) != 0) return {};
    return {reinterpret_cast<const T*>(bytes_.data() + offset), static_cast<size_t>(count)};
  }

  std::span<const Elf64_Shdr> Sections() const {
    const auto headers = At<Elf64_Ehdr>(0, 1);
    if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
    if (headers[0].e_ident[EI_CLASS] != ELFCLASS64) return {};
    return At<Elf64_Shdr>(headers[0].e_shoff, headers[0].e_shnum);
  }

 private:
  std::span<const char> bytes_;
};

void NameFromTable(const ElfFile& file, const Elf64_Shdr& table, const Elf64_Shdr& strings,
                   std::span<const uint64_t> addresses, std::vector<std::string>& names) {
  const auto text = file.At<char>(strings.sh_offset, strings.sh_size);
  for (const Elf64_Sym& symbol : file.At<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym))) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    for (size_t i = 0; i < addresses.size(); ++i) {
      // Unsigned: an address before the symbol is far behind it.
      if (addresses[i] - symbol.st_value >= symbol.st_size || !names[i].empty()) continue;
      if (symbol.st_name >= text.size()) continue;
      const char* name = text.data() + symbol.st_name;
      names[i].assign(name, strnlen(name, text.size() - symbol.st_name));
    }
  }
}

}  // namespace

std::vector<std::string> FunctionsAt(const std::string& path, std::span<const uint64_t> addresses) {
  std::vector<std::string> names(addresses.size());
  const ElfFile file(path);
  const auto sections = file.Sections();
  for (const uint32_t type : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type == type && section.sh_link < sections.size())
        NameFromTable(file, section, sections[section.sh_link], addresses, names);
    }
  }
  return names;
}

}  // namespace culprit::isolate
