// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/flame_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <ranges>

#include "ui/panels/compute/call_words.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr double kLeastWidth = 1.0;  // pixels: narrower boxes are part of a strip
constexpr int kTextGap = 4;
constexpr int kLeastTextWidth = 24;
constexpr unsigned kDimShare = 190;  // out of 256, towards the background
constexpr int kStripes = 120;        // alpha, out of 255, for calls that took less time than in the other run

}  // namespace

FlameView::FlameView(const Theme& theme, QWidget* parent) : QAbstractScrollArea(parent), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Flame graph of the calls"));
    setTheme(theme);
}

void FlameView::setTheme(const Theme& theme) {
    theme_ = theme;
    setFont(theme.ui_font);
    layOut();
}

void FlameView::setCalls(std::shared_ptr<const ShownCalls> calls) {
    calls_ = std::move(calls);
    top_ = 0;
    chosen_.reset();
    verticalScrollBar()->setValue(0);
    setFilter(filter_);
    layOut();
}

void FlameView::setFilter(const QString& letters) {
    filter_ = letters;
    matches_.clear();
    if (calls_ && !letters.isEmpty()) {
        for (const std::string& name : calls_->tree.names) {
            matches_.push_back(text(name).contains(letters, Qt::CaseInsensitive));
        }
    }
    viewport()->update();
}

bool FlameView::dimmed(std::uint32_t node) const {
    const CallName name = calls_->tree.nodes[node].name;
    return !matches_.empty() && name.valid() && !matches_[name.value];
}

int FlameView::way(const CallNode& node) const {
    if (!calls_->compared || !node.name.valid()) {
        return 0;
    }
    const DurationNs more_ns = node.value(calls_->measure) - calls_->before(node);
    return more_ns > 0 ? 1 : more_ns < 0 ? -1 : 0;
}

int FlameView::rowHeight() const {
    return fontMetrics().height() + 4;
}

void FlameView::layOut() {
    boxes_.clear();
    rows_ = 0;
    if (calls_ && calls_->tree.root().value(calls_->measure) > 0) {
        const auto& nodes = calls_->tree.nodes;
        std::vector<std::uint32_t> callers{top_};
        while (callers.back() != 0) {
            callers.push_back(nodes[callers.back()].parent);
        }
        for (const std::uint32_t caller : std::views::reverse(callers)) {
            boxes_.push_back({0.0, static_cast<double>(viewport()->width()), rows_++, caller, 0});
        }
        // Row by row: new boxes come after those that are still to be opened.
        for (std::size_t i = callers.size() - 1; i < boxes_.size(); ++i) {
            const Box box = boxes_[i];
            if (box.hidden == 0) {
                placeChildren(box);
            }
        }
        rows_ = boxes_.back().row + 1;
    }
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, rows_ * rowHeight() - viewport()->height()));
    viewport()->update();
}

void FlameView::placeChildren(const Box& of) {
    const CallTree& tree = calls_->tree;
    const CallNode& caller = tree.nodes[of.node];
    const double per_ns = (of.to - of.from) / static_cast<double>(caller.value(calls_->measure));
    DurationNs before_ns = 0;
    for (std::uint32_t i = 0; i < caller.child_count; ++i) {
        const std::uint32_t child = caller.first_child + i;
        const DurationNs took_ns = tree.nodes[child].value(calls_->measure);
        if (took_ns <= 0) {
            return;  // the longest are first
        }
        Box box{of.from + static_cast<double>(before_ns) * per_ns, 0.0, of.row + 1, child, 0};
        box.to = of.from + static_cast<double>(before_ns + took_ns) * per_ns;
        before_ns += took_ns;
        if (box.to - box.from >= kLeastWidth) {
            boxes_.push_back(box);
            continue;
        }
        // All following ones are smaller still: one strip for them.
        Box strip{box.from, box.to, of.row + 1, of.node, 1};
        for (std::uint32_t j = i + 1; j < caller.child_count; ++j) {
            const DurationNs more_ns = tree.nodes[caller.first_child + j].value(calls_->measure);
            if (more_ns <= 0) {
                break;
            }
            before_ns += more_ns;
            ++strip.hidden;
        }
        strip.to = of.from + static_cast<double>(before_ns) * per_ns;
        if (strip.to - strip.from >= kLeastWidth) {
            boxes_.push_back(strip);
        }
        return;
    }
}

QRectF FlameView::place(const Box& box) const {
    const int top = box.row * rowHeight() - verticalScrollBar()->value();
    return {box.from, static_cast<double>(top), box.to - box.from, static_cast<double>(rowHeight() - 1)};
}

const FlameView::Box* FlameView::boxOf(std::uint32_t node) const {
    const auto found =
        std::ranges::find_if(boxes_, [node](const Box& box) { return box.node == node && box.hidden == 0; });
    return found == boxes_.end() ? nullptr : &*found;
}

QRect FlameView::placeOf(std::uint32_t node) const {
    const Box* box = boxOf(node);
    return box == nullptr ? QRect() : place(*box).toAlignedRect();
}

std::optional<FlameView::Hit> FlameView::hitAt(const QPoint& point) const {
    const int row = (point.y() + verticalScrollBar()->value()) / rowHeight();
    const double x = point.x() + 0.5;  // the middle of the pixel
    for (const Box& box : boxes_) {
        if (box.row == row && x >= box.from && x < box.to) {
            return Hit{box.node, box.hidden};
        }
    }
    return {};
}

void FlameView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme_.surface);
    painter.setFont(font());
    for (const Box& box : boxes_) {
        const QRectF at = place(box);
        if (at.bottom() >= 0 && at.top() <= viewport()->height()) {
            paintBox(painter, box);
        }
    }
    if (chosen_) {
        if (const Box* box = boxOf(*chosen_)) {
            painter.setPen(QPen(theme_.text, hasFocus() ? 2.0 : 1.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(place(*box).adjusted(1, 1, -1, -1));
        }
    }
}

void FlameView::paintBox(QPainter& painter, const Box& box) const {
    QRectF at = place(box);
    if (at.width() > 3.0) {
        at.setRight(at.right() - 1.0);  // a line between neighbours
    }
    if (box.hidden > 0) {
        painter.fillRect(at, theme_.border);
        return;
    }
    const CallNode& node = calls_->tree.nodes[box.node];
    QRgb fill = node.name.valid() ? callColour(*calls_, node, theme_) : theme_.track_alt.rgb();
    if (dimmed(box.node)) {
        fill = mix(fill, theme_.surface.rgb(), kDimShare);
    }
    painter.fillRect(at, QColor::fromRgb(fill));
    const int room = static_cast<int>(at.width()) - 2 * kTextGap;
    if (way(node) < 0) {
        QColor stripes = theme_.surface;
        stripes.setAlpha(kStripes);
        painter.fillRect(at, QBrush(stripes, Qt::BDiagPattern));
    }
    if (room < kLeastTextWidth) {
        return;
    }
    const QString sign = way(node) > 0 ? QStringLiteral("▲ ") : way(node) < 0 ? QStringLiteral("▼ ") : QString();
    const QString name = callName(calls_->tree, node);
    const QString took = QStringLiteral("  ") + duration(node.value(calls_->measure));
    QString label = sign + name + took;
    if (fontMetrics().horizontalAdvance(label) > room) {
        label = sign + shortCallName(name) + took;
    }
    if (fontMetrics().horizontalAdvance(label) > room) {
        label = fontMetrics().elidedText(sign + shortCallName(name), Qt::ElideRight, room);
    }
    const bool plain = !node.name.valid() || dimmed(box.node);
    painter.setPen(plain ? theme_.text_dim : QColor::fromRgb(SliceColors::textOn(fill)));
    painter.drawText(at.adjusted(kTextGap, 0, -kTextGap, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     label);
}

void FlameView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void FlameView::zoomTo(std::uint32_t node) {
    top_ = node;
    layOut();
    choose(node);
}

void FlameView::zoomOut() {
    if (calls_ && top_ != 0) {
        top_ = calls_->tree.nodes[top_].parent;
        layOut();
    }
}

void FlameView::choose(std::uint32_t node) {
    chosen_ = node;
    if (const Box* box = boxOf(node)) {
        QScrollBar* scroll = verticalScrollBar();
        const int top = box->row * rowHeight();
        const int lowest = top + rowHeight() - viewport()->height();
        scroll->setValue(std::clamp(scroll->value(), std::min(lowest, top), top));
    }
    viewport()->update();
    tellContentChanged(*this);
}

void FlameView::chooseByUser(std::uint32_t node) {
    choose(node);
    Q_EMIT nodeChosen(node);
}

void FlameView::mousePressEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && hit) {
        chooseByUser(hit->node);
    }
}

void FlameView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && hit) {
        zoomTo(hit->node);
    }
}

void FlameView::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
    const auto hit = by_key ? std::optional(Hit{chosen_.value_or(top_), 0}) : hitAt(event->pos());
    if (calls_ && hit) {
        choose(hit->node);
        Q_EMIT menuAsked(hit->node,
                         by_key ? viewport()->mapToGlobal(placeOf(hit->node).bottomLeft()) : event->globalPos());
    }
}

void FlameView::keyPressEvent(QKeyEvent* event) {
    if (!calls_ || boxes_.empty()) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter: zoomTo(chosen_.value_or(top_)); break;
        case Qt::Key_Backspace: zoomOut(); break;
        case Qt::Key_Home: zoomTo(0); break;
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right: moveChoice(event->key()); break;
        default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void FlameView::moveChoice(int key) {
    if (!chosen_) {
        chooseByUser(top_);
        return;
    }
    const auto& nodes = calls_->tree.nodes;
    const CallNode& node = nodes[*chosen_];
    std::uint32_t next = *chosen_;
    if (key == Qt::Key_Up) {
        next = *chosen_ == 0 ? 0 : node.parent;
    } else if (key == Qt::Key_Down) {
        next = node.child_count > 0 ? node.first_child : next;
    } else if (*chosen_ != 0) {
        const CallNode& caller = nodes[node.parent];
        const bool right = key == Qt::Key_Right;
        const bool last = *chosen_ + 1 >= caller.first_child + caller.child_count;
        const bool first = *chosen_ == caller.first_child;
        next = right ? (last ? next : next + 1) : (first ? next : next - 1);
    }
    if (boxOf(next) != nullptr) {
        chooseByUser(next);
    }
}

bool FlameView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        showTip(help->pos(), help->globalPos());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void FlameView::showTip(const QPoint& local, const QPoint& global) {
    const auto hit = hitAt(local);
    if (!hit) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(global, plainTip(tipOf(*hit)), viewport());
}

QString FlameView::tipOf(const Hit& hit) const {
    if (hit.hidden == 0) {
        return callTip(*calls_, calls_->tree.nodes[hit.node]);
    }
    const QString words =
        tr("%1 more call(s) in %2, too short to draw at this width", nullptr, static_cast<int>(hit.hidden));
    return plural(words, hit.hidden).arg(count(hit.hidden), callName(calls_->tree, calls_->tree.nodes[hit.node]));
}

QString FlameView::spokenContent() const {
    if (!calls_ || boxes_.empty()) {
        return tr("No calls to draw.");
    }
    const QString told = callTip(*calls_, calls_->tree.nodes[chosen_.value_or(top_)]);
    return chosen_ ? told : tr("No call is selected. The widest is %1.").arg(told);
}

SpokenPart FlameView::spokenPart(std::size_t index) const {
    const Box& box = boxes_[index];
    SpokenPart part;
    part.name = box.hidden > 0 ? tipOf({box.node, box.hidden}) : callName(calls_->tree, calls_->tree.nodes[box.node]);
    part.about = box.hidden > 0 ? QString() : callTip(*calls_, calls_->tree.nodes[box.node]);
    part.place = place(box).toAlignedRect().translated(viewport()->pos());
    part.role = QAccessible::TreeItem;
    part.chosen = chosen_ == box.node && box.hidden == 0;
    return part;
}

}  // namespace rankscope::ui
