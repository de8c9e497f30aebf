# SPDX-License-Identifier: Apache-2.0
"""Decides which sources are compiled together: python unity_batches.py SIZE ROOT...

Most of the time of a small source goes into libtorch's headers, so sources of one folder are compiled in batches of up to SIZE.
Files may use the same name for things of their own (kRows, Options, ErrorOf): two that do never share a batch.

Prints a line `batch file` for each source below the roots, the batch being a number within its folder.
"""

import pathlib
import re
import sys

# What stands at the beginning of a line of formatted code: a type, or a declaration up to its name.
TYPE = re.compile(r"(?:template .*> )?(?:class|struct|enum class|enum|union) (\w+)")
ALIAS = re.compile(r"using (\w+) =")
NAME = re.compile(r"[A-Za-z_][\w:<>,*&\s]*?[\s*&](\w+)(?:\[\w*\])?(?:\(| =|\{|;)")
OTHER = re.compile(r"(?:#|//|\}|using |namespace|TEST|INSTANTIATE_|TYPED_TEST|static_assert|extern )")


def own_names(text: str) -> set[str]:
    """Names that are declared in anonymous namespaces, and some more where that is hard to tell."""
    names = set()
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    depth = 0
    for line in text.splitlines():
        if line.startswith("namespace {"):
            depth += 1
        elif depth and line.startswith("}  // namespace") and line == "}  // namespace":
            depth -= 1
        elif depth and line and not line[0].isspace():
            for pattern in (TYPE, ALIAS) if OTHER.match(line) else (TYPE, NAME):
                if match := pattern.match(line):
                    names.add(match.group(1))
                    break
    return names


def batches(files: list[pathlib.Path], size: int) -> list[tuple[list[pathlib.Path], set[str]]]:
    made: list[tuple[list[pathlib.Path], set[str]]] = []
    for file in files:
        names = own_names(file.read_text())
        for members, taken in made:
            if len(members) < size and not taken & names:
                members.append(file)
                taken |= names
                break
        else:
            made.append(([file], names))
    return made


def main() -> None:
    size = int(sys.argv[1])
    folders: dict[tuple[pathlib.Path, bool], list[pathlib.Path]] = {}
    for root in sys.argv[2:]:
        for file in sorted(pathlib.Path(root).rglob("*.cc")):
            folders.setdefault((file.parent, file.name.endswith("_test.cc")), []).append(file)
    for (_, is_test), files in folders.items():
        for number, (members, _) in enumerate(batches(files, size)):
            for file in members:
                print(f"{'test' if is_test else 'batch'}_{number} {file}")


if __name__ == "__main__":
    main()
