// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"
#include "core/base/utf8.h"
#include "core/report/model/snapshot_summary.h"
#include "core/report/reports.h"
#include "core/report/text/lines.h"

namespace rankscope {
namespace {

constexpr std::size_t kStacksShown = 12;

}  // namespace

std::string textSnapshot(const ReportedSnapshot& snapshot) {
    using namespace report;
    std::string out = printable(snapshotTitle(snapshot)) + "\n" + lines(snapshotLines(snapshot));
    if (snapshot.facts->devices.empty()) {
        return out;
    }
    out += "\nWhere it is\n" + tableText(snapshotDevices(snapshot), kIndent);
    out += "\nWhat it is for\n" + tableText(snapshotParts(snapshot), kIndent) + line(snapshotNote());
    if (snapshot.facts->has_stacks) {
        out += "\nWho asked for it\n" + tableText(snapshotStacks(snapshot, kStacksShown), kIndent);
    }
    return out;
}

}  // namespace rankscope
