// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ids.h"

#include <concepts>
#include <type_traits>
#include <unordered_set>

#include "core/base/time.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

/// Whether one can stand where the other is meant, however it is put there.
template <class From, class To>
constexpr bool kBecomes =
    std::is_convertible_v<From, To> || std::is_constructible_v<To, From> || std::is_assignable_v<To&, From> ||
    std::is_convertible_v<std::optional<From>, std::optional<To>>;
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a == b;
}
|| requires(A a, B b) {
    a != b;
}
|| requires(A a, B b) {
    a < b;
}
|| requires(A a, B b) {
    a >= b;
}
|| requires(A a, B b) {
    a <=> b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
    a - b;
};
template <class A, class B>
constexpr bool kKeptApart = !kBecomes<A, B> && !kBecomes<B, A> && !Comparable<A, B> && !Comparable<B, A>;
template <class Index>
concept IndexesLists = requires(std::vector<int> list, Index index) {
    list[index];
};

// Each kind against each other kind.
static_assert(kKeptApart<RankPosition, RankNumber>);
static_assert(kKeptApart<RankPosition, CollectivePosition>);
static_assert(kKeptApart<RankPosition, RankStepPosition>);
static_assert(kKeptApart<RankPosition, RunStepPosition>);
static_assert(kKeptApart<RankNumber, CollectivePosition>);
static_assert(kKeptApart<RankNumber, RankStepPosition>);
static_assert(kKeptApart<RankNumber, RunStepPosition>);
static_assert(kKeptApart<CollectivePosition, RankStepPosition>);
static_assert(kKeptApart<CollectivePosition, RunStepPosition>);
static_assert(kKeptApart<RankStepPosition, RunStepPosition>);
static_assert(kKeptApart<FileTime, RunTime> && !Subtractable<FileTime, RunTime> && !Subtractable<RunTime, FileTime>);
static_assert(kKeptApart<FileSpan, RunSpan>);

// The check itself can tell: a kind does become itself, and compares with itself.
static_assert(kBecomes<RankPosition, RankPosition> && Comparable<RankPosition, RankPosition>);
static_assert(Comparable<RankNumber, RankNumber> && Comparable<FileTime, FileTime> && Subtractable<RunTime, RunTime>);

// A plain number becomes one only where that is written out; a position reads as a plain number, a rank's number not.
static_assert(!std::is_convertible_v<std::uint32_t, RankPosition> && !std::is_convertible_v<int, RankPosition>);
static_assert(!std::is_convertible_v<std::int32_t, RankNumber> && !std::is_convertible_v<TimeNs, FileTime>);
static_assert(std::is_constructible_v<RankPosition, std::size_t> && !std::is_constructible_v<RankPosition, double>);
static_assert(!std::is_constructible_v<RankPosition, bool> && !std::is_constructible_v<RankNumber, bool>);
static_assert(std::is_convertible_v<RankPosition, std::uint32_t> && std::is_convertible_v<RunTime, TimeNs>);
static_assert(IndexesLists<RankPosition> && !IndexesLists<RankNumber>);
static_assert(sizeof(RankPosition) == sizeof(std::uint32_t) && sizeof(FileSpan) == sizeof(TimeSpan));

TEST(Position, WalksAListAndReadsAsTheIndexThatItIs) {
    const std::vector<int> list = {10, 20, 30};
    int sum = 0;
    for (RankPosition rank; rank < list.size(); ++rank) {
        sum += list[rank];
    }
    EXPECT_EQ(sum, 60);
    EXPECT_EQ(RankPosition(std::size_t{2}), 2U);
    EXPECT_LT(RankPosition(1), RankPosition(2));
    EXPECT_EQ((std::unordered_set{RankPosition(1), RankPosition(1), RankPosition(2)}.size()), 2U);
}

TEST(RankNumber, IsStoodInForByThePositionWhereNoFileTellsIt) {
    EXPECT_EQ(RankNumber::standingIn(RankPosition(3)), RankNumber(3));
    EXPECT_EQ((std::unordered_set{RankNumber(4), RankNumber(4)}.size()), 1U);
}

TEST(Times, OfOneClockAreComparedAndSubtracted) {
    EXPECT_EQ(RunTime(7) - RunTime(4), 3);
    EXPECT_LT(FileTime(4), FileTime(7));
    EXPECT_EQ(FileSpan({2, 5}).plain().length(), 3);
}

}  // namespace
}  // namespace rankscope
