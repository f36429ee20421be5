// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/call_places.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "core/analysis/collectives/collective_names.h"

namespace rankscope::network {
namespace {

/// More comparisons take seconds.
constexpr std::uint64_t kMostCompared = std::uint64_t{1} << 28;

constexpr std::uint32_t bitOf(std::int32_t type) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(type);
}

}  // namespace

std::uint32_t typesOf(std::string_view dtype) {
    // NCCL has no bool, and moves what is 8 bits wide as bytes in versions without such floats.
    constexpr std::array<std::pair<std::string_view, std::uint32_t>, 13> kTypes = {{
        {"Char", bitOf(0)},
        {"Byte", bitOf(1)},
        {"Bool", bitOf(1)},
        {"Int", bitOf(2)},
        {"UInt32", bitOf(3)},
        {"Long", bitOf(4)},
        {"UInt64", bitOf(5)},
        {"Half", bitOf(6)},
        {"Float", bitOf(7)},
        {"Double", bitOf(8)},
        {"BFloat16", bitOf(9)},
        {"Float8_e4m3fn", bitOf(10) | bitOf(0) | bitOf(1)},
        {"Float8_e5m2", bitOf(11) | bitOf(0) | bitOf(1)},
    }};
    const auto* const at = std::ranges::find(kTypes, dtype, &std::pair<std::string_view, std::uint32_t>::first);
    return at == kTypes.end() ? 0 : at->second;
}

LoggedShape loggedShape(const NcclShape& shape, std::int32_t ranks) {
    LoggedShape out;
    out.kind = collectiveKindOf(shape.kind);
    out.type = shape.type;
    // A gather counts what one rank sends, a scatter what one rank receives, an all-to-all what goes to one rank.
    const bool is_part = out.kind == CollectiveKind::AllGather || out.kind == CollectiveKind::ReduceScatter ||
                         out.kind == CollectiveKind::AllToAll;
    const auto size = ncclTypeBytes(shape.type);
    std::int64_t bytes = 0;
    if (size && !__builtin_mul_overflow(shape.count, *size, &bytes) &&
        !__builtin_mul_overflow(bytes, is_part ? std::int64_t{ranks} : std::int64_t{1}, &bytes)) {
        out.bytes = bytes;
    }
    return out;
}

bool isOneCall(CollectiveKind kind, bool has_all_to_all) {
    switch (kind) {
        case CollectiveKind::SendReceive:
        case CollectiveKind::Gather:
        case CollectiveKind::Scatter: return false;
        case CollectiveKind::AllToAll: return has_all_to_all;
        default: return true;
    }
}

bool TracedCall::agrees(const LoggedShape& shape) const {
    if (kind == CollectiveKind::Barrier) {
        return shape.kind == CollectiveKind::AllReduce;  // of one element, which traces do not record
    }
    const bool has_type = types == 0 || (shape.type >= 0 && shape.type < std::numeric_limits<std::uint32_t>::digits &&
                                         (types & bitOf(shape.type)) != 0);
    return (kind == CollectiveKind::Unknown || kind == shape.kind) && has_type &&
           (!bytes || !shape.bytes || *bytes == *shape.bytes);
}

bool alignRanks(std::vector<RankCalls>& ranks) {
    // Of each collective: the rank and the place there of its parts.
    std::map<CollectivePosition, std::vector<std::pair<std::size_t, std::int64_t>>> parts;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (std::size_t at = 0; at < ranks[i].traced.size(); ++at) {
            parts[ranks[i].traced[at].collective].emplace_back(i, static_cast<std::int64_t>(at));
        }
    }
    std::vector<std::optional<std::int64_t>> shifts(ranks.size());
    std::vector<std::size_t> known = {0};
    shifts.front() = 0;
    for (std::size_t next = 0; next < known.size(); ++next) {
        const std::size_t own = known[next];
        for (std::size_t at = 0; at < ranks[own].traced.size(); ++at) {
            // Each collective is looked at once: with it, all its parts are.
            for (const auto& [other, place] : std::exchange(parts[ranks[own].traced[at].collective], {})) {
                const std::int64_t shift = *shifts[own] + static_cast<std::int64_t>(at) - place;
                if (shifts[other] && *shifts[other] != shift) {
                    return false;
                }
                if (!shifts[other]) {
                    shifts[other] = shift;
                    known.push_back(other);
                }
            }
        }
    }
    if (known.size() < ranks.size()) {
        return false;
    }
    const std::int64_t least = **std::ranges::min_element(shifts);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ranks[i].shift = static_cast<std::uint64_t>(*shifts[i] - least);
    }
    return true;
}

std::uint64_t PlaceFinder::compare(std::uint64_t place, std::optional<CallConflict>& conflict) {
    std::uint64_t agreeing = 0;
    for (const RankCalls& rank : ranks_) {
        const std::uint64_t first = place + rank.shift;
        for (std::size_t at = 0; at < rank.traced.size(); ++at) {
            ++compared_;
            const std::uint32_t shape = rank.logged[first + at];
            if (!rank.traced[at].agrees(shapes_[shape])) {
                conflict = CallConflict{rank.rank, rank.traced[at].collective, shape, first + at};
                return agreeing;
            }
            ++agreeing;
        }
    }
    conflict.reset();
    return agreeing;
}

bool PlaceFinder::fits(std::uint64_t place) {
    const bool is_inside = std::ranges::all_of(ranks_, [place](const RankCalls& rank) {
        return place + rank.shift + rank.traced.size() <= rank.logged.size();
    });
    std::optional<CallConflict> conflict;
    if (is_inside) {
        (void)compare(place, conflict);
    }
    return is_inside && !conflict;
}

CallPlaces PlaceFinder::find() {
    CallPlaces out;
    std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
    for (const RankCalls& rank : ranks_) {
        const std::uint64_t needed = rank.shift + rank.traced.size();
        end = std::min(end, rank.logged.size() < needed ? 0 : rank.logged.size() - needed + 1);
    }
    out.is_too_short = end == 0;
    for (std::uint64_t place = 0; place < end && out.fitting.size() < 2; ++place) {
        std::optional<CallConflict> conflict;
        const std::uint64_t agreeing = compare(place, conflict);
        if (!conflict) {
            out.fitting.push_back(place);
        } else if (!out.conflict || agreeing > out.agreeing) {
            out.conflict = conflict;
            out.agreeing = agreeing;
        }
        if (compared_ > kMostCompared) {
            out.is_cut_off = true;
            return out;
        }
    }
    return out;
}

}  // namespace rankscope::network
