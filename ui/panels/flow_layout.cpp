// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/flow_layout.h"

#include <QWidget>
#include <algorithm>
#include <utility>

namespace rankscope::ui {

FlowLayout::FlowLayout(int gap) : gap_(gap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) {
        return nullptr;
    }
    const auto at = items_.begin() + index;
    QLayoutItem* taken = at->release();
    items_.erase(at);
    return taken;
}

int FlowLayout::heightForWidth(int width) const {
    return flow(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
    QSize all;
    for (const auto& item : items_) {
        if (!item->isEmpty()) {
            const QSize own = item->sizeHint();
            all = {all.width() + (all.isEmpty() ? 0 : gap_) + own.width(), std::max(all.height(), own.height())};
        }
    }
    return all;
}

QSize FlowLayout::minimumSize() const {
    QSize least;
    for (const auto& item : items_) {
        if (!item->isEmpty()) {
            least = least.expandedTo(item->minimumSize());
        }
    }
    return least;
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    (void)flow(area, true);
}

int FlowLayout::flow(const QRect& area, bool place) const {
    int top = area.top();
    std::vector<QLayoutItem*> line;
    int used = 0;
    int height = 0;
    const auto end = [&] {
        if (place) {
            placeLine(area, top, height, line, used);
        }
        top += height;
        line.clear();
    };
    for (const auto& item : items_) {
        if (item->isEmpty()) {
            continue;
        }
        const QSize own = item->sizeHint().expandedTo(item->minimumSize());
        if (!line.empty() && used + gap_ + own.width() > area.width()) {
            end();
            top += gap_;
        }
        used = line.empty() ? own.width() : used + gap_ + own.width();
        height = line.empty() ? own.height() : std::max(height, own.height());
        line.push_back(item.get());
    }
    end();
    return top - area.top();
}

void FlowLayout::placeLine(const QRect& area, int top, int height, const std::vector<QLayoutItem*>& line,
                           int used) const {
    int left = area.left();
    int free = std::max(0, area.width() - used);
    for (QLayoutItem* item : line) {
        const QSize own = item->sizeHint().expandedTo(item->minimumSize());
        int width = std::min(own.width(), area.width());
        if (item->expandingDirections().testFlag(Qt::Horizontal)) {
            const int wider = std::min(width + free, item->maximumSize().width());
            free -= std::max(0, wider - width);
            width = std::max(width, wider);
        }
        item->setGeometry(QRect(left, top + (height - own.height()) / 2, width, own.height()));
        left += width + gap_;
    }
}

}  // namespace rankscope::ui
