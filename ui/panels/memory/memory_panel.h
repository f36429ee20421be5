// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "ui/panels/memory/memory_page.h"
#include "ui/panels/memory/open_snapshots.h"
#include "ui/panels/shared/page_panel.h"
#include "ui/timeline/selection/selection.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace rankscope::ui {

class MemoryTables;
class RichText;
class StackedBar;
class TurningSplitter;

/// What memory is used for: at the peak of a rank, or in a snapshot of the allocator. A bar of the parts and one of the
/// device, the parts with their shares next to the formula's values, what to do, and tables of who allocated it. A
/// thread makes the content once the panel is visible.
class MemoryPanel : public PagePanel {
    Q_OBJECT

  public:
    explicit MemoryPanel(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these runs and snapshots from now on; keeps the choice, as long as it exists.
    void setOpen(const OpenRuns& runs, const OpenSnapshots& snapshots);
    void setTheme(const Theme& theme) override;
    /// Shows a snapshot that is open.
    void showSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot);
    /// Shows the peak of a rank, on its first device.
    void showRank(std::uint32_t run, RankPosition rank);

    /// The text of the panel, as plain text.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] MemoryTables& tables() { return *tables_; }

  Q_SIGNALS:
    /// The user wants to see a slice on the timeline.
    void sliceActivated(const rankscope::ui::SliceSelection& slice);
    /// The user wants to see a stretch of a rank's time, on the clock of its file.
    void spanActivated(std::uint32_t run, rankscope::RankPosition rank, const rankscope::TimeSpan& span);
    /// The user wants to enter the size of the model.
    void jobAsked();
    /// The user wants to close a snapshot.
    void closeAsked(const std::shared_ptr<const rankscope::ui::OpenSnapshot>& snapshot);

  protected:
    void refresh() override;

  private:
    /// A choice: a device of a rank or of a snapshot. A snapshot comes after its rank.
    struct Source {
        RankOfRun rank;
        bool has_rank = false;
        std::size_t device = 0;  ///< in MemoryFacts::ranks[rank], or in SnapshotFacts::devices
        std::shared_ptr<const OpenSnapshot> snapshot;
        friend bool operator==(const Source&, const Source&) = default;
    };

    void layOut();
    void offer();
    void addRank(RankOfRun rank);
    void addSnapshot(const std::shared_ptr<const OpenSnapshot>& snapshot, const std::optional<RankOfRun>& rank);
    [[nodiscard]] QString nameOf(const Source& source) const;
    /// The fullest rank, for use if the user has chosen nothing.
    [[nodiscard]] int fullest() const;
    void choose(const Source& source);
    void start(const Source& source);
    void showPage(std::shared_ptr<const MemoryPage> page);
    void tellNothing(const QString& why);
    /// Says why nothing that is open has memory facts.
    void tellNoMemory();
    void write(const QStringList& frames);
    void activate(const MemoryTarget& target);

    OpenRuns runs_;
    OpenSnapshots snapshots_;
    std::vector<Source> sources_;
    Source chosen_;
    bool has_chosen_ = false;  // the user has chosen
    std::shared_ptr<const MemoryPage> page_;
    Source shown_;  // the source of page_
    QLabel* title_;
    QComboBox* source_;
    QPushButton* close_;
    StackedBar* parts_;
    StackedBar* limit_;
    RichText* body_;
    MemoryTables* tables_;
    TurningSplitter* split_;
};

}  // namespace rankscope::ui
