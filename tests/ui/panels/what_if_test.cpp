// SPDX-License-Identifier: GPL-3.0-or-later
// What changes of a run would do to its step: real controls, the forecast as bars, and each change alone.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QCheckBox>
#include <QCompleter>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTest>
#include <algorithm>
#include <numeric>

#include "tests/support/analysed.h"
#include "tests/support/late_ranks.h"
#include "tests/support/pipeline_job.h"
#include "tests/support/places.h"
#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/whatif/change_control.h"
#include "ui/panels/whatif/change_list.h"
#include "ui/panels/whatif/forecast_bars.h"
#include "ui/panels/whatif/offered_changes.h"
#include "ui/panels/whatif/tornado_chart.h"
#include "ui/panels/whatif/what_if_panel.h"
#include "ui/widgets/linked_label.h"

namespace rankscope::ui {
namespace {

/// Read and analysed once: every test shows it.
std::shared_ptr<const AnalysedRun> sampleRun() {
    static const auto run = std::make_shared<const AnalysedRun>(test::loadAndAnalyse(test::sample("ZeroWorkers")));
    return run;
}

class WhatIf : public testing::Test {
  protected:
    void show(const OpenRuns& runs = {sampleRun()}) {
        panel.resize(1'100, 420);
        panel.setRuns(runs);
        panel.show();
        panel.finish();
        QTest::qWait(20);  // everything gets its room
    }
    [[nodiscard]] QCheckBox& box(const char* title) { return test::named<QCheckBox>(panel, QString::fromUtf8(title)); }
    [[nodiscard]] QSlider& slider(const char* title) {
        return test::named<QSlider>(panel, QString::fromUtf8(title) + QStringLiteral(", its value"));
    }
    [[nodiscard]] QLineEdit& line() { return test::named<QLineEdit>(panel, QStringLiteral("Any change")); }
    void type(const char* words) {
        line().clear();
        QTest::keyClicks(&line(), QString::fromUtf8(words));
        line().completer()->popup()->hide();
        QTest::keyClick(&line(), Qt::Key_Return);
        panel.finish();
    }
    /// A real click on the square of a switch.
    void click(const char* title) {
        QTest::mouseClick(&box(title), Qt::LeftButton, {}, QPoint(8, box(title).height() / 2));
        panel.finish();
    }
    [[nodiscard]] std::vector<std::string> on() const {
        std::vector<std::string> texts;
        for (const WhatIfChange& change : panel.changes().changes()) {
            texts.push_back(change.text);
        }
        return texts;
    }
    [[nodiscard]] const Forecast& forecast() const { return *panel.bars().forecast(); }

    WhatIfPanel panel{Theme::darkTheme()};
};

using Texts = std::vector<std::string>;

/// The middle of the handle of a slider at its present value.
QPoint handleOf(const QSlider& slider) {
    QStyleOptionSlider option;
    option.initFrom(&slider);
    option.orientation = slider.orientation();
    option.minimum = slider.minimum();
    option.maximum = slider.maximum();
    option.sliderPosition = slider.sliderPosition();
    option.sliderValue = slider.value();
    return slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider).center();
}

TEST_F(WhatIf, ShowsTheMeasuredStepUntilSomethingIsChanged) {
    show();
    EXPECT_TRUE(forecast().changes.empty());
    EXPECT_FALSE(panel.bars().measuredPlace().isEmpty());
    EXPECT_TRUE(panel.bars().forecastPlace().isEmpty());
    EXPECT_FALSE(panel.summary().contains(QStringLiteral("→"))) << panel.summary().toStdString();
}

TEST_F(WhatIf, ASwitchShowsTheForecastBelowTheMeasuredStep) {
    show();
    click("Batches are always ready");
    EXPECT_EQ(on(), Texts{"loader:ready"});
    EXPECT_LT(forecast().forecast_ns, forecast().step_ns);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("→"))) << panel.summary().toStdString();
    EXPECT_TRUE(test::holds(panel.summary(), {"saves", "90\u00a0%: ", "then"}));
    const double ratio = static_cast<double>(forecast().forecast_ns) / static_cast<double>(forecast().step_ns);
    EXPECT_NEAR(panel.bars().forecastPlace().width() / panel.bars().measuredPlace().width(), ratio, 0.01)
        << "both on one scale";
    EXPECT_GT(panel.bars().forecastPlace().top(), panel.bars().measuredPlace().bottom());
    click("Batches are always ready");
    EXPECT_TRUE(panel.bars().forecastPlace().isEmpty()) << "taken back";
}

TEST_F(WhatIf, ThePartsOfBothBarsAddUp) {
    show();
    click("Batches are always ready");
    const auto sum = [](const StepParts& parts) {
        const std::vector<BarPart> bar = barOf(parts, Theme::darkTheme());
        return std::accumulate(bar.begin(), bar.end(), DurationNs{0},
                               [](DurationNs all, const BarPart& part) { return all + part.ns; });
    };
    EXPECT_EQ(sum(forecast().before), forecast().step_ns);
    EXPECT_EQ(sum(forecast().after), forecast().forecast_ns);
    const StepParts faster{.compute_ns = 70, .idle_ns = 10, .added_ns = -20};
    EXPECT_EQ(sum(faster), faster.total()) << "a remedy that saves more than a replay can play";
}

TEST_F(WhatIf, ASliderThatIsDraggedTurnsItsChangeOn) {
    show();
    QSlider& speed = slider("Speed of the CPU");
    const QPoint from = handleOf(speed);
    test::drag(speed, from, from + QPoint(speed.width() / 6, 0));
    panel.finish();
    ASSERT_EQ(on().size(), 1U);
    EXPECT_TRUE(on()[0].starts_with("host:x")) << on()[0];
    EXPECT_NE(on()[0], "host:x2");
    EXPECT_EQ(forecast().changes.front().text, on()[0]) << "the newest value";
    EXPECT_TRUE(box("Speed of the CPU").isChecked());
    const DurationNs before_ns = forecast().forecast_ns;
    test::drag(speed, handleOf(speed), QPoint(speed.width() / 4, handleOf(speed).y()));
    panel.finish();
    EXPECT_NE(forecast().forecast_ns, before_ns);
    EXPECT_EQ(speed.accessibleDescription().isEmpty(), false) << "its value in words";
}

TEST_F(WhatIf, OfChangesThatExcludeEachOtherTheLastOneStays) {
    show();
    click("Batches are always ready");
    click("DataLoader workers");
    EXPECT_EQ(on(), Texts{"loader:workers=4"});
    EXPECT_FALSE(box("Batches are always ready").isChecked());
    type("loader:workers=2");
    EXPECT_EQ(on(), Texts{"loader:workers=2"});
}

TEST_F(WhatIf, AChangeThatTheRunCannotTellIsNotOfferedAndItsReasonIsListed) {
    show();
    const auto offered = panel.changes().controls();
    EXPECT_TRUE(std::ranges::none_of(offered, [](const auto* each) { return each->offer().text == "cool"; }));
    auto* refused = panel.changes().findChild<LinkedLabel*>();
    ASSERT_NE(refused, nullptr);
    EXPECT_FALSE(refused->words().contains(QStringLiteral("No GPU becomes slower")));
    Q_EMIT refused->linkActivated(QStringLiteral("fold:refused"));
    EXPECT_TRUE(test::holds(refused->words(), {"GPUs stay cool", "No GPU becomes slower during this recording."}));
}

TEST_F(WhatIf, ShowsWhatIsWrongWithAChangeThatIsTyped) {
    show();
    type("kernel:gemm");
    EXPECT_EQ(panel.changes().error().toStdString(), parseWhatIf("kernel:gemm").error().cause);
    EXPECT_EQ(line().text(), QStringLiteral("kernel:gemm")) << "to be mended";
    EXPECT_TRUE(on().empty());
    QTest::keyClick(&line(), Qt::Key_Backspace);
    EXPECT_EQ(panel.changes().error(), QString());
}

TEST_F(WhatIf, ATypedChangeGetsASwitchOfItsOwn) {
    show();
    type("class:compute:x0.25");
    EXPECT_EQ(on(), Texts{"class:compute:x0.25"});
    EXPECT_EQ(line().text(), QString());
    EXPECT_LT(forecast().after.compute_ns, forecast().before.compute_ns);
    click("class:compute:x0.25");
    EXPECT_TRUE(on().empty());
}

TEST_F(WhatIf, ATypedChangeThatTheRunCannotTellIsInTheLineAgainWithTheReason) {
    show();
    click("Batches are always ready");
    type("kernels:no such kernel:x0.5");
    EXPECT_TRUE(panel.changes().error().contains(QStringLiteral("No kernel matches")))
        << panel.changes().error().toStdString();
    EXPECT_EQ(line().text(), QStringLiteral("kernels:no such kernel:x0.5"));
    EXPECT_EQ(on(), Texts{"loader:ready"}) << "the others stay";
    EXPECT_EQ(forecast().changes.size(), 1U);
}

TEST_F(WhatIf, EachChangeAloneIsInTheChartTheLargestSavingFirst) {
    show();
    const std::vector<SingleChange>& rows = panel.tornado().changes();
    ASSERT_GT(rows.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::greater(), &SingleChange::saved_ns));
    EXPECT_EQ(rows.size(), panel.changes().controls().size()) << "what is offered";
    EXPECT_EQ(rows.front().text, "loader:ready") << "the sample waits for its input";
    for (std::size_t row = 1; row < rows.size(); ++row) {
        EXPECT_LE(panel.tornado().barOf(row).right(), panel.tornado().barOf(row - 1).right());
        EXPECT_LE(rows[row].low_ns, rows[row].saved_ns);
        EXPECT_LE(rows[row].saved_ns, rows[row].high_ns);
    }
}

TEST_F(WhatIf, AClickInTheChartMakesTheChangeAndTakesItBack) {
    show();
    TornadoChart& chart = panel.tornado();
    const QPoint at = chart.barOf(0).center().toPoint();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
    panel.finish();
    EXPECT_EQ(on(), Texts{chart.changes().front().text});
    EXPECT_TRUE(chart.spokenPart(0).chosen);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
    panel.finish();
    EXPECT_TRUE(on().empty());
}

TEST_F(WhatIf, TheChartIsWalkedByKeys) {
    show();
    TornadoChart& chart = panel.tornado();
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    panel.finish();
    EXPECT_EQ(on(), Texts{chart.changes()[1].text});
}

TEST_F(WhatIf, EveryControlIsReachedByTabAndHasAName) {
    show();
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    std::vector<QWidget*> wanted;
    std::ranges::copy(panel.findChildren<QCheckBox*>(), std::back_inserter(wanted));
    std::ranges::copy(panel.findChildren<QSlider*>(), std::back_inserter(wanted));
    wanted.push_back(&line());
    wanted.push_back(&panel.tornado());
    ASSERT_GT(wanted.size(), 6U);
    std::vector<QWidget*> reached;
    wanted.front()->setFocus();
    for (int tab = 0; tab < 80; ++tab) {
        reached.push_back(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (const QWidget* each : wanted) {
        EXPECT_NE(std::ranges::find(reached, each), reached.end()) << each->accessibleName().toStdString();
        EXPECT_FALSE(each->accessibleName().isEmpty());
    }
    box("Batches are always ready").setFocus();
    QTest::keyClick(&box("Batches are always ready"), Qt::Key_Space);
    QTest::keyClick(&slider("Speed of the CPU"), Qt::Key_Right);
    panel.finish();
    EXPECT_EQ(on().size(), 2U);
}

TEST_F(WhatIf, IsSilentAboutARunThatIsClosedWhileItWorks) {
    panel.resize(1'100, 420);
    panel.setRuns({sampleRun()});
    panel.show();
    QTest::qWait(1);  // it is being prepared
    EXPECT_TRUE(panel.busy());
    panel.setRuns({});
    EXPECT_FALSE(panel.busy());
    QTest::qWait(50);
    EXPECT_FALSE(panel.bars().forecast());
    panel.setRuns({sampleRun()});
    panel.job().finish();  // prepared: now the forecasts are made
    EXPECT_TRUE(panel.busy());
    panel.setRuns({});
    QTest::qWait(50);
    EXPECT_TRUE(panel.tornado().changes().empty());
    EXPECT_TRUE(panel.changes().controls().empty());
}

TEST_F(WhatIf, PreparesNothingWhileItIsNotVisible) {
    panel.setRuns({sampleRun()});
    EXPECT_FALSE(panel.busy());
}

TEST_F(WhatIf, AChangeThatIsAskedForFromElsewhereIsMadeAsSoonAsItCanBe) {
    panel.resize(1'100, 420);
    panel.setRuns({sampleRun()});
    panel.ask(0, "loader:ready");
    show();
    EXPECT_EQ(on(), Texts{"loader:ready"});
    panel.ask(0, "loader:ready");
    panel.finish();
    EXPECT_EQ(on(), Texts{"loader:ready"}) << "it is made already";
    panel.ask(0, "cool");
    panel.finish();
    EXPECT_TRUE(panel.changes().error().contains(QStringLiteral("No GPU becomes slower")))
        << panel.changes().error().toStdString();
}

TEST_F(WhatIf, UnfoldsWhatIsAssumedAndLeftOut) {
    show();
    click("Batches are always ready");
    const WhatIfKind& kind = *forecast().changes.front().kind;
    const QList<LinkedLabel*> all = panel.findChildren<LinkedLabel*>();
    const auto details = std::ranges::find_if(
        all, [](const LinkedLabel* each) { return each->words().contains(QStringLiteral("Assumed")); });
    ASSERT_NE(details, all.end());
    const auto has = [&](std::string_view words) {
        return (*details)
            ->words()
            .replace(QChar::Nbsp, QLatin1Char(' '))
            .contains(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())));
    };
    EXPECT_FALSE(has(kind.assumes));
    Q_EMIT(*details)->linkActivated(QStringLiteral("fold:0"));
    EXPECT_TRUE(has(kind.assumes)) << (*details)->words().toStdString();
    EXPECT_FALSE(has(kind.leaves_out));
    Q_EMIT(*details)->linkActivated(QStringLiteral("fold:1"));
    EXPECT_TRUE(has(kind.leaves_out));
}

TEST_F(WhatIf, ComparesRanksWhereThereAreSeveral) {
    const auto late = std::make_shared<const AnalysedRun>(test::analyse(test::runWithALateRank(4)));
    show({late});
    click("Ranks have equal work");
    EXPECT_LT(forecast().forecast_ns, forecast().step_ns);
}

TEST(OfferedChanges, OfAPipelineAreItsStages) {
    const auto offered = [](const test::PipelineJob& job) {
        Texts texts;
        for (const OfferedChange& change : changesFor(test::analyse(test::runOf(job)))) {
            texts.push_back(change.typical());
        }
        return texts;
    };
    const Texts once = offered(test::slowLastStage());
    EXPECT_NE(std::ranges::find(once, "stages:even"), once.end());
    EXPECT_NE(std::ranges::find(once, "schedule:interleaved"), once.end());
    const Texts already = offered(test::interleavedJob());
    EXPECT_EQ(std::ranges::find(already, "schedule:interleaved"), already.end()) << "it runs so today";
}

TEST(OfferedChanges, AreThoseOfTheCpuWhereItHoldsTheStepUp) {
    AnalysedRun run = test::analyse(test::runWithALateRank(2));
    run.diagnosis.findings.clear();
    const auto offered = [&run](const BoundShares& shares) {
        run.facts.verdict.shares = shares;
        Texts texts;
        for (const OfferedChange& change : changesFor(run)) {
            texts.push_back(change.typical());
        }
        return texts;
    };
    EXPECT_EQ(offered({.compute = 0.3, .communication = 0.2, .stall = 0.5}), (Texts{"host:x2"}));
    EXPECT_EQ(offered({.compute = 0.3, .communication = 0.5, .stall = 0.2}), (Texts{"overlap:perfect", "host:x2"}));
    EXPECT_EQ(offered({.compute = 0.3, .communication = 0.6, .launch = 0.1}),
              (Texts{"overlap:perfect", "launch:graphs"}));
}

}  // namespace
}  // namespace rankscope::ui
