// SPDX-License-Identifier: GPL-3.0-or-later
// The overview in shades of grey: the worst cells are told apart by more than their red.
#include <QImage>
#include <set>

#include "tests/ui/window/compare_fixture.h"
#include "ui/timeline/overview.h"

namespace rankscope::ui {
namespace {

class WithoutColourInTheWindow : public CompareWindow {};

TEST_F(WithoutColourInTheWindow, TheHottestCellsAreStripedAndTheOthersPlain) {
    drop({zero()});  // whose rank 2 is late in each step
    ASSERT_TRUE(waitUntilIdle());
    QCoreApplication::processEvents();
    timeline().settle();
    Overview& overview = timeline().overview();
    const QImage seen = overview.grab().toImage();
    const QRect cells = overview.cellArea();
    const auto shades = [&](int rank) {
        const int y = cells.top() + (2 * rank + 1) * cells.height() / 8;
        const int middle = cells.left() + cells.width() / 2;  // inside of a step that all ranks have
        std::set<int> found;
        for (int x = middle + 10; x < middle + 34; ++x) {
            found.insert(qGray(seen.pixel(x, y)));
        }
        return found.size();
    };
    EXPECT_EQ(shades(0), 1U);
    EXPECT_EQ(shades(2), 2U);
}

}  // namespace
}  // namespace rankscope::ui
