// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QString>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ui/window/opening/run_loader.h"

namespace rankscope::ui {

/// The state of a file of a load.
enum class FileState : std::uint8_t { Waiting, Reading, Loaded, Failed };
inline constexpr std::size_t kFileStates = 4;

/// The files of a load, one per row: the progress of each, its speed, and its errors.
class LoadingModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { kName, kProgress, kRate, kState, kColumns };
    /// The progress of a row, 0 to 1, in the progress column.
    static constexpr int kShareRole = Qt::UserRole + 1;
    /// The row's FileState as an int.
    static constexpr int kStateRole = Qt::UserRole + 2;

    explicit LoadingModel(QObject* parent = nullptr);

    /// Makes a row for each file that was found, all waiting, and a failed one for each path that was refused. A load
    /// that `goes_on` adds them after the rows that failed before.
    void start(const Discovery& found, bool goes_on = false);
    /// Removes all rows.
    void clear();
    /// A file is being read, with its progress; ignores unknown files and those that have failed.
    void setProgress(const LoadingFile& file, const FileProgress& progress);
    /// A file has been read to its end.
    void setLoaded(const LoadingFile& file);
    /// A file cannot be read; its row shows why.
    void setFailed(const LoadingFile& file, const Error& error);
    /// A rank of a file is damaged: its own row shows why, and the file's row continues.
    void addFailedRank(const LoadingFile& file, const Error& error);
    /// A row for a path that was refused, or a run that failed as a whole.
    void addFailure(const Error& error);
    /// Removes all rows except the failed ones.
    void keepFailures();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    // Each of hundreds of files reports its progress many times: these have a constant cost for any number of files.

    /// The number of files in that state.
    [[nodiscard]] int count(FileState state) const { return sums_.files.at(static_cast<std::size_t>(state)); }
    /// All files together, 0 to 1.
    [[nodiscard]] double share() const;
    /// JSON bytes per second of all files together since start(); 0 while unknown.
    [[nodiscard]] double rate() const;

  private:
    struct Row {
        LoadingFile file;
        QString name;
        FileState state = FileState::Waiting;
        FileProgress progress;
        QElapsedTimer clock;
        double rate = 0.0;  // JSON bytes per second
        QString problem;
    };

    /// Over all rows.
    struct Sums {
        std::array<int, kFileStates> files{};  // by state
        std::uint64_t done = 0;                // bytes of those that have not failed
        std::uint64_t total = 0;
        std::uint64_t json_bytes = 0;
    };

    [[nodiscard]] Row* find(const LoadingFile& file);
    void add(Row row);
    /// Changes a row, and updates the sums.
    void change(Row& row, const std::function<void(Row&)>& how);
    void count(const Row& row, int sign);
    void removeAll();
    [[nodiscard]] static QString stateText(const Row& row);

    std::vector<Row> rows_;
    std::vector<std::size_t> first_of_run_;  // index in rows_; the files of a run are consecutive
    Sums sums_;
    QElapsedTimer clock_;
};

}  // namespace rankscope::ui
