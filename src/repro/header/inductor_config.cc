// SPDX-License-Identifier: Apache-2.0
#include "repro/header/inductor_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "graph/text/syntax/literal.h"
#include "graph/text/syntax/string_literal.h"

namespace culprit::repro {
namespace {

// There is a space behind every name.
constexpr std::string_view kOn =
    "alignment_asserts allow_buffer_reuse assert_indirect_indexing "
    "benchmark_epilogue_fusion bw_outputs_user_visible combo_kernel_autotune_grouping "
    "combo_kernel_foreach_dynamic_shapes comprehensive_padding constant_and_index_propagation "
    "cpp.enable_loop_tail_vec cpp.enable_tiling_heuristics cpp.fallback_scatter_reduce_sum "
    "cpp.no_redundant_loops cpp.use_constexpr_for_int_array cpp.weight_prepack "
    "delay_realize_cheap_outputs disable_padding_cpu dynamic_scale_rblock "
    "emulate_precision_casts_on_saved_tensors enable_auto_functionalized_v2 "
    "enable_caching_generated_triton_templates epilogue_fusion graph_partition implicit_fallbacks "
    "inplace_buffers inplace_padding keep_addmm_fused_for_half_dtypes keep_output_stride "
    "layout_optimization loop_index_inversion_in_fusion loop_ordering_after_fusion "
    "loop_reindexing_after_fusion max_autotune_report_choices_stats online_softmax "
    "pattern_matcher pick_loop_orders prologue_fusion "
    "reorder_for_locality reorder_for_peak_memory scalar_asserts size_asserts "
    "split_reductions static_weight_shapes triton.autotune_cublasLt triton.autotune_pointwise "
    "triton.coalesce_tiling_analysis triton.codegen_upcast_to_fp32 "
    "triton.cudagraph_support_input_mutation triton.cudagraph_trees triton.divisible_by_16 "
    "triton.dynamic_disable_pipelining triton.emit_pointer_range_32 triton.mix_order_reduction "
    "triton.mix_order_reduction_allow_multi_stages triton.persistent_reductions "
    "triton.reorder_for_reducing_graph_partitions triton.slow_path_cudagraph_asserts "
    "triton.tiling_prevents_pointwise_fusion triton.tiling_prevents_reduction_fusion "
    "triton.transpose_discontiguous_tensor_descriptor triton.unique_kernel_names use_dce "
    "use_experimental_benchmarker use_fast_triton_launcher use_launch_metadata_schema use_mixed_mm "
    "use_post_grad_passes use_static_cuda_launcher write_are_deterministic_algorithms_enabled ";

constexpr std::string_view kOff =
    "aggressive_fusion align_random_eager always_keep_tensor_constants assume_32bit_indexing "
    "assume_aligned_inputs assume_unaligned_fallback_output autotune_fallback_to_aten b2b_gemm_pass "
    "batch_invariant benchmark_combo_kernel benchmark_fusion cache_sdpa_constraint "
    "can_inplace_pad_graph_input combo_kernel_per_subkernel_blocks combo_kernels "
    "combo_kernels_pointwise_only comment_origin compute_all_bounds conv_1x1_as_mm "
    "coordinate_descent_check_all_directions coordinate_descent_tuning cpp.dynamic_threads "
    "cpp.enable_concat_linear cpp.enable_grouped_gemm_template cpp.enable_kernel_profile "
    "cpp.enable_unsafe_math_opt_flag cpp.force_inline_kernel cpp.use_decompose_tanh "
    "cpp.use_small_dequant_buffer cpp_wrapper cpp_wrapper_build_separate dce "
    "decompose_mem_bound_mm dedup_reduce_scatters deterministic do_not_emit_runtime_assertions "
    "eager_numerics.disable_ftz eager_numerics.division_rounding eager_numerics.use_pytorch_libdevice "
    "emulate_precision_casts enable_linear_binary_folding epilogue_fusion_first "
    "epilogue_fusion_user_defined_triton_kernel epilogue_fusion_with_atomic_add "
    "expand_dimension_for_pointwise_nodes fallback_by_default fallback_embedding_bag_byte_unpack "
    "fallback_random force_fuse_int_mm_with_mul force_layout_optimization force_pointwise_cat "
    "incremental_autotune keep_static_cubin_raw max_autotune "
    "max_autotune_allow_flexible_layouts max_autotune_gemm max_autotune_pointwise "
    "max_autotune_prune_choices_based_on_shared_mem memory_planning nan_asserts pad_channels_last "
    "pad_dynamic_shapes pad_outputs partitioned_scatter_enabled pipeline_max_autotune_gemm "
    "reorder_for_compute_comm_overlap runtime_estimations_mms_benchmark runtime_triton_nan_asserts "
    "strict_static_cuda_launcher triton.autotune_with_sample_inputs triton.cooperative_reductions "
    "triton.cudagraph_or_error triton.cudagraph_skip_dynamic_graphs "
    "triton.cudagraph_trees_history_recording triton.cudagraph_trees_objgraph triton.cudagraphs "
    "triton.decompose_sort_ops triton.dense_indexing triton.enable_pdl "
    "triton.enable_persistent_tma_matmul triton.enable_template_tma_store "
    "triton.enable_tma_load_for_template_epilogue triton.fast_path_cudagraph_asserts "
    "triton.force_cooperative_reductions triton.force_cudagraph_sync triton.force_cudagraphs_warmup "
    "triton.mix_order_reduction_autotune_split_size triton.mix_order_reduction_non_strict_mode "
    "triton.native_matmul triton.nested_reduction triton.prefer_nd_tiling triton.skip_cudagraph_warmup "
    "triton.skip_l1_cache triton.store_cubin triton.tile_reductions triton.unique_user_kernel_names "
    "triton.use_block_ptr triton.use_tensor_descriptor triton_disable_device_detection "
    "use_fast_math use_torch_profiler_benchmarker "
    "warn_mix_layout ";

constexpr std::string_view kNumbers =
    "autotune_num_choices_displayed=10 combo_kernel_allow_mixed_sizes=1 combo_kernel_max_distance=-1 "
    "combo_kernel_max_num_args=250 combo_kernel_max_num_nodes=8 "
    "combo_kernel_peak_memory_pct_threshold=0.05 combo_kernels_autotune=1 "
    "coordinate_descent_search_radius=1 cpp.gemm_max_k_slices=1 cpp.max_horizontal_fusion_size=16 "
    "cpp.min_chunk_size=512 cpp.simdlen=none cpp.threads=-1 cpp.use_two_step_variance_threshold=1024 "
    "cpu_gpu_bw=50.0 inductor_default_autotune_rep=100 inductor_default_autotune_warmup=25 "
    "kernel_name_max_ops=10 max_complex_pointwise_cat_inputs=8 max_epilogue_benchmarked_choices=1 "
    "max_fusion_buffer_group_pairwise_attempts=64 max_fusion_size=64 max_fusion_unique_io_buffers=none "
    "max_pointwise_cat_inputs=8 min_num_split=0 min_overlap_ratio=1.1 padding_alignment_bytes=128 "
    "padding_stride_threshold=1024 partitioned_scatter_max_partitions=128 "
    "partitioned_scatter_memory_budget=0.1 partitioned_scatter_min_partitions=2 "
    "realize_acc_reads_size_threshold=none realize_acc_reads_threshold=none "
    "realize_cpu_acc_reads_threshold=12 realize_cpu_opcount_threshold=50 realize_opcount_threshold=none "
    "realize_reads_threshold=4 score_fusion_memory_threshold=10 size_threshold_for_succ_based_strategy=0 "
    "small_memory_access_threshold=16777216 triton.cudagraph_dynamic_shape_warn_limit=8 "
    "triton.cudagraph_min_partition_size=0 triton.cudagraph_partition_memory_budget=1.1 "
    "triton.cudagraph_unexpected_rerecord_limit=128 triton.decompose_k_threshold=32 "
    "triton.min_split_scan_rblock=256 triton.mix_order_reduction_initial_xblock=1 "
    "triton.mix_order_reduction_max_reads=10 triton.multi_kernel=0 triton.num_decompose_k_splits=10 "
    "triton.spill_threshold=16 triton.use_two_step_variance_min_numel=1024 "
    "triton.use_two_step_variance_threshold=32768 unbacked_symint_fallback=8192 "
    "unroll_reductions_threshold=8 ";

/// The programs that PyTorch tries in turn to compile C++: the one entry that is a tuple here.
constexpr std::string_view kPrograms = "cpp.cxx";

/// Act before PyTorch writes such a file: its graph has been through it.
constexpr std::string_view kDone =
    "add_pre_grad_passes apply_gumbel_max_trick batch_fusion efficient_conv_bn_eval_fx_passes "
    "force_shape_pad freezing freezing_discard_parameters fx_passes_numeric_check group_fusion "
    "is_predispatch joint_custom_post_pass "
    "joint_custom_pre_pass joint_graph_constant_folding optimize_scatter_upon_const_tensor permute_fusion "
    "pre_grad_custom_pass pre_grad_fusion_options remove_pre_grad_passes selective_decompose shape_padding "
    "split_cat_fx_passes use_joint_graph_passes use_pre_grad_passes ";

struct Choice {
  std::string_view name;
  std::string_view default_value;
  std::string_view values;
};
constexpr Choice kChoices[] = {
    {"cpp.descriptive_names", "original_aten", " original_aten torch inductor_node "},
    {"cpp.enable_floating_point_contract_flag", "off", " off on fast "},
    {"cpp.inject_log1p_bug_TESTING_ONLY", "none", " none accuracy "},
    {"cpp.inject_relu_bug_TESTING_ONLY", "none", " none compile_error runtime_error accuracy "},
    {"layout_opt_default", "1", " 0 1 "},
    {"max_autotune_gemm_search_space", "DEFAULT", " DEFAULT EXHAUSTIVE "},
    {"memory_pool", "intermediates", " none intermediates outputs combined "},
    {"mixed_mm_choice", "heuristic", " default triton aten heuristic "},
};

bool Has(std::string_view list, std::string_view name) {
  return (" " + std::string(list)).find(" " + std::string(name) + " ") != std::string::npos;
}

/// Of "name=default"; nothing if there is no such number.
std::optional<std::string_view> DefaultNumber(std::string_view name) {
  const std::string start = std::string(name) + "=";
  for (size_t at = kNumbers.find(start); at != std::string_view::npos; at = kNumbers.find(start, at + 1)) {
    if (at > 0 && kNumbers[at - 1] != ' ') continue;
    const std::string_view rest = kNumbers.substr(at + start.size());
    return rest.substr(0, rest.find(' '));
  }
  return std::nullopt;
}

bool IsNumber(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  return graph::text::IntFromText(digits) || graph::text::FloatFromText(digits);
}

/// "(None, 'g++')" => "none,g++", as the server reads it.
std::optional<std::string> ProgramsOf(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  std::istringstream elements(std::string(text.substr(1, text.size() - 2)));
  std::vector<std::string> programs;
  for (std::string element; std::getline(elements, element, ',');) {
    const size_t begin = element.find_first_not_of(' ');
    if (begin == std::string::npos) continue;  // behind the last comma
    element = element.substr(begin, element.find_last_not_of(' ') + 1 - begin);
    const auto program =
        element == "None" ? std::optional<std::string>("none") : graph::text::StringFromText(element);
    if (!program) return std::nullopt;
    programs.push_back(*program);
  }
  return fmt::format("{}", fmt::join(programs, ","));
}

std::optional<std::string> ValueOf(std::string_view text) {
  if (text == "True") return "1";
  if (text == "False") return "0";
  if (text == "None") return "none";
  if (IsNumber(text)) return std::string(text);
  if (text.starts_with('\'') || text.starts_with('"')) return graph::text::StringFromText(text);
  return std::nullopt;
}

bool SameNumber(std::string_view a, std::string_view b) {
  return a == b ||
         (IsNumber(a) && IsNumber(b) &&
          std::strtod(std::string(a).c_str(), nullptr) == std::strtod(std::string(b).c_str(), nullptr));
}

}  // namespace

ConfigEntry ReadConfigEntry(std::string_view name, std::string_view text) {
  ConfigEntry entry{.value = ValueOf(text), .has_acted = Has(kDone, name)};
  if (name == kPrograms && !entry.value) {
    entry.value = ProgramsOf(text);
    entry.is_default = entry.value == "none,g++";
  }
  if (!entry.value || entry.has_acted) return entry;
  const bool is_on = Has(kOn, name);
  if (is_on || Has(kOff, name)) {
    entry.is_harmless = text == "True" || text == "False";
    entry.is_default = entry.is_harmless && (text == "True") == is_on;
  } else if (const auto number = DefaultNumber(name)) {
    entry.is_harmless = IsNumber(text) || (text == "None" && *number == "none");
    entry.is_default = SameNumber(*number, *entry.value);
  } else if (const auto* choice = std::ranges::find(kChoices, name, &Choice::name);
             choice != std::end(kChoices)) {
    entry.is_harmless = Has(choice->values, *entry.value);
    entry.is_default = *entry.value == choice->default_value;
  }
  return entry;
}

std::string HarmlessConfigNames() {
  std::string names = std::string(kOn).append(kOff);
  bool in_value = false;
  for (const char c : kNumbers) {
    if (c == '=') in_value = true;
    if (c == ' ') in_value = false;
    if (!in_value) names += c;
  }
  for (const Choice& choice : kChoices) names.append(choice.name).append(" ");
  return names;
}

}  // namespace culprit::repro
