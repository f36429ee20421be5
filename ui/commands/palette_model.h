// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <vector>

namespace rankscope::ui {

/// Something that can be chosen by its name.
struct PaletteEntry {
    QString id;     ///< unique
    QString group;  ///< typed letters may match it too
    QString title;
    QString keys;     ///< keys that do the same; empty for none
    QString alias{};  ///< another name, found like the title; empty for none
};

/// The entries that match the typed letters, the best first; before anything is typed, recently used ones first.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT

  public:
    static constexpr int kIdRole = Qt::UserRole + 1;
    static constexpr int kGroupRole = Qt::UserRole + 2;
    static constexpr int kKeysRole = Qt::UserRole + 3;
    /// Positions in the title of the typed letters: QList<int>.
    static constexpr int kMatchRole = Qt::UserRole + 4;

    explicit PaletteModel(std::vector<PaletteEntry> entries, QObject* parent = nullptr);

    /// Shows the entries that match these letters, the best first; all entries if there are no letters.
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
        bool by_alias = false;  // the alias contains the letters, or matches better
    };

    std::vector<PaletteEntry> entries_;
    QString letters_;
    QStringList recent_;
    std::vector<Row> rows_;
};

}  // namespace rankscope::ui
