// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace rankscope {

/// The kind of activity of a slice, from its `cat`, in the spelling of any Kineto dialect (libkineto ActivityType.h;
/// `Kernel`, `Operator`, `Runtime` before 2021). It decides whether a slice is CPU or GPU work, never the pid: a GPU's
/// pid is its index, and containers have low pids too.
enum class Category : std::uint8_t {
    CpuOp,           ///< `cpu_op`, `Operator`
    UserAnnotation,  ///< `user_annotation`: record_function, ProfilerStep#, NVTX
    PythonFunction,  ///< `python_function`: with_stack=True
    Runtime,         ///< `cuda_runtime` (HIP too), `Runtime`
    Driver,          ///< `cuda_driver`: Triton's launches
    Kernel,          ///< `kernel`
    Memcpy,          ///< `gpu_memcpy`
    Memset,          ///< `gpu_memset`
    GpuAnnotation,   ///< `gpu_user_annotation`: spans first to last kernel of a range; no work of its own
    CudaSync,        ///< `cuda_sync`: waits of streams and events; no work of its own
    Overhead,        ///< `overhead`: the profiler's own
    Span,            ///< `Trace`: the profiler's window
    Other,           ///< anything else; kept and drawn
};

/// Whether slices of this category are work of a device: kernels, copies and memsets, but not annotations and syncs on
/// a stream.
[[nodiscard]] constexpr bool isDeviceWork(Category c) {
    return c == Category::Kernel || c == Category::Memcpy || c == Category::Memset;
}
/// Whether slices of this category are calls of the CUDA or HIP runtime or driver, which may launch device work. Not
/// all of them do: syncs are included.
[[nodiscard]] constexpr bool isLaunchCall(Category c) {
    return c == Category::Runtime || c == Category::Driver;
}

/// The canonical Kineto name of a category, e.g. "gpu_memcpy".
[[nodiscard]] std::string_view categoryName(Category category);
/// The category of a `cat` in any dialect; Category::Other if it is unknown.
[[nodiscard]] Category categoryOf(std::string_view cat);

}  // namespace rankscope
