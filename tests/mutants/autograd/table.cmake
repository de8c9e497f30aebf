# What is planted. Each is wrong only for some programs.

culprit_mutant(write_does_not_outdate_views autograd/functional/memory.cc
  "  ++storage.version;\n"
  "")
culprit_mutant(views_at_another_offset_are_one autograd/functional/memory.cc
  "HaveSameSizesAndStrides(a, b) && a.storage_offset() == b.storage_offset() &&\n"
  "HaveSameSizesAndStrides(a, b) &&\n")
culprit_mutant(put_into_the_beginning autograd/functional/memory.cc
  "    offset = distance;\n"
  "")
culprit_mutant(transposed_write_not_turned_back autograd/functional/memory.cc
  "{value, place.sizes(), place.strides(), IValue()}"
  "{value, part_place.sizes(), part_place.strides(), IValue()}")
culprit_mutant(view_made_again_of_old_parent autograd/functional/memory.cc
  "IValue(Refresh(storage, view.parent))"
  "IValue(storage.tensors[view.parent].current)")
culprit_mutant(part_made_again_is_the_first autograd/functional/memory.cc
  "result.toTensorList().get(*view.element)"
  "result.toTensorList().get(0)")
culprit_mutant(silent_writes_forgotten autograd/functional/memory.cc
  "  storage->written = std::max(storage->written, how);\n"
  "  if (how == Written::kOpenly) storage->written = how;\n")

culprit_mutant(copies_are_not_copied autograd/functional/functional_writer.cc
  "  if (source.dtype() == target.dtype()) source = graph_.Emit(\"aten::clone\", {source, IValue()});\n"
  "")
culprit_mutant(overlap_not_noticed autograd/functional/overlap.cc
  "a.sizes() == b.sizes() && a.strides() == b.strides() &&"
  "a.sizes() == b.sizes() &&")
culprit_mutant(write_taken_for_none autograd/functional/functional_variant.cc
  "kNothing[] = {\"aten::detach_\", "
  "kNothing[] = {\"aten::tanh_\", \"aten::detach_\", ")

culprit_mutant(elements_of_list_are_the_first autograd/functional/traced_graph.cc
  "Argument(IValue(index++))"
  "Argument(IValue(index))")

culprit_mutant(view_of_view_stops_at_parent autograd/trace/output_plan.cc
  "while (const std::optional<ValueId> parent = BaseOf(id, storage)) id = *parent;"
  "if (const std::optional<ValueId> parent = BaseOf(id, storage)) id = *parent;")
culprit_mutant(view_of_input_is_computed autograd/trace/output_plan.cc
  "if (!AreOneTensor(id, root)) return Replay(id);"
  "if (!AreOneTensor(id, root)) return is_input ? Forward(ForwardIndex(id)) : Replay(id);")
culprit_mutant(views_of_one_memory_are_one autograd/trace/output_plan.cc
  "return AreOneTensor(each, id);"
  "return StorageOf(each) == StorageOf(id);")

culprit_mutant(history_of_detached_write_replaced autograd/trace/trace.cc
  "edge.function == edges_[input].function && edge.input_nr == edges_[input].input_nr;"
  "edge.function != edges_[input].function;")
culprit_mutant(gradients_added_in_reverse autograd/trace/trace.cc
  "gradients[inputs[edge]].push_back(writer_.ValueOf(gradient));"
  "gradients[inputs[edge]].insert(gradients[inputs[edge]].begin(), writer_.ValueOf(gradient));")
culprit_mutant(no_gradient_behind_written_views autograd/trace/trace.cc
  "if (is_hidden && !viewed.contains(forward[i].storage().unsafeGetStorageImpl())) continue;"
  "if (is_hidden) continue;")
culprit_mutant(operand_used_twice_counts_once autograd/trace/arrivals.cc
  "if (place != places_.end()) edge_by_result"
  "if (place != places_.end() && edge_by_result.empty()) edge_by_result")
culprit_mutant(written_views_are_traced autograd/partition/lower.cc
  "mutation.kind != Mutation::Kind::kSilent && has_gradients"
  "mutation.kind == Mutation::Kind::kWithoutHistory && has_gradients")

culprit_mutant(strides_of_tangents_ignored autograd/runtime/backwards.cc
  "Layout::Of(tangents[i].sizes(), tangents[i].strides())"
  "Layout::Of({1}, {1})")
culprit_mutant(last_gradient_of_input_wins autograd/runtime/backwards.cc
  "used[backward.gradients[i]]++"
  "used[backward.gradients[i]]")

culprit_mutant(saved_after_the_writes autograd/variant.cc
  ".toTensor().detach().clone()"
  ".toTensor().detach()")
culprit_mutant(written_input_without_history autograd/variant.cc
  "if (mutation.kind == Mutation::Kind::kOpen)"
  "if (mutation.kind == Mutation::Kind::kOpen && input.requires_grad())")
culprit_mutant(writes_leave_the_version autograd/variant.cc
  "input.detach().copy_(value.detach());"
  "TwinOf(input).copy_(value.detach());")
culprit_mutant(number_of_view_lost autograd/runtime/view_history.cc
  "history->add_input_metadata(Node::undefined_input());"
  "break;")

culprit_mutant(random_operators_merged autograd/joint/simplify.cc
  "!known || node.op->is_random() || "
  "!known || ")
culprit_mutant(outputs_merged autograd/joint/simplify.cc
  "!IsWritten(id) && !returned_[sets_.SetOf(id)];"
  "!IsWritten(id);")
culprit_mutant(clones_of_what_has_gaps_removed autograd/joint/simplify.cc
  "value.origin == Origin::kNode && IsCheap(*graph_.nodes()[value.origin_index].op);"
  "value.origin == Origin::kNode;")
culprit_mutant(random_numbers_drawn_again autograd/joint/recompute.cc
  "    if (node.results.size() != 1 || node.op->is_random()"
  "    if (node.op->name() == \"aten::rand_like\") return Recompute::kCheap;
    if (node.results.size() != 1 || node.op->is_random()")
culprit_mutant(recomputed_before_last_use autograd/partition/backward_order.cc
  "first_[Index(id)] = std::min(first_[Index(id)], user);"
  "first_[Index(id)] = first_[Index(id)] == kUnused ? user : std::max(first_[Index(id)], user);")
