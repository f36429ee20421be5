// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way that a user goes: drop a run, read a diagnosis, click a gap, read the explanation.
#include <QTableWidget>

#include <algorithm>
#include <filesystem>

#include "core/base/format.h"
#include "core/diagnosis/prices/blocked_part.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/charts/charts_panel.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/search/hits_panel.h"
#include "ui/panels/search/search.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/panels/shared/step_chart.h"
#include "ui/panels/shared/words.h"
#include "ui/panels/steps/path_panel.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"

namespace rankscope::ui {
namespace {

/// The run whose DataLoader has no workers: the bundled sample, else the real trace beside the checkout.
std::filesystem::path zeroWorkers() {
    const std::filesystem::path sample = test::sample("ZeroWorkers");
    return std::filesystem::exists(sample) ? sample : test::realTraces() / "resnet50_workers/ZeroWorkers";
}

GapSelection longestGap(const AnalysedRun& run) {
    GapSelection longest;
    DurationNs length = -1;
    for (RankPosition rank{0}; rank < run.facts.ranks.size(); ++rank) {
        const auto& steps = run.facts.ranks[rank].steps;
        for (RankStepPosition step{0}; step < steps.size(); ++step) {
            for (std::uint32_t gap = 0; gap < steps[step].gaps.size(); ++gap) {
                if (steps[step].gaps[gap].span.length() > length) {
                    length = steps[step].gaps[gap].span.length();
                    longest = {0, rank, step, gap};
                }
            }
        }
    }
    return longest;
}

class WalkThrough : public test::WindowTest {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(zeroWorkers())) {
            GTEST_SKIP() << "skipped: neither the sample nor the real trace is at " << zeroWorkers().string();
        }
        ASSERT_TRUE(dropAndWait({QString::fromStdString(zeroWorkers().string())}));
        ASSERT_EQ(window().session().runs().size(), 1U);
        QCoreApplication::processEvents();  // the pages are laid out
        window().workspace().timeline().settle();
    }

    [[nodiscard]] const AnalysedRun& run() { return *window().session().runs()[0]; }
};

TEST_F(WalkThrough, SelectingADiagnosisShowsWhyAndWhatToChange) {
    ASSERT_FALSE(run().diagnosis.findings.empty());
    const Finding& first = run().diagnosis.findings.front();
    auto* card = workspace().diagnoses().findChild<FindingCard*>();
    ASSERT_NE(card, nullptr);
    QTest::mouseClick(card, Qt::LeftButton);
    const QString words = workspace().explanation().text();
    EXPECT_TRUE(words.contains(text(first.summary))) << words.toStdString();
    ASSERT_FALSE(first.remedies.empty());
    EXPECT_TRUE(words.contains(text(first.remedies.front().action).left(40)));
    ASSERT_FALSE(first.evidence.empty());
    const auto* revealed = std::get_if<SliceSelection>(&workspace().timeline().selection());
    ASSERT_NE(revealed, nullptr) << "the first evidence is shown on the timeline";
    EXPECT_EQ(revealed->slice, first.evidence.front().slice);
}

TEST_F(WalkThrough, EvidenceIsShownWithTheWholePartOfTheGapThatItBlocks) {
    std::size_t seen = 0;
    for (const Finding& finding : run().diagnosis.findings) {
        for (const Evidence& evidence : finding.evidence) {
            timeline().select({});
            Q_EMIT workspace().explanation().evidenceActivated(0, evidence);
            timeline().settle();
            const TimeSpan shown = timeline().viewport().window();
            const auto blocked = blockedBy(run().facts, evidence);
            if (!blocked) {
                continue;
            }
            ++seen;
            const TimeSpan on_axis = run().clock.ranks[evidence.rank].toRun(FileSpan(*blocked));
            EXPECT_LE(shown.start_ns, on_axis.start_ns - run().clock.base_ns) << evidence.note;
            EXPECT_GE(shown.end_ns, on_axis.end_ns - run().clock.base_ns) << evidence.note;
        }
    }
    EXPECT_GT(seen, 0U);
}

TEST_F(WalkThrough, ActivatingEvidenceRevealsItsSliceAndReadsItsArguments) {
    ASSERT_FALSE(run().diagnosis.findings.empty());
    const Finding& first = run().diagnosis.findings.front();
    ASSERT_FALSE(first.evidence.empty());
    const Evidence& last = first.evidence.back();
    bool shown = false;
    QObject::connect(&workspace().details(), &DetailsPanel::argsShown, &window(), [&] { shown = true; });
    Q_EMIT workspace().explanation().evidenceActivated(0, last);
    EXPECT_EQ(workspace().timeline().selection(), Selection(SliceSelection{0, last.rank, last.slice}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown; }, kPatience));
    EXPECT_FALSE(workspace().details().argsText().contains(QStringLiteral("cannot be read")))
        << workspace().details().argsText().toStdString();
}

TEST_F(WalkThrough, AClickOnAGapExplainsItPartByPart) {
    timeline().reveal(longestGap(run()));  // only to bring it in sight
    timeline().settle();
    QTest::keyClick(&timeline(), Qt::Key_Escape);
    ASSERT_EQ(timeline().selection(), Selection());
    const Frame frame = timeline().frame();
    const auto widest = std::ranges::max_element(frame.gaps, {}, [](const FrameGap& gap) { return gap.x1 - gap.x0; });
    ASSERT_NE(widest, frame.gaps.end());
    const QPointF middle((widest->x0 + widest->x1) / 2.0, widest->y + widest->height / 2.0);
    const QPointF at = QPointF(timeline().tracksArea().topLeft()) + middle / frame.pixel_ratio;
    QTest::mouseMove(&timeline(), at.toPoint());
    QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at.toPoint());

    const auto chosen = std::get<GapSelection>(timeline().selection());
    const Gap& gap = run().facts.ranks[chosen.rank].steps[chosen.step].gaps[chosen.gap];
    const QString words = workspace().explanation().text();
    EXPECT_TRUE(words.contains(duration(gap.span.length()))) << words.toStdString();
    ASSERT_FALSE(gap.parts.empty());
    const auto longest =
        std::ranges::max_element(gap.parts, {}, [](const GapPart& part) { return part.span.length(); });
    EXPECT_TRUE(words.contains(text(causeTitle(longest->cause)))) << words.toStdString();
    EXPECT_TRUE(words.contains(duration(longest->span.length())));
    EXPECT_FALSE(workspace().diagnoses().selected()) << "the panel explains the gap, not a finding";
}

TEST_F(WalkThrough, ThePanelsSayOnlyWhatIsSelectedNow) {
    timeline().setFocus();
    timeline().select(longestGap(run()));
    QTest::keyClick(&timeline(), Qt::Key_G, Qt::ShiftModifier);
    QTest::keyClick(&timeline(), Qt::Key_G);
    const auto* gap = std::get_if<GapSelection>(&timeline().selection());
    ASSERT_NE(gap, nullptr);
    EXPECT_TRUE(workspace().explanation().text().contains(QStringLiteral("Gap of")));
    EXPECT_FALSE(workspace().details().factsText().contains(QStringLiteral("Select a slice")))
        << "a gap is something too";
    QTest::keyClick(&timeline(), Qt::Key_Period);
    ASSERT_TRUE(std::holds_alternative<SliceSelection>(timeline().selection()));
    EXPECT_FALSE(workspace().explanation().text().contains(QStringLiteral("Gap of"))) << "it is not selected any more";
    EXPECT_TRUE(workspace().details().factsText().contains(QStringLiteral("Category")));
}

TEST_F(WalkThrough, EnterInTheSearchShowsTheDetailsOfTheHit) {
    workspace().showPanel(QStringLiteral("steps"));
    workspace().search().searchFor(QStringLiteral("nccl"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !workspace().busy(); }, kPatience));
    workspace().search().step(1);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("details"));
    workspace().showBelow(workspace().hits());
    workspace().search().step(1);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("hits")) << "who looks at the list walks through it";
}

TEST_F(WalkThrough, ABarOfAChartFramesItsStepOnItsRank) {
    timeline().fitAll();
    timeline().settle();
    const RankStep& step = run().facts.ranks[RankPosition(2)].steps[RankStepPosition(1)];
    Q_EMIT workspace().charts().stepActivated(0, RankPosition(2), RankStepPosition(1));
    timeline().settle();
    const TimeSpan window = timeline().viewport().window();
    EXPECT_NEAR(static_cast<double>(window.length()), 1.25 * static_cast<double>(step.span.length()), 1e6);
    const LayoutRow* row = timeline().rowLayout().findRank(0, RankPosition(2));
    ASSERT_NE(row, nullptr);
    const int y = row->y - timeline().state().scroll;
    EXPECT_GE(y, 0);
    EXPECT_LT(y, timeline().tracksArea().height());
}

TEST_F(WalkThrough, AClickOnABandOfCommunicationExplainsIt) {
    for (const BandKind kind : {BandKind::Overlap, BandKind::Exposed}) {
        const Frame frame = timeline().frame();
        const auto band_row = std::ranges::find(frame.band_rows, kind, &FrameBandRow::kind);
        ASSERT_NE(band_row, frame.band_rows.end());
        const auto widest =
            std::max_element(frame.bands.begin() + band_row->first, frame.bands.begin() + band_row->last,
                             [](const FrameBand& a, const FrameBand& b) { return a.x1 - a.x0 < b.x1 - b.x0; });
        const QPointF middle((widest->x0 + widest->x1) / 2.0, band_row->y + band_row->height / 2.0);
        const QPointF at = QPointF(timeline().tracksArea().topLeft()) + middle / frame.pixel_ratio;
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at.toPoint());
        const auto chosen = std::get<BandSelection>(timeline().selection());
        EXPECT_EQ(chosen.kind, kind);
        const RankFacts& facts = run().facts.ranks[chosen.rank];
        const IntervalSet& all = kind == BandKind::Overlap ? facts.overlap : facts.exposed_communication;
        const QString words = workspace().explanation().text();
        EXPECT_TRUE(words.contains(duration(all.spans()[chosen.index].length()))) << words.toStdString();
    }
}

TEST_F(WalkThrough, AKeyShowsTheCriticalPathAsSumsAndOnTheTimeline) {
    EXPECT_TRUE(timeline().frame().path.empty());
    QTest::keyClick(&timeline(), Qt::Key_P, Qt::ShiftModifier);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("path"));
    EXPECT_TRUE(workspace().bottomPanelVisible());
    EXPECT_TRUE(timeline().overlays().has(Overlay::Path));
    timeline().settle();
    workspace().path().job().finish();
    EXPECT_FALSE(timeline().frame().path.empty());
    EXPECT_GE(workspace().path().parts().rowCount(), 2) << workspace().path().summary().toStdString();
    EXPECT_EQ(workspace().path().parts().item(0, 0)->text(), QStringLiteral("DataLoader"));
    // A row leads to its longest stretch, and the panel stays in front.
    QTest::keyClick(&timeline(), Qt::Key_Escape);
    auto* table = workspace().path().findChild<QTableWidget*>();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualItemRect(table->item(0, 1)).center());
    const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_NE(run().run->ranks[slice->rank]->name(slice->slice).find("DataLoader"), std::string_view::npos);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("path"));
    // Another key has the line alone.
    QTest::keyClick(&timeline(), Qt::Key_P);
    EXPECT_FALSE(timeline().overlays().has(Overlay::Path));
}

TEST_F(WalkThrough, AShareOfTheVerdictLeadsToThePathThatItIsOf) {
    Q_EMIT workspace().diagnoses().chartAsked(0, StepChart::Path);
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("path"));
    workspace().path().job().finish();
    EXPECT_TRUE(workspace().path().summary().contains(QStringLiteral("steady steps")))
        << workspace().path().summary().toStdString();
    const QTableWidget& parts = workspace().path().parts();
    const std::optional<BoundShares>& shares = run().facts.verdict.shares;
    ASSERT_TRUE(shares);
    const int compute = test::rowOf(*parts.model(), QStringLiteral("Compute"));
    ASSERT_GE(compute, 0) << "the path has compute";
    EXPECT_EQ(parts.item(compute, 2)->text(), text(formatPercent(shares->compute)));
}

TEST_F(WalkThrough, EachOverlayIsSwitchedOffAndOnByItsCommand) {
    const QImage all = timeline().grab().toImage();
    for (const char* command : {"overlay.gaps", "overlay.overlap", "overlay.exposed"}) {
        trigger(command);
        EXPECT_NE(timeline().grab().toImage(), all) << command;
        trigger(command);
        EXPECT_EQ(timeline().grab().toImage(), all) << command;
    }
}

}  // namespace
}  // namespace rankscope::ui
