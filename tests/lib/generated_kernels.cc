// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/generated_kernels.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include "base/internal_error.h"

namespace culprit::compiler::codegen {
namespace {

using loops::Body;
using loops::ExprId;
using loops::Kernel;
using loops::Type;

Type RegisterType(at::ScalarType dtype) {
  return dtype == at::kHalf || dtype == at::kBFloat16 ? Type::Float : dtype;
}

llvm::orc::LLJIT& Jit() {
  static const std::unique_ptr<llvm::orc::LLJIT> jit = [] {
    MachineFor(Host());
    llvm::orc::LLJITBuilder builder;
    builder.setObjectLinkingLayerCreator(
        [](llvm::orc::ExecutionSession& session,
           const llvm::Triple&) -> llvm::Expected<std::unique_ptr<llvm::orc::ObjectLayer>> {
          return std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
        });
    return llvm::cantFail(builder.create());
  }();
  return *jit;
}

}  // namespace

loops::KernelEntry Loaded(const Kernel& kernel, const Options& options, const Processor& processor) {
  loops::Verify(kernel);
  static int count = 0;
  const std::string object = GenerateFor(processor, kernel, options);
  llvm::orc::JITDylib& library = llvm::cantFail(Jit().createJITDylib(fmt::format("kernel{}", count++)));
  library.addGenerator(llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0')));
  llvm::cantFail(Jit().addObjectFile(library, llvm::MemoryBuffer::getMemBufferCopy(object)));
  return llvm::cantFail(Jit().lookup(library, llvm::StringRef(kEntryName))).toPtr<loops::KernelEntry>();
}

void RunKernel(const Kernel& kernel, const std::vector<at::Tensor>& tensors, const Options& options,
               const Processor& processor) {
  const loops::KernelEntry entry = Loaded(kernel, options, processor);
  std::vector<void*> buffers;
  for (size_t i = 0; i < tensors.size(); ++i) {
    CULPRIT_CHECK(tensors[i].scalar_type() == kernel.buffers[i].dtype, "tensor {} is another one", i);
    buffers.push_back(tensors[i].data_ptr());
  }
  const int64_t pieces = kernel.Pieces();
  entry(buffers.data(), kernel.numbers.data(), 0, pieces / 3);
  entry(buffers.data(), kernel.numbers.data(), pieces / 3, pieces);
}

Kernel Pointwise(const std::vector<at::ScalarType>& operands, at::ScalarType result, int64_t extent,
                 const Formula& formula) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.outer = 1;
  kernel.extents = {body.Constant(extent, Type::Long)};
  const ExprId index = body.IndexOf(0);
  std::vector<ExprId> loads;
  for (const at::ScalarType dtype : operands) {
    const auto number = static_cast<uint32_t>(kernel.buffers.size());
    kernel.buffers.push_back({dtype, false});
    loads.push_back(body.Load(number, RegisterType(dtype), {index}));
  }
  const ExprId value = formula(body, loads);
  const auto number = static_cast<uint32_t>(kernel.buffers.size());
  kernel.buffers.push_back({result, true});
  kernel.stages = {{.stores = {{number, index, value}}}};
  return kernel;
}

Kernel Reduction(at::ScalarType operand, at::ScalarType result, int64_t rows, int64_t columns,
                 loops::Combine combine, loops::Lanes lanes, const Formula& formula) {
  Kernel kernel;
  Body& body = kernel.body;
  kernel.buffers = {{operand, false}, {result, true}};
  kernel.outer = 1;
  kernel.lanes = lanes;
  const bool is_inner = lanes == loops::Lanes::kInner;
  kernel.extents = {body.Constant(is_inner ? rows : columns, Type::Long),
                    body.Constant(is_inner ? columns : rows, Type::Long)};
  const ExprId row = body.IndexOf(is_inner ? 0 : 1);
  const ExprId column = body.IndexOf(is_inner ? 1 : 0);
  const ExprId place = body.Apply(
      loops::Op::kAdd, {body.Apply(loops::Op::kMul, {row, body.Constant(columns, Type::Long)}), column});
  const ExprId value = formula(body, {body.Load(0, RegisterType(operand), {place})});
  loops::Stage reduce{
      .variables = {1}, .kind = loops::LoopKind::kReduction, .combine = combine, .combined = value};
  const Type type = loops::FindsPlace(combine) ? Type::Long : body.type(value);
  ExprId reduced = body.Row(0, type);
  if (type != RegisterType(result)) reduced = body.Cast(reduced, RegisterType(result));
  kernel.stages = {std::move(reduce), {.stores = {{1, body.IndexOf(0), reduced}}}};
  return kernel;
}

at::Tensor Computed(const std::vector<at::Tensor>& operands, at::ScalarType result, const Formula& formula,
                    const Options& options, const Processor& processor) {
  std::vector<at::ScalarType> dtypes;
  for (const at::Tensor& operand : operands) dtypes.push_back(operand.scalar_type());
  std::vector<at::Tensor> tensors = operands;
  tensors.push_back(at::empty(operands[0].sizes(), operands[0].options().dtype(result)));
  RunKernel(Pointwise(dtypes, result, operands[0].numel(), formula), tensors, options, processor);
  return tensors.back();
}

std::vector<Options> AllOptions() {
  std::vector<Options> all;
  for (const Route route : {Route::kVectors, Route::kLlvmO3}) {
    for (const Math math : {Math::kFast, Math::kExact}) all.push_back({math, route});
  }
  return all;
}

std::string TextOf(const Options& options) {
  return fmt::format("{} {}", options.route == Route::kVectors ? "vectors" : "llvm-o3",
                     options.math == Math::kFast ? "fast" : "exact");
}

}  // namespace culprit::compiler::codegen
