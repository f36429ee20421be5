// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the panels with the largest text: strips, dialogs and pages of the help, on a small screen.
#include <QApplication>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextLayout>
#include <algorithm>

#include "tests/support/places.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/commands/help_dialog.h"
#include "ui/compare/compare_strip.h"
#include "ui/window/appearance.h"
#include "ui/window/help/help_page.h"
#include "ui/window/opening/job_dialog.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"

namespace rankscope::ui {
namespace {

class LargeWindows : public test::WindowTest {
  protected:
    void TearDown() override { trigger("view.text-usual"); }

    void openSample() { ASSERT_TRUE(openAndWait({sample("ZeroWorkers")})); }
    [[nodiscard]] static QSize room(const QWidget& of) { return of.screen()->availableSize(); }
    /// Words of a page that go on in a further line.
    [[nodiscard]] static QStringList brokenIn(const HelpPage& page) {
        QStringList broken;
        (void)page.text().document()->size();  // it is laid out
        for (QTextBlock block = page.text().document()->begin(); block.isValid(); block = block.next()) {
            for (int line = 1; line < block.layout()->lineCount(); ++line) {
                const int at = block.layout()->lineAt(line).textStart();
                const QString words = block.text();
                if (words.at(at - 1).isLetterOrNumber() && words.at(at).isLetterOrNumber()) {
                    broken.append(words.mid(std::max(0, at - 20), 40));
                }
            }
        }
        return broken;
    }
};

TEST_F(LargeWindows, RowsOfTheLoadingStripAreAsHighAndAsWideAsTheirText) {
    ASSERT_TRUE(openAndWait({QString::fromStdString(folder().write("bad.json", "this is no trace"))}));
    auto* rows = window().loadingStrip().findChild<QTableView*>();
    ASSERT_NE(rows, nullptr);
    ASSERT_TRUE(rows->isVisible());
    const int usual = rows->rowHeight(0);
    enlargeText();
    const QFontMetrics metrics = rows->fontMetrics();
    EXPECT_GE(rows->rowHeight(0), metrics.height() + 4);
    EXPECT_GE(rows->height(), rows->rowHeight(0));
    rows->showColumn(LoadingModel::kRate);
    EXPECT_GE(rows->columnWidth(LoadingModel::kRate), metrics.horizontalAdvance(QStringLiteral("11.2 MB/s")) + 18);
    rows->hideColumn(LoadingModel::kRate);
    trigger("view.text-usual");
    EXPECT_EQ(rows->rowHeight(0), usual);
}

TEST_F(LargeWindows, TheDialogOfTheJobFitsTheScreenAndItsFieldsScroll) {
    openSample();
    enlargeText();
    trigger("job.describe");
    auto* asked = window().findChild<JobDialog*>();
    ASSERT_NE(asked, nullptr);
    EXPECT_LE(asked->height(), room(*asked).height());
    for (const QPushButton* button : asked->findChildren<QPushButton*>()) {
        EXPECT_TRUE(asked->rect().contains(QRect(button->mapTo(asked, QPoint()), button->size())))
            << button->text().toStdString();
    }
    const auto* fields = asked->findChild<QScrollArea*>();
    ASSERT_NE(fields, nullptr);
    QLineEdit* last = asked->findChildren<QLineEdit*>().constLast();
    EXPECT_TRUE(fields->isAncestorOf(last));
    QApplication::setActiveWindow(asked);
    asked->findChildren<QLineEdit*>().constFirst()->setFocus();
    for (int keys = 0; keys < 30 && !last->hasFocus(); ++keys) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    ASSERT_TRUE(last->hasFocus());
    EXPECT_FALSE(last->visibleRegion().isEmpty()) << "Tab brings it in sight";
    asked->reject();
}

TEST_F(LargeWindows, TheDialogOfTheJobShowsAllOfItsFieldsInTheUsualText) {
    openSample();
    trigger("job.describe");
    auto* asked = window().findChild<JobDialog*>();
    ASSERT_NE(asked, nullptr);
    for (const QLineEdit* edit : asked->findChildren<QLineEdit*>()) {
        EXPECT_EQ(edit->visibleRegion().boundingRect().size(), edit->size()) << edit->accessibleName().toStdString();
    }
    asked->reject();
}

TEST_F(LargeWindows, TheKeysFitTheScreen) {
    enlargeText();
    trigger("help.keys");
    const auto* help = window().findChild<HelpDialog*>();
    ASSERT_NE(help, nullptr);
    EXPECT_LE(help->width(), room(*help).width());
    EXPECT_LE(help->height(), room(*help).height());
}

TEST_F(LargeWindows, PagesOfTheHelpBreakNoWordInTheirColumns) {
    enlargeText();
    for (const char* command : {"help.legend", "help.patterns"}) {
        trigger(command);
        auto* page = window().findChild<HelpPage*>();
        ASSERT_NE(page, nullptr);
        EXPECT_EQ(brokenIn(*page).join(QLatin1Char('\n')).toStdString(), "") << command;
        delete page;
    }
}

TEST_F(LargeWindows, APageOfTheHelpThatIsOpenTakesTheColoursOfAnotherTheme) {
    for (const char* command : {"help.legend", "help.patterns"}) {
        window().appearance().choose(ThemeChoice::Light);
        trigger(command);
        auto* page = window().findChild<HelpPage*>();
        ASSERT_NE(page, nullptr);
        const QString light = window().theme().text_dim.name();
        EXPECT_TRUE(page->text().toHtml().contains(light)) << command;
        window().appearance().choose(ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const QString html = page->text().toHtml();
        EXPECT_TRUE(html.contains(window().theme().text_dim.name())) << command;
        EXPECT_FALSE(html.contains(light)) << command;
        delete page;
    }
}

TEST(CompareStrip, GoesOnInFurtherRowsWhereItsButtonsHaveNoRoom) {
    CompareStrip strip;
    strip.setSteps(QStringLiteral("Step 81 of A against step 81 of B."));
    constexpr int kNarrow = 360;
    EXPECT_LE(strip.minimumSizeHint().width(), kNarrow);
    strip.resize(kNarrow, strip.heightForWidth(kNarrow));
    strip.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&strip));
    strip.resize(kNarrow, strip.heightForWidth(kNarrow));
    QCoreApplication::processEvents();
    EXPECT_GT(strip.heightForWidth(kNarrow), strip.sizeHint().height());
    for (const QPushButton* button : strip.findChildren<QPushButton*>()) {
        EXPECT_TRUE(strip.rect().contains(button->geometry())) << button->text().toStdString();
    }
}

}  // namespace
}  // namespace rankscope::ui
