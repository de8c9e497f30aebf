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

def run():
    header = json.loads(culprit)
    settings = header.get('run', {})
    calls = [arguments() for _ in range(header.get('calls', 1))]
    torch.set_default_dtype(eval(settings.get('default_dtype', 'torch.float32')))
    torch.use_deterministic_algorithms(settings.get('deterministic', False),
                                       warn_only=settings.get('deterministic_warn_only', False))
    torch.set_num_threads(settings.get('threads', torch.get_num_threads()))
    (device, dtype), = settings.get('autocast', {'cpu': 'torch.bfloat16'}).items()
    with torch.inference_mode(settings.get('inference', False)), torch.set_grad_enabled(settings.get('grad', True)), \
            torch.autocast(device, eval(dtype), 'autocast' in settings):
        for args in calls:
            torch.manual_seed(settings.get('seed', 0))
            if 'generator_state' in settings:
                state = bytearray.fromhex(settings['generator_state'])
                torch.set_rng_state(torch.frombuffer(state, dtype=torch.uint8))
            outputs = mod(*args)
    return outputs
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
    from torch._dynamo.repro.after_aot import run_repro
    accuracy = {'on': 'accuracy', 'strict': 'strict_accuracy'}.get(json.loads(culprit).get('accuracy'), False)
    with torch.no_grad():
        run_repro(mod, load_args, accuracy=accuracy, command='run', save_dir=None, tracing_mode='real',
                  check_str=None)
)";
}

}  // namespace culprit::repro
