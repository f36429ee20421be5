// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/simulated_run.h"

#include <stdexcept>
#include <string>

#include "core/ingest/load.h"
#include "tests/support/memory_stream.h"
#include "tests/tracegen/write_run.h"

namespace rankscope::accuracy {

std::shared_ptr<const Run> loadSimulated(const tracegen::RunResult& simulated) {
    auto run = std::make_shared<Run>();
    run->name = "simulated";
    LoadOptions options;
    options.threads = 1;  // runs are shared among the cores, not files
    for (int rank = 0; rank < simulated.config.ranks; ++rank) {
        const std::string text = tracegen::kinetoText(simulated, rank);
        test::MemoryStream stream(text);
        LoadObserver observer;
        FileSource file;
        file.path = tracegen::fileName(rank, false);
        file.bytes = text.size();
        Result<RankTrace> trace = loadStream(stream, file, options, observer, {});
        if (!trace.ok()) {
            throw std::runtime_error(trace.error().text());
        }
        run->ranks.push_back(std::make_shared<const RankTrace>(std::move(trace).value()));
    }
    return run;
}

}  // namespace rankscope::accuracy
