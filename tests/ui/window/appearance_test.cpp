// SPDX-License-Identifier: GPL-3.0-or-later
// The theme and the size of text, and the commands that change them, without a window.
#include <gtest/gtest.h>

#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/temp_files.h"
#include "ui/commands/command_registry.h"
#include "ui/window/appearance.h"
#include "ui/window/commands/view_commands.h"

namespace rankscope::ui {
namespace {

class Looks : public testing::Test {
  protected:
    [[nodiscard]] double points() const { return appearance.theme().ui_font.pointSizeF(); }

    test::TempFolder folder;
    QSettings settings{QString::fromStdString((folder.path() / "settings.ini").string()), QSettings::IniFormat};
    Appearance appearance{settings};
};

TEST_F(Looks, AreKeptWhenTheyAreChosenAndNotWhenTheyAreUsedForNow) {
    const QSignalSpy changes(&appearance, &Appearance::changed);
    EXPECT_EQ(appearance.choice(), ThemeChoice::FollowDesktop);
    appearance.choose(ThemeChoice::Light);
    EXPECT_FALSE(appearance.theme().dark);
    appearance.use(ThemeChoice::Dark);
    EXPECT_TRUE(appearance.theme().dark);
    EXPECT_EQ(changes.size(), 2);
    EXPECT_EQ(Appearance(settings).choice(), ThemeChoice::Light);
}

TEST_F(Looks, HaveTextThatGrowsAndShrinksByStepsAndIsKept) {
    const double usual = points();
    appearance.changeTextSize(1);
    EXPECT_GT(points(), usual);
    EXPECT_EQ(Appearance(settings).theme().ui_font, appearance.theme().ui_font);
    appearance.changeTextSize(-1);
    EXPECT_DOUBLE_EQ(points(), usual);
    appearance.changeTextSize(1);
    appearance.changeTextSize(1);
    EXPECT_DOUBLE_EQ(points(), usual * 1.25);
    for (int i = 0; i < 9; ++i) {
        appearance.changeTextSize(-1);
    }
    EXPECT_DOUBLE_EQ(points(), usual * 0.8) << "it ends somewhere";
    for (int i = 0; i < 20; ++i) {
        appearance.changeTextSize(1);
    }
    const double largest = points();
    appearance.changeTextSize(1);
    EXPECT_DOUBLE_EQ(points(), largest);
    appearance.changeTextSize(0);
    EXPECT_DOUBLE_EQ(points(), usual);
}

TEST_F(Looks, ContinueFromASizeThatIsNoStep) {
    settings.setValue(QStringLiteral("text_size"), 105);
    Appearance odd(settings);
    odd.changeTextSize(1);
    EXPECT_EQ(settings.value(QStringLiteral("text_size")).toInt(), 110);
    settings.setValue(QStringLiteral("text_size"), 105);
    Appearance again(settings);
    again.changeTextSize(-1);
    EXPECT_EQ(settings.value(QStringLiteral("text_size")).toInt(), 100);
}

TEST_F(Looks, AreChangedByKeysAndTickedInTheMenu) {
    QWidget window;
    CommandRegistry commands(&window);
    addAppearanceCommands(commands, appearance);
    QMenu menu;
    addAppearanceMenus(commands, menu);
    EXPECT_EQ(menu.actions().size(), 2);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    const double before = points();
    QTest::keyClick(&window, Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_GT(points(), before);
    const auto ticked = [&](const char* id) { return commands.action(QLatin1String(id))->isChecked(); };
    EXPECT_TRUE(ticked("view.theme-desktop"));
    commands.action(QStringLiteral("view.theme-dark"))->trigger();
    EXPECT_EQ(appearance.choice(), ThemeChoice::Dark);
    appearance.use(ThemeChoice::Light);
    EXPECT_TRUE(ticked("view.theme-light"));
    EXPECT_FALSE(ticked("view.theme-dark"));
}

}  // namespace
}  // namespace rankscope::ui
