// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/diagnosis/frame/analysed_run.h"
#include "ui/theme/theme.h"

class QComboBox;
class QPushButton;
class QTableWidget;
class QTextBrowser;

namespace rankscope::ui {

/// The process groups of a run: the role of each, the evidence and the confidence, its ranks, and its exposed
/// communication. The user can set the role of a group, and open its collectives.
class GroupsView : public QWidget {
    Q_OBJECT

  public:
    explicit GroupsView(const Theme& theme, QWidget* parent = nullptr);

    /// Draws with other colours and fonts from now on.
    void setTheme(const Theme& theme);

    /// Lists the groups of this run; keeps the chosen group, by its label. nullptr: none.
    void setRun(std::shared_ptr<const AnalysedRun> run);
    /// The run whose groups are listed, or nullptr.
    [[nodiscard]] const std::shared_ptr<const AnalysedRun>& run() const { return run_; }
    /// The group that is chosen, as an index in ParallelismFacts::groups.
    [[nodiscard]] std::optional<std::size_t> chosen() const;
    /// The table, for tests.
    [[nodiscard]] const QTableWidget& table() const { return *table_; }

  Q_SIGNALS:
    /// The choice of the group has changed, possibly to none.
    void groupChosen(std::optional<std::size_t> group);
    /// The user sets what all groups of this name are for; nothing: the role that was found applies.
    void roleChosen(const QString& group, std::optional<rankscope::Role> role);
    /// The user wants to see the collectives of a group of CollectiveFacts.
    void collectivesAsked(std::uint32_t group);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fill();
    void shareWidth();
    void showChosen();
    [[nodiscard]] const GroupRole* group() const;

    std::shared_ptr<const AnalysedRun> run_;
    QTableWidget* table_;
    QTextBrowser* evidence_;
    QComboBox* role_;
    QPushButton* collectives_;
};

}  // namespace rankscope::ui
