// SPDX-License-Identifier: Apache-2.0
#include "tests/capture/program_writer.h"

#include <fmt/format.h>

namespace culprit::tests {

void ProgramWriter::Line(const std::string& text) {
  lines_.push_back(std::string(static_cast<size_t>(2 * (depth_ + 1)), ' ') + text);
}

std::string ProgramWriter::NameOf(Kind kind) {
  std::vector<const Name*> found;
  for (const Name& name : names_) {
    if (name.kind == kind) found.push_back(&name);
  }
  return found.empty() ? std::string() : found[Below(found.size())]->text;
}

std::string ProgramWriter::Expression(Kind kind, int levels) {
  if (levels <= 0) {
    const std::string name = NameOf(kind);
    if (!name.empty()) return name;
  }
  switch (kind) {
    case Kind::kMatrix:
      return Matrix(levels - 1);
    case Kind::kVector:
      return Vector(levels - 1);
    case Kind::kScalar:
      return Scalar(levels - 1);
    case Kind::kInt:
      return Int(levels - 1);
    case Kind::kFloat:
      return Float(levels - 1);
    case Kind::kBool:
      return Bool(levels - 1);
    case Kind::kString:
      return String(levels - 1);
    case Kind::kList:
    case Kind::kDict:
      return NameOf(kind);
  }
  return {};
}

std::string ProgramWriter::AnyTensor(int levels) {
  return Expression(static_cast<Kind>(Below(3)), levels);
}

std::string ProgramWriter::Matrix(int levels) {
  const auto m = [&] { return Expression(Kind::kMatrix, levels); };
  switch (Below(16)) {
    case 0:
      return fmt::format("torch.tanh({})", m());
    case 1:
      return fmt::format("({} + {})", m(), AnyTensor(levels));
    case 2:
      return fmt::format("({} * 0.5 - {})", m(), AnyTensor(levels));
    case 3:
      return fmt::format("torch.sigmoid(torch.mm({}, {}))", m(), m());
    case 4:
      return fmt::format("{}.t()", m());
    case 5:
      return fmt::format("torch.where({} > {}, {}, {})", m(), Expression(Kind::kScalar, levels), m(), m());
    case 6:
      return fmt::format("torch.softmax({}, {})", m(), Below(2));
    case 7:
      return fmt::format("({}.unsqueeze(1) * {})", Expression(Kind::kVector, levels), NameOf(Kind::kVector));
    case 8:
      return fmt::format("torch.{}_like({})", OneOf({"zeros", "ones", "rand"}), m());
    case 9:
    case 10: {
      const std::string list = NameOf(Kind::kList);
      return fmt::format("{}[{} % len({})]", list, Expression(Kind::kInt, levels), list);
    }
    case 11:
      return fmt::format("torch.cat([{}, {}], {})[0:n, 0:n]", m(), m(), Below(2));
    case 12:
      return fmt::format("torch.relu({}).clamp(-2.0, {})", m(), Below(3));
    case 13:
      return has_self_ ? fmt::format("(self.layer).forward({})", m())
                       : fmt::format("torch.exp(-{}.abs())", m());
    case 14:
      return has_self_ ? fmt::format("torch.dropout({}, 0.5, self.training)", m()) : m() + ".contiguous()";
    default:
      return has_self_
                 ? fmt::format("__torch__.helper{}({}, {}, {}, {})", Below(2), m(), NameOf(Kind::kVector),
                               Expression(Kind::kInt, levels), NameOf(Kind::kList))
                 : fmt::format("({} - 1).clone()", m());
  }
}

std::string ProgramWriter::Vector(int levels) {
  const auto m = [&] { return Expression(Kind::kMatrix, levels); };
  const auto v = [&] { return Expression(Kind::kVector, levels); };
  switch (Below(9)) {
    case 0:
      return fmt::format("{}[{} % n]", m(), Expression(Kind::kInt, levels));
    case 1:
      return fmt::format("{}.sum({})", m(), Below(2));
    case 2:
      return fmt::format("torch.tanh(torch.mv({}, {}))", m(), v());
    case 3:
      return fmt::format("({} + {})", v(), Expression(Kind::kScalar, levels));
    case 4:
      return fmt::format("{}['{}']", NameOf(Kind::kDict), OneOf({"a", "b"}));
    case 5:
      return fmt::format("torch.relu({})", v());
    case 6:
      return fmt::format("torch.diagonal({})", m());
    case 7:
      return fmt::format("{}.max(1)[0]", m());
    default:
      return fmt::format("({} * {})", v(), v());
  }
}

std::string ProgramWriter::Scalar(int levels) {
  switch (Below(7)) {
    case 0:
      return Expression(Kind::kMatrix, levels) + ".mean()";
    case 1:
      return Expression(Kind::kVector, levels) + ".max()";
    case 2:
      return fmt::format("{}[{} % n]", Expression(Kind::kVector, levels), Expression(Kind::kInt, levels));
    case 3:
      return fmt::format("torch.tensor({})", Expression(Kind::kFloat, levels));
    case 4:
      return fmt::format("ops.prim.NumToTensor({}) * 0.25", Expression(Kind::kInt, levels));
    case 5:
      return has_self_ ? "self.scale" : Expression(Kind::kScalar, levels);
    default:
      return fmt::format("torch.sin({})", Expression(Kind::kScalar, levels));
  }
}

std::string ProgramWriter::Int(int levels) {
  const auto i = [&] { return Expression(Kind::kInt, levels); };
  switch (Below(10)) {
    case 0:
      return fmt::format("(({} + {}) % 7)", i(), i());
    case 1:
      return fmt::format("(({} * 3 - 5) // 2 % 11)", i());
    case 2:
      return fmt::format("len({})", NameOf(Kind::kList));
    case 3:
      return fmt::format("{}.size(0)", NameOf(Kind::kVector));
    case 4:
      return fmt::format("({}.dim() + {}.numel())", NameOf(Kind::kMatrix), NameOf(Kind::kMatrix));
    case 5:
      return fmt::format("int(({} > 0).sum())", Expression(Kind::kMatrix, levels));
    case 6:
      return has_self_ ? "self.count" : i();
    case 7:
      return fmt::format("min({}, {})", i(), i());
    case 8:
      return fmt::format("({} if {} else {})", i(), Expression(Kind::kBool, levels), Below(5));
    default:
      return fmt::format("{}", Below(5));
  }
}

std::string ProgramWriter::Float(int levels) {
  switch (Below(6)) {
    case 0:
      return fmt::format("float({})", Expression(Kind::kScalar, levels));
    case 1:
      return fmt::format("({} * 0.5 + 1.0)", Expression(Kind::kFloat, levels));
    case 2:
      return fmt::format("float({})", Expression(Kind::kInt, levels));
    case 3:
      return fmt::format("max({}, {})", Expression(Kind::kFloat, levels), Expression(Kind::kFloat, levels));
    case 4:
      return fmt::format("({} / 3)", Expression(Kind::kInt, levels));
    default:
      return fmt::format("{}.{}", Below(3), Below(10));
  }
}

std::string ProgramWriter::Bool(int levels) {
  const auto b = [&] { return Expression(Kind::kBool, levels); };
  switch (Below(11)) {
    case 0:
      return fmt::format("({} > {})", Expression(Kind::kInt, levels), Below(5));
    case 1:
    case 2:
      return fmt::format("bool({} > {})", Expression(Kind::kScalar, levels), OneOf({"0", "0.3", "-0.2"}));
    case 3:
      return fmt::format("({} < {})", Expression(Kind::kFloat, levels), Expression(Kind::kFloat, levels));
    case 4:
      return levels <= 0 ? "True" : fmt::format("({} and {})", b(), b());
    case 5:
      return levels <= 0 ? "False" : fmt::format("({} or {})", b(), b());
    case 6:
      return levels <= 0 ? "True" : fmt::format("(not {})", b());
    case 7:
      return fmt::format("('{}' in {})", OneOf({"a", "z"}), NameOf(Kind::kDict));
    case 8:
      return fmt::format("({}.dtype == 6)", NameOf(Kind::kMatrix));
    case 9:
      return fmt::format("{}.{}", NameOf(Kind::kMatrix),
                         OneOf({"is_cuda", "requires_grad", "is_contiguous()", "is_leaf"}));
    default:
      return fmt::format("({} == {})", Expression(Kind::kInt, levels), Expression(Kind::kInt, levels));
  }
}

std::string ProgramWriter::String(int levels) {
  switch (Below(4)) {
    case 0:
      return fmt::format("str({})", Expression(Kind::kInt, levels));
    case 1:
      return fmt::format("\"{{}}-{{}}\".format({}, {})", Expression(Kind::kInt, levels),
                         Expression(Kind::kFloat, levels));
    case 2:
      return fmt::format("str({}.device)", NameOf(Kind::kMatrix));
    default:
      return fmt::format("\"{}\"", OneOf({"x", "word", ""}));
  }
}

}  // namespace culprit::tests
