# What is planted. Each is wrong only for some programs.

culprit_mutant(loop_index_one_ahead capture/vm/machine.cc
  "values[2] = values[0];"
  "values[2] = effects.Next(values[0]);")
culprit_mutant(with_block_stays_open capture/vm/machine.cc
  "  state.entered.pop_back();\n"
  "")
culprit_mutant(with_block_left_open_by_error capture/vm/failure.cc
  "  CloseBlocks(state);\n"
  "  if (state.entered.size() > 1) CloseBlocks(state);\n")

culprit_mutant(place_without_callers capture/captured_program.cc
  "for (const vm::Frame& frame : state.frames) place.emplace_back(frame.code, frame.pc);"
  "place.emplace_back(state.frames.back().code, state.frames.back().pc);")
culprit_mutant(none_not_guarded capture/walk/walk.cc
  "      walk.frames[i].registers[k] = MakeLazy({StatePlace::Kind::kRegister, i, k});\n"
  "      if (!frame.registers[k].isNone())
        walk.frames[i].registers[k] = MakeLazy({StatePlace::Kind::kRegister, i, k});\n")
culprit_mutant(grad_mode_not_guarded capture/segment/segment.cc
  "Modes::Current() == segment.modes && "
  "")

culprit_mutant(attribute_write_after_read_lost capture/walk/capture_effects.cc
  "attributes_.insert_or_assign(key, std::move(value));"
  "attributes_.emplace(key, std::move(value));")
culprit_mutant(own_attribute_writes_not_read capture/walk/capture_effects.cc
  "  if (known != attributes_.end()) return known->second;\n"
  "  if (known != attributes_.end() && !is_written_.contains(key)) return known->second;\n")
culprit_mutant(list_with_two_names_copied_twice capture/walk/shadow.cc
  "if (identity != nullptr && !real.isTuple() && known != known_.end()) {"
  "if (identity != nullptr && real.isTensor() && known != known_.end()) {")

culprit_mutant(dict_writes_skipped capture/state/writes.cc
  "  for (const auto& [container, contents] : containers) Write(container, contents);\n"
  "  for (const auto& [container, contents] : containers) {
    if (container.isList()) Write(container, contents);
  }\n")
culprit_mutant(replaced_element_not_noticed capture/walk/plan_state.cc
  "std::ranges::equal(now.values, copied.values, IsSameValue)"
  "now.values.size() == copied.values.size()")
culprit_mutant(dict_written_back_in_reverse capture/state/writes.cc
  "for (size_t i = 0; i < contents.keys.size(); ++i) dict.insert"
  "for (size_t i = contents.keys.size(); i-- > 0;) dict.insert")
culprit_mutant(unread_variables_of_innermost_function capture/state/recipe.cc
  "state.frames[place.frame].registers[place.index]"
  "state.frames.back().registers[place.index]")

culprit_mutant(same_tensor_not_guarded capture/guards/guard.cc
  "return value.is(*found[Index(same.source)]);"
  "return value.isTensor() || value.is(*found[Index(same.source)]);")
culprit_mutant(strides_not_guarded capture/guards/guard.cc
  " && tensor.strides() == c10::IntArrayRef(like.strides);"
  ";")
culprit_mutant(longer_list_not_guarded capture/guards/guard.cc
  "value.toListRef().size() == list.size;"
  "value.toListRef().size() >= list.size;")
culprit_mutant(lists_that_became_one_not_noticed capture/guards/aliasing.cc
  "Shares(identity, IdentityOf(other_value)) ||"
  "")

culprit_mutant(results_in_list_are_the_first capture/walk/recorder.cc
  "static_cast<int64_t>(k)"
  "0")
culprit_mutant(constant_tensors_not_copied capture/walk/recorder.cc
  "  Record(copy, {Argument(value)}, {IValue(fake)}, std::move(origin));\n"
  "  Know(IValue(fake), {value, std::nullopt});
  if (origin.lines.empty()) Record(copy, {Argument(value)}, {IValue(fake)}, std::move(origin));\n")

culprit_mutant(writes_before_an_error_lost capture/segment/segment.cc
  "        ApplyUpTo(*interruption, segment.checkpoints, found, symbols, state);\n"
  "")
