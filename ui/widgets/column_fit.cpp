// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column_fit.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "ui/theme/text_scale.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

constexpr int kRowsRead = 200;
constexpr int kLettersMeasured = 200;  // of a text: longer ones fit nowhere
constexpr int kSpare = 2;              // pixels: text of exactly its own width may be cut
constexpr std::size_t kMeasured = 4;   // longest texts of a column: letters differ in width

int sumOf(const std::vector<int>& widths) {
    return std::accumulate(widths.begin(), widths.end(), 0);
}

/// Takes `more` pixels from `widths`, down to `floors`: from each in proportion to what it has to give.
void takeInProportion(std::vector<int>& widths, const std::vector<int>& floors, int more) {
    std::int64_t all = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        all += widths[i] - floors[i];
    }
    std::int64_t seen = 0;
    std::int64_t taken = 0;
    for (std::size_t i = 0; i < widths.size() && all > 0; ++i) {
        seen += widths[i] - floors[i];
        const std::int64_t until_here = std::min<std::int64_t>(more, all) * seen / all;
        widths[i] -= static_cast<int>(until_here - taken);
        taken = until_here;
    }
}

/// Takes `more` pixels from `widths`, down to `floors`: always from the widest.
void takeFromWidest(std::vector<int>& widths, const std::vector<int>& floors, int more) {
    const auto cut = [&](int level) {
        std::vector<int> lower = widths;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            lower[i] = std::min(lower[i], std::max(level, floors[i]));
        }
        return lower;
    };
    const int wanted = sumOf(widths) - more;
    int low = 0;
    int high = *std::ranges::max_element(widths);
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (sumOf(cut(middle)) <= wanted) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    widths = cut(low);
}

/// What is in some rows of a column.
struct Content {
    int width = 0;  // pixels of its widest text
    bool any = false;
    bool numbers = false;  // at the right edge
};

Content contentOf(const QTableView& table, int column) {
    const QAbstractItemModel& model = *table.model();
    std::vector<QString> texts;
    Content content;
    QFontMetrics metrics = table.fontMetrics();
    const int every = 1 + model.rowCount() / kRowsRead;
    for (int row = 0; row < model.rowCount(); row += every) {
        const QModelIndex at = model.index(row, column);
        texts.push_back(at.data().toString());
        content.any = content.any || !texts.back().isEmpty();
        if (row == 0) {
            const QVariant font = at.data(Qt::FontRole);
            metrics = font.isValid() ? QFontMetrics(font.value<QFont>()) : metrics;
            content.numbers = (at.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
        }
    }
    const std::size_t measured = std::min(kMeasured, texts.size());
    std::ranges::partial_sort(texts, texts.begin() + static_cast<std::ptrdiff_t>(measured), std::ranges::greater(),
                              &QString::size);
    for (std::size_t i = 0; i < measured; ++i) {
        content.width = std::max(content.width, metrics.horizontalAdvance(texts[i].left(kLettersMeasured)));
    }
    return content;
}

/// The width that a title needs; a style may count on less around it than there is around cells.
int titleWidth(const QTableView& table, int column) {
    const QHeaderView& titles = *table.horizontalHeader();
    const QString words = table.model()->headerData(column, Qt::Horizontal).toString();
    return std::max(titles.sectionSizeHint(column),
                    QFontMetrics(titles.font()).horizontalAdvance(words) + 2 * kCellPadding);
}

ColumnWidths widthsOf(const QTableView& table, int column, int preferred, int letters) {
    if (table.model()->rowCount() == 0) {
        return {preferred, preferred, preferred};
    }
    const Content content = contentOf(table, column);
    if (!content.any && table.itemDelegateForColumn(column) != nullptr) {
        return {preferred, preferred, preferred};  // it is drawn
    }
    const int title = titleWidth(table, column);
    const int needed = std::max(title, content.width + 2 * kCellPadding + kSpare);
    if (content.numbers) {
        return {std::max(preferred, needed), needed, needed};
    }
    const int cut = letters * table.fontMetrics().averageCharWidth() + 2 * kCellPadding;
    return {preferred, needed, std::max(title, std::min(needed, cut))};
}

std::vector<int> shownColumns(const QTableView& table) {
    const QHeaderView& titles = *table.horizontalHeader();
    titles.ensurePolished();
    std::vector<int> shown;
    for (int column = 0; column < titles.count(); ++column) {
        if (!titles.isSectionHidden(column)) {
            shown.push_back(column);
        }
    }
    return shown;
}

/// Fits these columns into the view, and returns the room that is left.
int setWidths(QTableView& table, const std::vector<int>& shown, const std::function<ColumnWidths(int)>& widths_of) {
    std::vector<ColumnWidths> columns;
    std::ranges::transform(shown, std::back_inserter(columns), widths_of);
    const int room = table.viewport()->width();
    const std::vector<int> widths = widthsIn(room, columns);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        table.setColumnWidth(shown[i], widths[i]);
    }
    return room - sumOf(widths);
}

}  // namespace

std::vector<int> widthsIn(int room, const std::vector<ColumnWidths>& columns) {
    std::vector<int> widths;
    std::vector<int> needed;
    std::vector<int> least;
    for (const ColumnWidths& column : columns) {
        widths.push_back(column.preferred);
        needed.push_back(std::min(column.preferred, column.needed));
        least.push_back(std::min(needed.back(), column.least));
    }
    if (const int more = sumOf(widths) - room; more > 0) {
        takeInProportion(widths, needed, more);
    }
    if (const int more = sumOf(widths) - room; more > 0) {
        takeFromWidest(widths, least, more);
    }
    return widths;
}

void shrinkColumns(QTableView& table) {
    const int room = table.viewport()->width();
    if (table.horizontalHeader()->length() > room && table.model()->rowCount() > 0) {
        setWidths(table, shownColumns(table), [&](int column) {
            return widthsOf(table, column, table.columnWidth(column), column == 0 ? kLeastOfName : kLeastOfText);
        });
    }
}

ColumnFit::ColumnFit(QTableView& table) : QObject(&table), table_(table) {
    table.horizontalHeader()->setStretchLastSection(false);
    table.viewport()->installEventFilter(this);
    connect(table.model(), &QAbstractItemModel::modelReset, this, &ColumnFit::fit);
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int before, int now) {
        const auto at = static_cast<std::size_t>(column);
        if (!fitting_ && before > 0 && now > 0 && at < preferred_.size()) {  // otherwise it was hidden or shown
            by_user_[at] = true;
            preferred_[at] = static_cast<int>(std::lround(now / grownBy(table_)));
        }
    });
}

void ColumnFit::setPreferred(std::vector<int> preferred, int rest, int letters) {
    preferred_ = std::move(preferred);
    by_user_.assign(preferred_.size(), false);
    rest_ = rest;
    letters_ = letters;
    fit();
}

void ColumnFit::setTheme(const Theme& theme) {
    const bool was = std::exchange(fitting_, true);
    growWithText(table_, theme);
    fitting_ = was;
    fit();
}

ColumnWidths ColumnFit::widthsOfColumn(int column) const {
    const auto at = static_cast<std::size_t>(column);
    const int preferred = static_cast<int>(std::lround(preferred_[at] * grownBy(table_)));
    if (by_user_[at]) {
        return {preferred, preferred, preferred};
    }
    return widthsOf(table_, column, std::max(preferred, table_.horizontalHeader()->sectionSizeHint(column)),
                    column == rest_ ? letters_ : kLeastOfText);
}

void ColumnFit::fit() {
    if (preferred_.size() != static_cast<std::size_t>(table_.horizontalHeader()->count())) {
        return;
    }
    const bool was = std::exchange(fitting_, true);
    const std::vector<int> shown = shownColumns(table_);
    const int left = setWidths(table_, shown, [this](int column) { return widthsOfColumn(column); });
    if (left > 0 && std::ranges::find(shown, rest_) != shown.end()) {
        table_.setColumnWidth(rest_, table_.columnWidth(rest_) + left);
    }
    fitting_ = was;
}

bool ColumnFit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        fit();
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace rankscope::ui
