// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/report/reports.h"
#include "core/report/text/printer.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"
#include "core/trace/trace_format.h"

namespace rankscope {
namespace {

using namespace report;

std::string stepsOf(const RankFacts& facts) {
    std::vector<std::int64_t> indices;
    for (const RankStep& step : facts.steps) {
        indices.push_back(step.index);
    }
    return indices.empty() ? "none" : formatNumberList(std::move(indices));
}

/// The device that the rank worked on, by name if the file has it, else by index.
std::string deviceOf(const RankTrace& rank, const RankFacts& facts) {
    if (facts.device < 0) {
        return "none";
    }
    std::string out = std::to_string(facts.device);
    for (const DeviceProperties& device : rank.devices) {
        if (device.id == facts.device && !device.name.empty()) {
            out += " (" + printable(device.name) + ")";
        }
    }
    if (!facts.other_devices.empty()) {
        out += " and " + formatNumberList({facts.other_devices.begin(), facts.other_devices.end()});
    }
    return out;
}

Table rankTable(const AnalysedRun& run) {
    Table table;
    table.header = {"",       "rank from", "GPU",    "host",      "steps",     "tracks",
                    "slices", "events",    "window", "starts at", "resolution"};
    table.left_columns = 5;
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        const RankTrace& rank = *run.run->ranks[position];
        const RankFacts& facts = run.facts.ranks[position];
        const TimeNs start = run.clock.ranks[position].toRun(FileTime(rank.window.start_ns)) - run.clock.base_ns;
        table.rows.push_back(
            {rankLabel(rank, position), std::string(rankOriginName(rank.rank_origin)), deviceOf(rank, facts),
             rank.host.empty() ? "-" : printable(rank.host), stepsOf(facts), formatCount(rank.tracks.size()),
             formatCount(rank.health.slices), formatCount(rank.health.events), formatDuration(rank.window.length()),
             rank.window.empty() ? "-" : formatDuration(start), formatDuration(rank.health.time_resolution_ns)});
    }
    return table;
}

constexpr std::size_t kMostGroups = 64;

/// Each file once, with its ranks.
Table fileTable(const Run& run) {
    struct Entry {
        const TraceFile* file;
        std::vector<RankPosition> positions;
        TraceFormat format = TraceFormat::Json;
    };
    std::vector<Entry> entries;
    std::map<std::string, std::size_t> known;
    for (RankPosition position{0}; position < run.ranks.size(); ++position) {
        for (const TraceFile& file : run.ranks[position]->files) {
            const auto [at, is_new] = known.try_emplace(fileLabel(file), entries.size());
            if (is_new) {
                entries.push_back({&file, {}, formatOf(*run.ranks[position])});
            }
            entries[at->second].positions.push_back(position);
        }
    }
    Table table;
    table.header = {"file", "", "format", "on disk", "unpacked"};
    table.left_columns = 3;
    for (const auto& [file, positions, format] : entries) {
        table.rows.push_back({printable(fileLabel(*file)),
                              positions.size() == 1 ? rankLabel(*run.ranks[positions.front()], positions.front())
                                                    : rankList(run, positions),
                              std::string(file->digest.empty() ? "" : "digest of ").append(formatName(format)),
                              formatBytes(file->bytes), formatBytes(file->json_bytes)});
    }
    return table;
}

Table trackTable(const RankTrace& rank) {
    Table table;
    table.header = {"track", "kind", "GPU", "slices", "rows"};
    table.left_columns = 2;
    for (const Track& track : rank.tracks) {
        table.rows.push_back({printable(track.name), std::string(trackKindName(track.kind)),
                              track.device < 0 ? "-" : std::to_string(track.device), formatCount(track.slices.size()),
                              std::to_string(track.row_count)});
    }
    return table;
}

}  // namespace

std::string textInfo(const AnalysedRun& run) {
    std::string out = printable(run.run->name) + ": " + runSummary(run) + "\n\n";
    out += tableText(rankTable(run), kIndent) + "\n" + tableText(fileTable(*run.run), kIndent);
    for (RankPosition position{0}; position < run.run->ranks.size(); ++position) {
        const RankTrace& rank = *run.run->ranks[position];
        out += "\n" + rankLabel(rank, position) + "\n" + tableText(trackTable(rank), kIndent);
    }
    if (const Table groups = groupTable(run, kMostGroups); !groups.rows.empty()) {
        out += "\nGroups\n" + tableText(groups, kIndent) + lines(gridLines(run));
    }
    const auto health = healthLines(run);
    out += "\nHealth\n" + lines(health);
    return health.empty() ? out + "  Nothing is missing or wrong.\n" : out;
}

}  // namespace rankscope
