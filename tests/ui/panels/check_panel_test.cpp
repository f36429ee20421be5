// SPDX-License-Identifier: GPL-3.0-or-later
// The health check as a page: its lines, where they lead, the protocol and the check lists.
#include "ui/panels/trace/check_panel.h"

#include <gtest/gtest.h>

#include <QTest>
#include <QTextBlock>
#include <QTextTable>
#include <memory>

#include "core/compare/compare_runs.h"
#include "core/report/check/check.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

std::shared_ptr<const AnalysedRun> sampleRun(const char* name) {
    return std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::sample(name)));
}

class CheckPanelTest : public testing::Test {
  protected:
    CheckPanelTest() {
        panel.resize(360, 700);
        QObject::connect(&panel, &CheckPanel::findingAsked, [this](const FindingSelection& f) { finding = f; });
        QObject::connect(&panel, &CheckPanel::sliceActivated, [this](const SliceSelection& s) { slice = s; });
        QObject::connect(&panel, &CheckPanel::panelAsked, [this](const QString& name, const QString& of_it) {
            asked = name;
            page_asked = of_it;
        });
        QObject::connect(&panel, &CheckPanel::checked, [this](std::size_t count) { look = count; });
        panel.setRuns({run});
        panel.show();
        panel.job().finish();
    }
    /// The first table of the page; nullptr where there is none.
    [[nodiscard]] const QTextTable* tableOfRanks() const {
        for (QTextFrame* frame : panel.findChild<RichText*>()->document()->rootFrame()->childFrames()) {
            if (const auto* table = qobject_cast<QTextTable*>(frame)) {
                return table;
            }
        }
        return nullptr;
    }
    /// A real click on the button of a page.
    void choose(const QString& page) {
        test::clickButton(panel, page);
        panel.job().finish();
    }
    [[nodiscard]] QString html() const { return panel.findChild<RichText*>()->toHtml(); }
    /// The first link of a kind in the page.
    [[nodiscard]] QString linkOf(const QString& begin) const {
        const QString page = html();
        const auto from = page.indexOf(QStringLiteral("href=\"") + begin);
        const auto start = from + 6;
        return from < 0 ? QString() : page.mid(start, page.indexOf(QLatin1Char('"'), start) - start);
    }

    std::shared_ptr<const AnalysedRun> run = sampleRun("ZeroWorkers");
    CheckPanel panel{Theme::darkTheme()};
    FindingSelection finding{99, 99};
    std::optional<SliceSelection> slice;
    QString asked;
    QString page_asked;
    std::size_t look = 0;
};

TEST_F(CheckPanelTest, SaysWhatTheReportsSay) {
    const report::Check check = report::checkOf(*run);
    for (const report::CheckLine& line : check.lines) {
        EXPECT_TRUE(panel.words().contains(text(line.title))) << line.title;
        EXPECT_TRUE(panel.words().contains(text(line.text))) << line.text;
    }
    EXPECT_EQ(look, check.count(report::CheckStatus::Look));
    EXPECT_GT(look, 0U);
}

TEST_F(CheckPanelTest, ShowsAStatusByAWordAndAShapeToo) {
    EXPECT_TRUE(panel.words().contains(QStringLiteral("look here")));
    EXPECT_TRUE(panel.words().contains(QChar(0x25b2)));
    EXPECT_TRUE(panel.words().contains(QStringLiteral("cannot tell")));
    EXPECT_TRUE(panel.words().contains(QChar(0x2713)));
}

TEST_F(CheckPanelTest, LeadsToFindingsSlicesAndPanels) {
    const QString to_finding = linkOf(QStringLiteral("finding:"));
    ASSERT_FALSE(to_finding.isEmpty());
    panel.follow(to_finding);
    EXPECT_EQ(finding.run, 0U);
    EXPECT_LT(finding.finding, run->diagnosis.findings.size());
    const QString to_panel = linkOf(QStringLiteral("panel:"));
    ASSERT_FALSE(to_panel.isEmpty());
    panel.follow(to_panel);
    EXPECT_FALSE(asked.isEmpty());
    const QString to_slice = linkOf(sliceLink({0, RankPosition(0), {TrackId(0), 0}}).section(QLatin1Char('0'), 0, 0));
    ASSERT_FALSE(to_slice.isEmpty());
    panel.follow(to_slice);
    ASSERT_TRUE(slice.has_value());
    EXPECT_TRUE(exists(*run, slice->rank, slice->slice));
}

TEST_F(CheckPanelTest, LeadsToThePageOfAPanelThatIsAboutTheLine) {
    for (const auto& [link, to] : {std::pair("panel:communication:overlap", "overlap"),
                                   std::pair("panel:charts:lateness", "lateness"), std::pair("panel:steps", "")}) {
        const QString found = linkOf(QLatin1String(link));
        ASSERT_FALSE(found.isEmpty()) << link;
        panel.follow(found);
        EXPECT_EQ(page_asked, QLatin1String(to));
        EXPECT_EQ(asked, QString::fromLatin1(link).section(QLatin1Char(':'), 1, 1));
    }
}

TEST_F(CheckPanelTest, SaysWhereInTheWindowIsEnteredWhatTheCommandLineTakes) {
    choose(QStringLiteral("Check lists"));
    EXPECT_TRUE(test::holds(panel.words(), {"--link-speed", "In this window: Edit > Describe the Job."}));
}

TEST_F(CheckPanelTest, HasTheProtocolAndTheLists) {
    choose(QStringLiteral("Protocol"));
    EXPECT_TRUE(test::holds(panel.words(), {"Baseline", "rankscope-cli compare BEFORE1 BEFORE2"}));
    choose(QStringLiteral("Check lists"));
    EXPECT_TRUE(test::holds(panel.words(), {"Memory pressure", "NCCL_DEBUG=INFO"}));
    EXPECT_EQ(panel.page(), CheckPage::Lists);
}

TEST_F(CheckPanelTest, IsValidatedByASecondRun) {
    const std::shared_ptr<const AnalysedRun> after = sampleRun("FourWorkers");
    panel.setRuns({run, after});
    panel.showPage(CheckPage::Protocol);
    panel.job().finish();
    EXPECT_TRUE(panel.words().contains(text(comparisonVerdict(compareRuns(*run, *after)))));
}

TEST_F(CheckPanelTest, WaitsUntilAllRanksAreRead) {
    auto partly = std::make_shared<AnalysedRun>(*run);
    partly->facts.ranks.pop_back();
    panel.setRuns({partly});
    panel.job().finish();
    EXPECT_TRUE(panel.words().contains(QStringLiteral("when all ranks are read")));
    EXPECT_EQ(look, 0U);
    panel.setRuns({});
    EXPECT_TRUE(panel.words().contains(QStringLiteral("Open a run")));
}

TEST_F(CheckPanelTest, RanksAreAlignedWithATriangleOrWithout) {
    const QTextTable* ranks = tableOfRanks();
    ASSERT_NE(ranks, nullptr);
    ASSERT_GT(ranks->rows(), 2);
    for (int row = 1; row < ranks->rows(); ++row) {
        const QString name = ranks->cellAt(row, 1).firstCursorPosition().block().text();
        EXPECT_TRUE(name.startsWith(QStringLiteral("rank ")) || name.toInt() >= 0) << name.toStdString();
        EXPECT_FALSE(name.contains(QChar(0x25b2))) << "it has a column of its own";
    }
}

TEST_F(CheckPanelTest, ItsTableHasTheSignsOfPrint) {
    const QTextTable* ranks = tableOfRanks();
    ASSERT_NE(ranks, nullptr);
    const auto cell = [ranks](int row, int column) {
        return ranks->cellAt(row, column).firstCursorPosition().block().text();
    };
    EXPECT_EQ(cell(0, 4), QStringLiteral("× median"));
    int below = 0;
    for (int row = 1; row < ranks->rows(); ++row) {
        EXPECT_FALSE(cell(row, 5).startsWith(QLatin1Char('-'))) << cell(row, 5).toStdString();
        below += cell(row, 5).startsWith(QChar(0x2212)) ? 1 : 0;
    }
    EXPECT_GT(below, 0) << "one rank is slow, so the others are below the mean";
}

}  // namespace
}  // namespace rankscope::ui
