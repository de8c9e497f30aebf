// SPDX-License-Identifier: Apache-2.0
#include "repro/python_text.h"

#include <fmt/format.h>

#include <vector>

namespace culprit::repro {
namespace {

struct Definition {
  std::string_view name;
  std::string_view text;
};

// A function may call those above it.
constexpr Definition kDefinitions[] = {
    {"stored", R"(
def stored(name, nbytes, crc32):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'store', 'storages', name)
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    assert len(data) == nbytes, f'{path} has {len(data)} bytes, not {nbytes}'
    assert zlib.crc32(data) == crc32, f'{path} was altered'
    return torch.frombuffer(data, dtype=torch.uint8)
)"},
    {"seeded", R"(
def seeded(seed):
    return torch.Generator().manual_seed(seed)
)"},
    {"flat_bytes", R"(
def flat_bytes(storage):
    return storage if isinstance(storage, torch.Tensor) else torch.empty(0, dtype=torch.uint8).set_(storage)
)"},
    {"fill", R"(
def fill(storage, values):
    if storage is not None:  # PyTorch's reader counts first, without any storage
        flat_bytes(storage).copy_(values.flatten().view(torch.uint8)[:len(flat_bytes(storage))])
    return storage
)"},
    {"piece", R"(
def piece(storage, shape, stride=None, *, storage_offset=0, dtype=torch.float32):
    if storage is None:
        return None
    if stride is None:
        stride = [math.prod(max(n, 1) for n in shape[i + 1:]) for i in range(len(shape))]
    return torch.empty(0, dtype=dtype).set_(flat_bytes(storage).untyped_storage(), storage_offset, shape, stride)
)"},
    {"put", R"(
def put(reader, value):
    if hasattr(reader, 'args'):
        reader.args.append(value)
)"},
    {"sparse", R"(
def sparse(reader, shape, indices, values, *, coalesced=False, requires_grad=False, is_leaf=True):
    if indices is not None:
        tensor = torch.sparse_coo_tensor(indices, values, shape)._coalesced_(coalesced).requires_grad_(requires_grad)
        put(reader, tensor if is_leaf or not requires_grad else tensor.clone())
)"},
    {"quantized", R"(
def quantized(reader, integers, scale, zero_point, *, axis=None):
    if integers is None:
        return
    dtype = {torch.uint8: torch.quint8, torch.int8: torch.qint8, torch.int32: torch.qint32}[integers.dtype]
    if axis is None:
        tensor = torch._empty_affine_quantized(integers.shape, scale=scale, zero_point=zero_point, dtype=dtype)
    else:
        tensor = torch._empty_per_channel_affine_quantized(
            integers.shape, scales=scale, zero_points=zero_point, axis=axis, dtype=dtype)
    put(reader, tensor.set_(integers.untyped_storage(), integers.storage_offset(), integers.shape, integers.stride()))
)"},
    {"Reader", R"(
class Reader:
    """Loads the arguments as PyTorch's own reader does."""

    def __init__(self):
        self.args = []

    def storage(self, name, nbytes, *, device=None, dtype_hint=None):
        return torch.zeros(nbytes, dtype=torch.uint8)

    def tensor(self, storage, shape, stride=None, *, requires_grad=False, is_leaf=False, conj=False, neg=False, **layout):
        tensor = piece(storage, shape, stride, **layout)
        tensor = torch._conj(tensor) if conj else tensor
        tensor = torch._neg_view(tensor) if neg else tensor
        if requires_grad and is_leaf:
            tensor.requires_grad_()
        elif requires_grad:
            # Computed, but not a view, which no operator could write into.
            computed = torch.empty(tensor.shape, dtype=tensor.dtype, requires_grad=True).clone()
            computed.data = tensor
            tensor = computed
        self.args.append(tensor)

    def symint(self, value, expr=None):
        self.args.append(value)

    def const(self, name):
        self.args.append(None)

    unsupported = opaque = const

    def generator(self, device_type, device_index=None):
        self.args.append(torch.Generator())
)"},
    {"run", R"(
def arguments():
    reader = Reader()
    load_args(reader)
    return reader.args

def run(make=lambda: mod, calls=1, arguments=arguments, look=lambda args, outputs: None):
    header = json.loads(culprit)
    settings = header.get('run', {})
    calls = [arguments() for _ in range(max(calls, header.get('calls', 1)))]
    torch.set_default_dtype(eval(settings.get('default_dtype', 'torch.float32')))
    torch.use_deterministic_algorithms(settings.get('deterministic', False),
                                       warn_only=settings.get('deterministic_warn_only', False))
    torch.set_num_threads(settings.get('threads', torch.get_num_threads()))
    (device, dtype), = settings.get('autocast', {'cpu': 'torch.bfloat16'}).items()
    with torch.inference_mode(settings.get('inference', False)), torch.set_grad_enabled(settings.get('grad', True)), \
            torch.autocast(device, eval(dtype), 'autocast' in settings):
        model = make()
        for args in calls:
            torch.manual_seed(settings.get('seed', 0))
            if 'generator_state' in settings:
                state = bytearray.fromhex(settings['generator_state'])
                torch.set_rng_state(torch.frombuffer(state, dtype=torch.uint8))
            outputs = model(*args)
            look(args, outputs)
    return outputs
)"},
    {"scripted", R"(
def scripted(program):
    try:
        return torch.jit.script(program)
    except Exception as error:
        print('Python cannot hand the program to TorchScript:', error)
        raise SystemExit(2)
)"},
    {"show_failure", R"(
def difference(eager, compiled):
    if not (isinstance(eager, torch.Tensor) and isinstance(compiled, torch.Tensor)):
        return None if eager == compiled else f'it is {compiled}, not {eager}'
    for what in ('shape', 'dtype', 'requires_grad'):
        if getattr(eager, what) != getattr(compiled, what):
            return f'{what} is {getattr(compiled, what)}, not {getattr(eager, what)}'
    a, b = (t.detach().dequantize() if t.is_quantized else t.detach().to_dense() for t in (eager, compiled))
    if not (a.is_floating_point() or a.is_complex()):
        wrong = a != b
        return f'{wrong.sum()} of {wrong.numel()} elements are wrong' if wrong.any() else None
    tolerance = max(json.loads(culprit).get('compare', {}).get('tolerance', 1e-4), 4 * torch.finfo(a.dtype).eps)
    a, b = (t.to(torch.complex128 if t.is_complex() else torch.float64) for t in (a, b))
    size = min(1.0, a.abs().nan_to_num(0, 0, 0).max().item()) if a.numel() else 1.0
    wrong = ~torch.isclose(b, a, rtol=tolerance, atol=tolerance * size, equal_nan=True)
    if not wrong.any():
        return None
    nan = (b.isnan() & ~a.isnan()).sum()
    worst = (b - a)[wrong].abs().max()
    return f'{wrong.sum()} of {wrong.numel()} elements are wrong, ' + (f'{nan} are NaN' if nan else f'by up to {worst:.3g}')

def results(args, outputs):
    found = {f'outputs[{i}]': value for i, value in enumerate(outputs)}
    found.update({f'inputs[{i}]': value for i, value in enumerate(args)})
    header = json.loads(culprit)
    if header.get('expected', {}).get('kind') == 'aliasing':
        where = {name: value.untyped_storage().data_ptr() for name, value in found.items() if isinstance(value, torch.Tensor)}
        found['shared memory'] = [(a, b) for a in where for b in where if a < b and where[a] == where[b]]
    tensors = [t for t in outputs if isinstance(t, torch.Tensor)]
    if any(t.requires_grad for t in tensors) and not header.get('only_forward', False):
        sums = [(torch.view_as_real(t) if t.is_complex() else t).sum() / t.numel() for t in tensors]
        (sum(sums) / len(sums)).backward()
        found.update({f'gradients.inputs[{i}]': value.grad for i, value in enumerate(args) if isinstance(value, torch.Tensor)})
    return found

def show_failure():
    def prepared():
        args = arguments()
        for i, value in enumerate(args):
            if i in compiled.frozen:
                args[i] = value.detach()
            elif isinstance(value, torch.Tensor) and value.requires_grad:
                value.retain_grad()
        return args
    def seen(make):
        calls = []
        run(make, compiled.calls, prepared, lambda args, outputs: calls.append(results(args, outputs)))
        return calls
    wanted = json.loads(culprit).get('expected', {}).get('output')
    for call, (eager, ours) in enumerate(zip(seen(lambda: mod), seen(lambda: compiled(prepared()))), 1):
        for name in sorted(eager, key=lambda name: name != wanted):
            if what := difference(eager[name], ours[name]):
                print(f'{name} of call {call}: {what}\neager:    {eager[name]}\ncompiled: {ours[name]}')
                return 1
    print(f'passes: in {call} calls the compiled program does what eager does')
    return 0
)"},
};

}  // namespace

std::string PythonDefinitions(std::string_view body) {
  std::string text;
  std::string calls = std::string(body) + "run(";
  // From the last one up, so that what a definition calls is found too.
  std::vector<std::string_view> wanted;
  for (auto definition = std::rbegin(kDefinitions); definition != std::rend(kDefinitions); ++definition) {
    if (calls.find(fmt::format("{}(", definition->name)) == std::string::npos) continue;
    wanted.push_back(definition->text);
    calls += definition->text;
  }
  for (auto it = wanted.rbegin(); it != wanted.rend(); ++it) text += fmt::format("\n{}", *it);
  return text;
}

std::string CompilingMain(std::string_view compiled) {
  return fmt::format("{}\nif __name__ == '__main__':\n    raise SystemExit(show_failure())\n", compiled);
}

std::string EagerMain(std::string_view failing_command) {
  return fmt::format(R"(
if __name__ == '__main__':
    for i, output in enumerate(run()):
        print(f'outputs[{{i}}] = {{output}}')
    print('This was eager, without the compiler. To see the failure, run: {}')
)",
                     failing_command);
}

std::string_view HandOverMain() {
  return R"(
if __name__ == '__main__':
    from torch._dynamo.repro.after_aot import run_repro
    accuracy = {'on': 'accuracy', 'strict': 'strict_accuracy'}.get(json.loads(culprit).get('accuracy'), False)
    with torch.no_grad():
        run_repro(mod, load_args, accuracy=accuracy, command='run', save_dir=None, tracing_mode='real',
                  check_str=None)
)";
}

}  // namespace culprit::repro
