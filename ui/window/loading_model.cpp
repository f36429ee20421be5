// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/loading_model.h"

#include <QFileInfo>
#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {

LoadingModel::LoadingModel(QObject* parent) : QAbstractTableModel(parent) {}

void LoadingModel::start(const Discovery& found) {
    beginResetModel();
    rows_.clear();
    for (std::size_t run = 0; run < found.runs.size(); ++run) {
        for (std::size_t file = 0; file < found.runs[run].files.size(); ++file) {
            const FileSource& source = found.runs[run].files[file];
            Row row;
            row.file = {run, file};
            row.name = text(source.label());
            row.progress.total = source.bytes;
            rows_.push_back(row);
        }
    }
    clock_.start();
    endResetModel();
    for (const Error& error : found.refused) {
        addFailure(error);
    }
}

void LoadingModel::clear() {
    beginResetModel();
    rows_.clear();
    endResetModel();
}

LoadingModel::Row* LoadingModel::find(const LoadingFile& file) {
    const auto at = std::ranges::find(rows_, file, &Row::file);
    return at == rows_.end() ? nullptr : &*at;
}

void LoadingModel::changed(const Row* row) {
    const auto at = static_cast<int>(row - rows_.data());
    Q_EMIT dataChanged(index(at, 0), index(at, kColumns - 1));
}

void LoadingModel::setProgress(const LoadingFile& file, const FileProgress& progress) {
    Row* row = find(file);
    if (row == nullptr || row->state == FileState::Failed) {
        return;
    }
    if (row->state == FileState::Waiting) {
        row->state = FileState::Reading;
        row->clock.start();
    }
    row->progress = progress;
    const qint64 elapsed_ns = row->clock.nsecsElapsed();
    row->rate = elapsed_ns > 0 ? static_cast<double>(progress.json_bytes) * 1e9 / static_cast<double>(elapsed_ns) : 0.0;
    changed(row);
}

void LoadingModel::setLoaded(const LoadingFile& file) {
    if (Row* row = find(file)) {
        row->state = FileState::Loaded;
        row->progress.done = row->progress.total;
        changed(row);
    }
}

void LoadingModel::setFailed(const LoadingFile& file, const Error& error) {
    if (Row* row = find(file)) {
        row->state = FileState::Failed;
        Error shown = error;
        shown.path.clear();  // the row has the name already
        row->problem = coreText(shown.text());
        changed(row);
    }
}

void LoadingModel::addFailure(const Error& error) {
    const auto at = static_cast<int>(rows_.size());
    beginInsertRows({}, at, at);
    Row row;
    row.file = {SIZE_MAX, rows_.size()};
    row.name = error.path.empty() ? tr("This run") : QFileInfo(text(error.path)).fileName();
    row.state = FileState::Failed;
    Error shown = error;
    shown.path.clear();
    row.problem = coreText(shown.text());
    rows_.push_back(row);
    endInsertRows();
}

void LoadingModel::keepFailures() {
    beginResetModel();
    std::erase_if(rows_, [](const Row& row) { return row.state != FileState::Failed; });
    endResetModel();
}

int LoadingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LoadingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int{kColumns};
}

QString LoadingModel::stateText(const Row& row) {
    switch (row.state) {
        case FileState::Waiting: return tr("waiting");
        case FileState::Reading: return tr("reading");
        case FileState::Loaded: return tr("loaded");
        case FileState::Failed: return row.problem;
    }
    return {};
}

QVariant LoadingModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == kStateRole) {
        return static_cast<int>(row.state);
    }
    if (role == kShareRole) {
        const auto total = static_cast<double>(std::max<std::uint64_t>(1, row.progress.total));
        return row.state == FileState::Loaded ? 1.0 : static_cast<double>(row.progress.done) / total;
    }
    if (role == Qt::ToolTipRole && index.column() == kState) {
        return row.problem.isEmpty() ? QVariant() : QVariant(plainTip(row.problem));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
        case kName: return row.name;
        case kRate: return row.rate > 0 && row.state != FileState::Failed ? text(formatBandwidth(row.rate)) : QString();
        case kState: return stateText(row);
        default: return {};
    }
}

int LoadingModel::count(FileState state) const {
    return static_cast<int>(std::ranges::count(rows_, state, &Row::state));
}

double LoadingModel::share() const {
    double done = 0.0;
    double total = 0.0;
    for (const Row& row : rows_) {
        if (row.state != FileState::Failed) {
            total += static_cast<double>(row.progress.total);
            done += static_cast<double>(row.progress.done);
        }
    }
    return total > 0.0 ? done / total : 0.0;
}

double LoadingModel::rate() const {
    std::uint64_t bytes = 0;
    for (const Row& row : rows_) {
        bytes += row.progress.json_bytes;
    }
    const qint64 elapsed_ns = clock_.isValid() ? clock_.nsecsElapsed() : 0;
    return elapsed_ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(elapsed_ns) : 0.0;
}

}  // namespace rankscope::ui
