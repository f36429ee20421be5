// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/string_pool.h"

namespace rankscope {

/// The type of a value of a pickle.
enum class PickleKind : std::uint8_t { None, Boolean, Integer, WideInteger, Real, Text, Bytes, List, Tuple, Dict };

/// A value of a pickle in eight bytes: its kind, and the value itself or its index in PickleData.
class PickleValue {
  public:
    constexpr PickleValue() = default;
    constexpr PickleValue(PickleKind kind, std::uint64_t payload)
        : bits_((static_cast<std::uint64_t>(kind) << kPayloadBits) | (payload & kPayloadMask)) {}

    /// Its kind, its payload, and whether that is the index of a container.
    [[nodiscard]] constexpr PickleKind kind() const { return static_cast<PickleKind>(bits_ >> kPayloadBits); }
    [[nodiscard]] constexpr std::uint64_t payload() const { return bits_ & kPayloadMask; }
    [[nodiscard]] constexpr bool isContainer() const { return kind() >= PickleKind::List; }

    static constexpr int kPayloadBits = 60;

  private:
    static constexpr std::uint64_t kPayloadMask = (std::uint64_t{1} << kPayloadBits) - 1;
    std::uint64_t bits_ = 0;
};

/// The plain data of a pickle: values, and the items of its lists, tuples and dicts in one arena. So the data costs a
/// few times the file's size, and no value has memory of its own. Containers may contain one another, and themselves:
/// code that traverses them must bound its steps.
class PickleData {
  public:
    PickleValue root;

    /// The integer; nothing for other values, or if it does not fit into 64 bits.
    [[nodiscard]] std::optional<std::int64_t> integer(PickleValue value) const;
    /// The number, integer or not; nothing for other values.
    [[nodiscard]] std::optional<double> real(PickleValue value) const;
    /// The id of a text; invalid for other values.
    [[nodiscard]] StringId text(PickleValue value) const;

    /// Calls `visit(item)` for the items of a list or tuple in order, and for each key and value of a dict in turn;
    /// does nothing for other values. Stops if `visit` returns false, and then returns false.
    template <class Visit>
    // NOLINTNEXTLINE(modernize-use-nodiscard): most visit all items
    bool each(PickleValue container, Visit visit) const {
        if (!container.isContainer()) {
            return true;
        }
        for (std::uint64_t run = containers_[container.payload()].first; run != 0;) {
            const Run head = runAt(run);
            for (std::uint64_t i = 1; i <= head.count; ++i) {
                if (!visit(cells_[run + i].value)) {
                    return false;
                }
            }
            run = head.next;
        }
        return true;
    }

    /// The texts of the file, and the number of lists, tuples and dictionaries.
    [[nodiscard]] StringPool& strings() { return strings_; }
    [[nodiscard]] const StringPool& strings() const { return strings_; }
    [[nodiscard]] std::size_t containerCount() const { return containers_.size(); }
    /// Heap bytes. Constant time.
    [[nodiscard]] std::size_t memoryBytes() const;

    // For readers: adds a value.
    [[nodiscard]] PickleValue addInteger(std::int64_t value);
    [[nodiscard]] PickleValue addReal(double value);
    [[nodiscard]] PickleValue addContainer(PickleKind kind);
    /// Adds items at the end of a container.
    void addItems(PickleValue container, const PickleValue* items, std::size_t count);

  private:
    /// Where the first and the last run of a container's items are in the arena; 0: it is empty.
    struct Container {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };
    /// The head of a run: how many items follow, and where the next run is.
    struct Run {
        std::uint32_t count = 0;
        std::uint32_t next = 0;
    };
    union Cell {
        Cell() : value() {}
        explicit Cell(PickleValue v) : value(v) {}
        explicit Cell(Run r) : run(r) {}
        PickleValue value;
        Run run;
    };

    [[nodiscard]] Run runAt(std::uint64_t cell) const { return cells_[cell].run; }

    std::deque<Cell> cells_ = {Cell()};  // the first is unused, so that 0 is not a valid index
    std::vector<Container> containers_;
    std::vector<std::int64_t> wide_;
    std::vector<double> reals_;
    StringPool strings_;
};

}  // namespace rankscope
