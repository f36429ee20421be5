// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/run_choice.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/panels/words.h"

namespace rankscope::ui {

void offerRuns(QComboBox& box, const OpenRuns& runs) {
    const int before = box.currentIndex();
    const QSignalBlocker quiet(box);
    box.clear();
    for (const auto& run : runs) {
        box.addItem(text(run->run->name));
    }
    box.setCurrentIndex(std::clamp(before, 0, std::max(0, box.count() - 1)));
    box.setVisible(runs.size() > 1);
}

}  // namespace rankscope::ui
