// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <vector>

namespace rankscope::ui {

/// Something that can be chosen by its name.
struct PaletteEntry {
    QString id;     ///< unique
    QString group;  ///< typed letters may name it too
    QString title;
    QString keys;     ///< that do the same; empty for none
    QString alias{};  ///< another name, found as well as the title; empty for none
};

/// The entries that fit some typed letters: those used lately first while nothing is typed, else the best fits.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

  public:
    static constexpr int kIdRole = Qt::UserRole + 1;
    static constexpr int kGroupRole = Qt::UserRole + 2;
    static constexpr int kKeysRole = Qt::UserRole + 3;
    /// Places in the title of the letters that were typed: QList<int>.
    static constexpr int kMatchRole = Qt::UserRole + 4;

    explicit PaletteModel(std::vector<PaletteEntry> entries, QObject* parent = nullptr);

    /// Shows the entries that fit these letters, the best first; all of them where there are no letters.
    void setLetters(const QString& letters);
    /// Ids of entries, the latest first.
    void setRecent(const QStringList& ids);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

  private:
    struct Row {
        const PaletteEntry* entry = nullptr;
        int score = 0;
        QList<int> match;
        bool by_alias = false;  // that has the letters, or has them better
    };

    std::vector<PaletteEntry> entries_;
    QString letters_;
    QStringList recent_;
    std::vector<Row> rows_;
};

}  // namespace rankscope::ui
