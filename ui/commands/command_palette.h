// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPoint>
#include <QStringList>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace rankscope::ui {

class PaletteModel;
struct PaletteEntry;

/// Commands, or tracks, by name: a few letters find one, Enter chooses it. It closes when it is left.
class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    /// What is in the field while nothing is typed, and what a screen reader says.
    struct Words {
        QString hint;
        QString name;
        QString list;
        QString none;  ///< what is said where nothing has the letters that were typed
    };

    /// `recent`: ids of what was chosen lately, the latest first.
    CommandPalette(std::vector<PaletteEntry> entries, const QStringList& recent, const Words& words, QWidget* window);

    /// Shows it over the upper part of the window.
    void popUp();

  Q_SIGNALS:
    /// The user chose an entry, and it has closed.
    void chosen(const QString& id);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter(const QString& letters);
    void choose(const QModelIndex& index);

    PaletteModel* model_;
    QLineEdit* field_;
    QListView* list_;
    QLabel* none_;
    QPoint pointer_;  // where it was when it last chose a row, on the screen
};

}  // namespace rankscope::ui
