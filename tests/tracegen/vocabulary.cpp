// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tracegen/vocabulary.h"

namespace rankscope::tracegen {
namespace {

Vocabulary cuda() {
    Vocabulary v;
    v.launch = "cudaLaunchKernel";
    v.launch_module = "cudaLaunchKernel";
    v.launch_collective = "cudaLaunchKernelExC";
    v.copy_async = "cudaMemcpyAsync";
    v.copy_blocking = "cudaMemcpyAsync";
    v.copy_sync = "cudaStreamSynchronize";
    v.device_sync = "cudaDeviceSynchronize";
    v.event_record = "cudaEventRecord";
    v.stream_wait_event = "cudaStreamWaitEvent";
    v.is_capturing = "cudaStreamIsCapturing";
    v.device_malloc = "cudaMalloc";
    v.device_free = "cudaFree";
    v.convolution = "aten::cudnn_convolution";
    v.batch_norm = "aten::cudnn_batch_norm";
    v.batch_norm_backward = "aten::cudnn_batch_norm_backward";
    v.batch_norm_node = "CudnnBatchNormBackward0";
    v.copy_pageable = "Memcpy HtoD (Pageable -> Device)";
    v.copy_pinned = "Memcpy HtoD (Pinned -> Device)";
    v.copy_to_host = "Memcpy DtoH (Device -> Pageable)";
    v.copy_on_device = "Memcpy DtoD (Device -> Device)";
    v.conv_forward =
        "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16_stage4_"
        "warpsize2x2x1_g1_tensor16x8x8_execute_kernel_cudnn_infer";
    v.conv_input_gradient =
        "void cutlass_cudnn_infer::Kernel<cutlass_tensorop_s1688dgrad_optimized_tf32_64x128_32x3_nhwc_align4>("
        "cutlass_tensorop_s1688dgrad_optimized_tf32_64x128_32x3_nhwc_align4::Params)";
    v.conv_weight_gradient =
        "sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_"
        "warpsize2x2x1_g1_tensor16x8x8_execute_kernel_cudnn_train";
    v.norm_forward =
        "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, int, 128, true, 1, true>(cudnnTensorStruct, float "
        "const*, cudnnTensorStruct, float*, float const*, float const*, float, float, float*, float*, float*)";
    v.norm_backward =
        "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 128, true, 1>(float, float, float, float, "
        "cudnnTensorStruct, float const*, cudnnTensorStruct, float const*, cudnnTensorStruct, float*)";
    v.gemm = {"ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_nn", "ampere_sgemm_128x64_nt"};
    v.all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    v.broadcast = "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
    v.stream_ids = {7, 20};
    return v;
}

Vocabulary rocm() {
    Vocabulary v;
    v.launch = "hipLaunchKernel";
    v.launch_module = "hipExtModuleLaunchKernel";
    v.launch_collective = "hipExtLaunchKernel";
    v.copy_async = "hipMemcpyAsync";
    v.copy_blocking = "hipMemcpyWithStream";
    v.device_sync = "hipDeviceSynchronize";
    v.stream_wait_event = "hipStreamWaitEvent";
    v.is_capturing = "hipStreamIsCapturing";
    v.device_malloc = "hipMalloc";
    v.device_free = "hipFree";
    v.convolution = "aten::miopen_convolution";
    v.batch_norm = "aten::miopen_batch_norm";
    v.batch_norm_backward = "aten::miopen_batch_norm_backward";
    v.batch_norm_node = "MiopenBatchNormBackward0";
    v.copy_pageable = "Memcpy HtoD (Host -> Device)";
    v.copy_pinned = "Memcpy HtoD (Host -> Device)";
    v.copy_to_host = "Memcpy DtoH (Device -> Host)";
    v.copy_on_device = "Memcpy DtoD (Device -> Device)";
    v.conv_forward = "miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1";
    v.conv_input_gradient =
        "igemm_bwd_gtcx3_nhwc_fp32_bx0_ex0_bt128x128x16_wt32x32x2_ws1x1_wr2x2_ta1x4x2x1_1x4x1x64_tb1x4x1x2_1x4x1x64_"
        "gkgs";
    v.conv_weight_gradient =
        "igemm_wrw_gtcx3_nhwc_fp32_bx0_ex0_bt256x128x16_wt64x32x1_ws1x1_wr2x2_ta1x1x4x4_1x16x1x16_tb1x1x4x2_1x16x1x16_"
        "gkgs";
    v.norm_forward = "MIOpenBatchNormFwdTrainSpatial";
    v.norm_backward = "MIOpenBatchNormBwdSpatial";
    v.gemm = {"Cijk_Alik_Bljk_SB_MT128x128x16_MI32x32x2x1_SN_1LDSB0_APM1_ABV0_ACED0_AF0EM1_AF1EM1_AMAS3_ASE_ASGT",
              "Cijk_Ailk_Bljk_SB_MT128x128x16_MI32x32x2x1_SN_1LDSB0_APM1_ABV0_ACED0_AF0EM1_AF1EM1_AMAS3_ASE_ASGT",
              "Cijk_Ailk_Bjlk_SB_MT128x64x16_MI32x32x2x1_SN_1LDSB0_APM1_ABV0_ACED0_AF0EM1_AF1EM1_AMAS3_ASE_ASGT"};
    v.all_reduce = "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)";
    v.broadcast = v.all_reduce;
    v.stream_ids = {0, 4};
    return v;
}

Vocabulary old(Vocabulary v) {
    v.launch_collective = v.launch;
    v.is_capturing = {};
    v.all_reduce = "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)";
    v.broadcast = "ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclWorkElem)";
    return v;
}

}  // namespace

const Vocabulary& vocabularyOf(Vendor vendor, Dialect dialect) {
    static const Vocabulary cuda_names = cuda();
    static const Vocabulary rocm_names = rocm();
    static const Vocabulary old_cuda_names = old(cuda());
    static const Vocabulary old_rocm_names = old(rocm());
    if (dialect == Dialect::Old) {
        return vendor == Vendor::Cuda ? old_cuda_names : old_rocm_names;
    }
    return vendor == Vendor::Cuda ? cuda_names : rocm_names;
}

}  // namespace rankscope::tracegen
