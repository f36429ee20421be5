// SPDX-License-Identifier: GPL-3.0-or-later
// Marks in time, and which of them is chosen: without a widget.
#include <gtest/gtest.h>

#include "ui/timeline/selection/marks.h"

namespace rankscope::ui {
namespace {

Viewport viewOfAThousand() {
    Viewport viewport;
    viewport.setWidth(1'000);
    viewport.setExtent({0, 1'000'000});
    viewport.setWindow({0, 1'000'000});
    return viewport;
}

TimeMark markOf(const TimeSpan& span, bool kept) {
    TimeMark mark;
    mark.span = span;
    mark.kept = kept;
    return mark;
}

TEST(TimeMarks, AreInOrderOfTimeAndTheNewOneIsChosen) {
    Marks marks;
    marks.add(markOf({500, 600}, true));
    marks.add(markOf({100, 200}, true));
    ASSERT_EQ(marks.all().size(), 2U);
    EXPECT_EQ(marks.all()[0].span.start_ns, 100);
    EXPECT_EQ(marks.chosen(), std::optional<std::size_t>(0));
}

TEST(TimeMarks, OneThatIsNotKeptMakesRoomForTheNext) {
    Marks marks;
    marks.add(markOf({100, 200}, false));
    marks.add(markOf({300, 400}, false));
    ASSERT_EQ(marks.all().size(), 1U);
    EXPECT_EQ(marks.all()[0].span.start_ns, 300);
    marks.add(markOf({300, 400}, true));
    ASSERT_EQ(marks.all().size(), 1U) << "to keep the same makes that one stay";
    EXPECT_TRUE(marks.all()[0].kept);
}

TEST(TimeMarks, AreChosenOneAfterTheOtherRoundTheEnd) {
    Marks marks;
    marks.set({markOf({100, 200}, true), markOf({300, 400}, true), markOf({500, 600}, true)});
    EXPECT_FALSE(marks.chosen());
    marks.chooseNext(Direction::Forward, 250);
    EXPECT_EQ(marks.chosen(), std::optional<std::size_t>(1)) << "the first in sight";
    marks.chooseNext(Direction::Forward, 250);
    marks.chooseNext(Direction::Forward, 250);
    EXPECT_EQ(marks.chosen(), std::optional<std::size_t>(0));
    marks.chooseNext(Direction::Back, 250);
    EXPECT_EQ(marks.chosen(), std::optional<std::size_t>(2));
    marks.choose({});
    marks.chooseNext(Direction::Back, 900);
    EXPECT_EQ(marks.chosen(), std::optional<std::size_t>(0)) << "none is in sight";
}

TEST(TimeMarks, WithoutAChosenOneNothingIsNamedOrRemoved) {
    Marks marks;
    marks.chooseNext(Direction::Forward, 0);
    EXPECT_FALSE(marks.chosen());
    EXPECT_FALSE(marks.setNote(QStringLiteral("note")));
    EXPECT_FALSE(marks.removeChosen());
    marks.add(markOf({100, 200}, true));
    EXPECT_TRUE(marks.setNote(QStringLiteral("note")));
    EXPECT_EQ(marks.all()[0].text, QStringLiteral("note"));
    EXPECT_TRUE(marks.removeChosen());
    EXPECT_TRUE(marks.all().empty());
    EXPECT_FALSE(marks.chosen());
}

TEST(TimeMarks, OfSeveralUnderThePointerTheShortestIsHit) {
    Marks marks;
    marks.set({markOf({100'000, 500'000}, true), markOf({200'000, 300'000}, true), markOf({800'000, 800'000}, true)});
    const Viewport viewport = viewOfAThousand();
    const double scale = 1'000.0 / static_cast<double>(viewport.window().length());
    const auto x = [&](TimeNs t) { return static_cast<double>(t - viewport.window().start_ns) * scale; };
    EXPECT_EQ(marks.at(x(150'000), viewport), std::optional<std::size_t>(0));
    EXPECT_EQ(marks.at(x(250'000), viewport), std::optional<std::size_t>(1));
    EXPECT_EQ(marks.at(x(400'000), viewport), std::optional<std::size_t>(0));
    EXPECT_EQ(marks.at(x(800'000) + 4, viewport), std::optional<std::size_t>(2)) << "an instant has a flag too";
    EXPECT_FALSE(marks.at(x(800'000) + 20, viewport));
}

TEST(TimeMarks, NotesAreNextToShorterFlagsOrAreLeftOut) {
    const QRectF strip(0, 0, 600, 12);
    const FlagNote wide{QRectF(100, 0, 300, 12), 80, true};
    const auto alone = placeNotes(std::vector{wide}, strip);
    ASSERT_TRUE(alone[0].has_value());
    EXPECT_EQ(alone[0]->left(), 210) << "in the middle";
    const FlagNote in_its_middle{QRectF(250, 0, 8, 12), 60, true};
    const auto both = placeNotes(std::vector{wide, in_its_middle}, strip);
    ASSERT_TRUE(both[0].has_value());
    EXPECT_EQ(both[0]->left(), 100) << "at the end, where nothing lies over it";
    ASSERT_TRUE(both[1].has_value());
    EXPECT_FALSE(both[0]->intersects(*both[1]));
    const FlagNote at_an_end{QRectF(110, 0, 8, 12), 60, true};
    const FlagNote at_the_other{QRectF(380, 0, 8, 12), 60, true};
    const auto full = placeNotes(std::vector{wide, in_its_middle, at_an_end, at_the_other}, strip);
    EXPECT_FALSE(full[0].has_value()) << "nothing is better than half of it";
    const auto close = placeNotes(std::vector{at_an_end, FlagNote{QRectF(130, 0, 8, 12), 60, true}}, strip);
    EXPECT_FALSE(close[0].has_value()) << "the next flag would lie upon it";
    EXPECT_TRUE(close[1].has_value());
    EXPECT_FALSE(placeNotes(std::vector{FlagNote{QRectF(110, 0, 8, 12), 60, false}}, strip)[0].has_value());
}

TEST(TimeMarks, ANoteThatReachesTheNextFlagIsCutAndNotLeftOut) {
    const QRectF strip(0, 0, 600, 12);
    const FlagNote first{QRectF(110, 0, 8, 12), 160, true};
    const FlagNote next{QRectF(215, 0, 8, 12), 60, true};
    const auto places = placeNotes(std::vector{first, next}, strip);
    ASSERT_TRUE(places[0].has_value());
    EXPECT_EQ(places[0]->left(), 118);
    EXPECT_EQ(places[0]->right(), 215) << "up to the next flag";
    ASSERT_TRUE(places[1].has_value());
    EXPECT_EQ(places[1]->width(), 60) << "whole";
    EXPECT_EQ(placeNotes(std::vector{first}, strip)[0]->width(), 160);
}

}  // namespace
}  // namespace rankscope::ui
