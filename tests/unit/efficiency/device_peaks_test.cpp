// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/device_peaks.h"

#include "core/analysis/efficiency/matrix_kernels.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::optional<DevicePeak> peakOf(const std::string& name, std::int32_t multiprocessors = 0,
                                 std::uint64_t memory_bytes = 0) {
    return DevicePeaks::builtIn().of(
        {.id = 0, .name = name, .total_memory_bytes = memory_bytes, .multiprocessors = multiprocessors});
}

TEST(DevicePeaks, AreTheDenseOnesOfDataSheets) {
    EXPECT_EQ(peakOf("NVIDIA H100 80GB HBM3", 132)->tflops[NumberType::BFloat16], 989.4);
    EXPECT_EQ(peakOf("NVIDIA A100-SXM4-80GB", 108, 85'000'000'000)->tflops[NumberType::BFloat16], 312);
    EXPECT_EQ(peakOf("Tesla V100-SXM2-16GB", 80)->tflops[NumberType::Float16], 125);
    EXPECT_EQ(peakOf("AMD Instinct MI300X", 304)->tflops[NumberType::BFloat16], 1307.4);
}

TEST(DevicePeaks, DistinguishDevicesOfOneNameByTheirHardware) {
    EXPECT_EQ(peakOf("NVIDIA A100-SXM4-80GB", 108, 85'000'000'000)->memory_gb_per_s, 2039);
    EXPECT_EQ(peakOf("NVIDIA A100-SXM4-40GB", 108, 42'000'000'000)->memory_gb_per_s, 1555);
    EXPECT_EQ(peakOf("NVIDIA H100", 132)->device, "H100 SXM");
    EXPECT_EQ(peakOf("NVIDIA H100", 114)->device, "H100 PCIe");
}

TEST(DevicePeaks, AreNotThoseOfADeviceWhoseNameOnlyContainsAnothers) {
    EXPECT_FALSE(peakOf("NVIDIA RTX A1000"));
    EXPECT_FALSE(peakOf("NVIDIA T400"));
    EXPECT_EQ(peakOf("NVIDIA GH200 480GB")->device, "GH200, 96 GB");
    EXPECT_EQ(peakOf("Quadro GP100")->device, "Quadro GP100");
    EXPECT_FALSE(peakOf("AMD Radeon Graphics"));
    EXPECT_FALSE(peakOf(""));
}

TEST(DevicePeaks, HaveNoFigureWhereADeviceHasNoSuchUnit) {
    EXPECT_FALSE(peakOf("Tesla V100-SXM2-16GB")->tflops[NumberType::BFloat16]);
    EXPECT_FALSE(peakOf("NVIDIA A100-SXM4-40GB")->tflops[NumberType::Float8]);
    EXPECT_FALSE(peakOf("NVIDIA A100-SXM4-40GB")->tensor_cores[NumberType::Float32]);
}

TEST(DevicePeaks, SayWhereEachFigureIsFrom) {
    EXPECT_NE(peakOf("NVIDIA H200")->source.find("data sheet"), std::string::npos);
}

TEST(DevicePeaks, AreRefusedWhereTheyAreNoTable) {
    EXPECT_TRUE(DevicePeaks::fromJson("{", "x").failed());
    EXPECT_TRUE(DevicePeaks::fromJson(R"({"devices": [{"name": "X"}]})", "x").failed());
    EXPECT_TRUE(DevicePeaks::fromJson(R"({"devices": [{"name": "X", "device": "X", "memory_gb_per_s": 0, "tflops": {},
        "tensor_cores": [], "source": "-"}]})",
                                      "x")
                    .failed());
}

TEST(KernelNames, ShowTensorCores) {
    EXPECT_EQ(kernelKindOf("ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn").tensor_cores, true);
    EXPECT_EQ(kernelKindOf("nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNN").tensor_cores, true);
    EXPECT_EQ(kernelKindOf("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x192x64_MI16x16x1_SN").tensor_cores,
              true);
    EXPECT_EQ(kernelKindOf("volta_sgemm_64x64_nt").tensor_cores, false);
    EXPECT_EQ(kernelKindOf("volta_scudnn_128x64_stridedB_interior_nn_v1").tensor_cores, false);
    EXPECT_EQ(kernelKindOf("some_gemm_kernel").tensor_cores, std::nullopt);
    EXPECT_FALSE(kernelKindOf("void at::native::vectorized_elementwise_kernel<4>").multiplies);
}

TEST(KernelNames, ShowTheMultipliedTypeOrNothing) {
    const auto type_of = [](std::string_view name) { return kernelKindOf(name).type; };
    EXPECT_EQ(type_of("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn"), NumberType::BFloat16);
    EXPECT_EQ(type_of("cutlass_tensorop_bf16_s16816fprop_optimized_bf16_256x128_32x3_nhwc"), NumberType::BFloat16);
    EXPECT_EQ(type_of("void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<32, 128, cutlass::bfloat16_t>>"),
              NumberType::BFloat16);
    EXPECT_EQ(type_of("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x192x64_MI16x16x1_SN"), NumberType::BFloat16);
    EXPECT_EQ(type_of("ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn"), NumberType::Float16);
    EXPECT_EQ(type_of("volta_h884gemm_128x64_ldg8_nn"), NumberType::Float16);
    EXPECT_EQ(type_of("Cijk_Ailk_Bjlk_HHS_BH_MT128x64x32_MI16x16x16x1_SN"), NumberType::Float16);
    EXPECT_EQ(type_of("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32"), NumberType::Float16);
    EXPECT_EQ(type_of("void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_16x6_tn_align4>(T1::Params)"),
              NumberType::Tf32);
    EXPECT_EQ(type_of("volta_sgemm_64x64_nt"), NumberType::Float32);
    EXPECT_EQ(type_of("volta_scudnn_128x64_relu_interior_nn_v1"), NumberType::Float32);
    EXPECT_EQ(type_of("ampere_dgemm_64x64_nt"), NumberType::Float64);
    EXPECT_EQ(type_of("nvjet_tst_128x256_64x4_2x1_v_bz_coopA_TNN"), std::nullopt);
    EXPECT_EQ(type_of("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7x128"), std::nullopt);
    EXPECT_EQ(type_of("gemm_of_bf16_and_fp16"), std::nullopt);
    EXPECT_EQ(type_of("some_gemm_kernel"), std::nullopt);
}

TEST(KernelNames, ShowRoundedAndNarrowNumbers) {
    EXPECT_TRUE(kernelKindOf("sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32").tf32);
    EXPECT_FALSE(kernelKindOf("ampere_sgemm_128x64_tn").tf32);
    EXPECT_TRUE(kernelKindOf("sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize128x128x128").float8);
}

}  // namespace
}  // namespace rankscope::test
