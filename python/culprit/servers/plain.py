# SPDX-License-Identifier: Apache-2.0
"""A repro as a user of torch.compile would write it: a function in plain calls of torch, its inputs, and one
comparison. An operator that has no such name, or computes another thing under it, stays as it is."""

from __future__ import annotations

import ast
import copy
import json
import types
from collections.abc import Iterator
from typing import Any

import torch

from culprit.servers.plain_inputs import NotPlain, texts_of

_PROGRAM = """import torch

def f({names}):
{body}

def inputs():
{inputs}

expected, got = inputs(), inputs()
expected.append(f(*expected))
got.append(torch.compile({compiled})(*got))
torch.testing.assert_close(got, expected, rtol={tolerance}, atol={tolerance} / 100, equal_nan=True)
"""
#: What they say is the default of the function in `torch`.
_DEFAULTS = ("layout=torch.strided", "device=torch.device('cpu')", "pin_memory=False")
_OTHER_NAMES = {
    "convert_element_type": "to",
    "_to_copy": "to",
    "_softmax": "softmax",
    "_log_softmax": "log_softmax",
    "sym_size": "size",
    "sym_stride": "stride",
    "sym_numel": "numel",
}


def plain_program(script: str, options: dict[str, Any]) -> str:
    """`script` is a repro as Culprit prints it, `options` is for torch.compile. Raises NotPlain with the reason."""
    module = types.ModuleType("repro")
    exec(compile(script, "repro.py", "exec"), vars(module))
    forward = _forward_of(script)
    names = [argument.arg for argument in forward.args.args[1:]]
    made, texts = texts_of(_arguments(module))
    if any(_draws(node) for node in ast.walk(forward)):
        raise NotPlain("it draws random numbers")
    if any(_is_constant(node) for node in ast.walk(forward)):
        raise NotPlain("it has constants")
    return _PROGRAM.format(
        names=", ".join(names),
        body="\n".join(f"    {ast.unparse(line)}" for line in _in_plain_calls(forward, module).body),
        inputs="\n".join(f"    {line}" for line in [*made, f"return [{', '.join(texts)}]"]),
        compiled=", ".join(["f", *_how(module, options)]),
        tolerance=_tolerance(module),
    )


def _how(module: types.ModuleType, options: dict[str, Any]) -> list[str]:
    """What torch.compile is told. Where sizes of inputs are symbols, the compiler has to see symbols."""
    symbols = getattr(module.Repro, "placeholder_symbols", {})
    has_symbols = any(symbol for sizes in symbols.values() for symbol in sizes)
    return ["dynamic=True"] * has_symbols + [f"options={options}"] * bool(options)


def _forward_of(script: str) -> ast.FunctionDef:
    (made,) = (node for node in ast.parse(script).body if isinstance(node, ast.ClassDef) and node.name == "Repro")
    (forward,) = (node for node in made.body if isinstance(node, ast.FunctionDef) and node.name == "forward")
    last = forward.body[-1]
    if isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple) and len(last.value.elts) == 1:
        last.value = last.value.elts[0]
    return forward


def _arguments(module: types.ModuleType) -> list[Any]:
    values = module.arguments()
    if not json.loads(module.culprit).get("run", {}).get("grad", True):
        return [value.detach() if isinstance(value, torch.Tensor) else value for value in values]
    return values


def _operator(node: ast.AST) -> str | None:
    """ "aten.add.Tensor" of a call of torch.ops.aten.add.Tensor."""
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func)
    return name.removeprefix("torch.ops.") if name.startswith("torch.ops.") else None


def _draws(node: ast.AST) -> bool:
    """Numbers of its own, in Inductor: they would be called wrong."""
    operator = _operator(node)
    if operator is None:
        return False
    target = torch.ops
    for part in operator.split("."):
        target = getattr(target, part)
    return torch.Tag.nondeterministic_seeded in target.tags  # type: ignore[attr-defined]


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _in_plain_calls(forward: ast.FunctionDef, module: types.ModuleType) -> ast.FunctionDef:
    """One call after the other, as long as eager gives bit for bit what it gave before."""
    expected = _run(forward, module)
    for index, _ in enumerate(_calls(forward)):
        for words in _ways_to_write(_calls(forward)[index]):
            changed = copy.deepcopy(forward)
            call = _calls(changed)[index]
            call.func, call.args, call.keywords = words.func, words.args, words.keywords
            if _is_same(_run(changed, module), expected):
                forward = changed
                break
    return forward


def _calls(forward: ast.FunctionDef) -> list[ast.Call]:
    """The order stays when one of them is written otherwise."""
    lines = [line.value for line in forward.body if isinstance(line, (ast.Assign, ast.Expr))]
    return [value for value in lines if isinstance(value, ast.Call)]


def _ways_to_write(call: ast.Call) -> Iterator[ast.Call]:
    operator = _operator(call)
    if operator is None:
        return
    name = operator.split(".")[1]
    name = _OTHER_NAMES.get(name, name)
    keywords = [each for each in call.keywords if ast.unparse(each) not in _DEFAULTS]
    rest = [ast.unparse(each) for each in (*call.args, *keywords)]
    texts = [f"torch.{name}({', '.join(rest)})", f"torch.nn.functional.{name}({', '.join(rest)})"]
    if call.args:
        texts.append(f"{rest[0]}.{name}({', '.join(rest[1:])})")
    if len(call.args) == 3 and name.endswith("softmax"):
        texts.insert(0, f"torch.{name}({', '.join(rest[:2])})")
    for text in texts:
        if not name.startswith("_"):
            yield ast.parse(text, mode="eval").body  # type: ignore[misc]


def _run(forward: ast.FunctionDef, module: types.ModuleType) -> Any:
    """What comes out, and what the inputs are then; or nothing if it fails."""
    function = ast.FunctionDef("f", forward.args, forward.body, [], lineno=0, col_offset=0)
    names = vars(module).copy()
    exec(compile(ast.fix_missing_locations(ast.Module([function], [])), "plain.py", "exec"), names)
    values = module.arguments()
    try:
        with torch.no_grad():
            return [names["f"](None, *values), *values]
    except Exception:
        return None


def _is_same(ours: Any, expected: Any) -> bool:
    if ours is None or expected is None:
        return False
    try:
        torch.testing.assert_close(ours, expected, rtol=0, atol=0, equal_nan=True, check_stride=True)
    except AssertionError:
        return False
    return True


def _tolerance(module: types.ModuleType) -> float:
    with torch.no_grad():
        values = [*module.Repro()(*module.arguments()), *module.arguments()]
    short = (torch.float16, torch.bfloat16)
    return 0.05 if any(isinstance(value, torch.Tensor) and value.dtype in short for value in values) else 1e-3
