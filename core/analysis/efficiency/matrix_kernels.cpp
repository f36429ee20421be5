// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/efficiency/matrix_kernels.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace rankscope {
namespace {

bool hasAny(std::string_view name, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

bool isProduct(std::string_view name) {
    return hasAny(name, {"gemm",     "Gemm",     "GEMM",   "gemv",     "cutlass", "xmma",     "nvjet",
                         "Cijk_",    "conv",     "Conv",   "fprop",    "dgrad",   "wgrad",    "igemm_",
                         "winograd", "Winograd", "flash_", "Flash",    "fmha",    "attn_fwd", "attn_bwd",
                         "sdpa",     "bmm_",     "cask_",  "_scudnn_", "xdlops",  "sage_fwd", "dot_kernel"});
}

/// Instructions in the names of cuBLAS, cuDNN and CUTLASS ("s16816": sums in float32, shape 16 x 8 x 16), and in AMD's.
bool namesTensorCores(std::string_view name) {
    return hasAny(name,
                  {"s884",      "h884",      "s1688",     "h1688",         "s16816",   "h16816",    "i8816",
                   "i16832",    "s161616",   "h161616",   "s161632",       "tensorop", "tensor_op", "tensor16x8",
                   "warpgroup", "gmma",      "wgmma",     "nvjet",         "16dp256b", "tf32f32",   "cutlass3x_sm",
                   "sm100",     "flash_fwd", "flash_bwd", "pytorch_flash", "fmha_v2",  "mma_sync",  "xdlops",
                   "Xdl",       "gtcx",      "mfma",      "Mfma",          "MI16x16",  "MI32x32",   "MI4x4"}) ||
           (name.starts_with("Cijk_") && name.find("_MI") != std::string_view::npos);
}

/// Plain arithmetic: single-precision GEMMs, and kernels that cuDNN and CUTLASS call "simt" or that compute with their
/// own loops.
bool namesPlainCores(std::string_view name) {
    return hasAny(name,
                  {"_sgemm_", "sgemm_", "_dgemm_", "_scudnn_", "simt", "implicit_convolve_sgemm", "dgrad_engine<float",
                   "dgrad2d", "wgrad_alg0_engine<float", "wgrad2d", "explicit_convolve_sgemm", "gemv", "gemvN", "ffma",
                   "f32f32_f32f32_f32_simt", "fmha_cutlassF_f32", "miopenSp3Asm", "naive_conv"});
}

/// The types of a Tensile kernel come after the order of its indices: "Cijk_Alik_Bljk_BBS_BH" reads bfloat16, writes it
/// and sums in float32.
bool tensileReads(std::string_view name, std::initializer_list<std::string_view> types) {
    return name.starts_with("Cijk_") && hasAny(name, types);
}

/// The type that a kernel multiplies if its name has exactly one 16-bit type, or says plain float32 or float64. The
/// type of sums and the size of tiles say nothing: "s16816" and "nvjet" are used for several types.
std::optional<NumberType> typeNamed(std::string_view name) {
    if (hasAny(name, {"bf16x"})) {
        return std::nullopt;  // float32 composed of several bfloat16
    }
    const bool bfloat =
        hasAny(name, {"bf16", "bfloat16", "BFloat16"}) || tensileReads(name, {"_BBS_", "_BSS_", "_B_BS_"});
    const bool half =
        hasAny(name, {"fp16", "__half", "half_t", "c10::Half", "h884", "h1688", "h16816", "h161616", "volta_s884",
                      "turing_s1688", "_f16f16_", "tensorop_f16_", "gemm_f16_", "gemm_relu_f16_", "_f16_aligned"}) ||
        tensileReads(name, {"_HHS_", "_HSS_", "_HB_", "_H_HS_"});
    if (bfloat || half) {
        return bfloat && half ? std::nullopt : std::optional(bfloat ? NumberType::BFloat16 : NumberType::Float16);
    }
    if (hasAny(name, {"sgemm", "_scudnn_", "f32f32_f32f32_f32", "engine<float,"}) || tensileReads(name, {"_SB_"})) {
        return NumberType::Float32;
    }
    return hasAny(name, {"dgemm", "f64f64_f64f64_f64", "engine<double,"}) || tensileReads(name, {"_DB_"})
               ? std::optional(NumberType::Float64)
               : std::nullopt;
}

}  // namespace

KernelKind kernelKindOf(std::string_view name) {
    KernelKind kind;
    kind.multiplies = isProduct(name);
    if (!kind.multiplies) {
        return kind;
    }
    kind.tf32 =
        hasAny(name, {"tf32", "TF32", "xf32", "XF32"}) ||
        (hasAny(name, {"tensorop_s1688gemm", "tensorop_s1688fprop", "tensorop_s1688dgrad", "tensorop_s1688wgrad"}));
    kind.float8 = hasAny(name, {"e4m3", "e5m2", "E4m3", "E5m2", "fp8", "_f8", "F8"});
    kind.type = kind.float8 ? NumberType::Float8 : kind.tf32 ? NumberType::Tf32 : typeNamed(name);
    if (namesPlainCores(name)) {
        kind.tensor_cores = false;
    } else if (kind.tf32 || namesTensorCores(name)) {
        kind.tensor_cores = true;
    }
    return kind;
}

const KernelKind& KernelKinds::of(SliceRef kernel) {
    const StringId name = trace_.track(kernel).slices.name[kernel.slice];
    std::optional<KernelKind>& kind = kinds_[name.value];
    if (!kind) {
        kind = kernelKindOf(trace_.strings.view(name));
    }
    return *kind;
}

}  // namespace rankscope
