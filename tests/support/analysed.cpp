// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/analysed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "core/ingest/load.h"

namespace rankscope::test {

AnalysedRun loadAndAnalyse(const std::filesystem::path& path) {
    const Discovery found = discoverRuns({path.string()});
    if (found.runs.size() != 1) {
        ADD_FAILURE() << path << " holds " << found.runs.size() << " runs";
        return {};
    }
    LoadObserver observer;
    Result<Run> run = loadRun(found.runs.front(), {}, observer, {});
    if (!run.ok()) {
        ADD_FAILURE() << path << " cannot be loaded";
        return {};
    }
    return analyse(std::make_shared<const Run>(std::move(run).value()));
}

std::vector<AnalysedRun> loadAndAnalyseAll(const std::filesystem::path& path) {
    std::vector<AnalysedRun> runs;
    for (const RunSource& files : discoverRuns({path.string()}).runs) {
        LoadObserver observer;
        if (Result<Run> run = loadRun(files, {}, observer, {}); run.ok()) {
            runs.push_back(analyse(std::make_shared<const Run>(std::move(run).value())));
        }
    }
    return runs;
}

AnalysedRun analyse(std::shared_ptr<const Run> run) {
    Result<AnalysedRun> analysed = analyseRun(std::move(run), {}, {}, {});
    if (!analysed.ok()) {
        ADD_FAILURE() << "the run cannot be analysed";
        return {};
    }
    return std::move(analysed).value();
}

const Finding* findingOf(const AnalysedRun& run, const std::string& id) {
    const auto at =
        std::ranges::find(run.diagnosis.findings, id, [](const Finding& finding) { return findingName(finding.id); });
    return at == run.diagnosis.findings.end() ? nullptr : &*at;
}

const Finding& findingIn(const AnalysedRun& run, const std::string& id) {
    const Finding* const finding = findingOf(run, id);
    return finding != nullptr ? *finding : throw std::runtime_error("no finding is a " + id);
}

}  // namespace rankscope::test
