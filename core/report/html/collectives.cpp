// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/statistics.h"
#include "core/report/html/elements.h"
#include "core/report/html/sections.h"
#include "core/report/tables/run_tables.h"
#include "core/report/words/summary.h"
#include "core/report/words/vocabulary.h"

namespace rankscope::report {
namespace {

/// Collectives of one kind, group and size.
struct Alike {
    std::size_t count = 0;
    std::vector<DurationNs> transfers_ns;
    std::vector<double> bus_gb_per_s;
    DurationNs longest_wait_ns = 0;
};
using AlikeKey = std::tuple<CollectiveKind, std::uint32_t, std::int64_t>;

std::map<AlikeKey, Alike> groupAlike(const CollectiveFacts& facts) {
    std::map<AlikeKey, Alike> groups;
    for (const Collective& one : facts.collectives) {
        Alike& alike = groups[{one.kind, one.group, one.bytes.value_or(-1)}];
        ++alike.count;
        if (one.transfer_ns) {
            alike.transfers_ns.push_back(*one.transfer_ns);
        }
        if (one.bus_gb_per_s) {
            alike.bus_gb_per_s.push_back(*one.bus_gb_per_s);
        }
        for (const CollectiveMember& member : one.members) {
            alike.longest_wait_ns = std::max(alike.longest_wait_ns, member.wait_ns.value_or(0));
        }
    }
    return groups;
}

DataTable alikeTable(const CollectiveFacts& facts) {
    DataTable table{"collectives_alike",
                    {{"kind", "kind", Unit::Word},
                     {"group", "group", Unit::Name},
                     {"ranks", "ranks", Unit::Count},
                     {"bytes", "bytes", Unit::Bytes},
                     {"count", "how many", Unit::Count},
                     {"transfer_ns", "median transfer", Unit::Duration},
                     {"bus_gb_per_s", "median bus bandwidth", Unit::GbPerSecond},
                     {"wait_ns", "longest wait", Unit::Duration}},
                    {}};
    for (const auto& [key, alike] : groupAlike(facts)) {
        const auto& [kind, group, bytes] = key;
        const CollectiveGroup& of = facts.groups[group];
        const bool timed = !alike.transfers_ns.empty();
        table.rows.push_back({std::string(collectiveKindName(kind)), textCell(of.name),
                              of.size >= 0 ? numberCell(of.size) : Cell(), bytes >= 0 ? numberCell(bytes) : Cell(),
                              numberCell(alike.count), timed ? Cell(lowerMedian(alike.transfers_ns)) : Cell(),
                              alike.bus_gb_per_s.empty() ? Cell() : Cell(lowerMedian(alike.bus_gb_per_s)),
                              timed ? Cell(alike.longest_wait_ns) : Cell()});
    }
    return table;
}

std::vector<std::string> unmatchedLines(const AnalysedRun& run) {
    std::vector<std::string> lines;
    for (const UnmatchedCollectives& alone : run.facts.collectives.unmatched) {
        lines.push_back(fmt::format("{}: {} unmatched; {}.", rankLabel(*run.run->ranks[alone.rank], alone.rank),
                                    alone.count, alone.reason));
    }
    return lines;
}

}  // namespace

Section collectivesSection(const AnalysedRun& run) {
    const CollectiveFacts& facts = run.facts.collectives;
    if (facts.collectives.empty()) {
        return {"collectives", "Collectives", {}};
    }
    std::string content = htmlTable(alikeTable(facts), "Collectives by kind, group and size");
    if (!facts.unmatched.empty()) {
        content += bulletList(unmatchedLines(run));
    }
    return {"collectives", "Collectives", content};
}

Section stragglersSection(const AnalysedRun& run) {
    const DataTable ranks = stragglersTable(run);
    if (ranks.rows.size() < 2) {
        return {"stragglers", "Late ranks", {}};
    }
    return {"stragglers", "Late ranks",
            htmlTable(forPage(ranks, {"rank", "segment_ns", "over_mean", "z_score", "last_steps", "saving_ns",
                                      "throughput_lost", "findings"}),
                      "Segment time of each rank between blocking collectives") +
                paragraph(latenessNote(), "note")};
}

}  // namespace rankscope::report
