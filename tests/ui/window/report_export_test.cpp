// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalSpy>
#include <nlohmann/json.hpp>

#include "core/report/reports.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/compare_fixture.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/report_export.h"

namespace rankscope::ui {
namespace {

class SavedReports : public CompareWindow {
  protected:
    [[nodiscard]] bool openZero() {
        window().open({zero()});
        const auto shown = [this] { return !window().workspace().busy(); };
        return waitUntilIdle() && ranksOf() > 1 && QTest::qWaitFor(shown, kPatience);
    }
    /// Saves the report, and reads what was written; empty where it failed.
    [[nodiscard]] std::string saved(const char* name) {
        const QSignalSpy done(&window().reports(), &ReportExport::saved);
        window().reports().saveReport(inFolder(name), reportFormatOf(inFolder(name)).value());
        window().reports().job().finish();
        return done.count() == 1 ? read(inFolder(name)) : std::string();
    }
    [[nodiscard]] static std::string read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }
};

TEST_F(SavedReports, AreThoseOfTheCommandLineInTheFormThatTheNameEndsIn) {
    ASSERT_TRUE(openZero());
    const AnalysedRun& run = *window().session().runs().front();
    ReportInput input;
    input.runs = {&run};
    EXPECT_EQ(saved("report.html"), htmlReport(input));
    EXPECT_EQ(saved("report.MD"), markdownReport(input));
    EXPECT_EQ(saved("report.txt"), textReport(run));
    EXPECT_EQ(saved("report.json"), jsonReport(input));
    EXPECT_FALSE(reportFormatOf(QStringLiteral("report.pdf")).has_value());
}

TEST_F(SavedReports, AChartThatShowsNothingCannotBeSaved) {
    const QAction& save = *action("view.save-chart");
    EXPECT_FALSE(save.isEnabled()) << "no run is open";
    ASSERT_TRUE(openZero());
    EXPECT_TRUE(save.isEnabled());
    trigger("view.chart-memory");
    EXPECT_FALSE(save.isEnabled()) << "the trace has no memory events";
    trigger("view.chart-partition");
    EXPECT_TRUE(save.isEnabled());
}

TEST_F(SavedReports, OfTwoRunsThatAreComparedSayWhatChanged) {
    window().compare({zero()}, {four()});
    ASSERT_TRUE(waitUntilCompared());
    const auto& compared = view().compared();
    EXPECT_EQ(saved("pair.txt"), textComparison(*compared->a, *compared->b, compared->comparison));
    const auto json = nlohmann::json::parse(saved("pair.json"));
    EXPECT_EQ(json.at("comparisons").size(), 1U);
}

TEST_F(SavedReports, AsTablesAreAFileEach) {
    ASSERT_TRUE(openZero());
    ReportInput input;
    input.runs = {window().session().runs().front().get()};
    ASSERT_TRUE(QDir().mkdir(inFolder("tables")));
    const QSignalSpy done(&window().reports(), &ReportExport::saved);
    window().reports().saveTables(inFolder("tables"));
    window().reports().job().finish();
    EXPECT_EQ(done.count(), 1);
    const std::vector<CsvFile> wanted = csvReport(input);
    ASSERT_GT(wanted.size(), 5U);
    for (const CsvFile& file : wanted) {
        EXPECT_EQ(read(inFolder("tables") + QLatin1Char('/') + QString::fromStdString(file.name)), file.text)
            << file.name;
    }
}

TEST_F(SavedReports, DoNotOverwriteATraceThatIsOpen) {
    const QString trace = writeRank(0);
    const std::string before = read(trace);
    ASSERT_TRUE(openAndWait({trace}));
    const QSignalSpy failed(&window().reports(), &ReportExport::failed);
    window().reports().saveReport(trace, ReportFormat::JsonFacts);
    window().reports().job().finish();
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(read(trace), before);
    EXPECT_TRUE(window().isVisible());
}

TEST_F(SavedReports, ThatCannotBeWrittenSayWhyInTheWindow) {
    ASSERT_TRUE(openZero());
    QSignalSpy failed(&window().reports(), &ReportExport::failed);
    window().reports().saveReport(inFolder("no-such-folder/report.html"), ReportFormat::HtmlPage);
    window().reports().job().finish();
    ASSERT_EQ(failed.count(), 1);
    const auto error = failed.front().front().value<Error>();
    EXPECT_NE(error.path.find("no-such-folder"), std::string::npos);
    EXPECT_FALSE(error.cause.empty());
}

TEST_F(SavedReports, OfOneFindingAreCopiedFromTheMenuOfItsCard) {
    ASSERT_TRUE(openZero());
    const QList<FindingCard*> cards = window().findChildren<FindingCard*>();
    ASSERT_FALSE(cards.isEmpty());
    FindingCard* card = cards.back();
    const auto number = static_cast<std::size_t>(cards.size() - 1);
    test::askMenu(*card, card->rect().center());
    ASSERT_TRUE(QTest::qWaitFor([] { return QApplication::activePopupWidget() != nullptr; }, kPatience));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    EXPECT_TRUE(card->selected()) << "the menu is about it";
    const AnalysedRun& run = *window().session().runs().front();
    ASSERT_EQ(menu->actions().size(), 2);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions().front()).center());
    EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), textFinding(run, number));
    trigger("finding.copy-markdown");
    EXPECT_EQ(QGuiApplication::clipboard()->text().toStdString(), markdownFinding(run, number));
}

TEST_F(SavedReports, OfAllFindingsAreCopiedWhereNoneIsSelected) {
    ASSERT_TRUE(openZero());
    const AnalysedRun& run = *window().session().runs().front();
    trigger("finding.copy");
    const std::string copied = QGuiApplication::clipboard()->text().toStdString();
    for (const Finding& finding : run.diagnosis.findings) {
        EXPECT_NE(copied.find(finding.title), std::string::npos) << finding.title;
    }
}

TEST_F(SavedReports, HaveTheFormThatIsChosenWhereTheNameEndsInNone) {
    const NamedReport markdown =
        namedReport(QStringLiteral("/a/noext"), QStringLiteral("Markdown for an issue (*.md)"));
    EXPECT_EQ(markdown.path, QStringLiteral("/a/noext.md"));
    EXPECT_EQ(markdown.format, ReportFormat::Markdown);
    const NamedReport named = namedReport(QStringLiteral("/a/report.json"), QStringLiteral("Text (*.txt)"));
    EXPECT_EQ(named.path, QStringLiteral("/a/report.json")) << "what the user types is meant";
    EXPECT_EQ(named.format, ReportFormat::JsonFacts);
    EXPECT_EQ(namedReport(QStringLiteral("/a/noext"), {}).path, QStringLiteral("/a/noext.html"));
}

TEST_F(SavedReports, AreReportedInTheWindow) {
    ASSERT_TRUE(openZero());
    EXPECT_FALSE(window().loadingStrip().isVisible());
    ASSERT_FALSE(saved("told.txt").empty());
    ASSERT_TRUE(window().loadingStrip().isVisible());
    EXPECT_TRUE(stripWords().contains(inFolder("told.txt"))) << stripWords().toStdString();
}

}  // namespace
}  // namespace rankscope::ui
