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

/// Finds commands or tracks by name: a few letters find one, Enter chooses it. It closes when it loses the focus.
class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    /// The text in the empty field, and the text for screen readers.
    struct Words {
        QString hint;
        QString name;
        QString list;
        QString none;  ///< the text if nothing matches the typed letters
    };

    /// `recent`: ids of the last choices, the latest first.
    CommandPalette(std::vector<PaletteEntry> entries, const QStringList& recent, const Words& words, QWidget* window);

    /// Shows it over the upper part of the window.
    void popUp();

  Q_SIGNALS:
    /// The user chose an entry, and it has closed.
    void chosen(const QString& id);
    /// The user pressed Enter on a text that no entry matches.
    void entered(const QString& text);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter(const QString& letters);
    void choose(const QModelIndex& index);

    PaletteModel* model_;
    QLineEdit* field_;
    QListView* list_;
    QLabel* none_;
    QPoint pointer_;  // its screen position when it last chose a row
};

}  // namespace rankscope::ui
