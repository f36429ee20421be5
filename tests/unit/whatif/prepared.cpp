// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/whatif/prepared.h"

#include "core/ingest/load.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {

std::vector<PreparedRun> prepareAllAt(const std::filesystem::path& path) {
    std::vector<PreparedRun> runs;
    for (const RunSource& files : discoverRuns({path.string()}).runs) {
        LoadObserver observer;
        Result<Run> loaded = loadRun(files, {}, observer, {});
        if (!loaded.ok()) {
            continue;
        }
        auto prepared = WhatIfRun::prepare(std::make_shared<const Run>(std::move(loaded).value()), {}, {}, {});
        if (prepared.ok()) {
            runs.push_back({path.string() + ' ' + files.name, std::move(prepared).value()});
        }
    }
    return runs;
}

std::shared_ptr<const WhatIfRun> prepareAt(const std::filesystem::path& path) {
    std::vector<PreparedRun> runs = prepareAllAt(path);
    if (runs.size() != 1) {
        ADD_FAILURE() << path << " holds " << runs.size() << " runs";
        throw std::runtime_error("no run");
    }
    return runs.front().run;
}

std::shared_ptr<const WhatIfRun> prepareLoneRank(int steps) {
    ModelBuilder builder;
    const std::uint32_t thread = builder.thread("1");
    const std::uint32_t stream = builder.stream("7");
    for (int step = 0; step < steps; ++step) {
        const double at_us = 10'000.0 * step;
        builder.step(thread, step, at_us, 9'900);
        builder.kernel(thread, at_us + 10, 5, stream, "gemm", at_us + 20, 9'000);
    }
    auto run = std::make_shared<Run>();
    run->ranks.push_back(builder.build());
    return WhatIfRun::prepare(run, {}, {}, {}).value();
}

std::vector<WhatIfChange> changesOf(const std::vector<std::string>& texts) {
    std::vector<WhatIfChange> changes;
    for (const std::string& text : texts) {
        Result<WhatIfChange> change = parseWhatIf(text);
        EXPECT_TRUE(change.ok()) << text;
        if (change.ok()) {
            changes.push_back(std::move(change).value());
        }
    }
    return changes;
}

Forecast forecastOf(const WhatIfRun& run, const std::vector<std::string>& texts) {
    const Result<Forecast> told = run.forecast(changesOf(texts));
    EXPECT_TRUE(told.ok()) << (told.failed() ? told.error().cause : "cancelled");
    return told.ok() ? told.value() : Forecast();
}

std::string refusalOf(const WhatIfRun& run, const std::vector<std::string>& texts) {
    const Result<Forecast> told = run.forecast(changesOf(texts));
    return told.failed() ? told.error().cause : "";
}

std::string whyNoChange(const std::string& text) {
    const Result<WhatIfChange> change = parseWhatIf(text);
    return change.failed() ? change.error().cause : "";
}

std::vector<std::string> oneOfEachKind(const WhatIfRun& run) {
    std::string operation = "aten::add";
    for (const RankFacts& rank : run.facts().ranks) {
        if (!rank.operators.rows.empty()) {
            const auto r = static_cast<std::size_t>(&rank - run.facts().ranks.data());
            operation = run.run().ranks[r]->strings.view(rank.operators.rows.front().name);
            break;
        }
    }
    return {"rank=1:like-median",
            "ranks:equal",
            "loader:ready",
            "loader:workers=x2",
            "loader:workers=1",
            "loader:workers=4",
            "overlap:perfect",
            "overlap:none",
            "bucket_cap_mb=10",
            "link:x2",
            "link:x0.5",
            "link:inside=100",
            "link:across=10",
            "algorithm:tree",
            "algorithm:ring",
            "kernels:.:x0.5",
            "class:compute:x2",
            "class:copy:x0.5",
            "class:communication:x0.5",
            "operator:" + operation + ":x0.5",
            "operator:" + operation + ":x2",
            "module:Linear:x0.5",
            "fuse:elementwise",
            "host:x2",
            "host:x0.5",
            "launch:graphs",
            "sync:none",
            "gc:off",
            "precision:bf16",
            "cool",
            "gpu:H100",
            "micro_batches=16",
            "schedule:gpipe",
            "stages:even",
            "world=64",
            "hosts=4",
            "batch:x2",
            "prefetch:1",
            "zero:1",
            "recompute:on",
            "recompute:off"};
}

}  // namespace rankscope::test
