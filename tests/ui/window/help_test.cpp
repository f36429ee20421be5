// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QMessageBox>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextFrame>

#include "core/diagnosis/frame/advice.h"
#include "core/report/version.h"
#include "tests/support/places.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/commands/reference_page.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/trace/health_panel.h"
#include "ui/theme/swatches.h"
#include "ui/window/appearance.h"
#include "ui/window/help/help_page.h"
#include "ui/window/help/page_texts.h"
#include "ui/window/places/page_list.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/place_pages.h"

namespace rankscope::ui {
namespace {

class Help : public test::WindowTest {
  protected:
    [[nodiscard]] HelpPage* pageOf(const char* command) {
        trigger(command);
        return window().findChild<HelpPage*>();
    }
};

// Where this fails the page that belongs there lies in the working folder: look at it, and put it in place.
TEST_F(Help, TheReferenceInTheDocumentationIsTheProgramsOwn) {
    const QString made = referenceMarkdown(window().commands(), workspace().panels());
    QFile kept(QString::fromStdString((test::sourceFolder() / "docs/reference.md").string()));
    const QByteArray there = kept.open(QIODevice::ReadOnly) ? kept.readAll() : QByteArray();
    if (there != made.toUtf8()) {
        QFile wanted(QStringLiteral("reference.md"));
        ASSERT_TRUE(wanted.open(QIODevice::WriteOnly));
        wanted.write(made.toUtf8());
        FAIL() << "docs/reference.md is out of date; the right one is " << wanted.fileName().toStdString();
    }
}

TEST_F(Help, TheReferenceHasEachCommandOnceWithItsId) {
    const QString page = referenceMarkdown(window().commands(), workspace().panels());
    for (const Command& command : window().commands().commands()) {
        EXPECT_EQ(page.count(QStringLiteral("| `%1` |").arg(command.id)), 1) << command.id.toStdString();
    }
    for (const PanelSummary& panel : workspace().panels()) {
        EXPECT_FALSE(panel.about.isEmpty()) << panel.title.toStdString();
    }
}

TEST_F(Help, TheReferenceInTheWindowHasTheKeysThatTheUserChose) {
    window().commands().setKeys(QStringLiteral("go.next-gap"), QKeySequence(QStringLiteral("Ctrl+Alt+G")));
    const HelpPage* page = pageOf("help.reference");
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->text().toPlainText().contains(QStringLiteral("Ctrl+Alt+G")));
}

TEST_F(Help, AboutNamesTheVersionsOfTheProgramTheReportAndTheDefinitions) {
    trigger("help.about");
    auto* box = window().findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->text().toStdString(), "Rankscope " + std::string(toolVersion()));
    const QString more = box->informativeText();
    EXPECT_TRUE(more.contains(QStringLiteral("Report schema %1,").arg(kReportSchema))) << more.toStdString();
    EXPECT_TRUE(more.contains(QStringLiteral("definitions %1.").arg(kDefinitions))) << more.toStdString();
    box->close();
}

TEST_F(Help, NoPageShowsNotesForItsAuthors) {
    for (const char* command : {"help.tour", "help.recording", "help.reference"}) {
        HelpPage* page = pageOf(command);
        ASSERT_NE(page, nullptr);
        const QString words = page->text().toPlainText();
        EXPECT_FALSE(page->isModal()) << "it is read beside the window";
        EXPECT_FALSE(words.contains(QStringLiteral("not installed"))) << command;
        EXPECT_GT(words.size(), 500) << command;
        EXPECT_FALSE(words.contains(QStringLiteral("<!--")) || words.contains(QStringLiteral("-->"))) << command;
        EXPECT_FALSE(words.contains(QStringLiteral("--screenshot OUT.png --size 1280x720"))) << command;
        delete page;
    }
}

TEST_F(Help, ALinkToAnotherPageShowsItUnderItsOwnTitleAndKeysLeadBack) {
    HelpPage* page = pageOf("help.tour");
    ASSERT_NE(page, nullptr);
    const QString title = page->windowTitle();
    for (const QKeySequence& back : {QKeySequence(Qt::Key_Backspace), QKeySequence(Qt::ALT | Qt::Key_Left)}) {
        Q_EMIT page->findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("reference.md")));
        EXPECT_EQ(page->windowTitle(), QStringLiteral("Reference"));
        page->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(page));
        QTest::keySequence(page->findChild<QTextBrowser*>(), back);
        EXPECT_EQ(page->windowTitle(), title) << back.toString().toStdString();
        EXPECT_TRUE(page->text().toPlainText().startsWith(title));
    }
}

// Laid out cell by cell, a page of tables kept the window for seconds after the click on its link.
TEST_F(Help, APageOfTablesIsLaidOutOnceAndNotForEachOfItsCells) {
    const HelpPage* page = pageOf("help.tour");
    ASSERT_NE(page, nullptr);
    auto* text = page->findChild<QTextBrowser*>();
    const QSignalSpy sizes(text->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged);
    Q_EMIT text->anchorClicked(QUrl(QStringLiteral("reference.md")));
    ASSERT_EQ(page->windowTitle(), QStringLiteral("Reference"));
    const auto pieces = static_cast<int>(text->document()->rootFrame()->childFrames().size());
    ASSERT_GT(pieces, 2);
    EXPECT_LE(sizes.size(), 2 * pieces);
    EXPECT_GT(text->document()->size().height(), text->height());
}

TEST_F(Help, TheKeysThatLeadBackLeadToTheLineThatWasRead) {
    HelpPage* page = pageOf("help.reference");
    ASSERT_NE(page, nullptr);
    auto* text = page->findChild<QTextBrowser*>();
    Q_EMIT text->anchorClicked(QUrl(QStringLiteral("glossary.md")));
    (void)text->document()->size();
    QScrollBar* bar = text->verticalScrollBar();
    bar->setValue(bar->maximum());
    const int end = bar->value();
    ASSERT_GT(end, text->height());
    Q_EMIT text->anchorClicked(QUrl(QStringLiteral("tour.md")));
    page->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page));
    QTest::keySequence(text, QKeySequence(Qt::Key_Backspace));
    EXPECT_EQ(bar->value(), end);
}

TEST_F(Help, TheTableOfPatternsNamesEveryFinding) {
    const HelpPage* page = pageOf("help.patterns");
    ASSERT_NE(page, nullptr);
    const QString words = page->text().toPlainText();
    const Advice advice = Advice::builtIn();
    for (std::size_t i = 0; i < kFindingIds; ++i) {
        const auto id = static_cast<FindingId>(i);
        EXPECT_FALSE(advice.pattern(id).empty()) << findingName(id);
        EXPECT_FALSE(advice.everyRemedy(id).empty()) << findingName(id);
        EXPECT_TRUE(words.contains(QString::fromStdString(advice.title(id)))) << findingName(id);
        EXPECT_TRUE(words.contains(QString::fromStdString(advice.pattern(id)))) << findingName(id);
    }
    EXPECT_FALSE(page->text().toHtml().contains(QStringLiteral("href"))) << "nothing is open that shows one";
}

TEST_F(Help, ThePatternsThatTheOpenRunShowsLeadToIt) {
    HelpPage* page = pageOf("help.patterns");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(openAndWait({sample("ZeroWorkers")}));
    const auto& findings = window().session().runs().front()->diagnosis.findings;
    ASSERT_FALSE(findings.empty());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const QString link = QStringLiteral("finding:0:%1").arg(i);
        EXPECT_TRUE(page->text().toHtml().contains(link)) << findings[i].title;
        Q_EMIT page->linkActivated(link);
        EXPECT_EQ(workspace().diagnoses().selected(), (FindingSelection{0, static_cast<std::uint32_t>(i)}));
    }
    EXPECT_FALSE(findingOfLink(QStringLiteral("finding:x:1")).has_value());
    Q_EMIT page->linkActivated(QStringLiteral("finding:7:0"));  // of no run that is open
}

TEST_F(Help, TheLegendHasAPatchOfEachColourInTheThemeOfTheWindow) {
    window().appearance().choose(ThemeChoice::Light);
    const HelpPage* page = pageOf("help.legend");
    ASSERT_NE(page, nullptr);
    const Theme& theme = window().theme();
    ASSERT_FALSE(theme.dark);
    const QString html = page->text().toHtml();
    for (const QColor& colour : {theme.gap, theme.overlap, theme.exposed, theme.straggler,
                                 colourOf(Swatch::Compute, theme), colourOf(Swatch::Waiting, theme)}) {
        EXPECT_TRUE(html.contains(colour.name())) << colour.name().toStdString();
    }
}

TEST_F(Help, TheTabOfTheTraceCountsTheFilesInTrouble) {
    const auto* tabs = workspace().findChild<QTabWidget*>(QStringLiteral("below"));
    const auto titles = [&] {
        PlacePages* place = workspace().places().findPlace(QStringLiteral("place-trace"));
        return QStringList{tabs->tabText(tabs->indexOf(place)), place->list().buttonOf(workspace().health())->text()};
    };
    ASSERT_TRUE(openAndWait({writeRank(0), writeRank(1)}));
    EXPECT_EQ(titles(), QStringList({QStringLiteral("Trace"), QStringLiteral("Health")}));
    const QString bad = QString::fromStdString(folder().write("run/rank7.pt.trace.json", "this is no trace"));
    ASSERT_TRUE(openAndWait({writeRank(0), bad}));
    EXPECT_EQ(titles(), QStringList({QStringLiteral("Trace (1)"), QStringLiteral("Health (1)")}));
}

TEST(QuickReference, CountsAStepOfARankOnceForAnyAmountOfEvidence) {
    auto run = std::make_shared<AnalysedRun>(AnalysedRun{std::make_shared<rankscope::Run>(), {}, {}, {}});
    Finding& finding = run->diagnosis.findings.emplace_back();
    for (const std::int64_t step : {3, 3, 4}) {
        Evidence& evidence = finding.evidence.emplace_back();
        evidence.step = step;
    }
    const QString html = quickReferenceHtml({run}, Theme::darkTheme());
    EXPECT_TRUE(html.contains(QStringLiteral("finding:0:0\">2</a>"))) << html.toStdString();
}

}  // namespace
}  // namespace rankscope::ui
