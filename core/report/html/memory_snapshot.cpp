// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory/snapshot_facts.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/words/snapshot_summary.h"

namespace rankscope::report {
namespace {

/// More rows than these are in the CSV report.
constexpr std::size_t kSnapshotRows = 200;

DataTable cut(DataTable table) {
    if (table.rows.size() > kSnapshotRows) {
        table.rows.resize(kSnapshotRows);
    }
    return table;
}

}  // namespace

Section snapshotSection(const ReportedSnapshot& snapshot, const std::string& key) {
    std::string content = bulletList(snapshotLines(snapshot));
    content += htmlTable(asData(snapshotDevices(snapshot), "snapshot_devices"), "Memory of each GPU");
    content += htmlTable(asData(snapshotParts(snapshot), "snapshot_parts"), "Memory by use");
    content += paragraph(snapshotNote(), "note");
    const auto of = [](const DataTable& table, const std::vector<std::string_view>& keys) {
        return cut(table.only(keys));
    };
    content += folded("By stack",
                      htmlTable(of(snapshotStacksTable(snapshot),
                                   {"device", "when", "bytes", "blocks", "largest_bytes", "part", "title", "frames"}),
                                "Memory by stack"),
                      false);
    content += folded(
        "The largest blocks",
        htmlTable(of(snapshotBlocksTable(snapshot), {"device", "bytes", "requested_bytes", "part", "title", "address"}),
                  "The largest blocks"),
        false);
    content += folded("Segments",
                      htmlTable(of(snapshotSegmentsTable(snapshot),
                                   {"device", "address", "bytes", "allocated_bytes", "inactive_bytes", "blocks", "pool",
                                    "stream", "expandable", "private_pool"}),
                                "Segments"),
                      false);
    return {key, snapshotTitle(snapshot), content};
}

}  // namespace rankscope::report
