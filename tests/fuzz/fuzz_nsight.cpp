// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems: the bytes of a database, read as ranks.
#include "core/ingest/nsight/nsight.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {

void fuzzNsight(Input input) {
    LoadObserver nobody;
    LoadOptions options;
    options.threads = 1;
    FileSource file;
    file.path = "fuzzed.sqlite";
    const Result<std::vector<RankTrace>> ranks = readNsight(std::string(textOf(input)), file, options, nobody, {});
    if (!ranks.ok()) {
        demand(!ranks.error().text().empty(), "a refused export has a reason");
        return;
    }
    for (const RankTrace& rank : ranks.value()) {
        demand(rank.health.slices > 0, "a rank has slices");
        demand(rank.window.start_ns <= rank.window.end_ns, "a window does not end before it starts");
    }
}

}  // namespace rankscope::fuzz
