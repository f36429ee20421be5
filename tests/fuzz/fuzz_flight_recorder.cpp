// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps of the flight recorder: one or two of them, who hangs, and the reports of it.
#include "core/ingest/flight_recorder/flight_recorder.h"
#include "core/report/hang.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"
#include "tests/support/memory_stream.h"

namespace rankscope::fuzz {

void fuzzFlightRecorder(Input input) {
    test::MemoryStream stream(textOf(input));
    Result<FlightDump> dump = readFlightDump(stream, "rank_0.pickle");
    if (!dump.ok()) {
        demand(!dump.error().text().empty(), "a refused dump has a reason");
        return;
    }
    std::vector<FlightDump> dumps = {dump.value(), dump.value()};
    dumps[1].rank = dumps[0].rank + 1;
    if (!dumps[1].calls.empty()) {
        dumps[1].calls.pop_back();
    }
    const hang::Hang hang = hang::findHang(dumps);
    for (const hang::Culprit& culprit : hang.culprits) {
        demand(culprit.rank == dumps[0].rank || culprit.rank == dumps[1].rank, "a culprit has a dump");
    }
    demand(!hangScreen(hang, {}, true).empty(), "a hang has a text");
    demand(!jsonHang(hang, {}).empty(), "a hang has a report");
}

}  // namespace rankscope::fuzz
