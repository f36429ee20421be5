// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/pairing/align_names.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::vector<std::uint32_t> names(std::string_view letters) {
    return {letters.begin(), letters.end()};
}

std::size_t pairsOf(const std::vector<std::uint32_t>& partners) {
    return partners.size() - static_cast<std::size_t>(std::ranges::count(partners, kNoPartner));
}

/// The length of the longest common subsequence, by the table that everybody can check.
std::size_t longestCommon(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            best[i][j] = a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
        }
    }
    return best[a.size()][b.size()];
}

TEST(AlignNames, EqualSequencesPairPlaceByPlace) {
    EXPECT_THAT(alignNames(names("abca"), names("abca"), 10), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(alignNames({}, names("ab"), 10), testing::IsEmpty());
    EXPECT_THAT(alignNames(names("ab"), {}, 10), ElementsAre(kNoPartner, kNoPartner));
}

TEST(AlignNames, AnInsertedNameShiftsNothing) {
    // The first a of A is the first of B, although its neighbours moved.
    EXPECT_THAT(alignNames(names("abab"), names("xababx"), 10), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(alignNames(names("aaba"), names("aaa"), 10), ElementsAre(0, 1, kNoPartner, 2));
}

TEST(AlignNames, AReplacedNameHasNoPartner) {
    EXPECT_THAT(alignNames(names("abcde"), names("abXde"), 10), ElementsAre(0, 1, kNoPartner, 3, 4));
}

TEST(AlignNames, AsManyPairAsThereCanBeAndNoPairsCross) {
    std::mt19937_64 chance(23);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::uint32_t> a(chance() % 30);
        std::vector<std::uint32_t> b(chance() % 30);
        std::ranges::generate(a, [&] { return static_cast<std::uint32_t>(chance() % 4); });
        std::ranges::generate(b, [&] { return static_cast<std::uint32_t>(chance() % 4); });
        const auto partners = alignNames(a, b, 100);
        ASSERT_EQ(partners.size(), a.size());
        EXPECT_EQ(pairsOf(partners), longestCommon(a, b));
        std::int64_t last = -1;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (partners[i] != kNoPartner) {
                EXPECT_EQ(a[i], b[partners[i]]);
                EXPECT_GT(static_cast<std::int64_t>(partners[i]), last);
                last = partners[i];
            }
        }
    }
}

TEST(AlignNames, BeyondTheAllowedEditsTheKthPairsWithTheKth) {
    EXPECT_THAT(alignNames(names("abc"), names("cab"), 0), ElementsAre(1, 2, 0));
    EXPECT_THAT(alignNames(names("aab"), names("ba"), 1), ElementsAre(1, kNoPartner, 0));
}

}  // namespace
}  // namespace rankscope::test
