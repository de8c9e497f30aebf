// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_definitions.h"

namespace culprit::repro {
namespace {

constexpr CppDefinition kDefinitions[] = {
    {"CallBoxed",
     "// Calls an operator with all its arguments, in the order of its schema; returns all results.\n",
     R"text(
Values CallBoxed(const std::string& qualified_name, Values arguments) {
  const size_t point = qualified_name.find('.');
  const std::string overload = point == std::string::npos ? "" : qualified_name.substr(point + 1);
  c10::Dispatcher::singleton()
      .findSchemaOrThrow(qualified_name.substr(0, point).c_str(), overload.c_str())
      .callBoxed(&arguments);
  return arguments;
}
)text"},
    {"Call", "// The same for an operator with one result.\n", R"text(
template <typename Result>
Result Call(const std::string& qualified_name, Values arguments) {
  return CallBoxed(qualified_name, std::move(arguments)).at(0).template to<Result>();
}
)text"},
    {"CallAll", "// The same for an operator with several results, or none.\n", R"text(
template <typename... Results>
std::tuple<Results...> CallAll(const std::string& qualified_name, Values arguments) {
  const Values results = CallBoxed(qualified_name, std::move(arguments));
  std::tuple<Results...> all;
  [[maybe_unused]] size_t next = 0;
  std::apply([&](Results&... each) { ((each = results.at(next++).template to<Results>()), ...); }, all);
  return all;
}
)text"},
    {"Stored", "// Bytes of the folder store/.\n", R"text(
at::Tensor Stored(const std::string& name, int64_t bytes) {
  const std::string path = std::string(STORE) + "/storages/" + name;
  std::ifstream file(path, std::ios::binary);
  at::Tensor contents = at::empty({bytes}, at::kByte);
  file.read(static_cast<char*>(contents.data_ptr()), bytes);
  TORCH_CHECK(file.gcount() == bytes && file.peek() == EOF, path, " cannot be read, or has not ",
              bytes, " bytes");
  return contents;
}
)text"},
    {"Numbers", "// Numbers as they stand here.\n", R"text(
template <typename T>
at::Tensor Numbers(at::ScalarType dtype, const std::vector<T>& numbers) {
  at::Tensor tensor = at::empty({static_cast<int64_t>(numbers.size())}, c10::CppTypeToScalarType<T>::value);
  std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<T>());
  return tensor.to(dtype);
}
)text"},
    {"Normal", "// Standard normal numbers from a seed.\n", R"text(
at::Tensor Normal(at::ScalarType dtype, int64_t count, uint64_t seed) {
  return at::empty({count}, dtype).normal_(0, 1, at::detail::createCPUGenerator(seed));
}
)text"},
    {"Uniform", "// Numbers from a seed, from [0, 1).\n", R"text(
at::Tensor Uniform(at::ScalarType dtype, int64_t count, uint64_t seed) {
  return at::empty({count}, dtype).uniform_(0, 1, at::detail::createCPUGenerator(seed));
}
)text"},
    {"Positive", "// Numbers from a seed, from (0, 1].\n", R"text(
at::Tensor Positive(at::ScalarType dtype, int64_t count, uint64_t seed) {
  return at::rsub(at::empty({count}, dtype).uniform_(0, 1, at::detail::createCPUGenerator(seed)), 1);
}
)text"},
    {"Integers", "// Integers from a seed, from [low, high).\n", R"text(
at::Tensor Integers(at::ScalarType dtype, int64_t low, int64_t high, int64_t count, uint64_t seed) {
  return at::empty({count}, dtype).random_(low, high, at::detail::createCPUGenerator(seed));
}
)text"},
    {"FromHex", "// The bytes that two digits each stand for.\n", R"text(
at::Tensor FromHex(const std::string& digits) {
  at::Tensor bytes = at::empty({static_cast<int64_t>(digits.size() / 2)}, at::kByte);
  for (int64_t i = 0; i < bytes.numel(); ++i)
    bytes.data_ptr<uint8_t>()[i] = static_cast<uint8_t>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
  return bytes;
}
)text"},
    {"Memory", "// New memory with these contents.\n", R"text(
c10::Storage Memory(int64_t bytes, const at::Tensor& contents) {
  const at::Tensor memory = at::empty({bytes}, at::kByte);
  memory.copy_(contents.view(at::kByte).narrow(0, 0, bytes));
  return memory.storage();
}
)text"},
    {"On", "// A tensor that lies so on this memory.\n", R"text(
at::Tensor On(const c10::Storage& storage, at::ScalarType dtype, const std::vector<int64_t>& sizes,
              const std::vector<int64_t>& strides, int64_t offset) {
  return at::empty({0}, dtype).set_(storage, offset, sizes, strides);
}
)text"},
    {"Lazy", "// With the bits that make reading it conjugate or negate.\n", R"text(
at::Tensor Lazy(const at::Tensor& tensor, bool conjugated, bool negated) {
  tensor._set_conj(conjugated);
  tensor._set_neg(negated);
  return tensor;
}
)text"},
    {"Leaf", "// With gradients.\n", R"text(
at::Tensor Leaf(const at::Tensor& tensor) {
  tensor.set_requires_grad(true);
  return tensor;
}
)text"},
    {"NonLeaf", "// With gradients, and computed from something.\n", R"text(
at::Tensor NonLeaf(const at::Tensor& tensor) {
  const at::Tensor leaf = tensor.is_sparse() ? tensor.detach() : at::empty(tensor.sizes(), tensor.options());
  at::Tensor computed = leaf.set_requires_grad(true).clone();
  // Not a view of the leaf, which no operator could write into.
  computed.set_data(tensor);
  return computed;
}
)text"},
    {"Sparse", "// Sparse in coordinate form.\n", R"text(
at::Tensor Sparse(const std::vector<int64_t>& sizes, const at::Tensor& indices,
                  const at::Tensor& values, bool is_coalesced) {
  return at::sparse_coo_tensor(indices, values, sizes)._coalesced_(is_coalesced);
}
)text"},
    {"Quantised", "// A quantised tensor that lies so on this memory.\n", R"text(
at::Tensor Quantised(const c10::Storage& storage, at::ScalarType dtype,
                     const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                     int64_t offset, at::QuantizerPtr quantiser) {
  at::Tensor tensor = at::detail::make_tensor<at::QTensorImpl>(
      c10::Storage(storage), c10::DispatchKeySet(c10::DispatchKey::QuantizedCPU),
      c10::scalarTypeToTypeMeta(dtype), std::move(quantiser));
  tensor.unsafeGetTensorImpl()->set_storage_offset(offset);
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return tensor;
}
)text"},
    {"List", "// A list of the type that an operator wants.\n", R"text(
template <typename T>
c10::IValue List(const std::vector<T>& elements) {
  c10::List<T> list;
  for (const auto& element : elements) list.push_back(element);
  return list;
}
)text"},
    {"OptionalTensors", "// A list that may hold None.\n", R"text(
c10::IValue OptionalTensors(const Values& elements) {
  c10::impl::GenericList list(c10::OptionalType::ofTensor());
  for (const c10::IValue& element : elements) list.push_back(element);
  return list;
}
)text"},
    {"Scalars", "// A list of numbers, each of its own type.\n", R"text(
c10::IValue Scalars(const Values& elements) {
  c10::impl::GenericList list(c10::NumberType::get());
  for (const c10::IValue& element : elements) list.push_back(element);
  return list;
}
)text"},
    {"Wrapped", "// A number where a tensor is wanted: one that takes no part in type promotion.\n", R"text(
at::Tensor Wrapped(const c10::IValue& number) {
  const at::Scalar scalar = number.toScalar();
  at::Tensor tensor = at::scalar_tensor(scalar, at::dtype(scalar.type()));
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}
)text"},
    {"Float", "// A number where a float is wanted.\n", R"text(
double Float(const c10::IValue& number) {
  return number.isInt() ? static_cast<double>(number.toInt()) : number.toDouble();
}
)text"},
    {"At", "// An element; from the end if the index is negative.\n", R"text(
template <typename T>
T At(const std::vector<T>& list, int64_t index) {
  return list.at(static_cast<size_t>(index < 0 ? index + static_cast<int64_t>(list.size()) : index));
}
)text"},
    {"Add", "// Sizes that overflow are an error.\n", R"text(
int64_t Add(int64_t a, int64_t b) {
  int64_t result = 0;
  TORCH_CHECK(!__builtin_add_overflow(a, b, &result), "integer overflow in ", a, " + ", b);
  return result;
}
)text"},
    {"Subtract", "", R"text(
int64_t Subtract(int64_t a, int64_t b) {
  int64_t result = 0;
  TORCH_CHECK(!__builtin_sub_overflow(a, b, &result), "integer overflow in ", a, " - ", b);
  return result;
}
)text"},
    {"Multiply", "", R"text(
int64_t Multiply(int64_t a, int64_t b) {
  int64_t result = 0;
  TORCH_CHECK(!__builtin_mul_overflow(a, b, &result), "integer overflow in ", a, " * ", b);
  return result;
}
)text"},
    {"IntOf", "// A whole number that fits.\n", R"text(
int64_t IntOf(double value) {
  TORCH_CHECK(value >= -0x1p63 && value < 0x1p63, value, " is not a 64-bit integer");
  return static_cast<int64_t>(value);
}
)text"},
    {"FloorDivide", "// As Python divides: towards minus infinity.\n", R"text(
int64_t FloorDivide(int64_t a, int64_t b) {
  TORCH_CHECK(b != 0, "integer division of ", a, " by zero");
  if (b == -1) return Subtract(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
)text"},
    {"Modulo", "// The rest of that, with the sign of b.\n", R"text(
int64_t Modulo(int64_t a, int64_t b) {
  TORCH_CHECK(b != 0, "integer modulo of ", a, " by zero");
  if (b == -1) return 0;
  return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;
}
)text"},
    {"Power", "// For exponents that are not negative.\n", R"text(
int64_t Power(int64_t base, int64_t exponent) {
  TORCH_CHECK(exponent >= 0, "integer power ", base, " ** ", exponent, " is not an integer");
  int64_t result = 1;
  for (int64_t i = 0; i < exponent && result != 0; ++i) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    result = Multiply(result, base);
  }
  return result;
}
)text"},
    {"TrueDivide", "// Integers to a float.\n", R"text(
double TrueDivide(int64_t a, int64_t b) {
  TORCH_CHECK(b != 0, "division of ", a, " by zero");
  return static_cast<double>(a) / static_cast<double>(b);
}
)text"},
    {"HashOf", "// What is printed for an output.\n", R"text(
uint64_t HashOf(const at::Tensor& contiguous) {
  const auto* bytes = static_cast<const unsigned char*>(contiguous.data_ptr());
  uint64_t hash = 0xcbf29ce484222325U;
  for (size_t i = 0; i < contiguous.nbytes(); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3U;
  return hash;
}
)text"},
    {"PrintValues", "", R"text(
void PrintValues(const at::Tensor& values) {
  for (int64_t i = 0; i < values.numel(); ++i) {
    const at::Scalar value = values[i].item();
    if (value.isComplex()) {
      std::printf(" (%.17g,%.17g)", value.toComplexDouble().real(), value.toComplexDouble().imag());
    } else if (value.isFloatingPoint()) {
      std::printf(values.scalar_type() == at::kDouble ? " %.17g" : " %.9g", value.toDouble());
    } else {
      std::printf(" %lld", static_cast<long long>(value.toLong()));
    }
  }
}
)text"},
    {"PrintTensor", "", R"text(
void PrintTensor(const std::string& name, const at::Tensor& tensor) {
  if (tensor.is_sparse()) {
    PrintTensor(name + ".indices", tensor._indices());
    PrintTensor(name + ".values", tensor._values());
    return;
  }
  const at::Tensor stored = tensor.is_quantized() ? tensor.int_repr() : tensor.resolve_conj().resolve_neg();
  const at::Tensor flat = stored.contiguous().view({-1});
  std::printf("%s: %s [", name.c_str(), c10::toString(tensor.scalar_type()));
  for (int64_t i = 0; i < tensor.dim(); ++i)
    std::printf("%s%lld", i > 0 ? ", " : "", static_cast<long long>(tensor.size(i)));
  std::printf("] %016llx:", static_cast<unsigned long long>(HashOf(flat)));
  PrintValues(flat.narrow(0, 0, std::min<int64_t>(8, flat.numel())));
  std::printf("\n");
  if (tensor.is_quantized()) PrintTensor(name + ".dequantized", tensor.dequantize());
}
)text"},
    {"Print", "", R"text(
void Print(const std::string& name, const c10::IValue& value) {
  if (value.isTensor() && value.toTensor().defined()) {
    PrintTensor(name, value.toTensor().detach());
  } else if (value.isList()) {
    for (size_t i = 0; i < value.toListRef().size(); ++i)
      Print(name + "." + std::to_string(i), value.toListRef()[i]);
  } else if (value.isInt()) {
    std::printf("%s: int %lld\n", name.c_str(), static_cast<long long>(value.toInt()));
  } else if (value.isDouble()) {
    std::printf("%s: float %.17g\n", name.c_str(), value.toDouble());
  } else if (value.isBool()) {
    std::printf("%s: bool %d\n", name.c_str(), value.toBool() ? 1 : 0);
  } else {
    std::printf("%s: None\n", name.c_str());
  }
}
)text"},
};

}  // namespace

std::span<const CppDefinition> AllCppDefinitions() {
  return kDefinitions;
}

}  // namespace culprit::repro
