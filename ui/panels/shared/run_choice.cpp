// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/run_choice.h"

#include <QAbstractListModel>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <algorithm>
#include <optional>
#include <utility>

#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

constexpr int kTypedFrom = 64;  // from this number on, a rank is typed by number rather than chosen from a list
constexpr int kVisible = 20;
constexpr int kWidth = 10;  // letters: "rank 10239"

/// "All ranks", then the ranks of a run. Names are created when they are requested.
class RankNames : public QAbstractListModel {
  public:
    explicit RankNames(QObject* parent) : QAbstractListModel(parent) {}

    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    void setRun(std::shared_ptr<const Run> run) {
        beginResetModel();
        run_ = std::move(run);
        endResetModel();
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent) const override {
        return parent.isValid() ? 0 : 1 + (run_ ? static_cast<int>(run_->ranks.size()) : 0);
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) {
            return {};
        }
        return index.row() == 0 ? QObject::tr("All ranks")
                                : rankName(*run_, RankPosition(static_cast<std::size_t>(index.row() - 1)));
    }

    /// The row of the rank that was in `row` of `before`; the row of all ranks if it no longer exists.
    [[nodiscard]] int rowOf(const std::shared_ptr<const Run>& before, int row) const {
        if (row <= 0 || !before || !run_ || static_cast<std::size_t>(row) > before->ranks.size()) {
            return 0;
        }
        const auto& number = before->ranks[static_cast<std::size_t>(row - 1)]->rank;
        return number ? rowOf(*number) : row <= static_cast<int>(run_->ranks.size()) ? row : 0;
    }
    [[nodiscard]] int rowOf(RankNumber number) const {
        const auto at = std::ranges::find_if(run_->ranks, [&](const auto& rank) { return rank->rank == number; });
        return at == run_->ranks.end() ? 0 : static_cast<int>(at - run_->ranks.begin()) + 1;
    }
    /// The row for a typed text, by the number in it; nothing if there is no such rank.
    [[nodiscard]] std::optional<int> rowNamed(const QString& typed) const {
        static const QRegularExpression digits(QStringLiteral("\\d+"));
        const QRegularExpressionMatch match = digits.match(typed);
        if (!match.hasMatch()) {
            return data(index(0), Qt::DisplayRole).toString().startsWith(typed.trimmed(), Qt::CaseInsensitive)
                       ? std::optional(0)
                       : std::nullopt;
        }
        bool whole = false;
        const int number = match.captured().toInt(&whole);
        const int row = whole && run_ ? rowOf(RankNumber(number)) : 0;
        return row > 0 ? std::optional(row) : std::nullopt;
    }

  private:
    std::shared_ptr<const Run> run_;
};

/// Typing a number chooses that rank, with Enter or when the box loses the focus.
void letTypeRanks(QComboBox& box, const RankNames& names) {
    box.setEditable(true);
    box.setInsertPolicy(QComboBox::NoInsert);
    box.setCompleter(nullptr);  // it would search all names at each key press
    box.lineEdit()->setPlaceholderText(QObject::tr("Rank number"));
    QObject::connect(box.lineEdit(), &QLineEdit::editingFinished, &box, [&box, &names] {
        const int row = names.rowNamed(box.currentText()).value_or(box.currentIndex());
        box.setCurrentIndex(row);
        box.setEditText(box.itemText(row));
    });
}

}  // namespace

void offerRuns(QComboBox& box, const OpenRuns& runs) {
    const int before = box.currentIndex();
    const QSignalBlocker quiet(box);
    // Usually they are the same, with some more ranks.
    while (box.count() > static_cast<int>(runs.size())) {
        box.removeItem(box.count() - 1);
    }
    for (int i = 0; i < static_cast<int>(runs.size()); ++i) {
        const QString name = text(runs[static_cast<std::size_t>(i)]->run->name);
        if (i == box.count()) {
            box.addItem(name);
        } else if (box.itemText(i) != name) {
            box.setItemText(i, name);
        }
    }
    box.setCurrentIndex(std::clamp(before, 0, std::max(0, box.count() - 1)));
    box.setVisible(runs.size() > 1);
}

void offerRanks(QComboBox& box, const AnalysedRun* run) {
    const QSignalBlocker quiet(box);
    auto* names = dynamic_cast<RankNames*>(box.model());
    if (names == nullptr) {
        names = new RankNames(&box);
        box.setModel(names);  // deletes the empty model that it had
        // Wide enough for all names: measuring each of thousands would take too long for an event.
        box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box.setMinimumContentsLength(kWidth);
        box.setMaxVisibleItems(kVisible);
        if (auto* list = qobject_cast<QListView*>(box.view())) {
            list->setUniformItemSizes(true);
            list->setLayoutMode(QListView::Batched);
        }
    }
    const int chosen = box.currentIndex();
    const std::shared_ptr<const Run> before = names->run();
    names->setRun(run == nullptr ? nullptr : run->run);
    const bool many = names->rowCount({}) > kTypedFrom;
    if (many != box.isEditable()) {
        many ? letTypeRanks(box, *names) : box.setEditable(false);
    }
    box.setCurrentIndex(names->rowOf(before, chosen));
}

std::uint32_t chosenRun(const QComboBox& box) {
    return static_cast<std::uint32_t>(std::max(0, box.currentIndex()));
}

std::optional<RankPosition> chosenRank(const QComboBox& box) {
    const int at = box.currentIndex();
    return at > 0 ? std::optional(RankPosition(at - 1)) : std::nullopt;
}

}  // namespace rankscope::ui
