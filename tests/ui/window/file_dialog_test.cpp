// SPDX-License-Identifier: GPL-3.0-or-later
// Qt's own file dialog, which is shown where the desktop has none, in the colours of the theme.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QTimer>
#include <cstdlib>
#include <utility>

#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/theme/theme.h"
#include "ui/window/appearance.h"
#include "ui/window/opening/loading_strip.h"

namespace rankscope::ui {
namespace {

class FileDialogs : public test::WindowTest {
  protected:
    /// What is offered to complete while a name is typed, as it is painted.
    QImage completions() {
        QImage seen;
        QTimer::singleShot(0, &window(), [&seen] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            const auto* name = dialog->findChild<QLineEdit*>();
            ASSERT_NE(name->completer(), nullptr);
            QAbstractItemView* popup = name->completer()->popup();
            popup->resize(120, 60);
            seen = popup->grab().toImage();
            dialog->reject();
        });
        trigger("file.open-files");
        return seen;
    }
};

TEST_F(FileDialogs, WhatIsOfferedToCompleteHasTheColoursOfEachTheme) {
    for (const auto& [choice, theme] :
         {std::pair(ThemeChoice::Dark, Theme::darkTheme()), std::pair(ThemeChoice::Light, Theme::lightTheme()),
          std::pair(ThemeChoice::Dark, Theme::darkTheme())}) {
        window().appearance().choose(choice);
        QCoreApplication::processEvents();
        const QImage seen = completions();
        ASSERT_FALSE(seen.isNull());
        EXPECT_EQ(seen.pixelColor(60, 30), theme.surface) << theme.dark;
    }
}

TEST_F(FileDialogs, ListsOfChoicesHaveTheColourOfTheThemeUpToTheirEdges) {
    for (const auto& [choice, theme] :
         {std::pair(ThemeChoice::Dark, Theme::darkTheme()), std::pair(ThemeChoice::Light, Theme::lightTheme())}) {
        window().appearance().choose(choice);
        window().show();
        QComboBox box(&window());
        box.addItems({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
        box.show();
        box.showPopup();
        QCoreApplication::processEvents();
        const QImage seen = box.view()->parentWidget()->grab().toImage();
        box.hidePopup();
        ASSERT_GT(seen.height(), 30);
        // No bar of another colour above or below the list: lines of a frame and of letters are thin.
        int other_in_a_row = 0;
        for (int y = 0; y < seen.height(); ++y) {
            const int lightness = seen.pixelColor(seen.width() - 8, y).lightness();
            const bool other = std::abs(lightness - theme.surface.lightness()) >= 90;
            other_in_a_row = other ? other_in_a_row + 1 : 0;
            EXPECT_LE(other_in_a_row, 2) << theme.dark << " at " << y;
        }
    }
}

TEST_F(FileDialogs, ASessionIsNamedAfterItsRunAndItsPathIsReported) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    const QString typed = inFolder("mine.json");
    QString offered;
    QTimer::singleShot(0, &window(), [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        offered = dialog->findChild<QLineEdit*>()->text();
        dialog->selectFile(typed);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    trigger("file.save-session");
    EXPECT_EQ(offered, QStringLiteral("rank0.rankscope"));
    EXPECT_TRUE(QFileInfo::exists(typed + QStringLiteral(".rankscope")));
    const QString said = stripWords();
    EXPECT_TRUE(window().loadingStrip().isVisible());
    EXPECT_TRUE(said.contains(QStringLiteral("mine.json.rankscope"))) << said.toStdString();
}

TEST_F(FileDialogs, TheFolderDialogStartsNextToTheOpenRun) {
    QDir().mkpath(inFolder("job/first"));
    QDir().mkpath(inFolder("job/second"));
    const QString trace = inFolder("job/first/rank0.json");
    ASSERT_TRUE(QFile::copy(writeRank(0), trace));
    ASSERT_TRUE(dropAndWait({QFileInfo(trace).absolutePath()}));
    QString begins;
    QTimer::singleShot(0, &window(), [&begins] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        begins = dialog->directory().absolutePath();
        dialog->reject();
    });
    trigger("file.open-folder");
    EXPECT_EQ(begins, inFolder("job")) << "where its siblings are";
}

TEST_F(FileDialogs, TheNoteOfASavedPictureReplacesThePreviousNote) {
    ASSERT_TRUE(dropAndWait({writeRank(0)}));
    window().loadingStrip().showNotice(QStringLiteral("Saved"), QStringLiteral("an older report.html"));
    const QString path = inFolder("timeline.png");
    test::saveAs(path);
    trigger("view.save-timeline");
    ASSERT_TRUE(QFileInfo::exists(path));
    const QString said = stripWords();
    EXPECT_TRUE(said.contains(path)) << said.toStdString();
    EXPECT_FALSE(said.contains(QStringLiteral("older"))) << said.toStdString();
}

TEST_F(FileDialogs, AThemeThatFollowsTheDesktopSettles) {
    window().appearance().choose(ThemeChoice::Dark);
    window().appearance().choose(ThemeChoice::FollowDesktop);
    int changes = 0;
    class Counter : public QObject {
      public:
        explicit Counter(int& count) : count_(count) {}
        bool eventFilter(QObject* watched, QEvent* event) override {
            count_ += event->type() == QEvent::StyleChange ? 1 : 0;
            return QObject::eventFilter(watched, event);
        }

      private:
        int& count_;
    } counter(changes);
    window().installEventFilter(&counter);
    QTest::qWait(100);
    EXPECT_LE(changes, 2);
}

}  // namespace
}  // namespace rankscope::ui
