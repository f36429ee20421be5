// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_palette.h"

#include <QApplication>
#include <QCursor>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/commands/palette_model.h"

namespace rankscope::ui {
namespace {

constexpr int kWidth = 560;
constexpr int kRowsInSight = 12;
constexpr int kPadding = 12;

/// A row: the title with the typed letters highlighted, its group, and its keys at the right. It uses the colours of
/// the window: a style sheet would not pass them on.
class PaletteDelegate : public QStyledItemDelegate {
  public:
    PaletteDelegate(const QPalette& colours, QObject* parent) : QStyledItemDelegate(parent), colours_(colours) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const override {
        return {0, option.fontMetrics.height() + 14};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(colours_.color(QPalette::Highlight));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(6, 1, -6, -1), 6, 6);
        }
        const QRect text = option.rect.adjusted(6 + kPadding, 0, -6 - kPadding, 0);
        const QString keys = index.data(PaletteModel::kKeysRole).toString();
        painter->setPen(colours_.color(QPalette::PlaceholderText));
        painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, keys);
        const int used = paintTitle(*painter, option, text, index);
        painter->setPen(colours_.color(QPalette::PlaceholderText));
        painter->setFont(option.font);
        const QRect rest = text.adjusted(used + kPadding, 0, -option.fontMetrics.horizontalAdvance(keys) - kPadding, 0);
        painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, index.data(PaletteModel::kGroupRole).toString());
        painter->restore();
    }

  private:
    /// Draws the title in runs of letters of the same look; returns the width.
    int paintTitle(QPainter& painter, const QStyleOptionViewItem& option, const QRect& area,
                   const QModelIndex& index) const {
        const QString title = index.data(Qt::DisplayRole).toString();
        const auto lit = index.data(PaletteModel::kMatchRole).value<QList<int>>();
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        int x = area.left();
        for (qsizetype from = 0; from < title.size();) {
            const bool on = lit.contains(static_cast<int>(from));
            qsizetype to = from + 1;
            while (to < title.size() && lit.contains(static_cast<int>(to)) == on) {
                ++to;
            }
            painter.setFont(on ? bold : option.font);
            painter.setPen(colours_.color(on ? QPalette::Link : QPalette::Text));
            const QString part = title.mid(from, to - from);
            painter.drawText(QRect(x, area.top(), area.right() - x, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
                             part);
            x += QFontMetrics(painter.font()).horizontalAdvance(part);
            from = to;
        }
        return x - area.left();
    }

    QPalette colours_;
};

}  // namespace

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, const QStringList& recent, const Words& words,
                               QWidget* window)
    : QFrame(window, Qt::Popup),
      model_(new PaletteModel(std::move(entries), this)),
      field_(new QLineEdit),
      list_(new QListView),
      none_(new QLabel(words.none)) {
    setProperty("role", QStringLiteral("popup"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(words.name);
    field_->setPlaceholderText(words.hint);
    field_->setAccessibleName(words.hint);
    field_->installEventFilter(this);
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(window->palette(), list_));
    list_->setUniformItemSizes(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setAccessibleName(words.list);
    none_->setTextFormat(Qt::PlainText);
    none_->setProperty("role", QStringLiteral("dim"));
    none_->setContentsMargins(kPadding, 0, kPadding, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(field_);
    layout->addWidget(list_, 1);
    layout->addWidget(none_);
    layout->addStretch();  // the line is below the field
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(list_, &QListView::clicked, this, &CommandPalette::choose);
    connect(list_, &QListView::entered, this, [this](const QModelIndex& at) {
        // Rows that scroll under a resting pointer are not pointed at: the keys have chosen another row.
        if (const QPoint now = QCursor::pos(); std::exchange(pointer_, now) != now) {
            list_->setCurrentIndex(at);
        }
    });
    model_->setRecent(recent);
    filter({});
}

void CommandPalette::popUp() {
    const QWidget* window = parentWidget();
    const int width = std::min(kWidth, window->width() - 32);
    const int rows = std::min(kRowsInSight, model_->rowCount());
    const int row = list_->sizeHintForRow(0);
    resize(width, field_->sizeHint().height() + rows * row + 32);
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, std::min(80, window->height() / 8))));
    pointer_ = QCursor::pos();
    show();
    field_->setFocus();
}

void CommandPalette::filter(const QString& letters) {
    model_->setLetters(letters);
    list_->setCurrentIndex(model_->index(0));
    list_->setVisible(model_->rowCount() > 0);
    none_->setVisible(model_->rowCount() == 0);
}

void CommandPalette::choose(const QModelIndex& index) {
    if (!index.isValid()) {
        return;
    }
    const QString id = index.data(PaletteModel::kIdRole).toString();
    close();
    Q_EMIT chosen(id);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) {
        return QFrame::eventFilter(watched, event);
    }
    const int rows = model_->rowCount();
    const int row = list_->currentIndex().row();
    switch (static_cast<const QKeyEvent*>(event)->key()) {
        case Qt::Key_Down: list_->setCurrentIndex(model_->index(rows == 0 ? 0 : (row + 1) % rows)); return true;
        case Qt::Key_Up: list_->setCurrentIndex(model_->index(rows == 0 ? 0 : (row + rows - 1) % rows)); return true;
        case Qt::Key_PageDown:
            list_->setCurrentIndex(model_->index(std::min(rows - 1, row + kRowsInSight)));
            return true;
        case Qt::Key_PageUp: list_->setCurrentIndex(model_->index(std::max(0, row - kRowsInSight))); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (rows == 0) {
                Q_EMIT entered(field_->text());
            }
            choose(list_->currentIndex());
            return true;
        case Qt::Key_Escape: close(); return true;
        default: return QFrame::eventFilter(watched, event);
    }
}

}  // namespace rankscope::ui
