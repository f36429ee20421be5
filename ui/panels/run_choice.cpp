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

void offerRanks(QComboBox& box, const AnalysedRun* run) {
    QStringList names = {QObject::tr("All ranks")};
    const RankPosition ranks = run == nullptr ? RankPosition{0} : RankPosition(run->run->ranks.size());
    names.reserve(static_cast<qsizetype>(ranks) + 1);
    for (RankPosition rank{0}; rank < ranks; ++rank) {
        names.append(rankName(*run->run, rank));
    }
    const QString chosen = box.currentIndex() > 0 ? box.currentText() : QString();
    const QSignalBlocker quiet(box);
    box.clear();
    box.addItems(names);
    box.setCurrentIndex(chosen.isEmpty() ? 0 : std::max(0, static_cast<int>(names.indexOf(chosen))));
}

}  // namespace rankscope::ui
