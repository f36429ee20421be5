// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tests/tracegen/config.h"

namespace rankscope::tracegen {

/// How one vendor's software of one time names things. An empty name is something that its profiler does not show.
struct Vocabulary {
    // runtime calls
    std::string_view launch;         ///< of PyTorch's own kernels
    std::string_view launch_module;  ///< of the libraries' kernels
    std::string_view launch_collective;
    std::string_view copy_async;
    std::string_view copy_blocking;  ///< returns when the copy is done
    std::string_view copy_sync;      ///< a separate call that follows the blocking copy; empty if there is none
    std::string_view device_sync;
    std::string_view event_record;
    std::string_view stream_wait_event;
    std::string_view is_capturing;
    std::string_view device_malloc;
    std::string_view device_free;

    // operators
    std::string_view convolution;
    std::string_view batch_norm;
    std::string_view batch_norm_backward;
    std::string_view batch_norm_node;  ///< of autograd

    // device
    std::string_view copy_pageable;
    std::string_view copy_pinned;
    std::string_view copy_to_host;
    std::string_view conv_forward;
    std::string_view conv_input_gradient;
    std::string_view conv_weight_gradient;
    std::string_view norm_forward;
    std::string_view norm_backward;
    std::array<std::string_view, 3> gemm;  ///< forward, gradient of the input, gradient of the weight
    std::string_view copy_on_device;
    std::string_view all_reduce;
    std::string_view broadcast;
    std::array<std::uint32_t, 2> stream_ids;  ///< compute, communication
};

[[nodiscard]] const Vocabulary& vocabularyOf(Vendor vendor, Dialect dialect);

/// Kernels of NCCL, CUDA and the modern dialect.
namespace nccl {
inline constexpr std::string_view kAllGather = "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
inline constexpr std::string_view kReduceScatter =
    "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
inline constexpr std::string_view kReduceScatterFloat =
    "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
inline constexpr std::string_view kAllReduce =
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
inline constexpr std::string_view kSendRecv = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
}  // namespace nccl

/// Kernels that PyTorch compiles for both vendors under one name.
namespace kernels {
inline constexpr std::string_view kRelu =
    "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::launch_clamp_scalar("
    "at::TensorIteratorBase&, c10::Scalar, c10::Scalar, at::native::detail::ClampLimits)::{lambda()#1}::operator()() "
    "const::{lambda()#7}::operator()() const::{lambda(float)#1}, at::detail::Array<char*, 2> >(int, "
    "at::native::(anonymous namespace)::launch_clamp_scalar(at::TensorIteratorBase&, c10::Scalar, c10::Scalar))";
inline constexpr std::string_view kReluBackward =
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, "
    "at::native::(anonymous namespace)::threshold_kernel_impl<float>(at::TensorIteratorBase&, float, "
    "float)::{lambda(float, float)#1}>, at::detail::Array<char*, 3> >(int, at::native::BinaryFunctor<float, float, "
    "float, at::native::(anonymous namespace)::threshold_kernel_impl<float>)";
inline constexpr std::string_view kGelu =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#2}::operator()() const::{lambda(float)#1}, "
    "at::detail::Array<char*, 2> >(int, at::detail::Array<char*, 2>)";
inline constexpr std::string_view kGeluBackward =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluBackwardCUDAKernelImpl("
    "at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#2}::operator()() "
    "const::{lambda(float, float)#1}, at::detail::Array<char*, 3> >(int, at::detail::Array<char*, 3>)";
inline constexpr std::string_view kMul =
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, "
    "at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 3> >(int, "
    "at::native::BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, "
    "at::detail::Array<char*, 3>)";
inline constexpr std::string_view kAdd =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, "
    "3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)";
inline constexpr std::string_view kReduce =
    "void at::native::reduce_kernel<128, 4, at::native::ReduceOp<float, at::native::func_wrapper_t<float, "
    "at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, "
    "unsigned int, float, 4> >(at::native::ReduceOp<float>)";
inline constexpr std::string_view kFlashForward =
    "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t>, "
    "false, true, false, false, true, true, false>(pytorch_flash::Flash_fwd_params)";
inline constexpr std::string_view kFlashBackward =
    "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8, 2, 4, "
    "2>, "
    "false, true, false, false, true, true>(pytorch_flash::Flash_bwd_params)";
inline constexpr std::string_view kEmbedding =
    "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, true>("
    "at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, long, unsigned int)";
inline constexpr std::string_view kSplitCopy =
    "at::native::detail::split_with_sizes_copy_out_contiguous_no_cast_kernel(char**, char**, long*, long*, long*, "
    "long)";
inline constexpr std::string_view kChunkCat =
    "void at::native::detail::chunk_cat_cuda_kernel<float, c10::BFloat16>(c10::BFloat16**, float*, long*, long*, "
    "long*)";
inline constexpr std::string_view kSoftmax =
    "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, false>(float*, float const*, "
    "int, int, int, bool const*, int, bool)";
inline constexpr std::string_view kSoftmaxBackward =
    "void (anonymous namespace)::softmax_warp_backward<float, float, float, 10, true, false>(float*, float const*, "
    "float const*, int, int, int, bool const*)";
inline constexpr std::string_view kNllLoss =
    "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*, "
    "float*, float const*, long const*, float const*, bool, long, long, long, long)";
inline constexpr std::string_view kNllLossBackward =
    "void at::native::(anonymous namespace)::nll_loss_backward_reduce_cuda_kernel_2d<float, long>(float*, float "
    "const*, long const*, float const*, float const*, bool, int, int, long, long)";
inline constexpr std::string_view kForeachUnary =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::BinaryOpScalarFunctor<float, 1, 1, 0>, "
    "std::plus<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<1>, std::plus<float>, float)";
inline constexpr std::string_view kForeachBinary =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::TernaryOpScalarFunctor<float, 2, 2, 0>, "
    "at::native::LerpFunctor<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<2>, float)";
inline constexpr std::string_view kForeachPointwise =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::TensorListMetadata<3>, at::native::(anonymous namespace)::PointwiseOpScalarFunctor<float, 3, 3, 0>, "
    "std::multiplies<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<3>, "
    "std::multiplies<float>, float)";
}  // namespace kernels

}  // namespace rankscope::tracegen
