// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <array>
#include <vector>

#include "ui/compare/compared_runs.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/window/comparison/comparing.h"

class QComboBox;
class QGridLayout;
class QPushButton;
class QSettings;

namespace rankscope::ui {

/// Asks which two runs to compare: open ones, recently opened ones, or any files and folders.
class CompareDialog : public QDialog {
    Q_OBJECT

  public:
    CompareDialog(const OpenRuns& runs, const QList<QStringList>& recent, QSettings& settings,
                  QWidget* parent = nullptr);

    /// The choices for A and B.
    [[nodiscard]] std::array<CompareSource, 2> chosen() const;
    /// Adds paths to a side, and chooses them.
    void choose(Side side, const QStringList& paths);

  private:
    void addRow(QGridLayout& grid, Side side, const QString& words);
    void check();
    [[nodiscard]] CompareSource sourceOf(Side side) const;
    [[nodiscard]] QComboBox& box(Side side) const { return *boxes_[static_cast<std::size_t>(side)]; }

    QSettings& settings_;
    std::vector<CompareSource> sources_;  // as the entries of both boxes
    std::array<QComboBox*, 2> boxes_{};
    QPushButton* compare_;
};

}  // namespace rankscope::ui
