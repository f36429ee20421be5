// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json/parts.h"
#include "core/report/model/vocabulary.h"

namespace rankscope::report {

Json errorJson(const Error& error) {
    return {{"path", error.path}, {"byte_offset", orNull(error.byte_offset)}, {"cause", error.cause}};
}

Json healthJson(const RankTrace& rank) {
    const Health& health = rank.health;
    Json parse_issues = Json::array();
    for (const ParseIssue& parse_issue : health.parse_issues) {
        const bool known = parse_issue.file < rank.files.size();
        parse_issues.push_back({{"file", known ? Json(fileLabel(rank.files[parse_issue.file])) : Json(nullptr)},
                                {"byte_offset", parse_issue.byte_offset},
                                {"cause", parse_issue.cause}});
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
            {"parse_issues", std::move(parse_issues)},
            {"notes", health.notes}};
}

}  // namespace rankscope::report
