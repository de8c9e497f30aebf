// SPDX-License-Identifier: Apache-2.0
#include "hunt/model_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "autograd/partition/partition.h"
#include "base/text.h"
#include "files/private_folder.h"

namespace culprit::hunt {
namespace {

explain::CaptureRequest CaptureRequestOf(const HuntRequest& request) {
  explain::CaptureRequest capture{.file = request.file.file,
                                  .is_piped = request.file.contents.has_value(),
                                  .call = request.call,
                                  .libraries = request.file.libraries,
                                  .allow_file_operators = request.file.allow_file_operators,
                                  .seed = request.judge.seed.value_or(0),
                                  .graphs = request.scratch + "/graphs"};
  if (request.call.train) capture.partition = autograd::kPartitionModes[0].name;
  return capture;
}

isolate::Limits LimitsOf(const HuntRequest& request) {
  isolate::Limits limits = tasks::kReadingLimits;
  if (request.compiler.timeout_seconds)
    limits.wall_time = std::chrono::seconds(*request.compiler.timeout_seconds);
  if (request.compiler.memory_mib) limits.memory_bytes = *request.compiler.memory_mib << 20;
  return limits;
}

bool IsHalf(const explain::Explanation& told, const std::string& name) {
  return std::ranges::any_of(told.joints, [&](const explain::ExplainedJoint& joint) {
    return joint.forward.name == name || (joint.backward && joint.backward->name == name);
  });
}

}  // namespace

base::Result<ModelGraphs> CaptureGraphs(const HuntRequest& request, const tasks::Children& children,
                                        Listener& listener) {
  const explain::CaptureRequest capture = CaptureRequestOf(request);
  listener.OnPhase("capturing " + base::Printable(request.file.file));
  const auto ending = CULPRIT_TRY(children.Capture(capture, LimitsOf(request)));
  listener.OnPhase("");
  if (const auto* death = std::get_if<isolate::Outcome>(&ending))
    return tasks::DeathWhileCapturing(request.file.file, *death);
  const auto& answered = std::get<tasks::Answered<explain::Explanation>>(ending);
  for (const std::string& note : answered.notes) listener.OnNote(note);
  if (!answered.answer.ok()) {
    base::Diagnostic error = answered.answer.error();
    // Only an error about the folder names it.
    const bool is_about_folder = error.place.file.starts_with(capture.graphs);
    if (is_about_folder && error.cause == base::Cause::kEnvironment) error.help = files::kHowToMoveThem;
    return error;
  }
  const explain::Explanation& told = *answered.answer;
  if (told.failure) listener.OnNote(told.failure->Render());
  if (!answered.output.empty()) listener.OnModelOutput(answered.output);
  if (told.files.empty())
    listener.OnNote(fmt::format("note: {} computes no tensors, so it has no graph", request.file.file));
  ModelGraphs model{.is_cut_off = told.failure.has_value()};
  for (const std::string& file : told.files)
    model.graphs.push_back({file, IsHalf(told, std::filesystem::path(file).stem())});
  return model;
}

}  // namespace culprit::hunt
