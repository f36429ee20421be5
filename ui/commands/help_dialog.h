// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "ui/commands/command_registry.h"

class QLabel;

namespace rankscope::ui {

/// A key in the help, with the section that it is in.
struct HelpLine {
    QWidget* section = nullptr;
    QLabel* keys = nullptr;
    QLabel* what = nullptr;
};

/// The keys in groups, in the given order, under a field that filters them.
class HelpDialog : public QDialog {
    Q_OBJECT

  public:
    HelpDialog(const std::vector<KeyHint>& keys, QWidget* parent);

    /// Shows only the lines that contain `words` in their keys or in their descriptions, case-insensitive; empty: all.
    void filter(const QString& words);

  private:
    std::vector<HelpLine> lines_;
};

}  // namespace rankscope::ui
