// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <ranges>

#include "core/tables/model_rows.h"
#include "core/tables/name_order.h"
#include "core/tables/slice_orders.h"
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

/// The tracks of some runs, and the indices of their slices, made when they are first asked for, on any thread.
class SliceIndices {
  public:
    explicit SliceIndices(const Runs& runs) : places(runs) {}

    [[nodiscard]] const NameOrder& names() const { return made(names_); }
    [[nodiscard]] const StartOrder& starts() const { return made(starts_); }
    [[nodiscard]] const StepOrder& steps() const { return made(steps_); }
    [[nodiscard]] const ChildOrder& children() const { return made(children_); }

    const SlicePlaces places;

  private:
    template <class Order>
    struct MadeOnce {
        std::once_flag once;
        std::optional<Order> order;
    };
    template <class Order>
    const Order& made(MadeOnce<Order>& of) const {
        std::call_once(of.once, [&] { of.order.emplace(places); });
        return *of.order;
    }

    mutable MadeOnce<NameOrder> names_;
    mutable MadeOnce<StartOrder> starts_;
    mutable MadeOnce<StepOrder> steps_;
    mutable MadeOnce<ChildOrder> children_;
};

class SliceReader : public RowReader {
  public:
    explicit SliceReader(const SliceIndices& indices) : indices_(indices), places_(indices.places) {}

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
            case kStep: return Value::of(indices_.steps().stepOf(row));
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

    const SliceIndices& indices_;
    const SlicePlaces& places_;
    const SlicePlaces::OfTrack* track_ = nullptr;
    const SliceTable* slices_ = nullptr;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

/// Ids as SQL has them; past all for negative ones.
std::uint64_t numberOf(const Value& value) {
    return static_cast<std::uint64_t>(value.integer);
}

class SliceRows : public Rows {
  public:
    explicit SliceRows(const Runs& runs) : of_(runs) {}

    [[nodiscard]] std::uint64_t size() const override { return of_.places.slices(); }
    [[nodiscard]] std::unique_ptr<RowReader> reader() const override { return std::make_unique<SliceReader>(of_); }

    [[nodiscard]] std::optional<RowRanges> find(std::size_t column, const Value& value) const override {
        if (value.kind != (column == kName ? Value::Kind::Text : Value::Kind::Integer)) {
            return std::nullopt;
        }
        const std::uint64_t wanted = numberOf(value);
        switch (column) {
            case kName: return RowRanges{&of_.names().slices(), {of_.names().between(value.text, value.text)}};
            case kStart: return sortedBy(kStart, value, value);
            case kStep: return RowRanges{&of_.steps().slices(), {of_.steps().of(value.integer)}};
            case kParent: return childrenOf(wanted);
            case kId: return wanted < size() ? RowRanges{nullptr, {{wanted, wanted + 1}}} : RowRanges();
            case kTrack: return ofTrack(wanted);
            default: return ofRank(value.integer);
        }
    }

    [[nodiscard]] RowRanges sortedBy(std::size_t column, const Value& least, const Value& most) const override {
        if (column == kName) {
            return {&of_.names().slices(), {{0, size()}}};
        }
        if (column != kStart) {
            return Rows::sortedBy(column, least, most);
        }
        return {&of_.starts().slices(), {of_.starts().between(leastOf(least), mostOf(most))}};
    }

    [[nodiscard]] Within sortedWithin(std::size_t column, std::size_t by) const override {
        return by != kStart                            ? Within::Unsorted
               : column == kTrack || column == kParent ? Within::Sorted
               : column == kRank                       ? Within::SortedRanges
                                                       : Within::Unsorted;
    }

    void narrow(RowRanges& found, std::size_t /*by*/, const Value& least, const Value& most) const override {
        for (std::size_t i = 0; i < found.ranges.size(); ++i) {
            auto& [first, last] = found.ranges[i];
            if (first < last) {
                const std::vector<std::uint32_t>* const order = found.order;
                const auto [track, unused] = of_.places.find(order == nullptr ? first : (*order)[first]);
                const std::vector<TimeNs>& starts = track->of().slices.start_ns;
                const auto start = [&, from = track->first](std::uint64_t row) {
                    const std::uint64_t slice = order == nullptr ? row : (*order)[row];
                    return onRunClock(*track->run, track->rank, starts[slice - from]);
                };
                const auto rows = std::views::iota(first, last);
                first = *std::ranges::lower_bound(rows, leastOf(least), {}, start);
                last = std::max(first, *std::ranges::upper_bound(rows, mostOf(most), {}, start));
            }
        }
    }

    [[nodiscard]] std::uint64_t rowsOfValue(std::size_t column) const override {
        constexpr std::uint64_t kNames = 1'000;  // a usual trace has a few thousand names
        constexpr std::uint64_t kSteps = 10;
        if (column == kParent) {
            return 0;  // there are fewer children than slices
        }
        const std::uint64_t values = column == kId      ? size()
                                     : column == kTrack ? of_.places.tracks().size()
                                     : column == kRank  ? of_.places.tracks().size() / 10
                                     : column == kStep  ? kSteps
                                                        : kNames;
        return std::max<std::uint64_t>(1, size() / std::max<std::uint64_t>(1, values));
    }

  private:
    static std::int64_t leastOf(const Value& value) {
        return value.kind == Value::Kind::Integer ? value.integer : std::int64_t{INT64_MIN};
    }
    static std::int64_t mostOf(const Value& value) {
        return value.kind == Value::Kind::Integer ? value.integer : std::int64_t{INT64_MAX};
    }
    static Ranges::Range rangeOf(const SlicePlaces::OfTrack& track) {
        return {track.first, track.first + track.of().slices.size()};
    }
    [[nodiscard]] RowRanges childrenOf(std::uint64_t parent) const {
        return parent < size() ? RowRanges{&of_.children().slices(), {of_.children().of(parent)}} : RowRanges();
    }
    [[nodiscard]] RowRanges ofTrack(std::uint64_t track) const {
        const std::vector<SlicePlaces::OfTrack>& tracks = of_.places.tracks();
        return track < tracks.size() ? RowRanges{nullptr, {rangeOf(tracks[track])}} : RowRanges();
    }
    [[nodiscard]] RowRanges ofRank(std::int64_t rank) const {
        RowRanges found;
        for (const SlicePlaces::OfTrack& track : of_.places.tracks()) {
            const Value number = rankValue(*track.run, track.rank);
            if (number.kind == Value::Kind::Integer && number.integer == rank) {
                found.ranges.add(rangeOf(track));
            }
        }
        return found;
    }

    SliceIndices of_;
};

}  // namespace

Table sliceTable() {
    return {"slice",
            "One recorded event with a duration: an operator, a call, a kernel, a copy.",
            {{"id", Type::Integer, "number of the slice, the same for the same files", Access::SeekAndSort},
             {"run", Type::Text, "name of the run"},
             {"rank", Type::Integer, "number of the rank; null where no file says it", Access::Seek},
             {"track", Type::Integer, "track.id: the thread or stream", Access::Seek},
             {"step", Type::Integer, "number of the step; of GPU work the step that launched it; null outside of steps",
              Access::Seek},
             {"category", Type::Text, "kind of event as the profiler names it: cpu_op, kernel, cuda_runtime"},
             {"class", Type::Text, "of GPU work: compute, communication or copy"},
             {"name", Type::Text, "as recorded", Access::SeekAndSort},
             {"start_ns", Type::Integer, "from the run's first instant, on the run's clock", Access::SeekAndSort},
             {"dur_ns", Type::Integer, "length, as recorded"},
             {"end_ns", Type::Integer, "start_ns + dur_ns"},
             {"depth", Type::Integer, "row on its track, 0 at the top"},
             {"parent", Type::Integer, "slice.id: the innermost slice around it on its track", Access::Seek},
             {"bytes", Type::Integer, "of a copy or memset"}},
            [](const Runs& runs) -> std::unique_ptr<Rows> { return std::make_unique<SliceRows>(runs); }};
}

}  // namespace rankscope::tables
