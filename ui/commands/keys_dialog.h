// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace rankscope::ui {

class CommandRegistry;
class KeyField;

/// The dialog in which the user changes the keys of commands. A choice takes effect at once; keys that are in use are
/// not reassigned without asking.
class KeysDialog : public QDialog {
    Q_OBJECT

  public:
    KeysDialog(CommandRegistry& commands, QWidget* parent);

  private:
    void layOut();
    void fill();
    void filter(const QString& letters);
    /// Selects the first command that the filter shows, or none: a hidden command must not get keys.
    void chooseFirstInSight();
    /// Shows the selected command below the table.
    void showCurrent();
    void tellHolder();
    void give();
    void reset(bool all);
    /// The title of the selected command; nullptr if none is selected, or if it is hidden.
    [[nodiscard]] const QTableWidgetItem* currentInSight() const;
    [[nodiscard]] QString currentId() const;

    CommandRegistry& commands_;
    QTableWidget* table_;
    QLabel* title_;
    KeyField* edit_;
    QPushButton* set_;
    QPushButton* reset_;
    QPushButton* reset_all_;
    QLabel* message_;
};

}  // namespace rankscope::ui
