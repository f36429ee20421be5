// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/gaps/host_names.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rankscope {
namespace {

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The name of a runtime or driver call without its vendor's prefix: "StreamSynchronize". Empty for other names.
std::string_view withoutVendor(std::string_view name) {
    for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
        if (name.starts_with(prefix)) {
            return name.substr(prefix.size());
        }
    }
    return {};
}

HostKind callKind(std::string_view name) {
    const std::string_view call = withoutVendor(name);
    if (call.empty()) {
        return HostKind::OtherCall;
    }
    if (call.ends_with("Synchronize") || call.ends_with("Synchronize_ptsz")) {
        return HostKind::Sync;
    }
    if (call.starts_with("Memcpy")) {
        // hipMemcpyWithStream is ROCm's synchronous copy on a stream.
        return has(call, "Async") ? HostKind::AsyncCopy : HostKind::BlockingCopy;
    }
    if (call.starts_with("Malloc") || call.starts_with("Free") || call.starts_with("HostAlloc") ||
        call.starts_with("HostMalloc") || call.starts_with("HostFree") || call.starts_with("HostRegister") ||
        call.starts_with("HostUnregister") || call.starts_with("ExtMallocWithFlags") || call.starts_with("MemAlloc") ||
        call.starts_with("MemFree") || call.starts_with("MemCreate") || call.starts_with("MemMap") ||
        call.starts_with("MemUnmap") || call.starts_with("MemRelease") || call.starts_with("MemAddressReserve") ||
        call.starts_with("MemSetAccess")) {
        return HostKind::Allocator;
    }
    if (has(call, "LaunchKernel") || has(call, "LaunchCooperativeKernel")) {
        return HostKind::KernelLaunch;
    }
    if (call.starts_with("ModuleLoad") || call.starts_with("LibraryLoad") || call.starts_with("LibraryGetKernel") ||
        call.starts_with("GraphInstantiate") || call.starts_with("GraphUpload")) {
        return HostKind::WarmUp;
    }
    if (has(call, "GraphLaunch") || call.starts_with("Memset")) {
        return HostKind::OtherLaunch;
    }
    return HostKind::OtherCall;
}

HostKind rangeKind(std::string_view name) {
    if (name.starts_with("ProfilerStep#")) {
        return HostKind::StepMark;
    }
    const bool marked = name.starts_with("enumerate(DataLoader)#") && name.ends_with("__next__");
    const bool python = name.ends_with(": __next__") && has(name, "torch/utils/data/dataloader.py(");
    return marked || python ? HostKind::DataLoader : HostKind::Other;
}

/// Kineto shortens the paths of Python files at the start: PyTorch's own begin with "torch/".
bool isUserFile(std::string_view name) {
    const std::size_t file_end = name.find(".py(");
    if (file_end == std::string_view::npos || name.front() == '<') {
        return false;
    }
    const std::string_view file = name.substr(0, file_end);
    return !file.starts_with("torch/") && !has(file, "/torch/") && !has(file, "lib/python") &&
           !file.starts_with("threading") && !file.starts_with("contextlib") && file.find('/') != 0;
}

constexpr std::array<std::string_view, 12> kReadsDevice = {
    "aten::item",     "aten::_local_scalar_dense", "aten::is_nonzero",
    "aten::nonzero",  "aten::masked_select",       "aten::unique_consecutive",
    "aten::_unique2", "aten::unique_dim",          "aten::equal",
    "aten::allclose", "aten::repeat_interleave",   "aten::bincount"};

}  // namespace

ReducerPart reducerPartOf(std::string_view name) {
    if (!has(name, "reducer::")) {
        return ReducerPart::None;
    }
    if (name.ends_with("::search_unused_parameters")) {
        return ReducerPart::SearchUnused;
    }
    if (name.ends_with("::copy_bucket_to_grad")) {
        return ReducerPart::CopyToGradient;
    }
    return name.ends_with("::mul_out") ? ReducerPart::CopyToBucket : ReducerPart::None;
}

bool namesCommunication(std::string_view name) {
    return name == "record_param_comms" || name.starts_with("nccl:") || name.starts_with("rccl:") ||
           name.starts_with("c10d::");
}

HostNames::Flags HostNames::flagsOf(std::string_view name) {
    Flags flags;
    const HostKind kind = callKind(name);
    const HostKind range = rangeKind(name);
    const auto set = [&](Category category, HostKind as) { flags.kinds[static_cast<std::size_t>(category)] = as; };
    set(Category::Runtime, kind);
    set(Category::Driver, kind);
    set(Category::CpuOp, range == HostKind::Other ? HostKind::Operator : range);
    set(Category::UserAnnotation, range == HostKind::Other ? HostKind::Annotation : range);
    set(Category::PythonFunction, range == HostKind::Other ? HostKind::Python : range);
    flags.reducer_part = reducerPartOf(name);
    flags.aten = name.starts_with("aten::");
    flags.user_code = isUserFile(name);
    flags.reads_device = flags.aten && std::ranges::find(kReadsDevice, name) != kReadsDevice.end();
    flags.communicates = namesCommunication(name);
    const std::string_view call = withoutVendor(name);
    flags.launches_graph = has(call, "GraphLaunch");
    flags.frees_device = call == "Free" || call == "MemFree" || call == "MemFree_v2";
    flags.to_device = has(name, "HtoD") || has(name, "HostToDevice") || has(name, "HOST_TO_DEVICE");
    flags.to_host = has(name, "DtoH") || has(name, "DeviceToHost") || has(name, "DEVICE_TO_HOST");
    flags.pageable = has(name, "Pageable");
    return flags;
}

HostNames::HostNames(const RankTrace& rank) {
    flags_.reserve(rank.strings.size() + 1);
    for (std::uint32_t i = 0; i < rank.strings.size(); ++i) {
        flags_.push_back(flagsOf(rank.strings.view(StringId(i))));
    }
    flags_.emplace_back();
}

}  // namespace rankscope
