#include <gtest/gtest.h>
#include "backend/match.h"
#include "check/query.h"
#include "check/sign.h"
#include "graph/make_inputs.h"
#include "graph/text/script.h"
#include "minify/search.h"
#include "minify/size.h"
#include "minify/leaves.h"
#include "minify/strategies/table.h"
#include "repro/write_repro.h"
#include "tests/lib/fixtures.h"
namespace culprit {
using namespace minify;
class Real : public FailureCheck {
 public:
  Real(repro::Repro repro) : repro_(std::move(repro)), backend_(*check::OpenBackend(repro_.header)) {
    auto finding = check::SignCheck(check::RunQuery(repro_, *backend_));
    if (finding.failure) { wanted_ = *finding.failure; std::cerr << wanted_->ToString() << "\n"; } else std::cerr << "passes " << finding.invalid << "\n";
  }
  Reply Ask(const Program& p) override {
    repro::Repro r{p.graph, p.inputs, repro_.header};
    auto f = check::SignCheck(check::RunQuery(r, *backend_));
    if (!f.invalid.empty()) return {{Answer::kInvalid}};
    if (!f.failure) return {{Answer::kPasses}};
    bool same = backend::SameFailure(*wanted_, *f.failure, backend::MatchMode::kExact);
    return {{same ? Answer::kSameFailure : Answer::kOtherFailure}, f.wrong_outputs};
  }
  repro::Repro repro_;
  std::unique_ptr<backend::Backend> backend_;
  std::optional<backend::FailureSignature> wanted_;
};
void Go(const char* file, const char* backend) {
  auto script = tests::ReadFixtureScript(std::string("tests/fixtures/real_bugs/") + file);
  repro::Repro r{script.graph, graph::MakeInputs(*script.inputs)->values};
  r.header.backend = backend;
  r.header.accuracy = repro::Accuracy::kStrict;
  Real check(r);
  if (!check.wanted_) return;
  std::map<std::string, int> per;
  SearchOptions o{.strategies = {strategies::AllStrategies().begin(), strategies::AllStrategies().end()}};
  o.on_answer = [&](const Asked& a) { ++per[std::string(a.strategy)]; if (getenv("LOG")) std::cerr << "  " << a.strategy << ": " << a.edit << " -> " << int(a.reply.verdict.answer) << "\n"; };
  auto result = *Minimize({r.graph, r.inputs}, check, o);
  std::cerr << file << " questions " << result.questions << " remembered " << result.remembered;
  for (auto& [k, v] : per) std::cerr << " " << k << "=" << v;
  std::cerr << "\n";
  repro::Repro out{result.program.graph, result.program.inputs, r.header};
  (void)repro::WriteRepro("/tmp/wt_scratch/out.py", out);
  std::string text = tests::ReadFixture("/tmp/wt_scratch/out.py");
  auto a = text.find("class Repro"); auto b = text.find("load_args._version");
  std::cerr << text.substr(a, b - a) << "\n";
}
TEST(Scratch, All) {
  Go("conv_hardswish.py", "torchscript:stage=ofi");
  Go("pytorch_86527.py", "torchscript:stage=ofi");
  Go("pytorch_92563.py", "torchscript:stage=ofi");
  Go("pytorch_92740.py", "torchscript:stage=ofi");
  Go("pytorch_140101.py", "torchscript:stage=plain");
  Go("pytorch_86597.py", "torchscript:stage=nnc");
  Go("bool_times_one.py", "torchscript:stage=plain");
}
}
