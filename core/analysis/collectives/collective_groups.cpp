// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collectives/collective_groups.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

namespace rankscope {
namespace {

std::string_view textOf(const RankTrace& trace, StringId id) {
    return id.valid() ? trace.strings.view(id) : std::string_view();
}

}  // namespace

std::vector<RankNumber> readRankList(std::string_view text) {
    std::vector<RankNumber> ranks;
    if (text.find("...") != std::string_view::npos) {
        return ranks;
    }
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (at != end) {
        std::int32_t value = 0;
        const auto [after, error] = std::from_chars(at, end, value);
        if (error == std::errc()) {
            ranks.emplace_back(value);
            at = after;
        } else {
            ++at;
        }
    }
    std::ranges::sort(ranks);
    return ranks;
}

GroupTable::GroupTable(const Run& run) : run_(run), configured_(run.ranks.size()) {
    (void)intern({});
}

std::uint32_t GroupTable::intern(std::vector<RankNumber> ranks) {
    const auto [at, is_new] =
        list_of_ranks_.try_emplace(std::move(ranks), static_cast<std::uint32_t>(member_lists_.size()));
    if (is_new) {
        member_lists_.push_back(&at->first);
    }
    return at->second;
}

/// The group of that name in `pg_config`. The name is not unique over split groups: the size must agree too, and the
/// rank must be a member.
const ProcessGroup* GroupTable::configured(RankPosition rank, std::string_view name, std::int32_t size) {
    const RankTrace& trace = *run_.ranks[rank];
    std::optional<Configured>& by_name = configured_[rank];
    if (!by_name) {
        by_name.emplace();
        for (const ProcessGroup& group : trace.groups) {
            (*by_name)[group.name].push_back(&group);
        }
    }
    const auto found = by_name->find(name);
    if (found == by_name->end()) {
        return nullptr;
    }
    for (const ProcessGroup* const group : found->second) {
        const bool member = !trace.rank || std::ranges::find(group->ranks, *trace.rank) != group->ranks.end();
        const bool same_size = size < 0 || size == static_cast<std::int32_t>(group->ranks.size());
        if (!group->ranks.empty() && same_size && member) {
            return group;
        }
    }
    return nullptr;
}

std::uint32_t GroupTable::stridedRanks(std::int32_t start, std::int32_t stride, std::int32_t size) {
    const std::int64_t last = start + (std::int64_t{size} - 1) * stride;
    if (size > kMostGroupRanks || last > std::numeric_limits<std::int32_t>::max()) {
        return 0;
    }
    const auto [at, is_new] = strided_.try_emplace({start, stride, size}, 0);
    if (is_new) {
        std::vector<RankNumber> ranks(static_cast<std::size_t>(size));
        for (std::int32_t i = 0; i < size; ++i) {
            ranks[static_cast<std::size_t>(i)] = RankNumber(start + i * stride);
        }
        at->second = intern(std::move(ranks));
    }
    return at->second;
}

std::uint32_t GroupTable::listedRanks(std::string_view text) {
    const auto [at, is_new] = listed_.try_emplace(text, 0);
    if (is_new) {
        at->second = intern(readRankList(text));
    }
    return at->second;
}

std::uint32_t GroupTable::worldRanks() {
    if (!world_) {
        std::set<RankNumber> recorded;
        std::int32_t size = 0;
        for (const auto& trace : run_.ranks) {
            const std::int32_t own = trace->world_size.value_or(0);
            size = size == 0 && own > 0 && own <= kMostGroupRanks ? own : size;
            if (const std::optional<RankNumber> rank = trace->rank) {
                recorded.insert(*rank);
            }
        }
        std::vector<RankNumber> ranks(recorded.begin(), recorded.end());
        if (size > 0) {
            ranks.clear();
            for (std::int32_t number = 0; number < size; ++number) {
                ranks.emplace_back(number);
            }
        }
        world_ = intern(std::move(ranks));
    }
    return *world_;
}

std::uint32_t GroupTable::resolve(const Recorded& recorded, const CollectiveCall& call) {
    const RankTrace& trace = *run_.ranks[recorded.rank];
    CollectiveGroup group;
    group.name = textOf(trace, recorded.name);
    group.description = textOf(trace, call.args.group_description);
    group.size = recorded.size;
    std::uint32_t members = 0;
    if (const ProcessGroup* const found = configured(recorded.rank, group.name, group.size)) {
        std::vector<RankNumber> ranks = found->ranks;
        std::ranges::sort(ranks);
        members = intern(std::move(ranks));
        group.origin = GroupOrigin::Configuration;
    } else if (recorded.start >= 0 && recorded.stride > 0 && recorded.size > 0) {
        members = stridedRanks(recorded.start, recorded.stride, recorded.size);
        group.origin = members != 0 ? GroupOrigin::StartAndStride : GroupOrigin::Unknown;
    } else {
        members = listedRanks(textOf(trace, recorded.ranks));
        const auto count = static_cast<std::int32_t>(member_lists_[members]->size());
        members = group.size < 0 || group.size == count ? members : 0;
        group.origin = members != 0 ? GroupOrigin::RankList : GroupOrigin::Unknown;
    }
    const bool nothing_said = group.name.empty() && group.size < 0 && !recorded.ranks.valid();
    if (members == 0 && nothing_said) {
        members = worldRanks();
        group.origin = GroupOrigin::World;
    }
    group.size = members == 0 ? group.size : static_cast<std::int32_t>(member_lists_[members]->size());
    std::string undecided;
    if (group.origin == GroupOrigin::World) {
        undecided = std::to_string(recorded.stream);
    } else if (group.origin == GroupOrigin::Unknown) {
        undecided = textOf(trace, recorded.ranks);
    }
    const auto [at, is_new] = by_key_.try_emplace(Key{group.name, members, group.size, std::move(undecided)},
                                                  static_cast<std::uint32_t>(groups_.size()));
    if (is_new) {
        group.ranks = *member_lists_[members];
        groups_.push_back(std::move(group));
    }
    return at->second;
}

std::uint32_t GroupTable::groupOf(RankPosition rank, const CollectiveCall& call) {
    const CollectiveArgs& args = call.args;
    const Recorded recorded{.rank = rank,
                            .stream = call.stream,
                            .name = args.group_name,
                            .ranks = args.group_ranks,
                            .size = args.group_size,
                            .start = args.global_start,
                            .stride = args.global_stride};
    const auto known = of_recorded_.find(recorded);
    return known != of_recorded_.end() ? known->second
                                       : of_recorded_.emplace(recorded, resolve(recorded, call)).first->second;
}

}  // namespace rankscope
