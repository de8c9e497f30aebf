# SPDX-License-Identifier: Apache-2.0
"""Decides which sources are compiled together: python unity_batches.py SIZE TEST_SIZE ROOT...

Most of the time of a small source goes into libtorch's headers, so sources of one library are compiled in batches of up to SIZE,
where a source with headers that make much code counts twice: whoever changes one waits for its batch. Tests are compiled without
optimisation, so their batches, of up to TEST_SIZE, may be larger.
Files may use the same name for things of their own (kRows, Options, ErrorOf): two that do never share a batch.

Prints a line `batch file` for each source below the roots, the batch being a number within its library.
"""

import pathlib
import re
import sys

# What stands at the beginning of a line of formatted code: a type, or a declaration up to its name.
TYPE = re.compile(r"(?:template .*> )?(?:class|struct|enum class|enum|union) (\w+)")
USING = re.compile(r"using (?:[\w:]+::)?(\w+)(?: =|;)")
NAME = re.compile(r"[A-Za-z_][\w:<>,*&\s]*?[\s*&](\w+)(?:\[\w*\])?(?:\(| =|\{|;)")
HEAVY = re.compile(r"#include <(?:CLI/|nlohmann/json\.hpp|torch/csrc/jit/)")
OTHER = re.compile(r"(?:#|//|\}|namespace|TEST|INSTANTIATE_|TYPED_TEST|static_assert|extern )")


def own_names(file: pathlib.Path) -> dict[str, str]:
    """Names that are declared in anonymous namespaces, with what makes two of them the same."""
    names = {}
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', file.read_text(), flags=re.S)
    depth = 0
    for line in text.splitlines():
        if line.startswith("namespace {"):
            depth += 1
        elif line == "}  // namespace":
            depth -= 1
        elif line.startswith("using "):
            if match := USING.match(line):
                names[match.group(1)] = line
        elif depth and line and not line[0].isspace() and not OTHER.match(line):
            match = TYPE.match(line) or NAME.match(line)
            if match:
                names[match.group(1)] = str(file)
    return names


def fit(names: dict[str, str], taken: dict[str, str]) -> bool:
    return all(taken.get(name, meaning) == meaning for name, meaning in names.items())


def weight(files: list[pathlib.Path]) -> int:
    return sum(2 if HEAVY.search(file.read_text()) else 1 for file in files)


def batches(files: list[pathlib.Path], size: int) -> list[list[pathlib.Path]]:
    made: list[tuple[list[pathlib.Path], dict[str, str]]] = []
    for file in files:
        names = own_names(file)
        for members, taken in made:
            if weight([*members, file]) <= size and fit(names, taken):
                members.append(file)
                taken.update(names)
                break
        else:
            made.append(([file], names))
    return [members for members, _ in made]


def library_of(file: pathlib.Path) -> pathlib.Path:
    """The folder of the library: rooms inside it have no CMakeLists.txt. Programs below tests/ have a folder each."""
    if file.parts[0] != "src":
        return file.parent
    return next(folder for folder in file.parents if (folder / "CMakeLists.txt").exists())


def main() -> None:
    size, test_size = int(sys.argv[1]), int(sys.argv[2])
    libraries: dict[tuple[pathlib.Path, bool], list[pathlib.Path]] = {}
    for root in sys.argv[3:]:
        for file in sorted(pathlib.Path(root).rglob("*.cc")):
            libraries.setdefault((library_of(file), file.name.endswith("_test.cc")), []).append(file)
    for (_, is_test), files in libraries.items():
        for number, members in enumerate(batches(files, test_size if is_test else size)):
            for file in members:
                print(f"{'test' if is_test else 'batch'}_{number} {file}")


if __name__ == "__main__":
    main()
