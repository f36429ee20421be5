// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/headline_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/diagnosis/frame/worth.h"
#include "core/diagnosis/prices/pricing.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// The findings that a title of the critical path is about.
const std::map<std::string, std::set<std::string>>& kindsOfBounds() {
    static const std::map<std::string, std::set<std::string>> kinds = {
        {"input-bound", {"dataloader-stall", "unpinned-memcpy"}},
        {"launch-bound", {"host-sync", "allocator-stall", "host-code", "launch-bound", "find-unused-parameters"}},
        {"host-stalled", {"host-stall"}},
        {"communication-bound",
         {"bucket-size", "shard-gather-late", "tensor-communication", "slow-collective", "exposed-communication"}},
        {"compute-bound", {"gradient-copies", "no-tensor-cores", "low-precision-unused"}}};
    return kinds;
}

bool isOfKind(const Finding& finding, const std::string& title) {
    const auto kind = kindsOfBounds().find(title);
    return finding.saving_ns > 0 &&
           (title == "balanced" ||
            (kind != kindsOfBounds().end() && kind->second.contains(std::string(findingName(finding.id)))));
}

}  // namespace

void checkHeadline(const AnalysedRun& run) {
    const Headline& headline = run.diagnosis.headline;
    EXPECT_FALSE(headline.title.empty());
    EXPECT_FALSE(headline.text.empty());
    const std::vector<Finding>& findings = run.diagnosis.findings;
    EXPECT_TRUE(std::ranges::is_sorted(findings, isWorthMore));
    const bool is_named = headline.of_finding || headline.title == "compute-bound" ||
                          std::ranges::any_of(findings, [&](const Finding& f) { return isOfKind(f, headline.title); });
    EXPECT_TRUE(is_named || !headline.known) << headline.title << ": no finding names a part of it";
    EXPECT_TRUE(headline.known || !kindsOfBounds().contains(headline.title)) << headline.title;
    if (findings.empty() || findings.front().saving_ns <= 0) {
        return;
    }
    const Finding& first = findings.front();
    const bool is_told = headline.text.find(first.title) != std::string::npos;
    const bool is_its_own = headline.of_finding && headline.text == first.summary;
    const bool is_unknown = !headline.known && findingName(first.id) == "unexplained-idle";
    EXPECT_TRUE(isOfKind(first, headline.title) || is_told || is_its_own || is_unknown)
        << headline.title << ": " << headline.text << " First: " << first.title;
}

void checkPrices(const AnalysedRun& run) {
    static const std::set<std::string> not_of_ledger = {"step-spikes",          "straggler-rank",  "moving-straggler",
                                                        "pipeline-bubble",      "stage-imbalance", "no-tensor-cores",
                                                        "low-precision-unused", "trace-health",    "memory-pressure",
                                                        "expert-imbalance",     "bucket-size",     "gpu-slows-down"};
    for (const Finding& finding : run.diagnosis.findings) {
        const bool owns = !not_of_ledger.contains(std::string(findingName(finding.id))) && finding.late.empty();
        const auto precision_ns = 2 * Pricer::kPrecision * static_cast<double>(run.facts.pricedStep());
        const bool much =
            static_cast<double>(finding.saving_ns) > 1.5 * static_cast<double>(finding.blocked_ns) + precision_ns;
        EXPECT_TRUE(!owns || !much || finding.at_most || finding.why.find("follows from it") != std::string::npos)
            << findingName(finding.id) << " saves " << finding.saving_ns << " of " << finding.blocked_ns << ": "
            << finding.why;
    }
}

}  // namespace rankscope::test
