// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of questions does with an answer: follows its cells, marks its places, copies and saves it.
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>

#include "core/base/write_file.h"
#include "ui/panels/query/answer_table.h"
#include "ui/panels/query/answer_uses.h"
#include "ui/panels/query/query_panel.h"
#include "ui/panels/shared/words.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {

void QueryPanel::follow(const CellTarget& target) {
    if (const auto* slice = std::get_if<SliceSelection>(&target)) {
        Q_EMIT sliceActivated(*slice);
    } else if (const auto* rank = std::get_if<RankPlace>(&target)) {
        Q_EMIT rankActivated(rank->run, rank->rank);
    } else if (const auto* step = std::get_if<RankStepPlace>(&target)) {
        Q_EMIT stepActivated(step->of.run, step->of.rank, step->step);
    }
}

void QueryPanel::setMarked(bool marked) {
    Q_EMIT marksAsked(marked ? asked_.marks : nullptr);
}

void QueryPanel::copy() {
    if (asked_.answer == nullptr) {
        return;
    }
    copying_.start([answer = asked_.answer, rows = table_->selectedRows()](const std::stop_token&) -> LatestJob::Show {
        return [words = text(textOf(*answer, TextForm::Clipboard, rows))] {
            QGuiApplication::clipboard()->setText(words);
        };
    });
}

void QueryPanel::save() {
    const QString title = tr("Save the answer");
    const std::shared_ptr<const Answer> answer = asked_.answer;  // another one may come while the dialog is open
    const std::optional<QString> path = askForCsv(*table_, title);
    if (!path || answer == nullptr) {
        return;
    }
    save_->setEnabled(false);  // another request would replace this one
    saving_.start([this, answer, title, path](const std::stop_token&) -> LatestJob::Show {
        return [this, title, path, error = writeFileAtomically(path->toStdString(), textOf(*answer, TextForm::Csv))] {
            save_->setEnabled(true);
            tellSaved(*table_, title, *path, error);
        };
    });
}

}  // namespace rankscope::ui
