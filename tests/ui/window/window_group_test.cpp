// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of the same runs, of which each is a bare widget with commands and a timeline.
#include <QSettings>
#include <QTest>
#include <vector>

#include "tests/support/temp_files.h"
#include "ui/commands/command_registry.h"
#include "ui/timeline/timeline_widget.h"
#include "ui/window/window_group.h"

namespace rankscope::ui {
namespace {

struct BareWindow : QWidget {
    explicit BareWindow(std::vector<const QWidget*>& closed_windows) : closed(closed_windows) {
        commands.add({QStringLiteral("a.b"), {}, QStringLiteral("A"), QKeySequence(Qt::Key_A), {}});
    }
    void closeEvent(QCloseEvent* /*event*/) override { closed.push_back(this); }

    std::vector<const QWidget*>& closed;
    CommandRegistry commands{this};
    TimelineWidget timeline{Theme::darkTheme()};
};

class GroupOfWindows : public testing::Test {
  protected:
    int join(BareWindow& window) { return group.join(window, window.commands, window.timeline); }

    test::TempFolder folder;
    QSettings settings{QString::fromStdString((folder.path() / "settings.ini").string()), QSettings::IniFormat};
    std::vector<const QWidget*> closed;
    BareWindow first{closed};
    BareWindow second{closed};
    BareWindow third{closed};
    WindowGroup group{settings};
};

TEST_F(GroupOfWindows, NumbersThemByTheLowestThatIsFree) {
    EXPECT_EQ(join(first), 1);
    EXPECT_EQ(join(second), 2);
    group.forget(first);
    EXPECT_EQ(join(third), 1);
    EXPECT_EQ(group.size(), 2U);
}

TEST_F(GroupOfWindows, HasTheSameKeysInAll) {
    join(first);
    join(second);
    join(third);
    const QString id = QStringLiteral("a.b");
    second.commands.setKeys(id, QKeySequence(Qt::Key_B));
    EXPECT_EQ(first.commands.keysOf(id), QKeySequence(Qt::Key_B));
    EXPECT_EQ(third.commands.keysOf(id), QKeySequence(Qt::Key_B));
}

TEST_F(GroupOfWindows, ClosesAllAndTheActiveOneLast) {
    for (BareWindow* window : {&first, &second, &third}) {
        join(*window);
        window->show();
    }
    group.closeAll(second);
    EXPECT_EQ(closed, (std::vector<const QWidget*>{&first, &third, &second}));
}

TEST_F(GroupOfWindows, LetsGoOfAWindowOnce) {
    join(first);
    join(second);
    group.leave(first);
    group.leave(first);
    group.forget(first);
    EXPECT_EQ(group.size(), 1U);
    first.show();
    second.show();
    group.closeAll(first);
    EXPECT_EQ(closed, (std::vector<const QWidget*>{&second})) << "the first is none of them any more";
}

}  // namespace
}  // namespace rankscope::ui
