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
def stored(name, nbytes):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'store', 'storages', name)
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    assert len(data) == nbytes, f'{path} has {len(data)} bytes, not {nbytes}'
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
    size = torch.empty(0, dtype=dtype).element_size()
    data = flat_bytes(storage)
    if stride is None:
        stride = [math.prod(max(n, 1) for n in shape[i + 1:]) for i in range(len(shape))]
    return torch.as_strided(data[:len(data) // size * size].view(dtype), shape, stride, storage_offset)
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
        put(reader, tensor if is_leaf else tensor * 1)
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
    memory = integers.untyped_storage() if hasattr(integers, 'untyped_storage') else integers.storage().untyped()
    put(reader, tensor.set_(memory, integers.storage_offset(), integers.shape, integers.stride()))
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
        if requires_grad:
            tensor.requires_grad_()
            tensor = tensor if is_leaf else tensor.view_as(tensor)
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
def run():
    settings = json.loads(culprit).get('run', {})
    reader = Reader()
    load_args(reader)
    torch.set_default_dtype(eval(settings.get('default_dtype', 'torch.float32')))
    torch.use_deterministic_algorithms(settings.get('deterministic', False))
    torch.set_num_threads(settings.get('threads', torch.get_num_threads()))
    torch.manual_seed(settings.get('seed', 0))
    if 'generator_state' in settings:
        torch.set_rng_state(torch.frombuffer(bytearray.fromhex(settings['generator_state']), dtype=torch.uint8))
    autocast = {'cpu': 'torch.bfloat16', **settings.get('autocast', {})}
    with torch.inference_mode(settings.get('inference', False)), torch.set_grad_enabled(settings.get('grad', True)), \
            torch.autocast('cpu', eval(autocast['cpu']), 'autocast' in settings):
        return mod(*reader.args)
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

std::string_view PythonMain() {
  return R"(
if __name__ == '__main__':
    try:
        from torch._dynamo.repro.after_aot import run_repro
    except ImportError:
        for index, output in enumerate(run()):
            print(index, output)
    else:
        with torch.no_grad():
            run_repro(mod, load_args, accuracy=False, command='run', save_dir=None, tracing_mode='real', check_str=None)
)";
}

}  // namespace culprit::repro
