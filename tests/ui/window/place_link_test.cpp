// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session/place_link.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QProcess>

#include "tests/ui/window/window_fixture.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

class PlaceLinks : public test::WindowTest {
  protected:
    void load(const QStringList& paths) {
        window().show();
        ASSERT_TRUE(openAndWait(paths));
        QCoreApplication::processEvents();
        window().workspace().timeline().settle();
    }
};

TEST(PlaceTexts, ReadBackWhatTheyWrite) {
    const PlaceLink bare{{-500, 1'234'567}, {}};
    EXPECT_EQ(placeText(bare), QStringLiteral("-500:1234567"));
    EXPECT_EQ(placeOf(placeText(bare)), bare);
    const PlaceLink full{{10, 20}, SliceSelection{1, RankPosition(2), {TrackId(3), 4}}};
    EXPECT_EQ(placeOf(placeText(full)), full);
    for (const char* bad : {"", ":", "1:", "5:5", "9:4", "1:2@", "1:2@slice:1.2", "1:2x"}) {
        EXPECT_FALSE(placeOf(QLatin1String(bad)).has_value()) << bad;
    }
}

TEST_F(PlaceLinks, TheCommandLeadsBackToWhatIsSeenAndSelected) {
    load({writeRank(0), writeRank(1)});
    const SliceSelection kernel{0, RankPosition(1),
                                window().session().runs().front()->run->ranks[1]->launches.all().front().device};
    workspace().flow().reveal(kernel);
    timeline().settle();
    const PlaceLink place = placeIn(workspace());
    EXPECT_EQ(place.slice, kernel);
    trigger("copy.place");
    const QStringList words = QProcess::splitCommand(QGuiApplication::clipboard()->text().replace('\'', '"'));
    ASSERT_GE(words.size(), 3);
    EXPECT_EQ(words[1], QStringLiteral("--place=") + placeText(place));

    timeline().select({});
    timeline().setState({});
    window().showWhenOpened(*placeOf(words[1].section('=', 1)));
    load(words.mid(2));
    EXPECT_EQ(placeIn(workspace()), place);
    EXPECT_EQ(ranksOf(0), 2);
}

TEST_F(PlaceLinks, APlaceInOtherFilesShowsItsTimeAndSelectsNothing) {
    load({writeRank(0)});
    const TimeSpan whole = workspace().timeline().viewport().window();
    const TimeSpan half{whole.start_ns, whole.start_ns + whole.length() / 2};
    showPlace({half, SliceSelection{7, RankPosition(3), {TrackId(1), 99}}}, workspace());
    EXPECT_EQ(placeIn(workspace()), (PlaceLink{half, {}}));
}

}  // namespace
}  // namespace rankscope::ui
