# SPDX-License-Identifier: Apache-2.0
"""dist_info.py PYPROJECT FOLDER: writes what pip would of a package, so that its entry points are found in a build tree."""

import configparser
import pathlib
import sys

import tomllib

project = tomllib.loads(pathlib.Path(sys.argv[1]).read_text())["project"]
folder = pathlib.Path(sys.argv[2]) / f"{project['name']}-{project['version']}.dist-info"
folder.mkdir(parents=True, exist_ok=True)
(folder / "METADATA").write_text(
    f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
)
entry_points = configparser.ConfigParser(delimiters=("=",))
entry_points.optionxform = str  # names keep their case
entry_points.read_dict({"console_scripts": project["scripts"], **project["entry-points"]})
with (folder / "entry_points.txt").open("w") as file:
    entry_points.write(file)
