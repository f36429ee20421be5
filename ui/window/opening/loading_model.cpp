// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/loading_model.h"

#include <QFileInfo>
#include <algorithm>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {

LoadingModel::LoadingModel(QObject* parent) : QAbstractTableModel(parent) {}

void LoadingModel::start(const Discovery& found, bool goes_on) {
    if (goes_on) {
        keepFailures();
    } else {
        clear();
    }
    beginResetModel();
    for (std::size_t run = 0; run < found.runs.size(); ++run) {
        first_of_run_.push_back(rows_.size());
        for (std::size_t file = 0; file < found.runs[run].files.size(); ++file) {
            const FileSource& source = found.runs[run].files[file];
            Row row;
            row.file = {run, file};
            row.name = text(source.label());
            row.progress.total = source.bytes;
            add(std::move(row));
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
    removeAll();
    endResetModel();
}

void LoadingModel::removeAll() {
    rows_.clear();
    first_of_run_.clear();
    sums_ = {};
}

LoadingModel::Row* LoadingModel::find(const LoadingFile& file) {
    const std::size_t at = file.run < first_of_run_.size() ? first_of_run_[file.run] + file.file : rows_.size();
    return at < rows_.size() && rows_[at].file == file ? &rows_[at] : nullptr;
}

void LoadingModel::add(Row row) {
    count(row, 1);
    rows_.push_back(std::move(row));
}

void LoadingModel::count(const Row& row, int sign) {
    const auto count_bytes = [sign](std::uint64_t& sum, std::uint64_t bytes) { sum += sign > 0 ? bytes : 0 - bytes; };
    sums_.files.at(static_cast<std::size_t>(row.state)) += sign;
    count_bytes(sums_.json_bytes, row.progress.json_bytes);
    if (row.state != FileState::Failed) {
        count_bytes(sums_.done, row.progress.done);
        count_bytes(sums_.total, row.progress.total);
    }
}

void LoadingModel::change(Row& row, const std::function<void(Row&)>& how) {
    count(row, -1);
    how(row);
    count(row, 1);
    const auto at = static_cast<int>(&row - rows_.data());
    Q_EMIT dataChanged(index(at, 0), index(at, kColumns - 1));
}

void LoadingModel::setProgress(const LoadingFile& file, const FileProgress& progress) {
    Row* row = find(file);
    if (row == nullptr || row->state == FileState::Failed) {
        return;
    }
    change(*row, [&progress](Row& of) {
        of.progress = progress;
        if (of.state == FileState::Waiting) {
            of.state = FileState::Reading;
            of.clock.start();
            return;  // the start is not reported, and for a digest this is the only report
        }
        const qint64 elapsed_ns = of.clock.nsecsElapsed();
        of.rate =
            elapsed_ns > 0 ? static_cast<double>(progress.json_bytes) * 1e9 / static_cast<double>(elapsed_ns) : 0.0;
    });
}

void LoadingModel::setLoaded(const LoadingFile& file) {
    if (Row* row = find(file)) {
        change(*row, [](Row& of) {
            of.state = FileState::Loaded;
            of.progress.done = of.progress.total;
        });
    }
}

void LoadingModel::setFailed(const LoadingFile& file, const Error& error) {
    if (Row* row = find(file)) {
        change(*row, [&error](Row& of) {
            of.state = FileState::Failed;
            Error shown = error;
            shown.path.clear();  // the row already has the name
            of.problem = coreText(shown.text());
        });
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
    add(std::move(row));
    endInsertRows();
}

void LoadingModel::addFailedRank(const LoadingFile& file, const Error& error) {
    const Row* of = find(file);
    Error named = error;
    named.path = of != nullptr ? of->name.toStdString() : error.path;
    addFailure(named);
}

void LoadingModel::keepFailures() {
    beginResetModel();
    std::vector<Row> rows = std::move(rows_);
    removeAll();
    for (Row& row : rows) {
        if (row.state == FileState::Failed) {
            add(std::move(row));
        }
    }
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

double LoadingModel::share() const {
    return sums_.total > 0 ? static_cast<double>(sums_.done) / static_cast<double>(sums_.total) : 0.0;
}

double LoadingModel::rate() const {
    const qint64 elapsed_ns = clock_.isValid() ? clock_.nsecsElapsed() : 0;
    return elapsed_ns > 0 ? static_cast<double>(sums_.json_bytes) * 1e9 / static_cast<double>(elapsed_ns) : 0.0;
}

}  // namespace rankscope::ui
