// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>

#include "core/tables/model_rows.h"
#include "core/tables/name_order.h"
#include "core/tables/slice_places.h"

namespace rankscope::tables {
namespace {

enum SliceColumn : std::size_t {
    kId,
    kRun,
    kRank,
    kTrack,
    kStep,
    kCategory,
    kClass,
    kName,
    kStart,
    kDur,
    kEnd,
    kDepth,
    kParent,
    kBytes
};

/// The step of a rank that contains an instant of its host.
const RankStep* stepAt(const AnalysedRun& run, RankPosition rank, TimeNs file_ns) {
    const std::vector<RankStep>& steps = run.facts.ranks[rank].steps;
    const auto after = std::ranges::upper_bound(steps, file_ns, {}, [](const RankStep& s) { return s.host.start_ns; });
    const bool is_in = after != steps.begin() && std::prev(after)->host.contains(file_ns);
    return is_in ? &*std::prev(after) : nullptr;
}

/// GPU work belongs to the step that launched it; everything else to the step in which it starts.
const RankStep* stepOf(const SlicePlaces::OfTrack& track, SliceIndex slice) {
    const RankTrace& trace = track.trace();
    SliceRef asked{track.track, slice};
    if (track.of().device >= 0) {
        const SliceRef launch = trace.launches.launchOf(asked);
        asked = launch.valid() ? launch : asked;
    }
    return stepAt(*track.run, track.rank, trace.span(asked).start_ns);
}

class SliceReader : public RowReader {
  public:
    explicit SliceReader(const SlicePlaces& places) : places_(places) {}

    Value at(std::uint64_t row, std::size_t column) override {
        if (row < begin_ || row >= end_) {
            goTo(row);
        }
        const SlicePlaces::OfTrack& track = *track_;
        const auto i = static_cast<SliceIndex>(row - begin_);
        switch (column) {
            case kId: return static_cast<std::int64_t>(row);
            case kRun: return std::string_view(track.run->run->name);
            case kRank: return rankValue(*track.run, track.rank);
            case kTrack: return track_ - places_.tracks().data();
            case kStep: {
                const RankStep* const step = stepOf(track, i);
                return step == nullptr ? Value() : Value(step->index);
            }
            case kClass: return classOf(i);
            case kBytes: {
                const std::int64_t* const bytes = track.of().bytes.find(i);
                return bytes == nullptr ? Value() : Value(*bytes);
            }
            default: return ofSlice(i, column);
        }
    }

  private:
    void goTo(std::uint64_t row) {
        track_ = &places_.tracks()[places_.trackOf(row)];
        slices_ = &track_->of().slices;
        begin_ = track_->first;
        end_ = begin_ + slices_->size();
    }

    [[nodiscard]] Value classOf(SliceIndex i) const {
        const WorkClasses& classes = track_->run->facts.ranks[track_->rank].work_classes;
        const std::size_t track = track_->track.value;
        const bool has = track < classes.size() && i < classes[track].size() && classes[track][i] != WorkClass::None;
        return has ? Value(workClassName(classes[track][i])) : Value();
    }

    [[nodiscard]] std::int64_t start(SliceIndex i) const {
        return onRunClock(*track_->run, track_->rank, slices_->start_ns[i]);
    }

    [[nodiscard]] Value ofSlice(SliceIndex i, std::size_t column) const {
        const std::int64_t dur_ns = slices_->end_ns[i] - slices_->start_ns[i];
        switch (column) {
            case kCategory: return categoryName(slices_->category[i]);
            case kName: return track_->trace().strings.view(slices_->name[i]);
            case kStart: return start(i);
            case kDur: return dur_ns;
            case kEnd: return start(i) + dur_ns;
            case kDepth: return std::int64_t{slices_->depth[i]};
            case kParent: {
                const SliceIndex parent = slices_->parent[i];
                return parent == kNoSlice ? Value() : Value(static_cast<std::int64_t>(begin_ + parent));
            }
            default: return {};
        }
    }

    const SlicePlaces& places_;
    const SlicePlaces::OfTrack* track_ = nullptr;
    const SliceTable* slices_ = nullptr;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

/// The slices sorted by start on the clocks of their runs.
class StartOrder {
  public:
    explicit StartOrder(const SlicePlaces& places) : slices_(places.slices()) {
        std::vector<std::int64_t> start_ns(places.slices());
        for (const SlicePlaces::OfTrack& track : places.tracks()) {
            const std::vector<TimeNs>& own = track.of().slices.start_ns;
            std::ranges::transform(own, start_ns.begin() + static_cast<std::ptrdiff_t>(track.first),
                                   [&](TimeNs ns) { return onRunClock(*track.run, track.rank, ns); });
        }
        std::iota(slices_.begin(), slices_.end(), 0U);
        std::ranges::stable_sort(slices_, {}, [&](std::uint32_t slice) { return start_ns[slice]; });
        start_ns_.reserve(slices_.size());
        std::ranges::transform(slices_, std::back_inserter(start_ns_), [&](std::uint32_t at) { return start_ns[at]; });
    }

    [[nodiscard]] const std::vector<std::uint32_t>& slices() const { return slices_; }
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> between(std::int64_t least, std::int64_t most) const {
        const auto first = std::ranges::lower_bound(start_ns_, least);
        const auto last = std::max(first, std::ranges::upper_bound(start_ns_, most));
        return {first - start_ns_.begin(), last - start_ns_.begin()};
    }

  private:
    std::vector<std::uint32_t> slices_;
    std::vector<std::int64_t> start_ns_;  // in the same order
};

class SliceRows : public Rows {
  public:
    explicit SliceRows(const Runs& runs) : places_(runs) {}

    [[nodiscard]] std::uint64_t size() const override { return places_.slices(); }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override { return std::make_unique<SliceReader>(places_); }

    [[nodiscard]] std::optional<RowRanges> find(std::size_t column, const Value& value) const override {
        if (value.kind != (column == kName ? Value::Kind::Text : Value::Kind::Integer)) {
            return std::nullopt;
        }
        if (column == kName) {
            return RowRanges{&names().slices(), {names().between(value.text, value.text)}};
        }
        if (column == kStart) {
            return sortedBy(kStart, value, value);
        }
        const auto wanted = static_cast<std::uint64_t>(value.integer);
        RowRanges found;
        if (column == kId && wanted < size()) {
            found.ranges.emplace_back(wanted, wanted + 1);
        } else if (column == kTrack && wanted < places_.tracks().size()) {
            found.ranges.push_back(rangeOf(places_.tracks()[wanted]));
        } else if (column == kRank) {
            for (const SlicePlaces::OfTrack& track : places_.tracks()) {
                const Value number = rankValue(*track.run, track.rank);
                if (number.kind == Value::Kind::Integer && number.integer == value.integer) {
                    found.ranges.push_back(rangeOf(track));
                }
            }
        }
        return found;
    }

    [[nodiscard]] RowRanges sortedBy(std::size_t column, const Value& least, const Value& most) const override {
        if (column == kName) {
            return {&names().slices(), {{0, size()}}};
        }
        if (column != kStart) {
            return Rows::sortedBy(column, least, most);
        }
        if (starts_ == nullptr) {
            starts_ = std::make_unique<StartOrder>(places_);
        }
        const std::int64_t from = least.kind == Value::Kind::Integer ? least.integer : std::int64_t{INT64_MIN};
        const std::int64_t to = most.kind == Value::Kind::Integer ? most.integer : std::int64_t{INT64_MAX};
        return {&starts_->slices(), {starts_->between(from, to)}};
    }

    [[nodiscard]] std::uint64_t rowsOfValue(std::size_t column) const override {
        constexpr std::uint64_t kNames = 1'000;  // a usual trace has some thousand names
        const std::uint64_t values = column == kId      ? size()
                                     : column == kTrack ? places_.tracks().size()
                                     : column == kRank  ? std::max<std::uint64_t>(1, places_.tracks().size() / 10)
                                                        : kNames;
        return std::max<std::uint64_t>(1, size() / std::max<std::uint64_t>(1, values));
    }

  private:
    static std::pair<std::uint64_t, std::uint64_t> rangeOf(const SlicePlaces::OfTrack& track) {
        return {track.first, track.first + track.of().slices.size()};
    }
    [[nodiscard]] const NameOrder& names() const {
        if (names_ == nullptr) {
            names_ = std::make_unique<NameOrder>(places_);
        }
        return *names_;
    }

    SlicePlaces places_;
    mutable std::unique_ptr<NameOrder> names_;  // made when they are first asked for
    mutable std::unique_ptr<StartOrder> starts_;
};

}  // namespace

Table sliceTable() {
    return {
        "slice",
        "One recorded event with a duration: an operator, a call, a kernel, a copy.",
        {{"id", Type::Integer, "number of the slice, the same for the same files", Access::SeekAndSort},
         {"run", Type::Text, "name of the run"},
         {"rank", Type::Integer, "number of the rank; null where no file says it", Access::Seek},
         {"track", Type::Integer, "track.id: the thread or stream", Access::Seek},
         {"step", Type::Integer, "number of the step; of GPU work the step that launched it; null outside of steps"},
         {"category", Type::Text, "kind of event as the profiler names it: cpu_op, kernel, cuda_runtime"},
         {"class", Type::Text, "of GPU work: compute, communication or copy"},
         {"name", Type::Text, "as recorded", Access::SeekAndSort},
         {"start_ns", Type::Integer, "from the run's first instant, on the run's clock", Access::SeekAndSort},
         {"dur_ns", Type::Integer, "length, as recorded"},
         {"end_ns", Type::Integer, "start_ns + dur_ns"},
         {"depth", Type::Integer, "row on its track, 0 at the top"},
         {"parent", Type::Integer, "slice.id: the innermost slice around it on its track"},
         {"bytes", Type::Integer, "of a copy or memset"}},
        [](const Runs& runs) -> std::unique_ptr<Rows> { return std::make_unique<SliceRows>(runs); }};
}

}  // namespace rankscope::tables
