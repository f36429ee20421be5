// SPDX-License-Identifier: GPL-3.0-or-later
// The palette, the keys and their settings, with real keys on the real window.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableWidget>
#include <algorithm>
#include <tuple>

#include "tests/ui/holds.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/fuzzy_match.h"
#include "ui/commands/help_dialog.h"
#include "ui/commands/key_field.h"
#include "ui/commands/keys_dialog.h"
#include "ui/commands/palette_model.h"
#include "ui/panels/selection/area_panel.h"
#include "ui/panels/trace/check_panel.h"
#include "ui/widgets/search_bar.h"
#include "ui/window/appearance.h"

namespace rankscope::ui {
namespace {

class Commands : public test::WindowTest {
  protected:
    void SetUp() override {
        window().commands().add({QStringLiteral("test.jump"), QStringLiteral("Test"), QStringLiteral("&Jump About"),
                                 QKeySequence(QStringLiteral("J")), [this] { ++jumps; }});
        window().commands().add({QStringLiteral("test.rest"), QStringLiteral("Test"), QStringLiteral("Rest"),
                                 QKeySequence(), [this] { ++rests; }});
    }

    void openPalette() {
        QTest::keyClick(&window(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        palette = window().findChild<CommandPalette*>();
        ASSERT_NE(palette, nullptr);
        field = palette->findChild<QLineEdit*>();
        list = palette->findChild<QListView*>();
    }

    KeysDialog* openKeys() {
        trigger("help.change-keys");
        return window().findChild<KeysDialog*>();
    }

    /// Selects the command with this title in the dialog and presses `key` in its field.
    static void chooseKeys(KeysDialog& dialog, const QString& title, Qt::Key key) {
        auto* table = dialog.findChild<QTableWidget*>();
        const QList<QTableWidgetItem*> found = table->findItems(title, Qt::MatchExactly);
        ASSERT_EQ(found.size(), 1) << title.toStdString();
        table->setCurrentItem(found.front());
        auto* edit = dialog.findChild<KeyField*>();
        QTest::keyClick(edit, key);
    }

    static QPushButton* button(KeysDialog& dialog, const QStringList& texts) {
        for (QPushButton* each : dialog.findChildren<QPushButton*>()) {
            if (texts.contains(each->text())) {
                return each;
            }
        }
        return nullptr;
    }
    static QPushButton* setButton(KeysDialog& dialog) {
        return button(dialog, {QStringLiteral("Set"), QStringLiteral("Reassign")});
    }

    CommandPalette* palette = nullptr;
    QLineEdit* field = nullptr;
    QListView* list = nullptr;
    int jumps = 0;
    int rests = 0;
};

TEST_F(Commands, AFewLettersInThePaletteFindACommandAndEnterDoesIt) {
    openPalette();
    QTest::keyClicks(field, QStringLiteral("juab"));
    ASSERT_EQ(list->model()->rowCount(), 1);
    EXPECT_EQ(list->currentIndex().data().toString(), QStringLiteral("Jump About"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(jumps, 1);
    EXPECT_FALSE(palette->isVisible());
}

TEST_F(Commands, InThePaletteWholeWordsAndWholeTitlesComeFirst) {
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    openPalette();
    for (const auto& [typed, first, more] :
         {std::tuple("step time", "Chart: Step Time", 1), std::tuple("health check", "Health Check", 2)}) {
        field->clear();
        QTest::keyClicks(field, QLatin1String(typed));
        ASSERT_GT(list->model()->rowCount(), more) << typed;
        EXPECT_EQ(list->model()->index(0, 0).data().toString(), QLatin1String(first));
    }
}

/// Whether a pixel of `image` in `area` has just this colour.
bool holds(const QImage& image, const QRect& area, const QColor& colour) {
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            if (image.pixelColor(x, y) == colour) {
                return true;
            }
        }
    }
    return false;
}

TEST_F(Commands, ThePaletteHasTheColoursOfTheWindow) {
    for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
        window().appearance().choose(theme);
        openPalette();
        QTest::keyClicks(field, QStringLiteral("jump"));
        const QImage drawn = list->viewport()->grab().toImage();
        const QRect row = list->visualRect(list->currentIndex());
        const QPalette colours = window().palette();
        EXPECT_EQ(drawn.pixelColor(row.left() + 12, row.center().y()), colours.color(QPalette::Highlight));
        EXPECT_TRUE(holds(drawn, row, colours.color(QPalette::Link))) << "the letters that were typed";
        delete palette;
    }
}

TEST_F(Commands, WhereNoCommandHasTheLettersThePaletteSaysSo) {
    openPalette();
    const auto* none = palette->findChild<QLabel*>();
    ASSERT_NE(none, nullptr);
    EXPECT_FALSE(none->isVisible());
    QTest::keyClicks(field, QStringLiteral("qqqqq"));
    EXPECT_TRUE(none->isVisible());
    EXPECT_EQ(none->text(), QStringLiteral("No command matches."));
    EXPECT_FALSE(list->isVisible());
    field->clear();
    EXPECT_TRUE(list->isVisible());
}

TEST_F(Commands, TheHealthCheckIsShownFromAnyPageOfItsPlace) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    trigger("view.check-lists");
    ASSERT_EQ(workspace().check().page(), CheckPage::Lists);
    trigger("view.check");
    EXPECT_EQ(workspace().check().page(), CheckPage::Check);
}

TEST_F(Commands, ThePaletteIsWalkedWithTheArrowsAndLeftWithEscape) {
    openPalette();
    const QModelIndex first = list->currentIndex();
    QTest::keyClick(field, Qt::Key_Down);
    EXPECT_EQ(list->currentIndex().row(), first.row() + 1);
    QTest::keyClick(field, Qt::Key_Up);
    QTest::keyClick(field, Qt::Key_Up);
    EXPECT_EQ(list->currentIndex().row(), list->model()->rowCount() - 1) << "round the end";
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(palette->isVisible());
    EXPECT_EQ(jumps + rests, 0);
}

TEST_F(Commands, AMenuFitsIntoASmallScreen) {
    for (const QMenu* menu : window().menuBar()->findChildren<QMenu*>()) {
        EXPECT_LE(menu->sizeHint().height(), 680) << menu->title().toStdString();
    }
}

TEST_F(Commands, AGreaterSignInTheEmptySearchAsksForACommandInstead) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    QTest::keyClick(&window(), Qt::Key_Slash);
    auto* bar = workspace().findChild<SearchBar*>();
    ASSERT_TRUE(bar->isVisible());
    QTest::keyClicks(bar->findChild<QLineEdit*>(), QStringLiteral(">"));
    palette = window().findChild<CommandPalette*>();
    ASSERT_NE(palette, nullptr);
    EXPECT_TRUE(palette->isVisible());
    EXPECT_FALSE(bar->isVisible());
}

TEST_F(Commands, ATrackIsFoundByAFewLettersOfItsNameAndSoIsOneToPin) {
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    timeline().settle();
    const TimeSpan before = timeline().markedSpan();
    EXPECT_TRUE(before.empty());
    QTest::keyClick(&window(), Qt::Key_T, Qt::ShiftModifier);
    const auto type = [this](const char* letters) {
        const QList<CommandPalette*> all = window().findChildren<CommandPalette*>();
        const auto open = std::ranges::find_if(all, &CommandPalette::isVisible);
        if (open == all.end()) {
            return false;
        }
        auto* typed = (*open)->findChild<QLineEdit*>();
        QTest::keyClicks(typed, QLatin1String(letters));
        QTest::keyClick(typed, Qt::Key_Return);
        return true;
    };
    ASSERT_TRUE(type("r1str"));
    ASSERT_EQ(timeline().state().pinned.size(), 1U);
    EXPECT_EQ(timeline().state().pinned[0].rank, 1U);
    QTest::keyClick(&window(), Qt::Key_P, Qt::ControlModifier);
    ASSERT_TRUE(type("r0str"));
    const auto* slice = std::get_if<SliceSelection>(&timeline().selection());
    ASSERT_NE(slice, nullptr);
    EXPECT_EQ(slice->rank, 0U);
    EXPECT_EQ(window().session().runs()[0]->run->ranks[0]->track(slice->slice).kind, TrackKind::Stream);
    QTest::keyClick(&timeline(), Qt::Key_T, Qt::ShiftModifier);
    EXPECT_EQ(timeline().state().pinned.size(), 2U) << "of a selection its own track is pinned";
}

TEST_F(Commands, RecentlyUsedCommandsAreFirstInThePalette) {
    openPalette();
    QTest::keyClicks(field, QStringLiteral("rest"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(rests, 1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    openPalette();
    EXPECT_EQ(list->currentIndex().data().toString(), QStringLiteral("Rest"));
}

TEST_F(Commands, WhatCannotBeDoneNowIsNotInThePalette) {
    action("test.rest")->setEnabled(false);
    openPalette();
    QTest::keyClicks(field, QStringLiteral("rest"));
    const auto* model = list->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        EXPECT_NE(model->index(row, 0).data().toString(), QStringLiteral("Rest"));
    }
}

TEST_F(Commands, ChosenKeysWorkAtOnceAndAreKept) {
    KeysDialog* dialog = openKeys();
    ASSERT_NE(dialog, nullptr);
    chooseKeys(*dialog, QStringLiteral("Rest"), Qt::Key_K);
    QTest::mouseClick(setButton(*dialog), Qt::LeftButton);
    dialog->close();
    QTest::keyClick(&window(), Qt::Key_K);
    EXPECT_EQ(rests, 1);
    settings().sync();
    EXPECT_EQ(QSettings(settings().fileName(), QSettings::IniFormat).value(QStringLiteral("keys/test.rest")).toString(),
              QStringLiteral("K"));
}

TEST_F(Commands, KeysGoToTheCommandThatTheFilterLeavesInSight) {
    KeysDialog* dialog = openKeys();
    ASSERT_NE(dialog, nullptr);
    auto* filter = dialog->findChild<QLineEdit*>();
    const auto* table = dialog->findChild<QTableWidget*>();
    ASSERT_NE(table->item(table->currentRow(), 1)->text(), QStringLiteral("Next Gap"));
    filter->setText(QStringLiteral("next gap"));
    ASSERT_GE(table->currentRow(), 0);
    EXPECT_FALSE(table->isRowHidden(table->currentRow()));
    EXPECT_EQ(table->item(table->currentRow(), 1)->text(), QStringLiteral("Next Gap"));
    auto* edit = dialog->findChild<KeyField*>();
    QTest::keyClick(edit, Qt::Key_K, Qt::ControlModifier | Qt::AltModifier);
    QTest::mouseClick(setButton(*dialog), Qt::LeftButton);
    EXPECT_EQ(window().commands().keysOf(QStringLiteral("go.next-gap")), QKeySequence(QStringLiteral("Ctrl+Alt+K")));
    filter->setText(QStringLiteral("no command is called so"));
    EXPECT_LT(table->currentRow(), 0);
    EXPECT_FALSE(edit->isEnabled());
    EXPECT_FALSE(setButton(*dialog)->isEnabled());
}

TEST_F(Commands, LettersTypedOnTheListOfKeysLeadToNoCommandThatTheFilterHides) {
    KeysDialog* dialog = openKeys();
    ASSERT_NE(dialog, nullptr);
    auto* table = dialog->findChild<QTableWidget*>();
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("clocks"));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_M);  // Memory, and more that is hidden
    ASSERT_GE(table->currentRow(), 0);
    EXPECT_FALSE(table->isRowHidden(table->currentRow()));
    const QTableWidgetItem* at = table->item(table->currentRow(), 1);
    EXPECT_EQ(dialog->findChild<KeyField*>()->keys(), window().commands().keysOf(at->data(Qt::UserRole).toString()));
    dialog->findChild<QLineEdit*>()->clear();
    table->selectRow(0);
    QTest::qWait(QApplication::keyboardInputInterval() + 50);  // else it is one word with what was typed before
    QTest::keyClick(table, Qt::Key_M);
    EXPECT_TRUE(table->item(table->currentRow(), 1)->text().startsWith(QLatin1Char('M')));
}

TEST_F(Commands, APanelIsFoundByTheNameOnItsTab) {
    ASSERT_TRUE(dropAndWait({writeRank(0), writeRank(1)}));
    for (const auto& [tab, id] : {std::pair("kernels and operators", "view.tables"),
                                  {"bandwidth", "view.transfers"},
                                  {"area", "view.area"},
                                  {"explanation", "view.explanation"},
                                  {"check", "view.check"},
                                  {"calls", "view.calls"},
                                  {"critical path", "view.critical-path"},
                                  {"charts", "view.charts"}}) {
        openPalette();
        field->setText(QLatin1String(tab));
        EXPECT_EQ(list->model()->index(0, 0).data(PaletteModel::kIdRole).toString(), QLatin1String(id)) << tab;
        delete palette;
    }
}

TEST_F(Commands, ResetOffersItselfOnlyWhereKeysWereChanged) {
    KeysDialog* dialog = openKeys();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(button(*dialog, {QStringLiteral("Reset")})->isEnabled());
    EXPECT_FALSE(button(*dialog, {QStringLiteral("Reset all")})->isEnabled());
    chooseKeys(*dialog, QStringLiteral("Jump About"), Qt::Key_Backspace);
    window().commands().setKeys(QStringLiteral("test.jump"), {});
    chooseKeys(*dialog, QStringLiteral("Jump About"), Qt::Key_Backspace);
    EXPECT_TRUE(button(*dialog, {QStringLiteral("Reset")})->isEnabled());
    EXPECT_TRUE(button(*dialog, {QStringLiteral("Reset all")})->isEnabled());
    const auto* table = dialog->findChild<QTableWidget*>();
    EXPECT_EQ(table->item(table->currentRow(), 2)->text(), QStringLiteral("(changed)"));
}

TEST_F(Commands, ChangedKeysAreRestoredAtTheNextStartAndAreInTheHelp) {
    settings().setValue(QStringLiteral("keys/go.next-gap"), QStringLiteral("Ctrl+G"));
    MainWindow next(settings());
    EXPECT_EQ(next.commands().keysOf(QStringLiteral("go.next-gap")), QKeySequence(QStringLiteral("Ctrl+G")));
    bool told = false;
    for (const KeyHint& hint : next.commands().keys()) {
        told = told || (hint.what == QStringLiteral("Next Gap") && hint.keys == QStringLiteral("Ctrl+G"));
    }
    EXPECT_TRUE(told);
}

TEST_F(Commands, KeysThatAreTakenAreNamedAndOnlyGivenAwayOnRequest) {
    KeysDialog* dialog = openKeys();
    chooseKeys(*dialog, QStringLiteral("Rest"), Qt::Key_J);
    EXPECT_TRUE(test::holds(test::labelWords(*dialog), {"Jump About"}));
    EXPECT_EQ(setButton(*dialog)->text(), QStringLiteral("Reassign"));
    EXPECT_EQ(window().commands().keysOf(QStringLiteral("test.jump")), QKeySequence(Qt::Key_J)) << "not yet";
    QTest::mouseClick(setButton(*dialog), Qt::LeftButton);
    EXPECT_TRUE(window().commands().keysOf(QStringLiteral("test.jump")).isEmpty());
    dialog->close();
    QTest::keyClick(&window(), Qt::Key_J);
    EXPECT_EQ(rests, 1);
    EXPECT_EQ(jumps, 0);
}

TEST_F(Commands, KeysThatTheTimelineUsesWhilePressedCannotBeAssigned) {
    KeysDialog* dialog = openKeys();
    chooseKeys(*dialog, QStringLiteral("Rest"), Qt::Key_W);
    EXPECT_FALSE(setButton(*dialog)->isEnabled());
    EXPECT_TRUE(test::holds(test::labelWords(*dialog), {"Zoom in and out"}));
}

TEST_F(Commands, ResetBringsBackTheKeysAsDelivered) {
    window().commands().setKeys(QStringLiteral("test.jump"), QKeySequence(Qt::Key_K));
    ASSERT_TRUE(settings().contains(QStringLiteral("keys/test.jump")));
    KeysDialog* dialog = openKeys();
    chooseKeys(*dialog, QStringLiteral("Jump About"), Qt::Key_L);
    QTest::mouseClick(button(*dialog, {QStringLiteral("Reset")}), Qt::LeftButton);
    EXPECT_EQ(window().commands().keysOf(QStringLiteral("test.jump")), QKeySequence(Qt::Key_J));
    EXPECT_FALSE(settings().contains(QStringLiteral("keys/test.jump")));
}

TEST_F(Commands, NoTwoCommandsAreDeliveredWithTheSameKeys) {
    for (const Command& command : window().commands().commands()) {
        EXPECT_EQ(window().commands().holder(command.keys, command.id), QString())
            << command.id.toStdString() << " " << command.keys.toString().toStdString();
    }
}

TEST(FuzzyMatch, PrefersTheBeginningsOfWordsAndLettersThatFollowOneAnother) {
    const auto score = [](const char* letters, const char* text) {
        const auto match = fuzzyMatch(QString::fromLatin1(letters), QString::fromLatin1(text));
        return match ? match->score : -1;
    };
    EXPECT_GT(score("ng", "Next Gap"), score("ng", "Opening"));
    EXPECT_GT(score("gap", "Next Gap"), score("gap", "Go up a page"));
    EXPECT_EQ(score("gapp", "Next Gap"), -1);
    EXPECT_EQ(fuzzyMatch(u"ng", u"Next Gap")->positions, (std::vector<qsizetype>{0, 5}));
    EXPECT_EQ(fuzzyMatch(u"NEXT g", u"Next Gap")->positions.size(), 5U) << "neither case nor blanks count";
}

TEST_F(Commands, NameAndTimesOfTheSelectionAreCopied) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    QClipboard& clipboard = *QGuiApplication::clipboard();
    clipboard.setText(QStringLiteral("as before"));
    QTest::keyClick(&timeline(), Qt::Key_C);
    EXPECT_EQ(clipboard.text(), QStringLiteral("as before")) << "nothing is selected";
    timeline().select(SliceSelection{0, RankPosition(0), {TrackId(0), 2}});
    QTest::keyClick(&timeline(), Qt::Key_C);
    const QString name = clipboard.text();
    ASSERT_FALSE(name.isEmpty());
    EXPECT_EQ(name, timeline().selectionWords().front());
    QTest::keyClick(&timeline(), Qt::Key_C, Qt::ShiftModifier);
    EXPECT_TRUE(clipboard.text().startsWith(name + QLatin1Char('\n')));
    EXPECT_TRUE(clipboard.text().contains(QStringLiteral("duration: ")));
    QTest::keyClick(&timeline(), Qt::Key_C, Qt::AltModifier | Qt::ShiftModifier);
    const TimeSpan span = timeline().spanOf(timeline().selection());
    EXPECT_EQ(clipboard.text(),
              QStringLiteral("%1 ns to %2 ns (%3 ns)").arg(span.start_ns).arg(span.end_ns).arg(span.length()));
    timeline().trigger(TimelineAction::AreaOfAll);
    QTest::keyClick(&timeline(), Qt::Key_C, Qt::AltModifier | Qt::ShiftModifier);
    const TimeSpan all = timeline().markedSpan();
    EXPECT_GT(all.length(), span.length());
    EXPECT_TRUE(clipboard.text().endsWith(QStringLiteral("(%1 ns)").arg(all.length())));
}

TEST_F(Commands, CtrlAInATableSelectsItsRowsAndOnTheTimelineMarksTheTime) {
    ASSERT_TRUE(dropAndWait({zero()}));
    timeline().settle();
    timeline().setFocus();
    QTest::keyClick(&timeline(), Qt::Key_A, Qt::ControlModifier);
    ASSERT_TRUE(timeline().area());
    AreaPanel& area = workspace().area();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !area.busy() && area.groups().rowCount() > 1; }, kPatience));
    const QList<QTableWidget*> tables = area.findChildren<QTableWidget*>();
    QTableWidget* groups = *std::ranges::find(tables, &area.groups());
    groups->setFocus();
    const TimeSpan before = timeline().markedSpan();
    QTest::keyClick(groups, Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(groups->selectionModel()->selectedRows().size(), groups->rowCount());
    EXPECT_EQ(timeline().markedSpan(), before);
}

TEST_F(Commands, TheNoteOfACopyShowsItsBeginning) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    timeline().select(SliceSelection{0, RankPosition(0), {TrackId(0), 2}});
    QTest::keyClick(&timeline(), Qt::Key_C);
    EXPECT_EQ(notice(), QStringLiteral("Copied: ") + timeline().selectionWords().front());
    QTest::keyClick(&timeline(), Qt::Key_C, Qt::ShiftModifier);
    const QString all = QGuiApplication::clipboard()->text().simplified();
    const QString begins = all.size() <= 60 ? all : all.left(60) + QStringLiteral("…");
    EXPECT_EQ(notice(), QStringLiteral("Copied: ") + begins);
}

/// The letter that chooses an entry of a menu; nothing where it has none.
QChar letterOf(const QAction& action) {
    const QString words = QString(action.text()).remove(QStringLiteral("&&"));
    const qsizetype at = words.indexOf(QLatin1Char('&'));
    return at < 0 || at + 1 >= words.size() ? QChar() : words[at + 1].toLower();
}

TEST_F(Commands, NoTwoEntriesOfFileOrGoHaveTheSameLetter) {
    for (const QAction* title : window().menuBar()->actions()) {
        const QString menu = QString(title->text()).remove(QLatin1Char('&'));
        if (menu != QStringLiteral("Go") && menu != QStringLiteral("File")) {
            continue;
        }
        QMap<QChar, QString> taken;
        for (const QAction* entry : title->menu()->actions()) {
            const QChar letter = letterOf(*entry);
            if (!letter.isNull()) {
                EXPECT_FALSE(taken.contains(letter))
                    << entry->text().toStdString() << " and " << taken.value(letter).toStdString();
                taken.insert(letter, entry->text());
            }
        }
        EXPECT_GT(taken.size(), 10) << menu.toStdString();
    }
}

}  // namespace
}  // namespace rankscope::ui
