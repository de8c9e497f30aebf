# SPDX-License-Identifier: Apache-2.0
"""Runs the modules of printed scripts under plain Python and writes their outputs bit for bit.

    python3 run_module.py LIST SEED THREADS

LIST names a file with one run per line: script, inputs and outputs, separated by tabs. Many runs share one process,
since importing torch takes seconds. For each run the script is imported by its path, `Repro()` is instantiated and its
`forward` is called with the inputs, without gradients, after the random generator was seeded with SEED. With - in place of
inputs the script is a repro that brings its own: its function `run` is called.

Inputs: what torch.load reads, a tuple of tensors and numbers.

Outputs, little endian: "ok\\n", the number of outputs as u64, then for each one a letter and its data:

    N   None
    i   int, as i64
    f   float, as f64
    b   bool, as u8
    t   tensor: its dtype (the number that at::ScalarType gives it) as u8, its rank as u8, its sizes as i64s,
        its elements in row-major order

or "error\\n" and the traceback. A run that fails does not keep others from running.
"""
import importlib.util
import struct
import sys
import traceback

import torch

DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
          torch.complex32, torch.complex64, torch.complex128, torch.bool, None, None, None, torch.bfloat16]


def tensor_bytes(tensor):
    if tensor.numel() == 0:
        return b""
    # A copy, since a contiguous tensor may still have odd strides where a size is one.
    tensor = tensor.detach().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format).flatten()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor).flatten()
    return tensor.view(torch.uint8).numpy().tobytes()


def encoded(value):
    if value is None:
        return b"N"
    if isinstance(value, bool):
        return b"b" + struct.pack("<B", value)
    if isinstance(value, int):
        return b"i" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"f" + struct.pack("<d", value)
    head = struct.pack(f"<BB{value.dim()}q", DTYPES.index(value.dtype), value.dim(), *value.shape)
    return b"t" + head + tensor_bytes(value)


def run(script, inputs, seed):
    spec = importlib.util.spec_from_file_location("repro", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if inputs == "-":
        outputs = module.run()
    else:
        repro = module.Repro()
        arguments = torch.load(inputs)
        torch.manual_seed(seed)
        with torch.no_grad():
            outputs = repro(*arguments)
    return b"ok\n" + struct.pack("<Q", len(outputs)) + b"".join(map(encoded, outputs))


def main():
    list_file, seed, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    torch.set_num_threads(threads)
    with open(list_file) as lines:
        runs = [line.rstrip("\n").split("\t") for line in lines]
    for script, inputs, outputs in runs:
        try:
            result = run(script, inputs, seed)
        except Exception:
            result = b"error\n" + traceback.format_exc().encode()
        with open(outputs, "wb") as file:
            file.write(result)


if __name__ == "__main__":
    main()
