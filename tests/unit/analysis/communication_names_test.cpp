// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_names.h"
#include "core/analysis/device/communication_suspects.h"
#include "core/analysis/device/name_rules.h"
#include "core/analysis/stages.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// Names as profilers record them, of kernels that move data between devices.
constexpr std::array kTransfers = {
    "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
    "ncclDevKernel_Generic(ncclDevComm*, channelMasks, ncclWork*)",
    "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)",
    "ncclSymkDevKernel_AllGather_LL",
    "rcclGenericKernel<1, false>",
    "void dpsk::ep::internode::dispatch<false, 4, false, 8192, 4>(int4*, float*)",
    "void dpsk::ep::intranode::combine<__nv_bfloat16, 8, 768>(__nv_bfloat16*)",
    "void deep_ep::internode_ll::dispatch<true, false, 3, 10, 7168>(void*, void*)",
    "deep_ep::internode::combine<false, 8, __nv_bfloat16>",
    "_ZN7deep_ep9intranode8dispatchILi8ELi768EEEvP4int4",
    "_ZN4dpsk2ep9internode7combineILb0ELi8EEEvP4int4",
    "nvshmemi_proxy_put_kernel",
    "void nvshmemx_float_alltoall_kernel<int>(int)",
    "void alltoall_on_stream_kernel<float>(long, float*, float const*)",
    "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)",
    "void (anonymous namespace)::multimem_one_shot_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
    "void (anonymous namespace)::one_shot_all_reduce_kernel<float, 16, 8>(float**, float*)",
    "void at::native::(anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, 16, 4>(c10::BFloat16**)",
    "two_shot_all_reduce_kernel_inplace",
    "void c10d::symmetric_memory::put_signal_kernel(unsigned int**, int)",
    "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData*, vllm::RankSignals)",
    "void vllm::cross_device_reduce_2stage<half, 8>(vllm::RankData*)",
    "void sglang::cross_device_reduce_2stage<__nv_bfloat16, 8>(sglang::RankData*)",
    "void aiter::reduce_scatter_cross_device_store<__hip_bfloat16, 8>(aiter::RankData*)",
    "void quickreduce::allreduce_prototype_twoshot<quickreduce::AllReduceTwoshot<half>>(half const*)",
    "void tensorrt_llm::kernels::oneShotAllReduceKernel<__nv_bfloat16, 8, true>(tensorrt_llm::kernels::Params)",
    "void tensorrt_llm::kernels::twoShotAllReduceKernel<half, 4, false>(tensorrt_llm::kernels::Params)",
    "void oneShotAllReduceKernel<__half, 8>(AllReduceParams)",
    "void tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<(Pattern)1, half, 4, true>(Params)",
    "void tensorrt_llm::kernels::reduce_fusion::lamport_style_one_shot_all_reduce_norm_kernel<half, true, 8>(Params)",
    "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_twoshot_sync<(Pattern)1, half, 8>(Params)",
    "void flashinfer::trtllm_alltoall::moeAllToAllKernel<float>(Params)",
    "void tensorrt_llm::kernels::moe_alltoall::moeA2ADispatchKernel<8, 1>(Params)",
    "userbuffers_fp16_sum_inplace_gpu_rw_ag<4>(int, int)",
    "kuserbuffers_pushrecv(int, int, int)",
    "void mscclpp::executionKernel<__half, mscclpp::LL16Packet>(int, __half*)",
    "mscclKernel_Sum_half_LL_false",
    "void allreduce::mscclpp::allreduce7(int)",
    "ccl_allreduce_kernel<float>",
    "void oneccl_ring_reduce(float*)",
    "oneapi::ccl::v1::sycl_allgather",
    "hcom_allReduce__618_0_1",
    "HcclAllGather",
    "void ucc_tl_cuda_reduce_scatter_kernel<float>(int)",
    "void gloo::_Kernel_sum<float>(float*, float const*, int)",
};

/// Those that move nothing, and wait for what others do.
constexpr std::array kWaits = {
    "void dpsk::ep::internode::notify_dispatch<false, 4>(int const*, int*)",
    "void dpsk::ep::internode::cached_notify<true>(int)",
    "void deep_ep::intranode::notify_dispatch<8>(int const*, int*)",
    "void deep_ep::intranode::cached_notify_combine<8>(void**, int*)",
    "deep_ep::intranode::cached_notify_dispatch<4>",
    "void deep_ep::intranode::barrier<8>(int**, int)",
    "_ZN7deep_ep9intranode15notify_dispatchILi8EEEvPKiPi",
    "nvshmemi_threadgroup_barrier_all",
    "void barrier_on_stream_kernel_threadgroup<(threadgroup_t)2>(int, int)",
    "void signal_wait_until_on_stream_kernel(unsigned long*, int, unsigned long)",
    "void c10d::symmetric_memory::barrier_kernel(unsigned int**, int, int, int, unsigned long)",
    "void c10d::symmetric_memory::wait_signal_kernel(unsigned int**, int)",
};

/// Compute, whatever its name reminds of.
constexpr std::array kCompute = {
    "",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float>>>(float)",
    "void at::native::vectorized_layer_norm_kernel<float, float>(int, float, float const*)",
    "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, float, float>(float*, float const*, int)",
    "void at::native::_scatter_gather_elementwise_kernel<128, 8>(int)",
    "void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<c10d::Work>>(long)",
    "void cub::DeviceReduceSingleTileKernel<cub::DeviceReducePolicy<float>::Policy600, float*>(float*)",
    "void cub::(anonymous namespace)::block_all_reduce<float>(float*)",
    "void oneflow::cuda::softmax::SoftmaxWarpImpl<oneflow::WarpAllReduce<float>>(float)",
    "void softmax_warp_all_reduce<float, 32>(float*)",
    "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>(Flash_fwd_params)",
    "void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<64>>(Flash_fwd_params)",
    "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x1_tn_align8>(Params)",
    "void cutlass::device_kernel<flashinfer::trtllm_allreduce::NotReally<float>>(Params)",
    "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn",
    "triton_red_fused__to_copy_add_native_layer_norm_3",
    "triton_per_fused_sum_reduce_scatter_add_2",
    "void my_gemm(nvshmem_team_t, float*)",
    "void moe_permute_dispatch_kernel<float>(float*)",
    "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(long const*, int*)",
    "_ZN7deep_ep6layout19get_dispatch_layoutILi256EEEvPKl",
    "void flashinfer::trtllm_allreduce_fusion::lamport_initialize_kernel<half>(half*, unsigned long)",
    "void occl_like::kernel(int)",
    "accl_gemm_kernel",
    "void distributed_fused_lamb_kernel<float>(float)",
};

TEST(CommunicationNames, OfEveryLibraryAreKnownByTheRules) {
    const NameRules rules = NameRules::builtIn();
    for (const char* const name : kTransfers) {
        const NameRules::Rule* const rule = rules.ruleOf(name);
        ASSERT_NE(rule, nullptr) << name;
        EXPECT_TRUE(rule->communication) << name;
        EXPECT_FALSE(rule->waits) << name << " by " << rule->pattern;
    }
}

TEST(CommunicationNames, OfKernelsThatOnlyWaitAreMarkedSo) {
    const NameRules rules = NameRules::builtIn();
    for (const char* const name : kWaits) {
        const NameRules::Rule* const rule = rules.ruleOf(name);
        ASSERT_NE(rule, nullptr) << name;
        EXPECT_TRUE(rule->communication && rule->waits) << name << " by " << rule->pattern;
    }
}

TEST(CommunicationNames, AreNotFoundInComputeThatRemindsOfThem) {
    const NameRules rules = NameRules::builtIn();
    for (const char* const name : kCompute) {
        EXPECT_FALSE(rules.isCommunication(name)) << name << " by " << rules.ruleOf(name)->pattern;
    }
}

TEST(CommunicationNames, TellTheKindBehindAnAnonymousNamespaceToo) {
    EXPECT_EQ(collectiveKindOf("void (anonymous namespace)::multimem_all_reduce_kernel<float, 16>(float*)"),
              CollectiveKind::AllReduce);
    EXPECT_EQ(collectiveKindOf("void deep_ep::intranode::dispatch<8>(int4*)"), CollectiveKind::AllToAll);
    EXPECT_EQ(collectiveKindOf("void dpsk::ep::internode::combine<8>(int4*)"), CollectiveKind::AllToAll);
    EXPECT_EQ(collectiveKindOf("void deep_ep::intranode::barrier<8>(int**)"), CollectiveKind::Barrier);
    EXPECT_EQ(collectiveKindOf("void deep_ep::intranode::notify_dispatch<8>(int*)"), CollectiveKind::Unknown);
    EXPECT_EQ(collectiveKindOf("void deep_ep::internode_ll::dispatch<8>(int*)"), CollectiveKind::Unknown)
        << "it is called twice, once to send and once to receive";
}

TEST(CommunicationSuspects, LookLikeACollectiveBeforeTheirArguments) {
    for (const char* const name : {"void ours::FastAllReduce<half>(half*)", "my_all_to_all_v2", "xx_nvshmem_put_tile",
                                   "void (anonymous namespace)::ring_all_gather(float*)", "fused_nccl_gemm"}) {
        EXPECT_TRUE(looksLikeCommunication(name)) << name;
    }
    for (const char* const name : kCompute) {
        const bool of_deep_ep = std::string_view(name).find("deep_ep") != std::string_view::npos;
        const bool of_flashinfer = std::string_view(name).starts_with("void flashinfer");
        const bool decided_by_a_rule = of_deep_ep || of_flashinfer;
        const bool triton = std::string_view(name).find("reduce_scatter") != std::string_view::npos;
        EXPECT_TRUE(decided_by_a_rule || triton || !looksLikeCommunication(name)) << name;
    }
}

/// A rank with a step of 1000 us that runs each of these kernels for 10, 20, 30... us.
AnalysedRank rankWithKernels(const std::vector<std::string>& kernels, const NameRules& rules = NameRules::builtIn()) {
    auto [model, main, stream] = threadAndStream("main");
    model.step(main, 1, 0, 1000);
    double at_us = 20;
    double length_us = 10;
    for (const std::string& name : kernels) {
        model.kernel(main, at_us - 15, 2, stream, name, at_us, length_us);
        at_us += length_us + 20;
        length_us += 10;
    }
    return analyseRank(model.build(), rules);
}

TEST(CommunicationSuspects, AreNamedWithTheirTimeTheLongestFirst) {
    const AnalysedRank rank =
        rankWithKernels({"my_all_gather", "gemm", "ncclDevKernel_Generic", "my_all_reduce<float>"});
    const auto& suspects = rank.facts.communication_suspects;
    ASSERT_EQ(suspects.size(), 2U);
    EXPECT_EQ(suspects[0].name, "my_all_reduce<float>");
    EXPECT_EQ(suspects[0].total_ns, 40'000);
    EXPECT_EQ(suspects[0].calls, 1U);
    EXPECT_EQ(suspects[1].name, "my_all_gather");
}

TEST(CommunicationSuspects, AreNoneWhereARuleHasDecided) {
    const auto own = NameRules::fromJson(
        R"({"rules": [{"pattern": "my_all_gather", "communication": false}, {"pattern": "my_all_reduce"}]})", "own");
    const AnalysedRank rank =
        rankWithKernels({"my_all_gather", "my_all_reduce"}, own.value().before(NameRules::builtIn()));
    EXPECT_THAT(rank.facts.communication_suspects, testing::IsEmpty());
}

TEST(CommunicationSuspects, ADispatchIsOneOnlyBesideItsCombine) {
    EXPECT_THAT(
        rankWithKernels({"void moe::dispatchKernel<4>()", "void moe::combineKernel<8>()"}).facts.communication_suspects,
        testing::SizeIs(2));
    EXPECT_THAT(rankWithKernels({"void moe::dispatchKernel<4>()", "void flash::splitkv_combine()", "<>"})
                    .facts.communication_suspects,
                testing::IsEmpty());
}

}  // namespace
}  // namespace rankscope::test
