// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/search_slices.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/sort_runs.h"

namespace rankscope {
namespace {

constexpr std::size_t kBetweenLooks = std::size_t{1} << 16U;  // slices between two looks at the stop

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool before(const SearchHit& a, const SearchHit& b) {
    return std::tie(a.start_ns, a.rank, a.slice) < std::tie(b.start_ns, b.rank, b.slice);
}

/// Which strings of a rank trace have the text in them.
class WantedStrings {
  public:
    WantedStrings(const StringPool& strings, const std::string& lowered) : wanted_(strings.size()) {
        const auto same = [](char of_text, char of_needle) { return lower(of_text) == of_needle; };
        for (std::uint32_t id = 0; id < wanted_.size(); ++id) {
            const std::string_view text = strings.view(StringId(id));
            const auto at = std::search(text.begin(), text.end(), lowered.begin(), lowered.end(), same);
            wanted_[id] = at != text.end() ? 1 : 0;
            any_ = any_ || wanted_[id] != 0;
        }
    }

    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] bool operator()(StringId id) const { return id.valid() && wanted_[id.value] != 0; }
    [[nodiscard]] bool operator()(const CollectiveArgs& args) const {
        return (*this)(args.name) || (*this)(args.dtype) || (*this)(args.group_name) ||
               (*this)(args.group_description) || (*this)(args.comms_id);
    }
    [[nodiscard]] bool operator()(const SyncArgs& args) const { return (*this)(args.kind); }

  private:
    std::vector<std::uint8_t> wanted_;
    bool any_ = false;
};

/// Adds the slices whose args are wanted and whose names are not, which are listed already.
template <class Args>
void addByArgs(const SparseColumn<Args>& column, const SliceTable& slices, const WantedStrings& wanted,
               std::vector<SliceIndex>& found) {
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (wanted(column.value[i]) && !wanted(slices.name[column.slice[i]])) {
            found.push_back(column.slice[i]);
        }
    }
}

/// The slices of a track that are wanted, in their order. What was found so far, where it is told to stop.
std::vector<SliceIndex> searchTrack(const Track& track, const WantedStrings& wanted, const std::stop_token& stop) {
    std::vector<SliceIndex> found;
    const std::vector<StringId>& names = track.slices.name;
    for (std::size_t from = 0; from < names.size() && !stop.stop_requested(); from += kBetweenLooks) {
        const std::size_t to = std::min(names.size(), from + kBetweenLooks);
        for (std::size_t i = from; i < to; ++i) {
            if (wanted(names[i])) {
                found.push_back(static_cast<SliceIndex>(i));
            }
        }
    }
    const std::size_t by_name = found.size();
    addByArgs(track.collectives, track.slices, wanted, found);
    addByArgs(track.syncs, track.slices, wanted, found);
    if (found.size() > by_name) {
        std::ranges::sort(found);
        const auto repeated = std::ranges::unique(found);
        found.erase(repeated.begin(), repeated.end());
    }
    return found;
}

std::vector<SearchHit> searchRank(const Run& run, const RunClock& clock, RankPosition rank, const std::string& lowered,
                                  const std::stop_token& stop) {
    const RankTrace& trace = *run.ranks[rank];
    const WantedStrings wanted(trace.strings, lowered);
    std::vector<SearchHit> hits;
    for (std::uint32_t t = 0; wanted.any() && t < trace.tracks.size() && !stop.stop_requested(); ++t) {
        const Track& track = trace.tracks[t];
        for (const SliceIndex slice : searchTrack(track, wanted, stop)) {
            const TimeNs start = clock.ranks[rank].toRun(FileTime(track.slices.start_ns[slice]));
            hits.push_back({rank, {TrackId(t), slice}, start});
        }
    }
    sortRuns(hits, before);
    return hits;
}

/// Merges what the ranks give, as many as are kept.
class Collector {
  public:
    explicit Collector(std::size_t limit) : limit_(limit) {}

    void add(const std::vector<SearchHit>& hits) {
        const std::scoped_lock lock(mutex_);
        all_.total += hits.size();
        all_.hits.insert(all_.hits.end(), hits.begin(), hits.end());
        if (all_.hits.size() > kSlack * limit_) {
            cut();
        }
    }

    [[nodiscard]] SearchHits take() {
        cut();
        return std::move(all_);
    }

  private:
    static constexpr std::size_t kSlack = 4;  // so that what is kept is seldom sorted again

    void cut() {
        sortRuns(all_.hits, before);
        all_.hits.resize(std::min(all_.hits.size(), limit_));
    }

    std::mutex mutex_;
    std::size_t limit_;
    SearchHits all_;
};

}  // namespace

Result<SearchHits> searchSlices(const Run& run, const RunClock& clock, std::string_view text,
                                const SearchOptions& options, const std::stop_token& stop) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(), lower);
    Collector collector(options.limit);
    if (!lowered.empty()) {
        forEachIndex(run.ranks.size(), threadCount(options.threads), [&](std::size_t rank) {
            if (!stop.stop_requested()) {
                collector.add(searchRank(run, clock, RankPosition(rank), lowered, stop));
            }
        });
    }
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    return collector.take();
}

}  // namespace rankscope
