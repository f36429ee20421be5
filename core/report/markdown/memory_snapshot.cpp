// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"
#include "core/report/model/snapshot_summary.h"
#include "core/report/reports.h"

namespace rankscope {
namespace {

constexpr std::size_t kStacksShown = 12;

}  // namespace

std::string markdownSnapshot(const ReportedSnapshot& snapshot) {
    using namespace report;
    std::string out = "# " + markdownText(snapshotTitle(snapshot)) + "\n\n";
    for (const std::string& text : snapshotLines(snapshot)) {
        out += "- " + markdownText(text) + "\n";
    }
    out += "\n";
    if (snapshot.facts->devices.empty()) {
        return out;
    }
    out += tableMarkdown(snapshotDevices(snapshot)) + "\n" + tableMarkdown(snapshotParts(snapshot)) + "\n" +
           markdownText(snapshotNote()) + "\n\n";
    return snapshot.facts->has_stacks ? out + tableMarkdown(snapshotStacks(snapshot, kStacksShown)) + "\n" : out;
}

}  // namespace rankscope
