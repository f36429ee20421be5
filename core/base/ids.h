// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace rankscope {

/// A plain integer for positions and numbers: no bool, and none of the types of this header.
template <class T>
concept PlainInteger = std::integral<T> && !std::same_as<T, bool>;

/// An index that cannot be mixed up with another kind of index. Default-constructed it is invalid.
template <class Tag>
struct StrongId {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t value = kNone;

    constexpr StrongId() = default;
    /// Refers to the element at `index`, which should be below kNone.
    constexpr explicit StrongId(std::uint32_t index) : value(index) {}

    /// Whether it refers to anything: false for a default-constructed index. Does not check the size of the container.
    [[nodiscard]] constexpr bool valid() const { return value != kNone; }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

/// A string in the StringPool of one rank trace.
using StringId = StrongId<struct StringTag>;
/// A track: an index into RankTrace::tracks.
using TrackId = StrongId<struct TrackTag>;

/// A position in one kind of list, counted from 0. It cannot be mixed up with a position in another kind of list: the
/// two do not convert to each other or compare. Made from an integer only explicitly, but converts to one, so it
/// indexes a list and prints. Default-constructed it is the first position. Lists never have more than 2^32 - 1 items:
/// the readers of files limit the numbers of ranks, steps and collectives far below that.
template <class Tag>
class Position {
  public:
    constexpr Position() = default;
    template <PlainInteger Integer>
    constexpr explicit Position(Integer value) : value_(static_cast<std::uint32_t>(value)) {}

    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): reads as a number, see above
    constexpr operator std::uint32_t() const { return value_; }

    constexpr Position& operator++() {
        ++value_;
        return *this;
    }

    friend constexpr bool operator==(Position, Position) = default;
    friend constexpr auto operator<=>(Position, Position) = default;

    /// In JSON a position is its number.
    template <class Json>
    friend void to_json(Json& json, Position position) {
        json = position.value_;
    }
    /// Throws what `json` throws if it is not a number.
    template <class Json>
    friend void from_json(const Json& json, Position& position) {
        json.get_to(position.value_);
    }

  private:
    std::uint32_t value_ = 0;
};

template <class A, class B>
requires(!std::same_as<A, B>) bool operator==(Position<A>, Position<B>) = delete;
template <class A, class B>
requires(!std::same_as<A, B>) std::strong_ordering operator<=>(Position<A>, Position<B>) = delete;

/// The position of a rank in Run::ranks and in every list in the same order ("by rank"). Ranks are sorted there by
/// their numbers, but the position is not the number: files may be missing.
using RankPosition = Position<struct RankPositionTag>;
/// The position of a collective in CollectiveFacts::collectives.
using CollectivePosition = Position<struct CollectivePositionTag>;
/// The position of a step in RankFacts::steps of its rank, and in StepMarks::marks, from which the steps were made.
using RankStepPosition = Position<struct RankStepPositionTag>;
/// The position of a step in RunFacts::steps.
using RunStepPosition = Position<struct RunStepPositionTag>;

/// The number that the job itself gave a rank (torch.distributed's global rank), from 0. It does not convert to an
/// integer, so it indexes nothing: `value` is for printing, and for arithmetic on the numbers of a group.
struct RankNumber {
    std::int32_t value = 0;

    constexpr RankNumber() = default;
    /// From a number that the job gave, 0 or more.
    template <PlainInteger Integer>
    constexpr explicit RankNumber(Integer number) : value(static_cast<std::int32_t>(number)) {}
    /// For a rank without a number in any file: its position instead.
    [[nodiscard]] static constexpr RankNumber standingIn(RankPosition position) {
        return RankNumber(static_cast<std::uint32_t>(position));
    }

    friend constexpr bool operator==(RankNumber, RankNumber) = default;
    friend constexpr auto operator<=>(RankNumber, RankNumber) = default;

    /// In JSON a rank's number is a number.
    template <class Json>
    friend void to_json(Json& json, RankNumber number) {
        json = number.value;
    }
    /// Throws what `json` throws if it is not a number.
    template <class Json>
    friend void from_json(const Json& json, RankNumber& number) {
        json.get_to(number.value);
    }
};

/// Position of a slice in the SliceTable of its track.
using SliceIndex = std::uint32_t;
inline constexpr SliceIndex kNoSlice = std::numeric_limits<SliceIndex>::max();

/// One slice of one rank trace.
struct SliceRef {
    TrackId track;
    SliceIndex slice = kNoSlice;

    /// Whether it refers to a slice: false for a default-constructed reference, as for device work without a launch
    /// call.
    [[nodiscard]] constexpr bool valid() const { return track.valid() && slice != kNoSlice; }
    friend constexpr auto operator<=>(const SliceRef&, const SliceRef&) = default;
};

}  // namespace rankscope

template <class Tag>
struct std::hash<rankscope::Position<Tag>> {
    [[nodiscard]] std::size_t operator()(rankscope::Position<Tag> position) const noexcept {
        return std::hash<std::uint32_t>()(position);
    }
};

template <>
struct std::hash<rankscope::RankNumber> {
    [[nodiscard]] std::size_t operator()(rankscope::RankNumber number) const noexcept {
        return std::hash<std::int32_t>()(number.value);
    }
};
