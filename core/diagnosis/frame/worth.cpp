// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/worth.h"

#include <tuple>

namespace rankscope {

DurationNs likelySaving(const Finding& finding) {
    if (finding.at_most) {
        return finding.saving_ns / 2;
    }
    if (finding.range && finding.range->low_ns >= finding.saving_ns) {
        return finding.range->low_ns + (finding.range->high_ns - finding.range->low_ns) / 2;
    }
    return finding.saving_ns;
}

Severity severityOf(const Finding& finding, DurationNs step_ns) {
    constexpr double kHigh = 0.10;
    constexpr double kMedium = 0.05;
    if (step_ns <= 0) {
        return Severity::Low;
    }
    const double trust = finding.confidence == Confidence::Low ? 0.5 : 1.0;
    const double share = trust * static_cast<double>(likelySaving(finding)) / static_cast<double>(step_ns);
    return share >= kHigh ? Severity::High : share >= kMedium ? Severity::Medium : Severity::Low;
}

bool isWorthMore(const Finding& a, const Finding& b) {
    const auto key = [](const Finding& finding) {
        return std::tuple(finding.severity, likelySaving(finding), finding.saving_ns);
    };
    return key(a) > key(b);
}

bool isQuickWin(const Finding& finding) {
    return finding.confidence == Confidence::High && !finding.at_most && finding.saving_ns > 0 &&
           !finding.remedies.empty() && finding.remedies.front().is_quick;
}

}  // namespace rankscope
