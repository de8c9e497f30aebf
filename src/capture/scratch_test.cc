// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/freeze_module.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/csrc/jit/serialization/import.h>
#include <chrono>
#include <filesystem>
#include "capture/program.h"
#include "graph/interpreter.h"
namespace culprit::capture {
namespace {
class Eager : public backend::Compiled {
 public:
  explicit Eager(const graph::Graph& graph) : interpreter_(graph) {}
  backend::Values Call(backend::Values& inputs) override { return interpreter_.Run(std::move(inputs)); }

 private:
  graph::Interpreter interpreter_;
};
double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
TEST(Models, All) {
  for (const auto& e : std::filesystem::directory_iterator("/tmp/models")) {
    for (bool train : {false, true}) {
      auto m = torch::jit::load(e.path().string());
      m.train(train);
      auto m2 = m.deepcopy();
      at::NoGradGuard no;
      const auto name = e.path().stem().string();
      if (train && name == "googlenet") {
      }
      at::Tensor x = at::randn({2, 3, 224, 224});
      Options options;
      options.name = name;
      options.compile = [](const Segment& s, const backend::Values&) {
        return std::make_shared<Eager>(s.graph);
      };
      options.log = [](const std::string& t) { std::cout << t << "\n"; };
      at::globalContext().setBenchmarkCuDNN(false);
      Program p(m.get_method("forward").function(), options);
      auto gen = at::detail::getDefaultCPUGenerator();
      c10::IValue a, b;
      try {
        {
          at::Generator g = gen;
          g.set_current_seed(1);
          a = p.Call({m._ivalue(), x});
        }
        {
          at::Generator g = gen;
          g.set_current_seed(1);
          torch::jit::Code code(torch::jit::toGraphFunction(m2.get_method("forward").function()).graph(),
                                "f");
          torch::jit::setGraphExecutorOptimize(false);
          torch::jit::Stack s{m2._ivalue(), x};
          torch::jit::InterpreterState(code).run(s);
          b = s.back();
        }
      } catch (const std::exception& ex) {
        std::cout << name << (train ? " train" : " eval") << " EXC " << std::string(ex.what()).substr(0, 1500)
                  << "\n";
        continue;
      }
      auto first = [](const c10::IValue& v) {
        return v.isTuple() ? v.toTupleRef().elements()[0].toTensor() : v.toTensor();
      };
      bool same = first(a).equal(first(b));
      auto ba = m.buffers(), bb = m2.buffers();
      bool sb = true;
      auto it = bb.begin();
      for (const auto& t : ba) {
        sb = sb && t.equal(*it);
        ++it;
      }
      size_t ops = 0;
      double cs = 0;
      for (auto& s : p.segments()) {
        ops += s->graph.nodes().size();
        cs += s->capture_seconds;
      }
      std::cout << name << (train ? " train" : " eval") << " same=" << same << " buffers=" << sb
                << " graphs=" << p.segments().size() << " ops=" << ops << " capture=" << cs * 1e3 << "ms";
      for (auto& s : p.segments()) {
        for (auto& [k, v] : s->fallbacks) std::cout << " FALLBACK " << k << "x" << v;
        if (s->end)
          std::cout << " BREAK " << DescriptionOf(s->end->kind).code << " " << s->end->reason << " "
                    << TextOf(s->end->origin).ToString();
      }
      // guard time
      vm::CodeBook book;
      auto st = vm::State::AtEntry(book.Of(m.get_method("forward").function()), {m._ivalue(), x});
      std::vector<const c10::IValue*> found;
      double t0 = Now();
      int ok = 0;
      for (int i = 0; i < 1000; ++i) ok += Fits(*p.segments()[0], st, found);
      std::cout << " guards=" << p.segments()[0]->guards.size() << " " << (Now() - t0) * 1e3
                << "us ok=" << ok;
      // second capture of a fresh program: warm
      Program q(m.get_method("forward").function(), options);
      q.Call({m._ivalue(), x});
      double c2 = 0;
      for (auto& s : q.segments()) c2 += s->capture_seconds;
      std::cout << " warm capture=" << c2 * 1e3 << "ms";
      if (!train) {
        double t = Now();
        auto f = torch::jit::freeze_module(m);
        std::cout << " freeze=" << (Now() - t) * 1e3 << "ms";
      }
      std::cout << std::endl;
    }
  }
}
}  // namespace
}  // namespace culprit::capture
