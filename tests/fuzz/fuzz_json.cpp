// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/load.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"
#include "tests/support/memory_stream.h"

namespace rankscope::fuzz {

void fuzzJson(Input input) {
    test::MemoryStream stream(textOf(input));
    LoadOptions load;
    load.threads = 1;
    LoadObserver observer;
    FileSource file;
    file.path = "rank0.json";
    file.bytes = input.size();
    Result<RankTrace> trace = loadStream(stream, file, load, observer, {});
    if (!trace.ok()) {
        demand(!trace.error().text().empty(), "a refused trace has a reason");
        return;
    }
    auto run = std::make_shared<Run>();
    run->name = "fuzzed";
    run->ranks = {std::make_shared<const RankTrace>(std::move(trace).value())};
    AnalysisOptions options;
    options.threads = 1;
    if (const auto result = analysed(std::move(run), options)) {
        (void)checkedReport(*result);
    }
}

}  // namespace rankscope::fuzz
