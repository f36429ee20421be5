// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "ui/compare/compared_runs.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {

class CompareView;

/// A run to compare: one that is open, or paths that are to be opened for it.
using CompareSource = std::variant<std::shared_ptr<const Run>, QStringList>;
/// The recordings of a side.
using CompareSources = std::vector<CompareSource>;

/// Which two of the open runs are compared, and how it comes to that: what is not open yet is opened, and the
/// comparison begins as soon as both are read and analysed.
class Comparing : public QObject {
    Q_OBJECT

  public:
    Comparing(Session& session, CompareView& view, QObject* parent = nullptr);

    /// Indices in Session::runs(), by side, A first.
    using Indices = std::array<std::vector<std::size_t>, 2>;

    /// Compares the recordings of two sides, A first, as soon as all of them are read, or those that can be. A
    /// comparison that is asked for later takes the place of this one.
    void start(const CompareSources& a, const CompareSources& b);
    /// Compares runs that are open; does nothing where these are not different ones on both sides.
    void startOpen(const Indices& sides);
    /// Compares the two runs that are open; false where these are not two, with or without runs that are parts of
    /// others.
    bool startOnlyTwo();
    /// Adds the runs at these paths, opened for it, to a side of the comparison, as recordings of the same program.
    /// Does nothing while nothing is compared.
    void add(Side side, const QStringList& paths);
    /// A becomes B.
    void swap();
    /// Ends the comparison; the open runs are shown below each other again.
    void leave();

    /// Two runs are compared now.
    [[nodiscard]] bool active() const { return compared_.has_value(); }
    /// Which of the open runs are shown side by side, A first; of several recordings of a side one.
    [[nodiscard]] std::optional<std::array<std::size_t, 2>> runs() const;
    /// All recordings of both sides; both are empty while nothing is compared.
    [[nodiscard]] Indices recordings() const;
    /// The open run that the user is at; of compared runs only.
    [[nodiscard]] std::size_t currentRun() const;
    /// The view that shows the compared runs.
    [[nodiscard]] CompareView& view() const { return view_; }

  Q_SIGNALS:
    /// Comparing has begun or ended, or is about other runs.
    void changed();
    /// A run of the comparison has to be opened from these paths first.
    void openAsked(const QStringList& paths, rankscope::ui::OpenMode mode);
    /// Something else was opened while two runs are compared, so that it is not in sight: how it is called.
    void openedBehind(const QString& name);

  private:
    using Sources = std::array<CompareSources, 2>;
    using Recordings = std::vector<std::shared_ptr<const Run>>;

    void look();
    /// Begins with what is awaited, if it is there: all of it, or, with `some`, a recording of each side. Returns
    /// whether it has.
    bool beginWithAwaited(bool some);
    void begin(const Indices& sides);
    /// Takes what was added and is analysed by now into its side.
    void takeAdded();
    /// The recordings of a side that are open.
    [[nodiscard]] OpenRuns openOf(Side side) const;
    [[nodiscard]] Recordings& recordingsOf(Side side) { return (*compared_)[indexOf(side)]; }
    /// Says so where what has been opened is not of the comparison.
    void tellOpened(const QStringList& paths);
    /// The open run that a source is about and that is none of `except`; nothing while it is not there.
    [[nodiscard]] std::optional<std::size_t> find(const CompareSource& source,
                                                  const std::set<std::size_t>& except = {}) const;

    Session& session_;
    CompareView& view_;
    std::optional<Sources> awaited_;
    std::optional<std::array<Recordings, 2>> compared_;
    std::vector<std::pair<Side, QStringList>> added_;  // and not all read yet
    QStringList opened_;                               // while two runs are compared, until it is read
};

}  // namespace rankscope::ui
