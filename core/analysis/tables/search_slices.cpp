// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tables/search_slices.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/sort_runs.h"

namespace rankscope {
namespace {

constexpr std::size_t kBetweenLooks = std::size_t{1} << 16U;  // slices between two checks of the stop

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool before(const SearchHit& a, const SearchHit& b) {
    return std::tie(a.start_ns, a.rank, a.slice) < std::tie(b.start_ns, b.rank, b.slice);
}

/// For each text whether it contains the searched one.
std::vector<std::uint8_t> wantedTexts(std::span<const std::string_view> texts, const std::string& lowered) {
    const auto same = [](char of_text, char of_needle) { return lower(of_text) == of_needle; };
    std::vector<std::uint8_t> wanted(texts.size());
    std::ranges::transform(texts, wanted.begin(), [&](std::string_view text) {
        return std::search(text.begin(), text.end(), lowered.begin(), lowered.end(), same) != text.end() ? 1 : 0;
    });
    return wanted;
}

/// Which strings of a rank trace contain the text.
class WantedStrings {
  public:
    /// `texts`: for each text of the run whether it matches; `of_rank`: the index among them of each of the rank's
    /// strings.
    WantedStrings(std::span<const std::uint8_t> texts, std::span<const std::uint32_t> of_rank)
        : wanted_(of_rank.size()) {
        std::ranges::transform(of_rank, wanted_.begin(), [texts](std::uint32_t text) { return texts[text]; });
        any_ = std::ranges::find(wanted_, 1) != wanted_.end();
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

/// Adds the slices whose args match and whose names do not, since those are listed already.
template <class Args>
void addByArgs(const SparseColumn<Args>& column, const SliceTable& slices, const WantedStrings& wanted,
               std::vector<SliceIndex>& found) {
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (wanted(column.value[i]) && !wanted(slices.name[column.slice[i]])) {
            found.push_back(column.slice[i]);
        }
    }
}

/// The matching slices of a track, in order. If stopped, those found so far.
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

/// The matching slices of a rank, by track.
using FoundSlices = std::vector<std::vector<SliceIndex>>;

FoundSlices searchRank(const RankTrace& trace, const WantedStrings& wanted, const std::stop_token& stop) {
    FoundSlices found;
    for (std::size_t t = 0; wanted.any() && t < trace.tracks.size() && !stop.stop_requested(); ++t) {
        found.push_back(searchTrack(trace.tracks[t], wanted, stop));
    }
    return found;
}

/// Finds up to which time hits are kept, if there are too many. Time is divided into only a few thousand parts: up to
/// one part's hits more than the limit are kept.
class Latest {
  public:
    Latest(const Run& run, const RunClock& clock) : from_(std::numeric_limits<TimeNs>::max()) {
        TimeNs to = std::numeric_limits<TimeNs>::min();
        for (RankPosition rank{0}; rank < run.ranks.size(); ++rank) {
            const TimeSpan window = clock.ranks[rank].toRun(FileSpan(run.ranks[rank]->window));
            from_ = std::min(from_, window.start_ns);
            to = std::max(to, window.end_ns);
        }
        width_ = std::max<DurationNs>(1, (to - from_) / static_cast<DurationNs>(kStretches) + 1);
    }

    [[nodiscard]] std::size_t stretchOf(TimeNs time_ns) const {
        const DurationNs into = std::max<DurationNs>(0, time_ns - from_);
        return std::min(static_cast<std::size_t>(into / width_), kStretches - 1);
    }
    void add(const std::vector<std::uint64_t>& hits) {
        const std::scoped_lock lock(mutex_);
        std::ranges::transform(hits, hits_, hits_.begin(), std::plus<>());
    }
    /// The last part whose hits are kept, so that there are at least `limit`.
    [[nodiscard]] std::size_t lastFor(std::uint64_t limit) const {
        std::uint64_t kept = 0;
        std::size_t last = 0;
        while (last + 1 < kStretches && (kept += hits_[last]) < limit) {
            ++last;
        }
        return last;
    }

    static constexpr std::size_t kStretches = 4'096;

  private:
    TimeNs from_;
    DurationNs width_ = 1;
    std::mutex mutex_;
    std::vector<std::uint64_t> hits_ = std::vector<std::uint64_t>(kStretches);
};

/// A search of one run, in the order of its steps.
class RunSearch {
  public:
    RunSearch(const Run& run, const RunClock& clock, const SearchOptions& options, const std::stop_token& stop)
        : run_(run), clock_(clock), options_(options), stop_(stop), found_(run.ranks.size()) {}

    /// Finds the slices; returns how many there are.
    std::uint64_t find(const RunNames& names, const std::string& lowered) {
        const std::vector<std::uint8_t> texts = wantedTexts(names.texts(), lowered);
        std::atomic<std::uint64_t> total = 0;
        forEachRank([&](RankPosition rank) {
            found_[rank] = searchRank(*run_.ranks[rank], WantedStrings(texts, names.ofRank(rank)), stop_);
            std::uint64_t of_rank = 0;
            for (const auto& of_track : found_[rank]) {
                of_rank += of_track.size();
            }
            total += of_rank;
        });
        return total;
    }

    /// The hits in order; the earliest if there are more than are kept.
    std::vector<SearchHit> inOrder(std::uint64_t total) {
        const Latest latest(run_, clock_);
        const std::size_t last = total > options_.limit ? lastStretch() : std::numeric_limits<std::size_t>::max();
        std::vector<std::vector<SearchHit>> by_rank(run_.ranks.size());
        forEachRank([&](RankPosition rank) {
            forEachHit(rank, [&](const SearchHit& hit) {
                if (latest.stretchOf(hit.start_ns) <= last) {
                    by_rank[rank].push_back(hit);
                }
            });
            sortRuns(by_rank[rank], before);
        });
        std::vector<SearchHit> hits;
        for (const auto& of_rank : by_rank) {
            hits.insert(hits.end(), of_rank.begin(), of_rank.end());
        }
        if (!stop_.stop_requested()) {
            sortRuns(hits, before);
        }
        hits.resize(std::min(hits.size(), options_.limit));
        return hits;
    }

  private:
    template <class Visit>
    void forEachRank(const Visit& visit) const {
        forEachIndex(run_.ranks.size(), threadCount(options_.threads), [&](std::size_t rank) {
            if (!stop_.stop_requested()) {
                visit(RankPosition(rank));
            }
        });
    }
    template <class Visit>
    void forEachHit(RankPosition rank, const Visit& visit) const {
        for (std::uint32_t t = 0; t < found_[rank].size(); ++t) {
            const SliceTable& slices = run_.ranks[rank]->tracks[t].slices;
            for (const SliceIndex slice : found_[rank][t]) {
                visit(SearchHit{rank, {TrackId(t), slice}, clock_.ranks[rank].toRun(FileTime(slices.start_ns[slice]))});
            }
        }
    }
    [[nodiscard]] std::size_t lastStretch() const {
        Latest latest(run_, clock_);
        forEachRank([&](RankPosition rank) {
            std::vector<std::uint64_t> hits(Latest::kStretches);
            forEachHit(rank, [&](const SearchHit& hit) { ++hits[latest.stretchOf(hit.start_ns)]; });
            latest.add(hits);
        });
        return latest.lastFor(options_.limit);
    }

    const Run& run_;
    const RunClock& clock_;
    const SearchOptions& options_;
    const std::stop_token& stop_;
    std::vector<FoundSlices> found_;  // by rank
};

}  // namespace

Result<SearchHits> searchSlices(const Run& run, const RunClock& clock, std::string_view text,
                                const SearchOptions& options, const std::stop_token& stop) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(), lower);
    SearchHits hits;
    if (!lowered.empty() && !run.ranks.empty()) {
        std::shared_ptr<const RunNames> names = options.names;
        if (names == nullptr || !names->isOf(run)) {
            Result<std::shared_ptr<const RunNames>> made = RunNames::of(run, options.threads, stop);
            if (!made.ok()) {
                return Cancelled{};
            }
            names = std::move(made).value();
        }
        RunSearch search(run, clock, options, stop);
        hits.total = search.find(*names, lowered);
        if (options.counted && !stop.stop_requested()) {
            options.counted(hits.total);
        }
        hits.hits = search.inOrder(hits.total);
    }
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    return hits;
}

}  // namespace rankscope
