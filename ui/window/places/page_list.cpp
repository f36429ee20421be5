// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/page_list.h"

#include <QButtonGroup>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/plain_text.h"
#include "ui/window/places/pull_out.h"

namespace rankscope::ui {
namespace {

constexpr int kAround = 6;  // pixels
constexpr int kBetween = 2;
constexpr int kLeastLetters = 8;  // width: pages of most places begin at the same pixel

/// A title for a button: "&" does not mark a mnemonic.
QString onButton(QString title) {
    return title.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace

PageList::PageList(QWidget* parent)
    : QScrollArea(parent),
      column_(new QWidget),
      layout_(new QVBoxLayout(column_)),
      group_(new QButtonGroup(this)),
      pull_(new PullOut(*this)) {
    setProperty("role", QStringLiteral("pages"));
    setFocusPolicy(Qt::NoFocus);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    column_->setObjectName(QStringLiteral("column"));
    layout_->setContentsMargins(kAround, kAround, kAround, kAround);
    layout_->setSpacing(kBetween);
    layout_->addStretch();
    setWidget(column_);
    column_->installEventFilter(this);
    connect(pull_, &PullOut::dragged, this, &PageList::dragged);
    connect(pull_, &PullOut::dropped, this, &PageList::dropped);
    connect(pull_, &PullOut::cancelled, this, &PageList::dragCancelled);
}

std::vector<PageList::Entry>::const_iterator PageList::find(const QObject* page_or_button) const {
    return std::ranges::find_if(entries_, [page_or_button](const Entry& entry) {
        return entry.page == page_or_button || entry.button == page_or_button;
    });
}

void PageList::insert(int at, QWidget& page, const QString& title, const QString& about) {
    auto* button = new QPushButton(onButton(title));
    button->setCheckable(true);
    button->setProperty("role", QStringLiteral("page"));
    button->setAccessibleName(title);
    button->setToolTip(plainTip(about));
    button->installEventFilter(this);
    group_->addButton(button);
    layout_->insertWidget(at, button);
    entries_.insert(entries_.begin() + at, Entry{&page, button});
    connect(button, &QPushButton::clicked, this, [this, &page] { Q_EMIT chosen(&page); });
}

void PageList::remove(const QWidget& page) {
    if (const auto at = find(&page); at != entries_.end()) {
        group_->removeButton(at->button);
        at->button->hide();
        at->button->deleteLater();  // one of its events may have caused this call
        entries_.erase(at);
    }
}

void PageList::setTitle(const QWidget& page, const QString& title) {
    if (QPushButton* button = buttonOf(page)) {
        button->setText(onButton(title));
        button->setAccessibleName(title);
    }
}

void PageList::setListed(const QWidget& page, bool listed) {
    if (QPushButton* button = buttonOf(page)) {
        button->setVisible(listed);
    }
}

void PageList::setCurrent(const QWidget& page) {
    if (QPushButton* button = buttonOf(page)) {
        button->setChecked(true);
        ensureWidgetVisible(button, 0, kAround);
    }
}

QPushButton* PageList::buttonOf(const QWidget& page) const {
    const auto at = find(&page);
    return at == entries_.end() ? nullptr : at->button;
}

QSize PageList::sizeHint() const {
    const QSize column = column_->sizeHint();
    const bool scrolls = isVisible() && column.height() > height();
    const int width = std::max(column.width(), kLeastLetters * fontMetrics().averageCharWidth());
    return {width + (scrolls ? verticalScrollBar()->sizeHint().width() : 0), column.height()};
}

QSize PageList::minimumSizeHint() const {
    return {sizeHint().width(), 0};
}

bool PageList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == column_) {
        if (event->type() == QEvent::LayoutRequest) {
            updateGeometry();  // a title has another width
        }
        return QScrollArea::eventFilter(watched, event);
    }
    const auto at = find(watched);
    if (at == entries_.end()) {
        return QScrollArea::eventFilter(watched, event);
    }
    switch (event->type()) {
        case QEvent::MouseButtonPress: {
            const auto& mouse = static_cast<const QMouseEvent&>(*event);
            pull_->press(mouse.button() == Qt::LeftButton ? at->page : nullptr);
            return false;
        }
        case QEvent::MouseMove: return pull_->move(static_cast<const QMouseEvent&>(*event).globalPosition().toPoint());
        case QEvent::MouseButtonRelease: {
            QPushButton* button = at->button;
            const bool ends = pull_->release(static_cast<const QMouseEvent&>(*event).globalPosition().toPoint());
            if (ends) {
                button->setDown(false);
            }
            return ends;
        }
        case QEvent::ContextMenu: {
            const auto& asked = static_cast<const QContextMenuEvent&>(*event);
            const bool by_key = asked.reason() == QContextMenuEvent::Keyboard;
            Q_EMIT menuAsked(at->page,
                             by_key ? at->button->mapToGlobal(at->button->rect().bottomLeft()) : asked.globalPos());
            return true;
        }
        default: return QScrollArea::eventFilter(watched, event);
    }
}

// While a page is dragged the list has the keyboard; otherwise its buttons have it.
void PageList::keyPressEvent(QKeyEvent* event) {
    if (!pull_->dragging()) {
        event->ignore();  // no scrolling by keys: other widgets use them
    } else if (event->key() == Qt::Key_Escape) {
        pull_->cancel();
    }
}

void PageList::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    updateGeometry();  // whether it scrolls has changed
}

}  // namespace rankscope::ui
