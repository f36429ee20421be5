// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of rows and marks, taken back and done again, without a widget.
#include <gtest/gtest.h>

#include <QSignalSpy>

#include "tests/ui/timeline/timeline_fixture.h"
#include "ui/timeline/arrangement.h"
#include "ui/timeline/selection/marks.h"

namespace rankscope::ui {
namespace {

class EditedArrangement : public testing::Test {
  protected:
    void hideRank(std::size_t rank) {
        const RowKey key = keyOf(*scene.model().runs()[0].ranks[rank].trace);
        edits.changeRows([key](RowChoices& choices) { hideRow(key, choices); });
    }
    void mark(TimeNs at_ns) {
        edits.changeMarks([at_ns](Marks& all) {
            all.add({.span = {at_ns, at_ns}, .text = {}, .kept = true, .run = 0, .rank = {}});
        });
    }
    [[nodiscard]] std::size_t hidden() const { return scene.choices().hidden.size(); }

    TimelineScene scene = test::makeScene({test::makeRun({.ranks = 3})}, QSize(800, 400));
    Marks marks;
    ArrangementEdits edits{scene, marks};
    QSignalSpy rows_changed{&edits, &ArrangementEdits::rowsChanged};
    QSignalSpy marks_changed{&edits, &ArrangementEdits::marksChanged};
};

TEST_F(EditedArrangement, TakesRowsAndMarksBackInTheirOrder) {
    hideRank(0);
    mark(1000);
    hideRank(1);
    ASSERT_EQ(hidden(), 2U);
    EXPECT_TRUE(edits.undo());
    EXPECT_EQ(hidden(), 1U);
    EXPECT_EQ(marks.all().size(), 1U);
    EXPECT_TRUE(edits.undo());
    EXPECT_TRUE(marks.all().empty());
    EXPECT_TRUE(edits.undo());
    EXPECT_EQ(hidden(), 0U);
    EXPECT_FALSE(edits.undo()) << "nothing else was done";
    EXPECT_TRUE(edits.redo());
    EXPECT_EQ(hidden(), 1U);
}

TEST_F(EditedArrangement, SaysWhatHasChangedAndNothingElse) {
    mark(1000);
    EXPECT_EQ(marks_changed.size(), 1);
    EXPECT_EQ(rows_changed.size(), 0);
    edits.changeRows([](RowChoices& /*choices*/) {});
    EXPECT_EQ(rows_changed.size(), 0) << "it changed nothing";
    EXPECT_TRUE(edits.undo());
    EXPECT_TRUE(marks.all().empty());
    EXPECT_FALSE(edits.undo());
}

TEST_F(EditedArrangement, OfOneDragIsTakenBackAtOnce) {
    const RowKey key = keyOf(*scene.model().runs()[0].ranks[0].trace, TrackId(0));
    edits.keep();
    for (const int height : {30, 40, 50}) {
        RowChoices choices = scene.choices();
        choices.sizes[key] = height;
        edits.setRows(choices);
    }
    EXPECT_EQ(rows_changed.size(), 3);
    EXPECT_TRUE(edits.undo());
    EXPECT_TRUE(scene.choices().sizes.empty());
}

TEST_F(EditedArrangement, AnnouncesThatAllIsReplaced) {
    QSignalSpy replacing(&edits, &ArrangementEdits::replacing);
    hideRank(0);
    EXPECT_EQ(replacing.size(), 0);
    EXPECT_TRUE(edits.undo());
    EXPECT_EQ(replacing.size(), 1);
    edits.clear();
    EXPECT_FALSE(edits.redo());
    EXPECT_EQ(replacing.size(), 1);
}

}  // namespace
}  // namespace rankscope::ui
