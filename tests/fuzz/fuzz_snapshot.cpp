// SPDX-License-Identifier: GPL-3.0-or-later
// Memory snapshots: a pickle of whatever, its facts, and the reports of these.
#include "core/analysis/memory/snapshot_facts.h"
#include "core/ingest/snapshot/load_snapshot.h"
#include "core/report/reports.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"
#include "tests/support/memory_stream.h"

namespace rankscope::fuzz {

void fuzzSnapshot(Input input) {
    test::MemoryStream stream(textOf(input));
    const Result<MemorySnapshot> snapshot = readSnapshot(stream, "snapshot.pickle");
    if (!snapshot.ok()) {
        demand(!snapshot.error().text().empty(), "a refused snapshot has a reason");
        return;
    }
    const SnapshotFacts facts = snapshotFacts(snapshot.value());
    for (const DeviceSnapshot& device : facts.devices) {
        demand(device.reserved ==
                   device.allocated + device.pending + device.split + device.free_segments + device.unlisted,
               "what is reserved adds up");
        demand(device.parts.total() == device.allocated + device.pending, "what memory is for adds up");
    }
    ReportInput report;
    report.snapshots = {{&snapshot.value(), &facts}};
    demand(!jsonInfo(report).empty(), "a snapshot has a report");
    demand(!textSnapshot(report.snapshots.front()).empty(), "a snapshot has a text");
}

}  // namespace rankscope::fuzz
