// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/folders_of_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace rankscope {
namespace {

/// The ranks of a folder whose job has one size, with one kind of times.
struct RanksOfSize {
    std::optional<std::int32_t> world_size;
    bool without_base = false;
    std::set<RankNumber> numbers;
    std::optional<TimeNs> first_start_ns = {};
    std::optional<TimeNs> last_start_ns = {};
};

std::vector<RanksOfSize> bySize(const FolderClaims& folder) {
    std::map<std::pair<std::optional<std::int32_t>, bool>, RanksOfSize> sizes;
    for (const RankClaims& claims : folder) {
        RanksOfSize& ranks = sizes[{claims.world_size, claims.without_base}];
        ranks.world_size = claims.world_size;
        ranks.without_base = claims.without_base;
        if (claims.rank) {
            ranks.numbers.insert(*claims.rank);
        }
        if (const std::optional<TimeNs> start = claims.start_ns) {
            ranks.first_start_ns = std::min(ranks.first_start_ns.value_or(*start), *start);
            ranks.last_start_ns = std::max(ranks.last_start_ns.value_or(*start), *start);
        }
    }
    std::vector<RanksOfSize> out;
    for (auto& [size, ranks] : sizes) {
        out.push_back(std::move(ranks));
    }
    return out;
}

/// Whether some ranks of both began together; `otherwise` if the times are not known.
bool beginTogether(const RanksOfSize& a, const RanksOfSize& b, bool otherwise) {
    if (!a.first_start_ns || !b.first_start_ns) {
        return otherwise;
    }
    return a.without_base == b.without_base && *a.first_start_ns - *b.last_start_ns <= kRecordedTogether &&
           *b.first_start_ns - *a.last_start_ns <= kRecordedTogether;
}

bool haveCommonRank(const std::set<RankNumber>& a, const std::set<RankNumber>& b) {
    const std::set<RankNumber>& fewer = a.size() < b.size() ? a : b;
    const std::set<RankNumber>& more = a.size() < b.size() ? b : a;
    return std::ranges::any_of(fewer, [&more](RankNumber rank) { return more.contains(rank); });
}

/// Whether ranks of both may be of one run.
bool mayBeOneRun(const RanksOfSize& a, const RanksOfSize& b) {
    const bool sizes_differ = a.world_size && b.world_size && a.world_size != b.world_size;
    const bool both_numbered = !a.numbers.empty() && !b.numbers.empty();
    const bool complete =
        both_numbered ? !haveCommonRank(a.numbers, b.numbers) : a.numbers.empty() && b.numbers.empty();
    return !sizes_differ && complete && beginTogether(a, b, both_numbered);
}

bool mayBeOneRun(const std::vector<RanksOfSize>& a, const std::vector<RanksOfSize>& b) {
    return std::ranges::any_of(a, [&b](const RanksOfSize& of_a) {
        return std::ranges::any_of(b, [&of_a](const RanksOfSize& of_b) { return mayBeOneRun(of_a, of_b); });
    });
}

bool isNumbered(const std::vector<RanksOfSize>& folder) {
    return std::ranges::any_of(folder, [](const RanksOfSize& ranks) { return !ranks.numbers.empty(); });
}

/// Disjoint sets of folders.
class Sets {
  public:
    explicit Sets(std::size_t folders) : parent_(folders) { std::iota(parent_.begin(), parent_.end(), 0); }
    std::size_t of(std::size_t folder) {
        while (parent_[folder] != folder) {
            parent_[folder] = parent_[parent_[folder]];
            folder = parent_[folder];
        }
        return folder;
    }
    /// The lower one represents both.
    void join(std::size_t a, std::size_t b) { parent_[std::max(of(a), of(b))] = std::min(of(a), of(b)); }

  private:
    std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<FoldersTogether> foldersTogether(const std::vector<FolderClaims>& folders) {
    std::vector<std::vector<RanksOfSize>> sizes;
    std::ranges::transform(folders, std::back_inserter(sizes), bySize);
    Sets sets(folders.size());
    for (std::size_t a = 0; a < folders.size(); ++a) {
        for (std::size_t b = a + 1; b < folders.size(); ++b) {
            if (sets.of(a) != sets.of(b) && mayBeOneRun(sizes[a], sizes[b])) {
                sets.join(a, b);
            }
        }
    }
    std::map<std::size_t, FoldersTogether> together;
    for (std::size_t folder = 0; folder < folders.size(); ++folder) {
        together[sets.of(folder)].folders.push_back(folder);
    }
    std::vector<FoldersTogether> out;
    for (auto& [first, joined] : together) {
        const bool numbered = std::ranges::all_of(joined.folders, [&](std::size_t i) { return isNumbered(sizes[i]); });
        if (joined.folders.size() > 1) {
            joined.why = numbered ? "their ranks complete one another" : "not all of them number their ranks";
        }
        out.push_back(std::move(joined));
    }
    return out;
}

}  // namespace rankscope
