// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/category.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope {
namespace {

constexpr std::array<std::string_view, 13> kCategoryNames = {
    "cpu_op",     "user_annotation",     "python_function", "cuda_runtime", "cuda_driver", "kernel", "gpu_memcpy",
    "gpu_memset", "gpu_user_annotation", "cuda_sync",       "overhead",     "Trace",       "other"};

// Other spellings than the canonical ones. Other vendors' runtimes (xpu, privateuse1, mtia) launch work like CUDA's.
constexpr std::array<std::pair<std::string_view, Category>, 19> kOtherSpellings = {{
    {"Operator", Category::CpuOp},
    {"Python", Category::PythonFunction},
    {"Runtime", Category::Runtime},
    {"Kernel", Category::Kernel},
    {"Memcpy", Category::Memcpy},
    {"Memset", Category::Memset},
    {"hip_runtime", Category::Runtime},
    {"xpu_runtime", Category::Runtime},
    {"privateuse1_runtime", Category::Runtime},
    {"mtia_runtime", Category::Runtime},
    {"xpu_driver", Category::Driver},
    {"privateuse1_driver", Category::Driver},
    {"xpu_sync", Category::CudaSync},
    {"hpu_op", Category::Kernel},
    {"mtia_ccp_events", Category::Kernel},
    {"collective_comm", Category::Kernel},
    {"gpu_user_annotation", Category::GpuAnnotation},
    {"GPU user annotation", Category::GpuAnnotation},
    {"Overhead", Category::Overhead},
}};

}  // namespace

std::string_view categoryName(Category category) {
    return kCategoryNames[static_cast<std::size_t>(category)];
}

Category categoryOf(std::string_view cat) {
    const auto canonical = std::ranges::find(kCategoryNames, cat);
    if (canonical != kCategoryNames.end()) {
        return static_cast<Category>(canonical - kCategoryNames.begin());
    }
    const auto other = std::ranges::find(kOtherSpellings, cat, &std::pair<std::string_view, Category>::first);
    return other != kOtherSpellings.end() ? other->second : Category::Other;
}

}  // namespace rankscope
