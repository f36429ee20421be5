// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_parts.h"
#include "core/report/vocabulary.h"

namespace rankscope::report {

Json errorJson(const Error& error) {
    return {{"path", error.path}, {"byte_offset", orNull(error.byte_offset)}, {"cause", error.cause}};
}

Json healthJson(const RankTrace& rank) {
    const Health& health = rank.health;
    Json blemishes = Json::array();
    for (const Blemish& blemish : health.blemishes) {
        const bool known = blemish.file < rank.files.size();
        blemishes.push_back({{"file", known ? Json(fileLabel(rank.files[blemish.file])) : Json(nullptr)},
                             {"byte_offset", blemish.byte_offset},
                             {"cause", blemish.cause}});
    }
    return {{"events", health.events},
            {"slices", health.slices},
            {"skipped", health.skipped},
            {"recovered", health.recovered},
            {"overlapping", health.overlapping},
            {"negative_durations", health.negative_durations},
            {"early_kernels", health.early_kernels},
            {"unlinked_launches", health.unlinked_launches},
            {"unlinked_device", health.unlinked_device},
            {"truncated", health.truncated},
            {"blemishes", std::move(blemishes)},
            {"notes", health.notes}};
}

}  // namespace rankscope::report
