// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/loading.h"

#include <gtest/gtest.h>

#include "tests/support/temp_files.h"

namespace rankscope::test {
namespace {

/// What `reader` (loadFile or loadRanks) gives for a file.
auto readBy(const auto& reader, const std::string& path, unsigned threads) {
    LoadObserver observer;
    LoadOptions options;
    options.threads = threads;
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    return reader({path, "", bytes}, options, observer, {});
}

}  // namespace

std::shared_ptr<const RankTrace> load(const std::string& path, unsigned threads) {
    Result<RankTrace> result = readBy(loadFile, path, threads);
    if (!result.ok()) {
        ADD_FAILURE() << result.error().text();
        return std::make_shared<RankTrace>();
    }
    return std::make_shared<const RankTrace>(std::move(result).value());
}

std::vector<std::shared_ptr<const RankTrace>> loadAllRanks(const std::string& path, unsigned threads) {
    Result<std::vector<RankTrace>> result = readBy(loadRanks, path, threads);
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    if (!result.ok()) {
        ADD_FAILURE() << result.error().text();
        return ranks;
    }
    for (RankTrace& rank : result.value()) {
        ranks.push_back(std::make_shared<const RankTrace>(std::move(rank)));
    }
    return ranks;
}

std::shared_ptr<const RankTrace> loadText(std::string_view text, unsigned threads) {
    const TempFolder folder;
    return load(folder.write("trace.json", text), threads);
}

std::string whyNot(std::string_view text) {
    const TempFolder folder;
    LoadObserver observer;
    const Result<RankTrace> result = loadFile({folder.write("trace.json", text), "", text.size()}, {}, observer, {});
    return result.ok() ? std::string() : result.error().text();
}

std::shared_ptr<const Run> loadRunAt(const std::string& path, const LoadOptions& options) {
    const Discovery found = discoverRuns({path});
    if (found.runs.size() != 1) {
        ADD_FAILURE() << path << " holds " << found.runs.size() << " runs";
        return std::make_shared<Run>();
    }
    LoadObserver observer;
    Result<Run> run = loadRun(found.runs.front(), options, observer, {});
    if (!run.ok()) {
        ADD_FAILURE() << run.error().text();
        return std::make_shared<Run>();
    }
    return std::make_shared<const Run>(std::move(run).value());
}

SliceRef sliceNamed(const RankTrace& trace, std::string_view name) {
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        for (SliceIndex i = 0; i < trace.tracks[t].slices.size(); ++i) {
            if (trace.strings.view(trace.tracks[t].slices.name[i]) == name) {
                return {TrackId(t), i};
            }
        }
    }
    ADD_FAILURE() << "no slice is named " << name;
    return {};
}

std::vector<SliceRef> deviceSlices(const RankTrace& trace) {
    std::vector<SliceRef> slices;
    for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
        for (SliceIndex i = 0; trace.tracks[t].kind == TrackKind::Stream && i < trace.tracks[t].slices.size(); ++i) {
            slices.push_back({TrackId(t), i});
        }
    }
    return slices;
}

std::string sliceNames(const RankTrace& trace, TrackKind kind) {
    std::string names;
    for (const Track& track : trace.tracks) {
        for (std::size_t i = 0; i < track.slices.size() && track.kind == kind; ++i) {
            names += names.empty() ? "" : "|";
            names += trace.strings.view(track.slices.name[i]);
        }
    }
    return names;
}

}  // namespace rankscope::test
