// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_groups.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <set>

namespace rankscope {
namespace {

std::string_view textOf(const RankTrace& trace, StringId id) {
    return id.valid() ? trace.strings.view(id) : std::string_view();
}

/// The group of that name in `pg_config`. The name is not unique over split groups: the size must agree too, and the
/// rank must be a member.
const ProcessGroup* configured(const RankTrace& trace, std::string_view name, std::int32_t size) {
    for (const ProcessGroup& group : trace.groups) {
        const bool member = !trace.rank || std::ranges::find(group.ranks, *trace.rank) != group.ranks.end();
        const bool same_size = size < 0 || size == static_cast<std::int32_t>(group.ranks.size());
        if (!group.ranks.empty() && group.name == name && same_size && member) {
            return &group;
        }
    }
    return nullptr;
}

std::string keyOf(const CollectiveGroup& group, std::string_view undecided) {
    std::string key = group.name + '\n';
    for (const std::int32_t rank : group.ranks) {
        key += std::to_string(rank) + ',';
    }
    return key + '\n' + std::to_string(group.size) + '\n' + std::string(undecided);
}

}  // namespace

std::vector<std::int32_t> readRankList(std::string_view text) {
    std::vector<std::int32_t> ranks;
    if (text.find("...") != std::string_view::npos) {
        return ranks;
    }
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (at != end) {
        std::int32_t value = 0;
        const auto [after, error] = std::from_chars(at, end, value);
        if (error == std::errc()) {
            ranks.push_back(value);
            at = after;
        } else {
            ++at;
        }
    }
    std::ranges::sort(ranks);
    return ranks;
}

GroupTable::GroupTable(const Run& run) : run_(run) {}

std::vector<std::int32_t> GroupTable::worldRanks() const {
    std::set<std::int32_t> ranks;
    for (const auto& trace : run_.ranks) {
        if (const auto size = trace->world_size.value_or(0); size > 0) {
            std::vector<std::int32_t> all(static_cast<std::size_t>(size));
            std::iota(all.begin(), all.end(), 0);
            return all;
        }
        if (const std::optional<std::int32_t> rank = trace->rank) {
            ranks.insert(*rank);
        }
    }
    return {ranks.begin(), ranks.end()};
}

CollectiveGroup GroupTable::describe(std::uint32_t rank, const CollectiveCall& call) const {
    const RankTrace& trace = *run_.ranks[rank];
    const CollectiveArgs& args = call.args;
    CollectiveGroup group;
    group.name = textOf(trace, args.group_name);
    group.description = textOf(trace, args.group_description);
    group.size = args.group_size;
    if (const ProcessGroup* const found = configured(trace, group.name, group.size)) {
        group.ranks = found->ranks;
        std::ranges::sort(group.ranks);
        group.origin = GroupOrigin::Configuration;
    } else if (args.global_start >= 0 && args.global_stride > 0 && args.group_size > 0) {
        for (std::int32_t i = 0; i < args.group_size; ++i) {
            group.ranks.push_back(args.global_start + i * args.global_stride);
        }
        group.origin = GroupOrigin::StartAndStride;
    } else {
        group.ranks = readRankList(textOf(trace, args.group_ranks));
        const bool all = group.size < 0 || group.size == static_cast<std::int32_t>(group.ranks.size());
        group.ranks = all ? group.ranks : std::vector<std::int32_t>();
        group.origin = group.ranks.empty() ? GroupOrigin::Unknown : GroupOrigin::RankList;
    }
    const bool nothing_said = group.name.empty() && group.size < 0 && !args.group_ranks.valid();
    if (group.ranks.empty() && nothing_said) {
        group.ranks = worldRanks();
        group.origin = GroupOrigin::World;
    }
    group.size = group.ranks.empty() ? group.size : static_cast<std::int32_t>(group.ranks.size());
    return group;
}

std::uint32_t GroupTable::groupOf(std::uint32_t rank, const CollectiveCall& call) {
    CollectiveGroup group = describe(rank, call);
    std::string undecided;
    if (group.origin == GroupOrigin::World) {
        undecided = std::to_string(call.stream);
    } else if (group.origin == GroupOrigin::Unknown) {
        undecided = textOf(*run_.ranks[rank], call.args.group_ranks);
    }
    const auto [at, is_new] = by_key_.try_emplace(keyOf(group, undecided), static_cast<std::uint32_t>(groups_.size()));
    if (is_new) {
        groups_.push_back(std::move(group));
    }
    return at->second;
}

}  // namespace rankscope
