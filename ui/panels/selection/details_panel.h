// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>

#include "ui/panels/selection/slice_reader.h"
#include "ui/panels/shared/collective_indices.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/theme/theme.h"
#include "ui/timeline/selection/selection.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace rankscope::ui {

class RichText;

/// Everything about the selected slice: the model's facts, and its args unchanged from the file.
class DetailsPanel : public QWidget {
    Q_OBJECT

  public:
    /// `indices` may be shared with the timelines that show the same runs; nullptr: it has its own.
    explicit DetailsPanel(const Theme& theme, std::shared_ptr<IndexStore> indices = nullptr, QWidget* parent = nullptr);

    /// Shows these runs from now on; the slice stays, if its rank is still the same.
    void setRuns(const OpenRuns& runs);
    /// Finds the traces of digests by these folders from now on, also that of the shown slice.
    void setPathMap(const PathMap& map);
    /// Draws the panel in the colours of this theme from now on.
    void setTheme(const Theme& theme);
    /// Shows a slice, and reads its event back from its file on a thread; argsShown() follows.
    void showSlice(const SliceSelection& slice);
    /// Shows words about something other than a slice: its name, then lines. Empty: as clear().
    void showWords(const QStringList& words);
    /// Shows that nothing is selected.
    void clear();

    /// The facts as plain text.
    [[nodiscard]] QString factsText() const;
    /// The args as shown: one "key<tab>value" per line.
    [[nodiscard]] QString argsText() const;

  Q_SIGNALS:
    /// The user has followed a link to this slice.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    /// The args of the slice have been read, or could not be.
    void argsShown();

  private:
    void refresh();
    void showReading(const SliceReading& reading);
    void fillArgs(const std::string& event);

    Theme theme_;
    OpenRuns runs_;
    QStringList words_;  // text about a selection that is not a slice
    std::optional<SliceSelection> slice_;
    std::shared_ptr<const RankTrace> rank_;  // rank of slice_: if another run replaces it, the panel is cleared
    std::optional<DurationNs> self_ns_;
    std::string event_;
    CollectiveIndices collectives_;
    SliceReader reader_;
    RichText* facts_;
    QLabel* args_state_;
    QTableWidget* args_;
    QPushButton* copy_;
};

}  // namespace rankscope::ui
