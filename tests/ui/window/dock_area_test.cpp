// SPDX-License-Identifier: GPL-3.0-or-later
// Docks around a widget that is no timeline, with panels that are no panels of the window: by real events.
#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabBar>
#include <QTest>

#include "tests/support/temp_files.h"
#include "ui/window/places/dock_area.h"
#include "ui/window/places/panel_places.h"
#include "ui/window/places/panel_tabs.h"

namespace rankscope::ui {
namespace {

class Docks : public testing::Test {
  protected:
    void SetUp() override {
        for (QLineEdit* panel : {notes, list, help}) {
            const PanelPlace place = panel == help ? PanelPlace::SideTop : PanelPlace::Below;
            const char* name = panel == notes ? "notes" : panel == list ? "list" : "help";
            area.places().add(*panel, name, QString::fromLatin1(name), QStringLiteral("what it shows"), place);
        }
        area.arrange();
        area.resize(1000, 700);
        area.show();
        area.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&area));
    }
    void clickTab(const QWidget& panel) {
        const PanelTabs& tabs = area.places().dock(PanelPlace::Below);
        for (int tab = 0; tab < tabs.count(); ++tab) {
            if (tabs.widget(tab) == &panel) {
                QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(tab).center());
            }
        }
    }
    /// Moves the divider between the centre and the side to the left, as the mouse does.
    void dragSideBy(int pixels) {
        QSplitterHandle* handle = area.findChild<QSplitter*>(QStringLiteral("across"))->handle(1);
        const QPoint at = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, at);
        QTest::mouseMove(handle, at - QPoint(pixels, 0));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, at);
    }

    QLineEdit* centre = new QLineEdit;
    QLineEdit* above = new QLineEdit;
    QLineEdit* notes = new QLineEdit;
    QLineEdit* list = new QLineEdit;
    QLineEdit* help = new QLineEdit;
    DockArea area{{centre, above, {above, centre}}};
};

TEST_F(Docks, BelowAreFoldedToTheirTabsUntilOneIsClicked) {
    const QSignalSpy toggles(&area, &DockArea::bottomPanelToggled);
    EXPECT_FALSE(notes->isVisible());
    clickTab(*list);
    EXPECT_TRUE(list->isVisible());
    EXPECT_EQ(area.panelInFront(), QStringLiteral("list"));
    clickTab(*notes);
    EXPECT_TRUE(notes->isVisible()) << "another tab only changes the panel";
    clickTab(*list);
    const int height = list->height();
    list->setFocus();
    clickTab(*list);
    EXPECT_FALSE(list->isVisible());
    EXPECT_TRUE(centre->hasFocus()) << "the keyboard must not stay where nothing is seen";
    EXPECT_EQ(toggles.size(), 2);
    area.setBottomPanelVisible(true);
    EXPECT_EQ(list->height(), height) << "as high as before";
}

TEST_F(Docks, UnfoldForAPanelThatIsRaised) {
    const QSignalSpy unfolded(&area, &DockArea::unfoldedForPanel);
    area.showPanel(QStringLiteral("list"));
    EXPECT_FALSE(area.bottomPanelVisible()) << "by its name it only comes before the others";
    area.bringToFront(*help);
    EXPECT_EQ(unfolded.size(), 0) << "it stands at the side";
    area.bringToFront(*notes);
    EXPECT_EQ(unfolded.size(), 1);
    EXPECT_TRUE(notes->isVisible());
    area.bringToFront(*list);
    EXPECT_EQ(unfolded.size(), 1) << "there was nothing to unfold";
}

TEST_F(Docks, AtTheSideGoAndComeBackAsWideAsTheyWere) {
    const QSignalSpy toggles(&area, &DockArea::sidePanelToggled);
    dragSideBy(60);
    const int wide = help->width();
    help->setFocus();
    area.setSidePanelVisible(false);
    EXPECT_FALSE(help->isVisible());
    EXPECT_TRUE(centre->hasFocus());
    area.bringToFront(*help);
    EXPECT_FALSE(help->isVisible()) << "a hidden side stays hidden";
    area.showBelow(*help);
    EXPECT_TRUE(help->isVisible());
    QCoreApplication::processEvents();
    EXPECT_EQ(help->width(), wide);
    EXPECT_EQ(toggles.size(), 2);
}

TEST_F(Docks, LeadTheKeyboardFromTheCentreToWhatIsBelowAndAtTheSide) {
    area.showBelow(*notes);
    above->setFocus();
    QTest::keyClick(above, Qt::Key_Tab);
    EXPECT_TRUE(centre->hasFocus());
    bool below_first = false;
    for (int keys = 0; keys < 20 && !help->hasFocus(); ++keys) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        below_first = below_first || notes->hasFocus();
    }
    EXPECT_TRUE(below_first);
    EXPECT_TRUE(help->hasFocus());
}

TEST_F(Docks, ComeBackAsTheSettingsKeepThem) {
    const test::TempFolder folder;
    QSettings settings(QString::fromStdString((folder.path() / "settings.ini").string()), QSettings::IniFormat);
    dragSideBy(80);
    area.places().move(*list, PanelPlace::SideBottom);
    const PanelLayout layout = area.layout();
    ASSERT_EQ(layout.moved.size(), 1U);
    area.setSidePanelVisible(false);
    area.saveLayout(settings);
    area.setLayout({});
    area.setSidePanelVisible(true);
    EXPECT_TRUE(area.places().allHome());
    area.restoreLayout(settings);
    EXPECT_EQ(area.layout(), layout);
    EXPECT_FALSE(area.sidePanelVisible());
}

}  // namespace
}  // namespace rankscope::ui
