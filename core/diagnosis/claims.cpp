// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/claims.h"

#include <algorithm>
#include <string_view>

#include "core/diagnosis/pricing.h"

namespace rankscope {
namespace {

/// From this part of a straggler's saving on another finding explains it.
constexpr double kExplains = 0.8;

bool isStraggler(const Finding& finding) {
    return finding.id == "straggler-rank" || finding.id == "moving-straggler";
}

/// The findings that a cause of lateness leads to as well.
bool isCauseOf(const Finding& finding, std::string_view cause) {
    if (cause == "host") {
        return finding.id == "host-code" || finding.id == "launch-bound" || finding.id == "unexplained-idle";
    }
    return (cause == "host-sync" && finding.id == "host-sync") ||
           (cause == "blocking-copy" && finding.id == "unpinned-memcpy") ||
           (cause == "copies" && finding.id == "unpinned-memcpy") ||
           (cause == "allocator" && finding.id == "allocator-stall");
}

bool explains(const Finding& finding, const Finding& straggler) {
    return isCauseOf(finding, straggler.cause) && finding.ranks == straggler.ranks &&
           static_cast<double>(finding.saving_ns) >= kExplains * static_cast<double>(straggler.saving_ns);
}

void claimFrom(Finding& loader, const Finding& straggler, DurationNs median_step_ns) {
    loader.saving_ns = std::max<DurationNs>(0, loader.saving_ns - straggler.saving_ns);
    loader.blocked_ns = std::max<DurationNs>(0, loader.blocked_ns - straggler.saving_ns);
    loader.share = static_cast<double>(loader.saving_ns) / static_cast<double>(median_step_ns);
    loader.severity = severityOf(loader.share);
}

}  // namespace

void settleClaims(Diagnosis& diagnosis, DurationNs median_step_ns) {
    std::vector<Finding>& findings = diagnosis.findings;
    const std::vector<Finding> all = findings;
    std::erase_if(findings, [&](const Finding& straggler) {
        return isStraggler(straggler) &&
               std::ranges::any_of(all, [&](const Finding& f) { return explains(f, straggler); });
    });
    for (const Finding& straggler : findings) {
        if (!isStraggler(straggler) || straggler.cause != "dataloader") {
            continue;
        }
        for (Finding& finding : findings) {
            if (finding.id == "dataloader-stall") {
                claimFrom(finding, straggler, median_step_ns);
            }
        }
    }
    std::erase_if(findings,
                  [](const Finding& f) { return f.id == "dataloader-stall" && f.share < Pricer::kLeastShare; });
}

}  // namespace rankscope
