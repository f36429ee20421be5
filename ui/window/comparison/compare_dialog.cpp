// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/comparison/compare_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panels/memory/open_snapshots.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/rows/row_text.h"
#include "ui/window/opening/recent_paths.h"
#include "ui/window/opening/trace_dialogs.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

constexpr int kBoxWidth = 340;

/// Whether these paths are the files of a run, or the folder that contains all of them.
bool isOf(const QStringList& paths, const Run& run) {
    QStringList files = tracePaths(run);
    QStringList named = paths;
    files.sort();
    named.sort();
    const auto lies_there = [&paths](const QString& file) { return QFileInfo(file).absolutePath() == paths.front(); };
    return named == files || (paths.size() == 1 && !files.isEmpty() && std::ranges::all_of(files, lies_there));
}

}  // namespace

CompareDialog::CompareDialog(const OpenRuns& runs, const QList<QStringList>& recent, QSettings& settings,
                             QWidget* parent)
    : QDialog(parent), settings_(settings), compare_(new QPushButton(tr("Compare"))) {
    setWindowTitle(tr("Compare two runs"));
    auto* about = plainLabel(tr("What changed from A, the baseline, to B? Where? Is it more than noise?"));
    about->setProperty("role", QStringLiteral("dim"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(10);
    addRow(*grid, Side::A, tr("A, the baseline"));
    addRow(*grid, Side::B, tr("B, the new run"));
    for (const auto& run : runs) {
        sources_.emplace_back(run->run);
        const QString folders = foldersOf(*run->run).join(QLatin1Char('\n'));
        for (QComboBox* each : boxes_) {
            each->addItem(tr("%1 (open)").arg(text(run->run->name)));
            each->setItemData(each->count() - 1, plainTip(folders), Qt::ToolTipRole);
        }
    }
    for (const QStringList& paths : recent) {
        if (std::ranges::any_of(runs, [&paths](const auto& run) { return isOf(paths, *run->run); })) {
            continue;  // it is listed above as an open one, and would be compared with itself
        }
        if (RecentPaths::isOfSeveralRuns(paths) || kindOfFewFiles(paths)) {
            continue;  // it is not a single run
        }
        sources_.emplace_back(paths);
        for (QComboBox* each : boxes_) {
            each->addItem(RecentPaths::title(paths));
            each->setItemData(each->count() - 1, plainTip(paths.join(QLatin1Char('\n'))), Qt::ToolTipRole);
        }
    }
    box(Side::A).setCurrentIndex(sources_.empty() ? -1 : 0);
    box(Side::B).setCurrentIndex(sources_.size() < 2 ? -1 : 1);
    compare_->setProperty("role", QStringLiteral("primary"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(compare_, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(14);
    layout->addWidget(about);
    layout->addLayout(grid);
    layout->addWidget(buttons);
    compare_->setDefault(true);  // now that the dialog contains it: otherwise it would take the first button
    for (QComboBox* each : boxes_) {
        connect(each, &QComboBox::currentIndexChanged, this, &CompareDialog::check);
    }
    check();
}

void CompareDialog::addRow(QGridLayout& grid, Side side, const QString& words) {
    const int row = static_cast<int>(side);
    auto* label = plainLabel(words);
    auto* choice = new QComboBox;
    choice->setAccessibleName(words);
    choice->setMinimumWidth(kBoxWidth);
    choice->setPlaceholderText(tr("Choose a run"));
    label->setBuddy(choice);
    boxes_[static_cast<std::size_t>(side)] = choice;
    auto* folder = new QPushButton(tr("Folder..."));
    auto* files = new QPushButton(tr("Files..."));
    folder->setAutoDefault(false);
    files->setAutoDefault(false);
    connect(folder, &QPushButton::clicked, this, [this, side] {
        const QString path = askForTraceFolder(this, settings_, tr("Compare a folder of traces"));
        choose(side, path.isEmpty() ? QStringList() : QStringList{path});
    });
    connect(files, &QPushButton::clicked, this,
            [this, side] { choose(side, askForTraceFiles(this, settings_, tr("Compare trace files of one run"))); });
    grid.addWidget(label, row, 0);
    grid.addWidget(choice, row, 1);
    grid.addWidget(folder, row, 2);
    grid.addWidget(files, row, 3);
}

void CompareDialog::choose(Side side, const QStringList& paths) {
    if (paths.isEmpty()) {
        return;
    }
    sources_.emplace_back(paths);
    for (QComboBox* each : boxes_) {
        each->addItem(RecentPaths::title(paths));
        each->setItemData(each->count() - 1, plainTip(paths.join(QLatin1Char('\n'))), Qt::ToolTipRole);
    }
    box(side).setCurrentIndex(box(side).count() - 1);
}

CompareSource CompareDialog::sourceOf(Side side) const {
    const int at = box(side).currentIndex();
    return at < 0 ? CompareSource(QStringList()) : sources_[static_cast<std::size_t>(at)];
}

std::array<CompareSource, 2> CompareDialog::chosen() const {
    return {sourceOf(Side::A), sourceOf(Side::B)};
}

void CompareDialog::check() {
    const int a = box(Side::A).currentIndex();
    const int b = box(Side::B).currentIndex();
    compare_->setEnabled(a >= 0 && b >= 0 && a != b);
}

}  // namespace rankscope::ui
