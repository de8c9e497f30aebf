# What is planted. Each is wrong only for some programs.

culprit_mutant(deferred_behind_a_write capture/number_calls.cc
  "  recorder_.RecordDeferred();\n"
  "")
culprit_mutant(written_numbers_stay_known capture/number_calls.cc
  "  for (const at::Tensor& tensor : written) known_.Forget(tensor);\n"
  "")
culprit_mutant(numbers_not_written capture/number_calls.cc
  "Note(called, before, Compute(instruction, *numbers));"
  "Note(called, before, before);")
culprit_mutant(views_of_written_stay_known capture/known_tensors.cc
  "  std::erase_if(known_, [&](const auto& entry) { return MemoryOf(entry.second.fake) == MemoryOf(fake); });\n"
  "  known_.erase(fake.unsafeGetTensorImpl());\n")
