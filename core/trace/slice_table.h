// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/category.h"

namespace rankscope {

/// What is odd about a slice: a set of bits. Such slices are not dropped or clipped, but counted in Health.
enum class SliceFlag : std::uint8_t {
    None = 0,
    Overlaps = 1,   ///< partly overlaps an earlier slice of its track, and is on an extra row
    Recovered = 2,  ///< its JSON was invalid and had to be repaired
};

/// Both of two sets.
[[nodiscard]] constexpr SliceFlag operator|(SliceFlag a, SliceFlag b) {
    return static_cast<SliceFlag>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Whether `flag` is in a set.
[[nodiscard]] constexpr bool has(SliceFlag set, SliceFlag flag) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(flag)) != 0;
}

/// Where an event is in its file: the file's index in RankTrace::files in the upper 16 bits, the byte offset of its `{`
/// in the uncompressed text in the lower 48.
class EventSource {
  public:
    constexpr EventSource() = default;
    constexpr EventSource(std::uint16_t file, std::uint64_t offset)
        : packed_((static_cast<std::uint64_t>(file) << 48U) | (offset & kOffsetMask)) {}

    [[nodiscard]] constexpr std::uint16_t file() const { return static_cast<std::uint16_t>(packed_ >> 48U); }
    [[nodiscard]] constexpr std::uint64_t offset() const { return packed_ & kOffsetMask; }
    friend constexpr auto operator<=>(EventSource, EventSource) = default;

  private:
    static constexpr std::uint64_t kOffsetMask = (1ULL << 48U) - 1;
    std::uint64_t packed_ = 0;
};

/// The complete events of one track as a struct of arrays: 36 bytes per slice. Sorted by start, then longest first,
/// then by place in the file; so parents always come before their children.
struct SliceTable {
    std::vector<TimeNs> start_ns;      ///< on the file's own clock
    std::vector<TimeNs> end_ns;        ///< >= start_ns
    std::vector<EventSource> source;   ///< where the event is in the file
    std::vector<StringId> name;        ///< in RankTrace::strings
    std::vector<SliceIndex> parent;    ///< innermost slice that encloses it, or kNoSlice
    std::vector<std::uint16_t> depth;  ///< row on the track, 0 at the top
    std::vector<Category> category;
    std::vector<SliceFlag> flag;

    [[nodiscard]] std::size_t size() const { return start_ns.size(); }
    [[nodiscard]] TimeSpan span(SliceIndex i) const { return {start_ns[i], end_ns[i]}; }
    /// Calls `visit` with each column of `table`, for operations that treat all columns alike.
    template <class Table, class Visit>
    static void eachColumn(Table& table, const Visit& visit) {
        visit(table.start_ns);
        visit(table.end_ns);
        visit(table.source);
        visit(table.name);
        visit(table.parent);
        visit(table.depth);
        visit(table.category);
        visit(table.flag);
    }
    void resize(std::size_t n) {
        parent.resize(n, kNoSlice);
        eachColumn(*this, [n](auto& column) { column.resize(n); });
    }
    /// Reduces this to the slices at `rows`, in that order, and frees the remaining memory. Empty columns stay empty,
    /// and `parent` keeps the old indices.
    void take(const std::vector<SliceIndex>& rows) {
        eachColumn(*this, [&rows]<class T>(std::vector<T>& column) {
            if (column.empty()) {
                return;
            }
            std::vector<T> taken;
            taken.reserve(rows.size());
            for (const SliceIndex row : rows) {
                taken.push_back(column[row]);
            }
            column = std::move(taken);
        });
    }
    [[nodiscard]] std::size_t memoryBytes() const {
        std::size_t bytes = 0;
        eachColumn(*this, [&bytes]<class T>(const std::vector<T>& column) { bytes += column.capacity() * sizeof(T); });
        return bytes;
    }
    friend bool operator==(const SliceTable&, const SliceTable&) = default;
};

}  // namespace rankscope
