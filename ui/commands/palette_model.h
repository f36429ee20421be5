// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <vector>

#include "ui/commands/command_registry.h"

namespace rankscope::ui {

/// The commands that fit some typed letters: those used lately first while nothing is typed, else the best fits. What
/// cannot be done now is left out.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

  public:
    static constexpr int kIdRole = Qt::UserRole + 1;
    static constexpr int kGroupRole = Qt::UserRole + 2;
    static constexpr int kKeysRole = Qt::UserRole + 3;
    /// Places in the title of the letters that were typed: QList<int>.
    static constexpr int kMatchRole = Qt::UserRole + 4;

    explicit PaletteModel(const CommandRegistry& commands, QObject* parent = nullptr);

    void setLetters(const QString& letters);
    /// Ids of commands, the latest first.
    void setRecent(const QStringList& ids);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

  private:
    struct Row {
        const Command* command = nullptr;
        int score = 0;
        QList<int> match;
    };

    const CommandRegistry& commands_;
    QString letters_;
    QStringList recent_;
    std::vector<Row> rows_;
};

}  // namespace rankscope::ui
