# What is planted. Each is wrong only for some programs.

culprit_mutant(deferred_behind_a_write capture/walk/number_calls.cc
  "  recorder_.RecordDeferred();\n"
  "")
culprit_mutant(written_numbers_stay_known capture/walk/number_calls.cc
  "  for (const at::Tensor& tensor : written) known_.Forget(tensor);\n"
  "")
culprit_mutant(numbers_not_written capture/walk/number_calls.cc
  "Note(called, before, Compute(instruction, *numbers));"
  "Note(called, before, before);")
culprit_mutant(views_that_are_not_known_written capture/walk/number_calls.cc
  "if (known_.Shares(tensor)) written.push_back"
  "if (known_.ValuesOf(Stack{tensor})) written.push_back")
