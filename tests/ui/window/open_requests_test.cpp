// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks to be opened, without a window: what goes where, and what is remembered of it.
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/temp_files.h"
#include "tests/support/trace_text.h"
#include "tests/ui/widget_parts.h"
#include "ui/panels/trace/clocks_panel.h"
#include "ui/window/opening/open_requests.h"
#include "ui/window/session/analysis_requests.h"

namespace rankscope::ui {
namespace {

class AskedToOpen : public testing::Test {
  protected:
    [[nodiscard]] QString writeTrace(const std::string& name) const {
        return QString::fromStdString(folder.write(name, test::traceJson({test::eventJson({})})));
    }
    [[nodiscard]] bool waitUntilIdle() {
        return QTest::qWaitFor([this] { return !session.loader().busy() && !session.reanalysis().busy(); }, 60'000);
    }

    test::TempFolder folder;
    QSettings settings{QString::fromStdString((folder.path() / "settings.ini").string()), QSettings::IniFormat};
    QWidget window;
    Session session;
    OpenRequests* requests = new OpenRequests(session, settings, window);
};

TEST_F(AskedToOpen, IsRememberedWhenItIsThere) {
    const QSignalSpy changes(requests, &OpenRequests::recentChanged);
    const QString trace = writeTrace("rank0.json");
    EXPECT_FALSE(requests->takeAsked());
    requests->open({trace});
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(requests->recent().entries(), QList<QStringList>{{trace}});
    EXPECT_EQ(changes.size(), 1);
    EXPECT_TRUE(requests->takeAsked());
    EXPECT_FALSE(requests->takeAsked()) << "it was told";
    session.open({writeTrace("by-a-session.json")}, OpenMode::Replace);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(requests->recent().entries().size(), 1) << "nobody asked for that";
}

TEST_F(AskedToOpen, IsForgottenWhereItCannotBeRead) {
    requests->open({QString::fromStdString(folder.write("broken.json", "no trace"))});
    ASSERT_TRUE(waitUntilIdle());
    requests->open({});
    EXPECT_TRUE(requests->recent().entries().isEmpty());
}

TEST_F(AskedToOpen, IsHandedOnWhereItIsASession) {
    const QSignalSpy sessions(requests, &OpenRequests::sessionAsked);
    const QString path = QString::fromStdString(folder.write("a.rankscope", "{}"));
    requests->open({path});
    EXPECT_EQ(sessions.size(), 1);
    EXPECT_FALSE(session.loader().busy());
    EXPECT_FALSE(requests->takeAsked());
}

TEST_F(AskedToOpen, InAdditionToTheOnlyRunIsComparedWithIt) {
    QSignalSpy comparisons(requests, &OpenRequests::comparisonAsked);
    requests->drop({writeTrace("first.json")}, OpenMode::Beside);
    ASSERT_TRUE(waitUntilIdle());
    ASSERT_EQ(session.runs().size(), 1U) << "there was nothing to compare it with";
    const QString second = writeTrace("second.json");
    requests->drop({second}, OpenMode::Beside);
    ASSERT_EQ(comparisons.size(), 1);
    EXPECT_EQ(comparisons[0][0].toStringList(), QStringList{second});
    requests->drop({second}, OpenMode::Replace);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(comparisons.size(), 1);
}

TEST_F(AskedToOpen, AnotherClockIsForTheSessionAndThePanelSaysHowThatGoes) {
    ClocksPanel panel(Theme::darkTheme());
    panel.show();
    connectClocks(session, panel);
    requests->open({writeTrace("rank0.json")});
    ASSERT_TRUE(waitUntilIdle());
    panel.setRuns(session.runs(), session.choices());
    const auto says = [&panel](const QString& words) { return test::labelWords(panel).contains(words); };
    ClockChoice choice;
    choice.file_times = true;
    Q_EMIT panel.chosen(0, choice);
    EXPECT_TRUE(says(QStringLiteral("Analysing again")));
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_FALSE(says(QStringLiteral("Analysing again")));
    EXPECT_TRUE(session.choices()[0].clocks.file_times);
}

}  // namespace
}  // namespace rankscope::ui
