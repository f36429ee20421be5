// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QLineEdit;
class QListView;

namespace rankscope::ui {

class CommandRegistry;
class PaletteModel;

/// All commands by name: a few letters find one, Enter does it. It closes when it is left.
class CommandPalette : public QFrame {
    Q_OBJECT

  public:
    /// `recent`: ids of what was done lately, the latest first.
    CommandPalette(const CommandRegistry& commands, const QStringList& recent, QWidget* window);

    /// Shows it over the upper part of the window.
    void popUp();

  Q_SIGNALS:
    /// The user chose a command. It closes, and then does it.
    void chosen(const QString& id);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter(const QString& letters);
    void choose(const QModelIndex& index);

    const CommandRegistry& commands_;
    PaletteModel* model_;
    QLineEdit* field_;
    QListView* list_;
};

}  // namespace rankscope::ui
