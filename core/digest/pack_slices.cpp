// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/pack_trace.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace rankscope {
namespace {

/// Times further from the epoch are invalid, so that the sum of two of them fits 64 bits.
constexpr TimeNs kFarthest = std::int64_t{1} << 61U;

/// The indices of the slices, grouped by name: their lengths are similar, and so pack better than by time.
std::vector<SliceIndex> byName(const std::vector<StringId>& names) {
    const auto bucket = [](StringId name) { return std::size_t{name.value + 1U}; };  // the first is for no name
    std::vector<SliceIndex> next;  // by name: its count, then the position of its next slice
    for (const StringId name : names) {
        next.resize(std::max(next.size(), bucket(name) + 1));
        ++next[bucket(name)];
    }
    SliceIndex before = 0;
    for (SliceIndex& place : next) {
        before += std::exchange(place, before);
    }
    std::vector<SliceIndex> order(names.size());
    for (SliceIndex i = 0; i < names.size(); ++i) {
        order[next[bucket(names[i])]++] = i;
    }
    return order;
}

/// Predicts the parent of a slice from exact times: right for all slices except those that overlap or have rounded
/// times.
class ParentGuess {
  public:
    /// The innermost slice that is still open at `start_ns`.
    SliceIndex at(TimeNs start_ns) {
        while (!open_.empty() && open_.back().end_ns <= start_ns) {
            open_.pop_back();
        }
        return open_.empty() ? kNoSlice : open_.back().slice;
    }
    /// The actual parent of slice `slice` is `parent`.
    void found(SliceIndex slice, SliceIndex parent, TimeNs end_ns) {
        while (!open_.empty() && open_.back().slice != parent) {
            open_.pop_back();
        }
        open_.push_back({slice, end_ns});
    }

  private:
    struct Open {
        SliceIndex slice;
        TimeNs end_ns;
    };
    std::vector<Open> open_;
};

/// Predicts a slice's category as that of the previous slice with its name.
class CategoryGuess {
  public:
    explicit CategoryGuess(std::size_t names) : last_(names, Category::CpuOp) {}
    Category& of(StringId name) { return last_[name.value]; }

  private:
    std::vector<Category> last_;
};

/// The largest number of nanoseconds that all times between slices and all lengths are multiples of.
DurationNs unitOf(const SliceTable& slices) {
    DurationNs unit_ns = 0;
    for (SliceIndex i = 0; i < slices.size() && unit_ns != 1; ++i) {
        unit_ns = std::gcd(unit_ns, slices.end_ns[i] - slices.start_ns[i]);
        unit_ns = i == 0 ? unit_ns : std::gcd(unit_ns, slices.start_ns[i] - slices.start_ns[i - 1]);
    }
    return std::max<DurationNs>(unit_ns, 1);
}

void checkOrder(const SliceTable& slices) {
    if (!std::ranges::is_sorted(slices.start_ns)) {
        throw DigestFault("slices of a track are not in order of time");
    }
}

void packTimes(const SliceTable& slices, const std::vector<SliceIndex>& order, TimeNs origin_ns, ColumnsOut& columns) {
    ColumnWriter& start = columns["slice.start"];
    ColumnWriter& length = columns["slice.length"];
    const DurationNs unit_ns = unitOf(slices);
    columns["track.size"].put(slices.size());
    columns["track.unit"].put(static_cast<std::uint64_t>(unit_ns));
    columns["track.start"].putSigned(slices.size() == 0 ? 0 : slices.start_ns.front() - origin_ns);
    for (const SliceIndex i : order) {
        const DurationNs since_ns = i == 0 ? 0 : slices.start_ns[i] - slices.start_ns[i - 1];
        start.put(static_cast<std::uint64_t>(since_ns / unit_ns));
        length.put(static_cast<std::uint64_t>((slices.end_ns[i] - slices.start_ns[i]) / unit_ns));
    }
}

void packNesting(const SliceTable& slices, ColumnsOut& columns) {
    ColumnWriter& parents = columns["slice.parent"];
    ColumnWriter& depths = columns["slice.depth"];
    ParentGuess guess;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const SliceIndex parent = slices.parent[i];
        if (parent == guess.at(slices.start_ns[i])) {
            parents.put(0);
        } else {
            parents.put(parent == kNoSlice ? 1U : 1U + i - parent);
        }
        depths.putSigned(slices.depth[i] - (parent == kNoSlice ? 0 : slices.depth[parent] + 1));
        guess.found(i, parent, slices.end_ns[i]);
    }
}

void packSources(const SliceTable& slices, const std::vector<SliceIndex>& order, ColumnsOut& columns) {
    ColumnWriter& files = columns["slice.file"];
    ColumnWriter& offsets = columns["slice.offset"];
    for (const SliceIndex i : order) {
        const EventSource before = i == 0 ? EventSource() : slices.source[i - 1];
        files.putSigned(static_cast<std::int64_t>(slices.source[i].file()) - before.file());
        offsets.putSigned(static_cast<std::int64_t>(slices.source[i].offset() - before.offset()));
    }
}

void packTrack(const SliceTable& slices, TimeNs origin_ns, CategoryGuess& categories, ColumnsOut& columns) {
    checkOrder(slices);
    const std::vector<SliceIndex> order = byName(slices.name);
    packTimes(slices, order, origin_ns, columns);
    packNesting(slices, columns);
    packSources(slices, order, columns);
    ColumnWriter& names = columns["slice.name"];
    ColumnWriter& flags = columns["slice.flag"];
    ColumnWriter& category = columns["slice.category"];
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        names.put(slices.name[i].value);
        flags.put(static_cast<std::uint64_t>(slices.flag[i]));
        Category& guess = categories.of(slices.name[i]);
        category.put(static_cast<std::uint64_t>(slices.category[i]) ^ static_cast<std::uint64_t>(guess));
        guess = slices.category[i];
    }
}

void unpackNames(ColumnsIn& columns, std::size_t strings, CategoryGuess& categories, SliceTable& slices) {
    ColumnReader& names = columns["slice.name"];
    ColumnReader& flags = columns["slice.flag"];
    ColumnReader& category = columns["slice.category"];
    constexpr std::uint64_t kFlags = 4;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        slices.name[i] = StringId(static_cast<std::uint32_t>(names.getBelow(strings)));
        slices.flag[i] = static_cast<SliceFlag>(flags.getBelow(kFlags));
        Category& guess = categories.of(slices.name[i]);
        const std::uint64_t number = category.get() ^ static_cast<std::uint64_t>(guess);
        if (number > static_cast<std::uint64_t>(Category::Other)) {
            category.fail("names a category that does not exist");
        }
        guess = static_cast<Category>(number);
        slices.category[i] = guess;
    }
}

void unpackTimes(ColumnsIn& columns, const std::vector<SliceIndex>& order, TimeNs origin_ns, SliceTable& slices) {
    ColumnReader& start = columns["slice.start"];
    ColumnReader& length = columns["slice.length"];
    const std::uint64_t unit = columns["track.unit"].get();
    const TimeNs first_ns = roundSum(origin_ns, columns["track.start"].getSigned());
    for (const SliceIndex i : order) {
        slices.start_ns[i] = static_cast<std::int64_t>(start.get() * unit);
        slices.end_ns[i] = static_cast<std::int64_t>(length.get() * unit);
    }
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        slices.start_ns[i] = roundSum(i == 0 ? first_ns : slices.start_ns[i - 1], slices.start_ns[i]);
        slices.end_ns[i] = roundSum(slices.start_ns[i], slices.end_ns[i]);
        const bool ordered = i == 0 || slices.start_ns[i] >= slices.start_ns[i - 1];
        if (!ordered || slices.end_ns[i] < slices.start_ns[i] || slices.start_ns[i] < -kFarthest ||
            slices.end_ns[i] > kFarthest) {
            start.fail("contains an invalid time");
        }
    }
}

void unpackNesting(ColumnsIn& columns, std::uint16_t rows, SliceTable& slices) {
    ColumnReader& parents = columns["slice.parent"];
    ColumnReader& depths = columns["slice.depth"];
    ParentGuess guess;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        const SliceIndex guessed = guess.at(slices.start_ns[i]);
        const std::uint64_t code = parents.getBelow(std::uint64_t{i} + 2);
        const SliceIndex parent = code == 0 ? guessed : code == 1 ? kNoSlice : i + 1 - static_cast<SliceIndex>(code);
        const std::int64_t around = parent == kNoSlice ? 0 : slices.depth[parent] + 1;
        const std::int64_t depth = roundSum(around, depths.getSigned());
        if (depth < 0 || depth >= rows) {
            depths.fail("names a row that does not exist");
        }
        slices.parent[i] = parent;
        slices.depth[i] = static_cast<std::uint16_t>(depth);
        guess.found(i, parent, slices.end_ns[i]);
    }
}

void unpackSources(ColumnsIn& columns, const std::vector<SliceIndex>& order, std::size_t files, SliceTable& slices) {
    ColumnReader& file = columns["slice.file"];
    ColumnReader& offset = columns["slice.offset"];
    struct Step {
        std::int64_t file = 0;
        std::int64_t offset = 0;
    };
    std::vector<Step> steps(slices.size());
    for (const SliceIndex i : order) {
        steps[i] = {file.getSigned(), offset.getSigned()};
    }
    Step at;
    for (SliceIndex i = 0; i < slices.size(); ++i) {
        at.file = roundSum(at.file, steps[i].file);
        at.offset = roundSum(at.offset, steps[i].offset);
        if (at.file < 0 || at.file >= static_cast<std::int64_t>(files)) {
            file.fail("names a file that does not exist");
        }
        slices.source[i] = EventSource(static_cast<std::uint16_t>(at.file), static_cast<std::uint64_t>(at.offset));
    }
}

}  // namespace

void packSlices(const RankTrace& trace, ColumnsOut& columns) {
    CategoryGuess categories(trace.strings.size());
    for (const char* name :
         {"track.size", "track.unit", "track.start", "slice.start", "slice.length", "slice.parent", "slice.depth",
          "slice.file", "slice.offset", "slice.name", "slice.flag", "slice.category"}) {
        (void)columns[name];  // the column exists even if the trace has no slices
    }
    for (const Track& track : trace.tracks) {
        packTrack(track.slices, trace.window.start_ns, categories, columns);
    }
}

void unpackSlices(ColumnsIn& columns, RankTrace& trace) {
    CategoryGuess categories(trace.strings.size());
    ColumnReader& sizes = columns["track.size"];
    for (Track& track : trace.tracks) {
        const std::uint64_t size = sizes.get();
        columns["slice.name"].expectAtLeast(size);
        track.slices.resize(static_cast<std::size_t>(size));
        unpackNames(columns, trace.strings.size(), categories, track.slices);
        const std::vector<SliceIndex> order = byName(track.slices.name);
        unpackTimes(columns, order, trace.window.start_ns, track.slices);
        unpackNesting(columns, track.row_count, track.slices);
        unpackSources(columns, order, trace.files.size(), track.slices);
    }
}

}  // namespace rankscope
