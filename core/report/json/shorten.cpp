// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <string>

#include "core/report/json/parts.h"

namespace rankscope::report {
namespace {

constexpr auto kLeftOut =
    std::to_array<std::string_view>({"steps/ranks", "phases/ranks/steps", "pipeline/steps", "shards/collectives",
                                     "shards/ranks/steps", "shards/ranks/parts", "experts/layers", "iterations/steps",
                                     "efficiency/ranks/steps", "collectives", "overlap/steps", "stragglers/steps",
                                     "operators/ranks", "kernels/ranks", "ddp/steps", "ddp_messages", "memory/steps"});

/// Erases the key at the end of `path` from `json`, or from each of its entries.
void eraseAt(Json& json, std::string_view path) {
    if (json.is_array()) {
        for (Json& entry : json) {
            eraseAt(entry, path);
        }
        return;
    }
    if (!json.is_object()) {
        return;  // null: the run does not have it
    }
    const std::size_t slash = path.find('/');
    const std::string key(path.substr(0, slash));
    if (slash == std::string_view::npos) {
        json.erase(key);
    } else if (const auto at = json.find(key); at != json.end()) {
        eraseAt(*at, path.substr(slash + 1));
    }
}

}  // namespace

std::span<const std::string_view> leftOutPaths() {
    return kLeftOut;
}

void shorten(Json& run) {
    for (const std::string_view path : kLeftOut) {
        eraseAt(run, path);
    }
    for (Json& finding : run["findings"]) {
        auto& evidence = finding["evidence"].get_ref<Json::array_t&>();
        const std::size_t kept = std::min(kShortEvidence, evidence.size());
        finding["evidence_left_out"] = evidence.size() - kept;
        evidence.resize(kept);
    }
}

}  // namespace rankscope::report
