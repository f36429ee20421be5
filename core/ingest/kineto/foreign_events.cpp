// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/foreign_events.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace rankscope {
namespace {

/// Some different names of slices, to describe the content of the file.
std::set<std::string> someNames(const std::vector<PartialTrace>& parts) {
    constexpr std::size_t kNames = 3;
    constexpr std::size_t kLongest = 40;
    std::set<std::string> names;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            for (std::size_t i = 0; i < track.size() && names.size() < kNames; ++i) {
                names.emplace(part.texts().view(track.name[i]).substr(0, kLongest));
            }
        }
    }
    names.erase("");
    return names;
}

}  // namespace

std::optional<std::string> whyForeign(const std::vector<PartialTrace>& parts, std::string_view kind) {
    std::size_t slices = 0;
    for (const PartialTrace& part : parts) {
        for (const PartialTrack& track : part.tracks) {
            slices += track.size();
            if (std::ranges::any_of(track.category, [](Category c) { return c != Category::Other; })) {
                return std::nullopt;
            }
        }
    }
    if (slices == 0) {
        return std::nullopt;
    }
    std::string names;
    for (const std::string& name : someNames(parts)) {
        names += (names.empty() ? " (\"" : ", \"") + name + "\"";
    }
    return "is " + std::string(kind) + ": none of its " + std::to_string(slices) + " slices" + names +
           (names.empty() ? "" : ")") +
           " has a category of PyTorch's profiler, such as cpu_op, cuda_runtime or kernel. Open it in ui.perfetto.dev, "
           "or record the job with torch.profiler";
}

}  // namespace rankscope
