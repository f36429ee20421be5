// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <array>
#include <memory>
#include <optional>
#include <variant>

#include "ui/window/session/session.h"

namespace rankscope::ui {

class CompareView;

/// A run to compare: an open one, or paths to open for it.
using CompareSource = std::variant<std::shared_ptr<const Run>, QStringList>;

/// The comparison of two of the open runs, and its preparation: opens what is not open yet, and starts comparing as
/// soon as both are read and analysed.
class Comparing : public QObject {
    Q_OBJECT

  public:
    Comparing(Session& session, CompareView& view, QObject* parent = nullptr);

    /// Compares two different runs, A first. A later request replaces this one.
    void start(const CompareSource& a, const CompareSource& b);
    /// Compares two open runs, by their indices in Session::runs(); does nothing if these are not two runs.
    void startOpen(std::size_t a, std::size_t b);
    /// Compares the two open runs; false if there are not exactly two, with or without runs that are parts of others.
    bool startOnlyTwo();
    /// Swaps A and B.
    void swap();
    /// Ends the comparison; the open runs are shown below each other again.
    void leave();

    /// Two runs are compared now.
    [[nodiscard]] bool active() const { return compared_.has_value(); }
    /// The compared open runs, as indices, A first.
    [[nodiscard]] std::optional<std::array<std::size_t, 2>> runs() const;
    /// Index of the current open run, among compared runs only.
    [[nodiscard]] std::size_t currentRun() const;
    /// The view that shows the compared runs.
    [[nodiscard]] CompareView& view() const { return view_; }

  Q_SIGNALS:
    /// A comparison has begun, ended or changed its runs.
    void changed();
    /// A run of the comparison must first be opened from these paths.
    void openAsked(const QStringList& paths, rankscope::ui::OpenMode mode);
    /// Something else was opened, but is not visible because two runs are compared: its name.
    void openedBehind(const QString& name);

  private:
    using Sources = std::array<CompareSource, 2>;

    void look();
    void begin(std::size_t a, std::size_t b);
    /// Emits openedBehind() if the opened paths do not belong to the comparison.
    void tellOpened(const QStringList& paths);
    /// The open run of a source that is not `except`; nothing while it is not there.
    [[nodiscard]] std::optional<std::size_t> find(const CompareSource& source, std::optional<std::size_t> except) const;

    Session& session_;
    CompareView& view_;
    std::optional<Sources> awaited_;
    std::optional<std::array<std::shared_ptr<const Run>, 2>> compared_;
    QStringList opened_;  // opened while two runs are compared, until it is read
};

}  // namespace rankscope::ui
