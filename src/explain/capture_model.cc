// SPDX-License-Identifier: Apache-2.0
#include "explain/capture_model.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "autograd/partition/partition.h"
#include "backend/failure/essential_line.h"
#include "base/printable_lines.h"
#include "base/settings.h"
#include "base/text.h"
#include "capture/captured_program.h"
#include "capture/segment/segment_text.h"
#include "check/model/clone_inputs.h"
#include "check/query/stamp.h"
#include "explain/explain_segment.h"
#include "explain/joint_graphs.h"
#include "explain/later_writes.h"
#include "graph/run/interpreter.h"
#include "isolate/query/task.h"
#include "model/inputs/convert_to.h"
#include "model/inputs/input_text.h"
#include "model/load_model.h"
#include "process/shared_library.h"
#include "repro/file_name.h"
#include "repro/header/note_parameters.h"
#include "repro/read_repro.h"
#include "repro/run_folder.h"
#include "repro/write_repro.h"

namespace culprit::explain {
namespace {

using base::Diagnostic;
using base::Result;

/// Runs a graph with eager kernels, and says which operator is next, so that it is known if that kills the
/// process. What becomes of its results is noted.
class AnnouncedGraph : public backend::Compiled, graph::Observer {
 public:
  AnnouncedGraph(const capture::Segment& segment, LaterWrites& writes)
      : name_(segment.name), interpreter_(segment.graph), writes_(writes) {
    for (size_t i = 0; i < segment.origins.size(); ++i) {
      const capture::OriginText origin = capture::TextOf(segment.origins[i]);
      phases_.push_back(fmt::format("running {} in {}, {}:{}", segment.graph.nodes()[i].op->qualified_name(),
                                    segment.name, std::filesystem::path(origin.file).filename().string(),
                                    origin.line));
    }
  }

  backend::Values Call(backend::Values& inputs) override {
    std::optional<graph::Interruption> ignored;
    return CallReporting(inputs, ignored);
  }
  backend::Values CallReporting(backend::Values& inputs,
                                std::optional<graph::Interruption>& interruption) override {
    backend::Values outputs = interpreter_.Run(std::move(inputs), this, &interruption);
    writes_.Note(name_, outputs);
    isolate::AnnouncePhase("capturing behind " + name_);
    return outputs;
  }

 private:
  void Before(graph::NodeId node, const torch::jit::Stack& /*arguments*/) override {
    isolate::AnnouncePhase(phases_[Index(node)]);
  }

  std::string name_;
  graph::Interpreter interpreter_;
  LaterWrites& writes_;
  /// Of each node.
  std::vector<std::string> phases_;
};

class ModelCapture {
 public:
  ModelCapture(const CaptureRequest& request, const base::Settings& settings, model::LoadedModel model)
      : request_(request),
        settings_(settings),
        partition_(request.partition.empty() ? nullptr : autograd::FindPartitionMode(request.partition)),
        model_(std::move(model)) {}

  Result<Explanation> Run() {
    const model::Entry entry = CULPRIT_TRY(model_.FindEntry(request_.call.method));
    CULPRIT_TRY(CheckDisabled());
    std::vector<c10::IValue> arguments = CULPRIT_TRY(ArgumentsFor(entry));
    told_.name = ModelName(request_.file);
    told_.method = entry.function->name();
    SetTraining();
    capture::CapturedProgram program(*entry.function, Options());
    Call(program, std::move(arguments));
    CULPRIT_TRY(CompareSharedMemory());
    if (write_error_) return *write_error_;
    for (const auto& segment : program.segments()) told_.segments.push_back(ExplainSegment(*segment));
    told_.recaptures = program.counters().recaptures;
    told_.as_written = program.counters().as_written;
    return std::move(told_);
  }

 private:
  Result<std::vector<c10::IValue>> ArgumentsFor(const model::Entry& entry) {
    const std::vector<model::Input> inputs =
        CULPRIT_TRY(model::ReadInputs(request_.call.inputs, {.name = "--inputs", .seed = request_.seed}));
    auto arguments = model::BindInputs(inputs, entry.function->getSchema(), entry.self);
    if (arguments.ok()) {
      TakeMarks(inputs, entry);
      return arguments;
    }
    Diagnostic error = std::move(arguments).error();
    error.place = {request_.file};
    error.help = "give each argument with an option of its own, as in: --inputs f32[1,3,224,224]";
    return error;
  }

  void TakeMarks(const std::vector<model::Input>& inputs, const model::Entry& entry) {
    const size_t first = entry.self.isNone() ? 0 : 1;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string& name = inputs[i].keyword.empty()
                                    ? entry.function->getSchema().arguments()[first + i].name()
                                    : inputs[i].keyword;
      for (const model::SizeMark& mark : inputs[i].marks)
        (mark.is_dynamic ? marks_.dynamic : marks_.fixed).emplace(name + mark.part, mark.dimension);
    }
  }

  base::Status CheckDisabled() const {
    std::vector<std::string> names;
    for (const torch::jit::Function* function : model_.AllFunctions()) {
      names.push_back(function->name());
      names.push_back(function->qualname().qualifiedName());
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (const std::string& name : request_.call.disabled) {
      if (std::ranges::count(known, name) == 0)
        return Diagnostic{{request_.file},
                          fmt::format("there is no function '{}' that could be disabled{}",
                                      base::Printable(name), base::DidYouMean(name, known))};
    }
    return base::Done{};
  }

  void SetTraining() {
    if (!model_.module()) return;
    torch::jit::Module module = *model_.module();
    module.train(request_.call.train);
  }

  capture::Options Options() {
    capture::Options options;
    options.name = told_.name;
    options.fullgraph = request_.fullgraph;
    options.walk.disabled = {request_.call.disabled.begin(), request_.call.disabled.end()};
    options.has_symbols = settings_.dynamic_sizes != "off";
    options.marks = marks_;
    options.marks.only_marked = settings_.dynamic_sizes == "marked";
    options.log = [this](const std::string& text) { told_.log.push_back(text); };
    options.warn = options.log;
    if (request_.log_instructions) options.walk.log = options.log;
    options.compile = [this](const capture::Segment& segment, const backend::Values& inputs) {
      const graph::Graph graph = capture::WithModelLines(segment);
      if (partition_ != nullptr) Split(graph, inputs);
      if (!request_.graphs.empty()) Write(graph, inputs, /*is_seen=*/!segment.end);
      return std::make_shared<AnnouncedGraph>(segment, writes_);
    };
    return options;
  }

  void Call(capture::CapturedProgram& program, std::vector<c10::IValue> arguments) {
    isolate::AnnouncePhase("capturing " + told_.method);
    const at::AutoGradMode grad(request_.call.train);
    try {
      program.Call(std::move(arguments));
    } catch (const base::InternalError&) {
      throw;
    } catch (const capture::NotOneGraph& error) {
      told_.failure = {{request_.file}, error.what()};
      told_.failure->help = "to see all breaks, leave out --fullgraph";
    } catch (const std::exception& error) {
      told_.failure = {{request_.file}, "the program throws: " + backend::EssentialLine(error.what())};
      told_.failure->notes.push_back("the whole message:" + base::LinesBelow(error.what()));
      told_.failure->cause = base::Cause::kReference;
    }
  }

  void Split(const graph::Graph& graph, const backend::Values& inputs) {
    isolate::AnnouncePhase("splitting " + graph.name() + " into forward and backward");
    const JointGraphs joint = MakeJoint(graph, inputs, *partition_);
    told_.joints.push_back(ExplainJoint(joint));
    if (request_.graphs.empty()) return;
    try {
      for (const repro::Repro& repro : JointRepros(joint, inputs, request_.seed)) Write(repro);
    } catch (const c10::Error& error) {
      // The captured graph throws it, too, when it runs.
      told_.log.push_back(fmt::format("no forward and backward of {} are written, since it throws: {}",
                                      graph.name(), backend::EssentialLine(error.what())));
    }
  }

  /// Whether what two results share is seen by the caller: results between two graphs of a program are its own.
  void Write(const graph::Graph& graph, const backend::Values& inputs, bool is_seen) {
    repro::Repro repro{graph, check::CloneInputs(inputs), {}};
    repro.header.run = repro::CurrentRunSettings();
    repro.header.compare.compare_aliasing = is_seen;
    // A program knows its parameters: an argument is none, even where operators take weights.
    repro::NoteParameters(graph, repro.header);
    check::Stamp(repro.header);
    Write(repro);
  }

  /// Of graphs in the middle, too, whose results the program has written into later.
  base::Status CompareSharedMemory() {
    for (const std::string& graph : writes_.Graphs()) {
      const std::string file = FileOf(graph);
      if (std::ranges::count(told_.files, file) == 0) continue;
      const std::string text = CULPRIT_TRY(repro::ReadScript(file));
      repro::LoadedRepro written = CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(file, text))));
      if (written.repro.header.compare.compare_aliasing) continue;
      written.repro.header.compare.compare_aliasing = true;
      CULPRIT_TRY(repro::WriteRepro(file, written.repro));
    }
    return base::Done{};
  }

  std::string FileOf(const std::string& graph) const { return request_.graphs + "/" + graph + ".py"; }

  void Write(const repro::Repro& repro) {
    if (write_error_) return;
    const std::string file = FileOf(repro.graph.name());
    if (std::filesystem::exists(std::filesystem::symlink_status(file))) {
      write_error_ = {{file}, "exists already"};
      write_error_->help = "to write to another folder, use: --graphs DIR";
      return;
    }
    const auto written = repro::WriteRepro(file, repro);
    if (!written.ok()) write_error_ = written.error();
    told_.files.push_back(file);
  }

  const CaptureRequest& request_;
  const base::Settings& settings_;
  /// Graphs are not split if null.
  const autograd::PartitionMode* partition_;
  /// Segments mean its classes.
  model::LoadedModel model_;
  Explanation told_;
  capture::SizeMarks marks_;
  LaterWrites writes_;
  std::optional<Diagnostic> write_error_;
};

}  // namespace

std::string ModelName(const std::string& file) {
  return repro::AsFileName(std::filesystem::path(file).stem().string(), "model");
}

Result<Explanation> CaptureModel(const CaptureRequest& request) {
  isolate::AnnouncePhase(kModelLoadPhase);
  if (request.is_piped) {
    Diagnostic error{{request.file}, "models are read from files, and this is none"};
    error.help = "write it to a file first";
    return error;
  }
  for (const std::string& library : request.libraries) CULPRIT_TRY(process::LoadSharedLibrary(library));
  const base::Settings settings = CULPRIT_TRY(base::CurrentSettings());
  model::LoadedModel model = CULPRIT_TRY(model::LoadModel(
      request.file, {.allow_file_operators = request.allow_file_operators, .seed = request.seed}));
  return ModelCapture(request, settings, std::move(model)).Run();
}

}  // namespace culprit::explain
