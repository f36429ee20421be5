// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/places/place_pages.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <algorithm>

#include "ui/theme/plain_text.h"
#include "ui/window/places/page_list.h"

namespace rankscope::ui {
namespace {

constexpr int kAroundWords = 16;  // pixels

}  // namespace

PlacePages::PlacePages(const QString& title, const QString& empty, QWidget* parent)
    : QWidget(parent), list_(new PageList), stack_(new QStackedWidget), empty_(plainLabel(empty)) {
    setWindowTitle(title);
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    list_->setAccessibleName(tr("Pages of %1").arg(title));
    empty_->setProperty("role", QStringLiteral("dim"));
    empty_->setWordWrap(true);
    empty_->setMargin(kAroundWords);
    empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    stack_->addWidget(empty_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(list_);
    layout->addWidget(stack_, 1);
    connect(list_, &PageList::chosen, this, [this](QWidget* page) { bring(*page); });
    arrange();
}

std::vector<PlacePages::Page>::iterator PlacePages::find(const QWidget& page) {
    return std::ranges::find(pages_, &page, &Page::widget);
}

bool PlacePages::has(const QWidget& page) const {
    return std::ranges::find(pages_, &page, &Page::widget) != pages_.end();
}

bool PlacePages::listed(const Page& page) const {
    return page.applies || (asked_ && page.widget == chosen_);
}

bool PlacePages::isListed(const QWidget& page) const {
    const auto at = std::ranges::find(pages_, &page, &Page::widget);
    return at != pages_.end() && listed(*at);
}

void PlacePages::insert(int at, QWidget& page, const QString& title, const QString& about) {
    pages_.insert(pages_.begin() + at, Page{&page, true});
    stack_->addWidget(&page);
    list_->insert(at, page, title, about);
    arrange();
}

void PlacePages::remove(QWidget& page) {
    if (const auto at = find(page); at != pages_.end()) {
        pages_.erase(at);
        if (chosen_ == &page) {
            chosen_ = nullptr;
            asked_ = false;
        }
        list_->remove(page);
        arrange();  // another one is in front before this one is removed
        stack_->removeWidget(&page);
        page.hide();
    }
}

void PlacePages::setTitle(const QWidget& page, const QString& title) {
    list_->setTitle(page, title);
}

void PlacePages::setApplies(const QWidget& page, bool applies) {
    if (const auto at = find(page); at != pages_.end() && at->applies != applies) {
        at->applies = applies;
        asked_ = asked_ && chosen_ != &page;
        arrange();
    }
}

QWidget* PlacePages::current() const {
    QWidget* shown = stack_->currentWidget();
    return shown == empty_ ? nullptr : shown;
}

void PlacePages::bring(QWidget& page) {
    if (const auto at = find(page); at != pages_.end()) {
        chosen_ = &page;
        asked_ = !at->applies;
        arrange();
    }
}

void PlacePages::step(int by) {
    std::vector<QWidget*> there;
    for (const Page& page : pages_) {
        if (listed(page)) {
            there.push_back(page.widget);
        }
    }
    if (!there.empty()) {
        const auto count = static_cast<std::ptrdiff_t>(there.size());
        const auto at = std::ranges::find(there, current()) - there.begin();
        bring(*there[static_cast<std::size_t>(((at + by) % count + count) % count)]);
    }
}

void PlacePages::arrange() {
    QWidget* front = nullptr;
    std::ptrdiff_t there = 0;
    for (const Page& page : pages_) {
        const bool is_listed = listed(page);
        list_->setListed(*page.widget, is_listed);
        there += is_listed ? 1 : 0;
        if (is_listed && (front == nullptr || page.widget == chosen_)) {
            front = page.widget;
        }
    }
    list_->setVisible(there > 1);
    QWidget* before = current();
    stack_->setCurrentWidget(front != nullptr ? front : empty_);
    if (front != nullptr) {
        list_->setCurrent(*front);
    }
    if (front != before) {
        Q_EMIT currentChanged();
    }
}

}  // namespace rankscope::ui
