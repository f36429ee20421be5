// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/ingest/nsight/process.h"

namespace rankscope::nsight {
namespace {

/// Types in the names of NCCL's kernels ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL"), with PyTorch's name and bytes.
struct NamedType {
    std::string_view in_kernel;
    std::string_view name;
    std::int64_t bytes;
};
constexpr std::array<NamedType, 10> kTypes = {{{"_f32", "Float", 4},
                                               {"_f16", "Half", 2},
                                               {"_bf16", "BFloat16", 2},
                                               {"_f64", "Double", 8},
                                               {"_i32", "Int", 4},
                                               {"_u32", "Int", 4},
                                               {"_i64", "Long", 8},
                                               {"_u64", "Long", 8},
                                               {"_i8", "Byte", 1},
                                               {"_u8", "Byte", 1}}};

/// Kernels that only move data have no type in their name: their bytes count as elements of one byte.
NamedType typeOf(std::string_view kernel) {
    const auto* const found = std::ranges::find_if(
        kTypes, [kernel](const NamedType& type) { return kernel.find(type.in_kernel) != std::string_view::npos; });
    return found == kTypes.end() ? NamedType{"", "Byte", 1} : *found;
}

/// The name of a collective as PyTorch writes it, and how often its bytes are in its input and its output.
struct Sizes {
    std::string_view call;
    std::string_view name;
    bool input_of_all = false;   ///< the input is as large as all ranks' parts together
    bool output_of_all = false;  ///< the output is
};
constexpr std::array<Sizes, 5> kCalls = {{{"ncclAllReduce", "allreduce"},
                                          {"ncclBroadcast", "broadcast"},
                                          {"ncclReduce", "reduce"},
                                          {"ncclAllGather", "_allgather_base", false, true},
                                          {"ncclReduceScatter", "_reduce_scatter_base", true, false}}};

bool isGroup(const NcclCall& call) {
    return call.name == "ncclGroupStart" || call.name == "ncclGroupEnd";
}

/// The calls of one thread in the order of time.
class Calls {
  public:
    explicit Calls(std::vector<NcclCall>& calls) : calls_(calls) {
        std::ranges::stable_sort(calls_, {},
                                 [](const NcclCall& call) { return std::pair(call.thread, call.span.start_ns); });
    }

    /// The call in whose range an instant is, or the only one of the group whose end it is in. Null if neither is.
    [[nodiscard]] const NcclCall* at(std::int64_t thread, TimeNs at_ns) const {
        auto after = std::ranges::upper_bound(calls_, std::pair(thread, at_ns), {}, [](const NcclCall& call) {
            return std::pair(call.thread, call.span.start_ns);
        });
        const NcclCall* only = nullptr;
        std::size_t depth = 0;  // of the groups that end behind
        while (after != calls_.begin() && std::prev(after)->thread == thread) {
            const NcclCall& call = *--after;
            if (depth == 0 && call.span.end_ns < at_ns) {
                return nullptr;
            }
            if (!isGroup(call)) {
                if (depth == 0) {
                    return &call;
                }
                if (only != nullptr) {
                    return nullptr;
                }
                only = &call;
            } else if (call.name == "ncclGroupEnd") {
                ++depth;
            } else if (depth > 0 && --depth == 0) {
                return only;
            }
        }
        return nullptr;
    }

  private:
    std::vector<NcclCall>& calls_;
};

CollectiveArgs argsOf(const NcclCall& call, const Sizes& sizes, std::string_view kernel, Process& process) {
    const NamedType type = typeOf(kernel);
    CollectiveArgs args;
    args.name = process.part.strings.intern(sizes.name);
    args.dtype = process.part.strings.intern(type.name);
    const auto member = process.communicators.find(call.communicator);
    const bool is_known = member != process.communicators.end();
    if (call.communicator != 0) {
        args.comms_id = process.part.strings.intern(std::to_string(call.communicator));
        args.group_name = args.comms_id;
    }
    if (is_known) {
        args.group_size = member->second.size;
    }
    const std::int64_t part = *call.bytes / type.bytes;
    const std::int64_t all = is_known ? part * member->second.size : -1;
    args.in_elements = sizes.input_of_all ? all : part;
    args.out_elements = sizes.output_of_all ? all : part;
    return args;
}

}  // namespace

void addNcclArgs(Process& process) {
    const Calls calls(process.nccl);
    for (PartialTrack& track : process.part.tracks) {
        if (track.kind != TrackKind::Stream) {
            continue;
        }
        for (const auto& [row, correlation] : track.correlation) {
            const auto launch = process.nccl_launches.find(correlation);
            const NcclCall* call = launch == process.nccl_launches.end() || track.category[row] != Category::Kernel
                                       ? nullptr
                                       : calls.at(launch->second.thread, launch->second.at_ns);
            const auto* const sizes =
                call == nullptr || !call->bytes ? kCalls.end() : std::ranges::find(kCalls, call->name, &Sizes::call);
            if (sizes != kCalls.end()) {
                const std::string kernel(process.part.strings.view(track.name[row]));
                track.collectives.push_back({row, argsOf(*call, *sizes, kernel, process)});
            }
        }
    }
}

}  // namespace rankscope::nsight
