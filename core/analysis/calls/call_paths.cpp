// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/analysis/calls/call_tree.h"
#include "core/trace/step_numbers.h"

namespace rankscope {

bool isCall(CallSource source, Category category, std::string_view name) {
    const bool python = category == Category::PythonFunction;
    const bool op = category == Category::CpuOp || category == Category::UserAnnotation || isLaunchCall(category);
    switch (source) {
        case CallSource::Operators: return op;
        case CallSource::Python: return python;
        case CallSource::Both: return op || python;
        case CallSource::Modules: return python && name.starts_with("nn.Module: ");
    }
    return false;
}

std::vector<std::string> callPathOf(const RankTrace& trace, SliceRef slice, CallSource source) {
    std::vector<std::string> path;
    SliceRef call = slice;
    if (isDeviceWork(trace.category(slice))) {
        path.emplace_back(nameOverSteps(trace.name(slice)));
        call = trace.launches.launchOf(slice);
    }
    if (call.valid()) {
        const SliceTable& slices = trace.track(call).slices;
        for (SliceIndex i = call.slice; i != kNoSlice; i = slices.parent[i]) {
            const std::string_view name = trace.strings.view(slices.name[i]);
            if (isCall(source, slices.category[i], name)) {
                path.emplace_back(nameOverSteps(name));
            }
        }
    }
    std::ranges::reverse(path);
    return path;
}

std::uint32_t furthestOn(const CallTree& top_down, std::span<const std::string> path) {
    // A node matches by the frames folded into it, then by itself.
    const auto is_next = [&](const CallNode& node) {
        if (path.size() <= node.through.size() || top_down.name(node) != path[node.through.size()]) {
            return false;
        }
        return std::ranges::equal(node.through, path.first(node.through.size()), {},
                                  [&](CallName frame) { return std::string_view(top_down.names[frame.value]); });
    };
    std::uint32_t at = 0;
    while (!path.empty()) {
        const auto children = top_down.childrenOf(top_down.nodes[at]);
        const auto next = std::ranges::find_if(children, is_next);
        if (next == children.end()) {
            break;
        }
        path = path.subspan(next->through.size() + 1);
        at = top_down.nodes[at].first_child + static_cast<std::uint32_t>(next - children.begin());
    }
    return at;
}

}  // namespace rankscope
