// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/frame/worth.h"

#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

constexpr DurationNs kStep = 1'000'000;

Finding forecast(DurationNs saving_ns, Confidence confidence = Confidence::High) {
    Finding finding;
    finding.saving_ns = saving_ns;
    finding.confidence = confidence;
    return finding;
}

Finding upperBound(DurationNs saving_ns, Confidence confidence = Confidence::Medium) {
    Finding finding = forecast(saving_ns, confidence);
    finding.at_most = true;
    return finding;
}

TEST(Severity, OfAForecastFollowsItsSaving) {
    EXPECT_EQ(severityOf(forecast(100'000), kStep), Severity::High);
    EXPECT_EQ(severityOf(forecast(99'999), kStep), Severity::Medium);
    EXPECT_EQ(severityOf(forecast(50'000), kStep), Severity::Medium);
    EXPECT_EQ(severityOf(forecast(49'999), kStep), Severity::Low);
    EXPECT_EQ(severityOf(forecast(0), kStep), Severity::Low);
    EXPECT_EQ(severityOf(forecast(100'000), 0), Severity::Low);
}

TEST(Severity, OfAnUpperBoundFollowsHalfOfIt) {
    EXPECT_EQ(severityOf(upperBound(200'000), kStep), Severity::High);
    EXPECT_EQ(severityOf(upperBound(199'998), kStep), Severity::Medium);
}

TEST(Severity, CountsHalfWhereTheConfidenceIsLow) {
    EXPECT_EQ(severityOf(forecast(199'999, Confidence::Low), kStep), Severity::Medium);
    EXPECT_EQ(severityOf(upperBound(399'998, Confidence::Low), kStep), Severity::Medium);
    EXPECT_EQ(severityOf(upperBound(400'000, Confidence::Low), kStep), Severity::High);
}

TEST(LikelySaving, OfARangeAroundTheSavingIsTheSaving) {
    Finding finding = forecast(24);
    finding.range = SavingRange{0, 70};
    EXPECT_EQ(likelySaving(finding), 24);
}

TEST(LikelySaving, OfARangeThatBeginsAtTheSavingIsItsMiddle) {
    Finding finding = forecast(20);
    finding.range = SavingRange{20, 60};
    EXPECT_EQ(likelySaving(finding), 40);
}

TEST(Order, IsBySeverityThenByLikelySavingThenBySaving) {
    const auto ranked = [](Severity severity, Finding finding) {
        finding.severity = severity;
        return finding;
    };
    const std::vector<Finding> in_order = {
        ranked(Severity::High, forecast(10)), ranked(Severity::Medium, upperBound(100)),
        ranked(Severity::Medium, forecast(50)), ranked(Severity::Medium, forecast(49)),
        ranked(Severity::Low, upperBound(90))};
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        for (std::size_t k = 0; k < in_order.size(); ++k) {
            EXPECT_EQ(isWorthMore(in_order[i], in_order[k]), i < k) << i << " before " << k;
        }
    }
}

TEST(QuickWin, IsACertainForecastWhoseFirstRemedyIsOneLine) {
    Finding finding = forecast(10);
    EXPECT_FALSE(isQuickWin(finding)) << "no remedy";
    finding.remedies = {Remedy{"Set it.", "", "", false}, Remedy{"Set that.", "", "", true}};
    EXPECT_FALSE(isQuickWin(finding)) << "the first remedy is long";
    std::ranges::swap(finding.remedies[0], finding.remedies[1]);
    EXPECT_TRUE(isQuickWin(finding));
    finding.confidence = Confidence::Medium;
    EXPECT_FALSE(isQuickWin(finding)) << "not certain";
    finding.confidence = Confidence::High;
    finding.at_most = true;
    EXPECT_FALSE(isQuickWin(finding)) << "an upper bound";
}

}  // namespace
}  // namespace rankscope::test
