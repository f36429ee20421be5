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

/// Where the user changes the keys of commands. What is chosen holds at once; keys that are taken are not given away
/// without asking.
class KeysDialog : public QDialog {
    Q_OBJECT

  public:
    KeysDialog(CommandRegistry& commands, QWidget* parent);

  private:
    void layOut();
    void fill();
    void filter(const QString& letters);
    /// Selects the first command that the filter leaves in sight, or none: no keys go to a command that is not seen.
    void chooseFirstInSight();
    /// Shows the selected command below the table.
    void showCurrent();
    void tellHolder();
    void give();
    void reset(bool all);
    /// The title of the selected command; nullptr where none is selected, or it is hidden.
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
