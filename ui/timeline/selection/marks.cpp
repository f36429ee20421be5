// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/marks.h"

#include <QFontMetrics>
#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/format.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/timeline_model.h"

namespace rankscope::ui {
namespace {

constexpr double kLeastFlag = 8;  // logical pixels: the width with which an instant is drawn and hit
constexpr int kTextPixels = 10;
constexpr int kAroundNote = 8;  // logical pixels, both sides together
constexpr double kFarFromFlag = 20;
constexpr double kLeastNote = 40;  // logical pixels: a shorter part of a note is useless

bool before(const TimeMark& a, const TimeMark& b) {
    return std::tuple(a.span, a.kept) < std::tuple(b.span, b.kept);
}

/// Left and right end of a flag, from the left edge of the tracks.
std::pair<double, double> flagOf(const TimeMark& mark, const Viewport& viewport) {
    const double left = viewport.xAt(mark.span.start_ns);
    return {left, std::max(viewport.xAt(mark.span.end_ns), left + kLeastFlag)};
}

/// The marks in the order in which their flags are drawn: short ones on top of long ones, the same as for hits.
std::vector<std::size_t> longestFirst(const std::vector<TimeMark>& marks) {
    std::vector<std::size_t> order(marks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return marks[i].span.length(); });
    return order;
}

/// Whether a flag is drawn over another one where they overlap.
bool liesUpon(const FlagNote& flag, const FlagNote& other) {
    constexpr double kAlike = 0.5;  // pixels: the same width except for rounding
    return flag.flag.width() <= other.flag.width() + kAlike;
}

/// The space behind a flag up to the next shorter flag or note.
double roomBehind(std::size_t of, std::span<const FlagNote> flags, std::span<const std::optional<QRectF>> notes,
                  const QRectF& strip) {
    const double left = flags[of].flag.right();
    double right = strip.right();
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (i != of && liesUpon(flags[i], flags[of]) && flags[i].flag.right() > left) {
            right = std::min(right, flags[i].flag.left());
        }
        if (notes[i] && notes[i]->right() > left) {
            right = std::min(right, notes[i]->left());
        }
    }
    return right;
}

}  // namespace

void Marks::add(TimeMark mark) {
    std::erase_if(all_,
                  [&](const TimeMark& m) { return !m.kept || (mark.kept && m.span == mark.span && m.text.isEmpty()); });
    const auto at = all_.insert(std::ranges::upper_bound(all_, mark, before), std::move(mark));
    chosen_ = static_cast<std::size_t>(at - all_.begin());
}

void Marks::set(std::vector<TimeMark> marks) {
    all_ = std::move(marks);
    std::ranges::stable_sort(all_, before);
    chosen_.reset();
}

bool Marks::carryOver(const TimelineModel& model, const TimelineModel& earlier) {
    const std::vector<TimeMark> old = all_;
    std::optional<TimeMark> chosen;
    if (chosen_) {
        chosen = all_[*chosen_];
    }
    const auto move = [&](TimeMark& mark) {
        const auto place = model.placeOf(mark.run, mark.rank, earlier);
        if (place) {
            const RankView& was = *earlier.rank(mark.run, mark.rank);
            std::tie(mark.run, mark.rank) = *place;
            const RankView& is = *model.rank(mark.run, mark.rank);
            mark.span = is.toAxis({was.toFile(mark.span.start_ns), was.toFile(mark.span.end_ns)});
        }
        return place.has_value();
    };
    std::erase_if(all_, [&](TimeMark& mark) { return !move(mark); });
    std::ranges::stable_sort(all_, before);
    const bool stays = chosen && move(*chosen);
    const auto at = stays ? std::ranges::find(all_, *chosen) : all_.end();
    chosen_ = at != all_.end() ? std::optional(static_cast<std::size_t>(at - all_.begin())) : std::nullopt;
    return all_ != old;
}

void Marks::chooseNext(Direction direction, TimeNs from) {
    if (all_.empty()) {
        return;
    }
    if (chosen_) {
        chosen_ = (*chosen_ + (direction == Direction::Forward ? 1 : all_.size() - 1)) % all_.size();
        return;
    }
    const auto first = std::ranges::find_if(all_, [&](const TimeMark& m) { return m.span.start_ns >= from; });
    chosen_ = first != all_.end() ? static_cast<std::size_t>(first - all_.begin()) : 0;
}

bool Marks::setNote(const QString& text) {
    if (chosen_) {
        all_[*chosen_].text = text;
    }
    return chosen_.has_value();
}

bool Marks::removeChosen() {
    const auto gone = std::exchange(chosen_, std::nullopt);
    if (gone) {
        all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(*gone));
    }
    return gone.has_value();
}

std::optional<std::size_t> Marks::at(double x, const Viewport& viewport) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const auto [left, right] = flagOf(all_[i], viewport);
        const bool shorter = !found || all_[i].span.length() <= all_[*found].span.length();
        if (left <= x && x < right && shorter) {
            found = i;
        }
    }
    return found;
}

std::vector<std::optional<QRectF>> placeNotes(std::span<const FlagNote> flags, const QRectF& strip) {
    std::vector<std::optional<QRectF>> places(flags.size());
    const auto is_free = [&](const QRectF& place, std::size_t of) {
        for (std::size_t i = 0; i < flags.size(); ++i) {
            const bool above = liesUpon(flags[i], flags[of]);
            if (i != of &&
                ((above && flags[i].flag.intersects(place)) || (places[i] && places[i]->intersects(place)))) {
                return false;
            }
        }
        return true;
    };
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const QRectF seen = flags[i].flag.intersected(strip);
        const QRectF note(0, strip.top(), flags[i].width, strip.height());
        std::vector<double> lefts;
        if (note.width() <= seen.width()) {
            lefts = {seen.center().x() - note.width() / 2, seen.left(), seen.right() - note.width()};
        } else if (flags[i].beside) {
            lefts = {flags[i].flag.right()};
        }
        for (const double left : lefts) {
            if (!places[i] && is_free(note.translated(left, 0), i)) {
                places[i] = note.translated(left, 0);
            }
        }
    }
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (!places[i] && flags[i].beside && flags[i].width > flags[i].flag.intersected(strip).width()) {
            const double left = flags[i].flag.right();
            const double room = roomBehind(i, flags, places, strip) - left;
            if (room >= kLeastNote) {
                places[i] = QRectF(left, strip.top(), std::min(room, flags[i].width), strip.height());
            }
        }
    }
    return places;
}

void paintMarks(QPainter& painter, const QRect& ruler, const QRect& tracks, const Marks& marks,
                const Viewport& viewport, const Theme& theme) {
    painter.save();
    painter.setClipRect(ruler.united(tracks));
    QFont font = theme.ui_font;
    font.setPixelSize(scaled(kTextPixels, theme));
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const int height = edgeSizes(theme).flags;
    std::vector<FlagNote> flags;
    std::vector<std::pair<QString, QColor>> texts;
    for (const std::size_t i : longestFirst(marks.all())) {
        const TimeMark& mark = marks.all()[i];
        const auto [from, to] = flagOf(mark, viewport);
        const double left = tracks.left() + std::max(from, -kFarFromFlag);
        const double right = tracks.left() + std::min(to, tracks.width() + kFarFromFlag);
        if (right <= left) {
            continue;
        }
        const QColor color = mark.kept ? theme.accent : theme.text_dim;
        QColor line = color;
        line.setAlpha(150);
        painter.fillRect(QRectF(left, tracks.top(), 1, tracks.height()), line);
        if (!mark.span.empty()) {
            painter.fillRect(QRectF(right - 1, tracks.top(), 1, tracks.height()), line);
        }
        const QRectF flag(left, ruler.bottom() - height, right - left, height);
        QColor fill = color;
        fill.setAlpha(marks.chosen() == i ? 255 : 205);
        painter.fillRect(flag, fill);
        QString text = mark.text;
        if (text.isEmpty() && !mark.span.empty()) {
            text = QString::fromStdString(formatDuration(mark.span.length()));
        }
        flags.push_back(
            {flag, static_cast<double>(metrics.horizontalAdvance(text) + kAroundNote), !mark.text.isEmpty()});
        texts.emplace_back(text, color);
    }
    const auto places = placeNotes(flags, QRectF(tracks.left(), ruler.bottom() - height, tracks.width(), height));
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (places[i]) {
            const bool on_flag = std::ranges::any_of(
                flags, [&](const FlagNote& each) { return each.flag.contains(places[i]->center()); });
            painter.setPen(!on_flag ? texts[i].second : theme.dark ? theme.window : theme.surface);
            const bool whole = places[i]->width() >= flags[i].width;
            painter.drawText(*places[i], Qt::AlignCenter,
                             whole ? texts[i].first
                                   : metrics.elidedText(texts[i].first, Qt::ElideRight,
                                                        static_cast<int>(places[i]->width()) - kAroundNote));
        }
    }
    painter.restore();
}

void paintFlagToCome(QPainter& painter, const QRect& ruler, int x, const Theme& theme) {
    QColor faint = theme.accent;
    faint.setAlpha(110);
    const int height = edgeSizes(theme).flags;
    painter.fillRect(QRectF(ruler.left() + x, ruler.bottom() - height, kLeastFlag, height), faint);
}

}  // namespace rankscope::ui
