// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/answer_table.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/panels/query/answer_model.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

constexpr int kAroundCell = 2 * kCellPadding + 4;
constexpr int kWidestName = 320;  // pixels at the usual text size
constexpr int kNarrowest = 56;    // pixels

}  // namespace

AnswerTable::AnswerTable(const Theme& theme, QWidget* parent)
    : QTableView(parent), model_(new AnswerModel(theme, this)) {
    setModel(model_);
    setAccessibleName(tr("Rows of the answer"));
    dressTable(*this);
    for (QAction* action : actions()) {  // they would write all rows at once, on this thread
        removeAction(action);
        delete action;
    }
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setMouseTracking(true);
    growWithText(*this, theme);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& at) {
        const bool is_click = std::exchange(pressed_at_, std::nullopt).has_value();
        if (const CellTarget target = model_->targetOf(at); is_click && target.index() != 0) {
            Q_EMIT followed(target);
        }
    });
}

void AnswerTable::setAnswer(const std::shared_ptr<const Answer>& answer) {
    model_->set(answer);
    scrollToTop();
    fitColumns();
    if (model_->rowCount() > 0) {
        setCurrentIndex(model_->index(0, 0));
        clearSelection();
    }
}

void AnswerTable::setTheme(const Theme& theme) {
    model_->setTheme(theme);
    growWithText(*this, theme);
}

void AnswerTable::fitColumns() {
    const int widest = static_cast<int>(kWidestName * grownBy(*this));
    horizontalHeader()->setStretchLastSection(false);
    for (int column = 0; column < model_->columnCount(); ++column) {
        const QVariant font = model_->index(0, column).data(Qt::FontRole);
        const QFontMetrics metrics(font.isValid() ? font.value<QFont>() : this->font());
        int width = kNarrowest;
        for (const QString& words : model_->longTextsOf(column)) {
            width = std::max(width, metrics.horizontalAdvance(words) + kAroundCell);
        }
        setColumnWidth(column, std::min(width, widest));
    }
    widenToTitles(*this);
    // Numbers stay beside the others.
    const QVariant last = model_->headerData(model_->columnCount() - 1, Qt::Horizontal, Qt::TextAlignmentRole);
    horizontalHeader()->setStretchLastSection(!last.value<Qt::Alignment>().testFlag(Qt::AlignRight));
}

std::vector<std::size_t> AnswerTable::selectedRows() const {
    std::vector<std::size_t> rows;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        const std::size_t first = rows.size();
        rows.resize(first + static_cast<std::size_t>(range.height()));
        std::iota(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), static_cast<std::size_t>(range.top()));
    }
    std::ranges::sort(rows);
    return rows;
}

void AnswerTable::followRow(const QModelIndex& current) {
    CellTarget target = model_->targetOf(current);
    for (int column = 0; column < model_->columnCount() && target.index() == 0; ++column) {
        target = model_->targetOf(current.siblingAtColumn(column));
    }
    if (target.index() != 0) {
        Q_EMIT followed(target);
    }
}

void AnswerTable::keyPressEvent(QKeyEvent* event) {
    const bool is_enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyAsked();
    } else if (is_enter && event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
        followRow(currentIndex());
    } else {
        QTableView::keyPressEvent(event);
    }
}

void AnswerTable::mousePressEvent(QMouseEvent* event) {
    const bool is_plain = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
    pressed_at_ = is_plain ? std::optional(event->position()) : std::nullopt;
    QTableView::mousePressEvent(event);
}

void AnswerTable::mouseMoveEvent(QMouseEvent* event) {
    if (pressed_at_ && (event->position() - *pressed_at_).manhattanLength() >= QApplication::startDragDistance()) {
        pressed_at_.reset();
    }
    QTableView::mouseMoveEvent(event);
    const bool leads = model_->targetOf(indexAt(event->position().toPoint())).index() != 0;
    viewport()->setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

}  // namespace rankscope::ui
