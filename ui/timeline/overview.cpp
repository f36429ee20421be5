// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overview.h"

#include <QActionGroup>
#include <QMenu>
#include <QPaintEngine>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/format.h"
#include "ui/theme/core_text.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {
namespace {

constexpr int kTop = 6;
constexpr int kBusyHeight = 22;
constexpr int kBetween = 3;
constexpr int kBottom = 6;
constexpr int kMostCell = 10;
constexpr int kMostCells = 96;  // logical pixels of all cells; more ranks share lines
constexpr int kTickHeight = 4;
constexpr int kMargin = 10;
constexpr int kDetailPixels = 11;
constexpr int kNamesWidth = 64;
constexpr int kLeastButton = 60;
constexpr int kScaleWidth = 36;
constexpr int kLeastScale = 12;
constexpr int kScaleHeight = 8;

/// The ranks of the overview that findings name, as indices into OverviewScene::ranks. A finding that names all ranks
/// is ignored. Time is proportional to the number of ranks and of named ranks.
std::vector<std::size_t> namedByFindings(const OverviewScene& scene) {
    std::vector<std::vector<bool>> blamed;  // by run and rank
    for (const auto& run : scene.runs) {
        std::vector<bool>& of_run = blamed.emplace_back(run->run->ranks.size(), false);
        for (const Finding& finding : run->diagnosis.findings) {
            for (const RankPosition rank : finding.ranks) {
                of_run[rank] = of_run[rank] || finding.ranks.size() < scene.ranks.size();
            }
        }
    }
    std::vector<std::size_t> named;
    for (std::size_t r = 0; r < scene.ranks.size(); ++r) {
        if (blamed[scene.ranks[r].run][scene.ranks[r].rank]) {
            named.push_back(r);
        }
    }
    return named;
}

}  // namespace

Overview::Overview(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      side_(edgeSizes(theme).side),
      button_(new QPushButton(this)),
      measures_(new QActionGroup(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard with the timeline
    setAccessibleName(tr("Overview of the whole run"));
    button_->setProperty("role", QStringLiteral("menu"));
    button_->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard with the timeline
    button_->setAccessibleName(tr("What the cells show"));
    auto* menu = new QMenu(button_);
    for (std::size_t m = 0; m < kStepMeasureCount; ++m) {
        const auto measure = static_cast<StepMeasure>(m);
        QAction* choice = menu->addAction(Overview::titleOf(measure), this, [this, measure] { setMeasure(measure); });
        choice->setCheckable(true);
        measures_->addAction(choice);
    }
    button_->setMenu(menu);
    showMeasure();
}

void Overview::setModel(const TimelineModel& model, const TimeSpan& limits, const RankArrangement& order) {
    ranks_.clear();
    orders_.clear();
    order_ = order;
    scene_.runs.clear();
    ticks_.clear();
    scene_.limits = limits;
    for (std::uint32_t run = 0; run < model.runs().size(); ++run) {
        const RunView& view = model.runs()[run];
        scene_.runs.push_back(view.run);
        orders_.push_back(view.index);
        for (RankPosition r{0}; r < view.ranks.size(); ++r) {
            const RankView& rank = view.ranks[r];
            const bool has_steps = rank.facts != nullptr && !rank.facts->steps.empty();
            ranks_.push_back({run, r, rank.clock, rank.base_ns, rank.fact_index, has_steps});
        }
        for (const Finding& finding : view.run->diagnosis.findings) {
            const QColor color = finding.severity == Severity::High     ? theme_.severity_high
                                 : finding.severity == Severity::Medium ? theme_.severity_medium
                                                                        : theme_.severity_low;
            for (const Evidence& evidence : finding.evidence) {
                const TimeSpan span = model.spanOf(SliceSelection{run, evidence.rank, evidence.slice});
                ticks_.push_back({span.start_ns, color, kTickHeight + 3 * static_cast<int>(finding.severity)});
            }
        }
    }
    orderRanks();
    remake();
}

void Overview::setOrder(const RankArrangement& order) {
    if (std::exchange(order_, order) != order) {
        orderRanks();
        remake();
    }
}

// By number while other orders are unknown.
void Overview::orderRanks() {
    scene_.ranks.clear();
    std::size_t first = 0;
    for (std::size_t run = 0; run < orders_.size(); ++run) {
        std::size_t last = first;
        while (last < ranks_.size() && ranks_[last].run == run) {
            ++last;
        }
        for (const RankPosition rank : arrangedRanks(*scene_.runs[run], orders_[run].get(), last - first, order_)) {
            scene_.ranks.push_back(ranks_[first + rank]);
        }
        first = last;
    }
}

int Overview::cellsHeight() const {
    const auto ranks = static_cast<int>(std::min<std::size_t>(scene_.ranks.size(), kMostCells));
    return scaled(std::min(ranks * kMostCell, kMostCells), theme_);
}

void Overview::setHits(std::shared_ptr<const std::vector<TimeNs>> hits) {
    hits_ = std::move(hits);
    update();
}

void Overview::forEachHitPixel(const std::function<void(int)>& mark) const {
    if (!hits_) {
        return;
    }
    const QRect busy = busyArea();
    auto at = hits_->begin();
    for (int x = busy.left(); x <= busy.right(); ++x) {
        // One lookup per pixel, however many hits there are.
        at = std::lower_bound(at, hits_->end(), timeAt(x));
        if (at != hits_->end() && *at < timeAt(x + 1)) {
            mark(x);
        }
    }
}

int Overview::hitPixels() const {
    int pixels = 0;
    forEachHitPixel([&pixels](int) { ++pixels; });
    return pixels;
}

void Overview::setTheme(const Theme& theme) {
    theme_ = theme;
    remake();
    update();
}

void Overview::setSide(int side) {
    if (side_ != side) {
        side_ = side;
        placeButton();
        remake();
    }
}

void Overview::setWindow(const TimeSpan& window) {
    if (window != window_) {
        window_ = window;
        update();
    }
}

void Overview::setMeasure(StepMeasure measure) {
    if (measure != wanted_) {
        wanted_ = measure;
        showMeasure();
        remake();
        Q_EMIT measureChanged(measure);
    }
}

QString Overview::titleOf(StepMeasure measure) {
    return coreText(stepMeasureTitle(measure));
}

void Overview::showMeasure() {
    // If the wanted measure is unknown, the cells show another one.
    const StepMeasure seen = shown_.runs.empty() ? wanted_ : shown_.measure;
    nameButton(titleOf(seen));
    measures_->actions().at(static_cast<qsizetype>(seen))->setChecked(true);
}

int Overview::preferredHeight() const {
    const bool known = std::ranges::any_of(scene_.ranks, &OverviewRank::has_steps);
    const int cells = std::max(edgeSizes(theme_).button, cellsHeight());
    return known ? kTop + scaled(kBusyHeight, theme_) + kBetween + cells + kBottom : 0;
}

QRect Overview::busyArea() const {
    return {side_, kTop, std::max(1, width() - side_), scaled(kBusyHeight, theme_)};
}

QRect Overview::cellArea() const {
    const QRect busy = busyArea();
    return {busy.left(), busy.bottom() + 1 + kBetween, busy.width(), cellsHeight()};
}

void Overview::finish() {
    job_.finish();
}

// The old picture stays until the new one is ready.
void Overview::remake() {
    const double ratio = devicePixelRatioF();
    scene_.theme = theme_;
    scene_.measure = wanted_;
    scene_.width = static_cast<int>(busyArea().width() * ratio);
    scene_.busy_height = static_cast<int>(busyArea().height() * ratio);
    scene_.cell_height = static_cast<int>(cellArea().height() * ratio);
    job_.start([this, scene = scene_](const std::stop_token& stop) -> LatestJob::Show {
        auto made = std::make_shared<Made>(Made{scene, {}, namedByFindings(scene)});
        measureCells(made->scene);
        auto picture = paintOverview(made->scene, stop);
        if (!picture) {
            return {};
        }
        made->picture = std::move(*picture);
        return [this, made] {
            shown_ = made->scene;
            picture_ = made->picture;
            named_ = made->named;
            showMeasure();
            update();
        };
    });
}

void Overview::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeButton();
    remake();
}

void Overview::placeButton() {
    const QRect cells = cellArea();
    const int height = edgeSizes(theme_).button;
    // The names of ranks are to its right.
    const int width = std::max(kLeastButton, side_ - metrics::kNamesText - kMargin - scaled(kNamesWidth, theme_));
    button_->setGeometry(metrics::kNamesText, cells.top() + (cells.height() - height) / 2, width, height);
    showMeasure();
}

void Overview::nameButton(const QString& title) {
    const QFontMetrics metrics(button_->font());
    const int around = button_->sizeHint().width() - metrics.horizontalAdvance(button_->text());
    button_->setText(metrics.elidedText(title, Qt::ElideRight, button_->width() - around));
    button_->setToolTip(button_->text() == title ? QString() : title);
}

void Overview::paintWindow(QPainter& painter) const {
    const QRect all = area();
    const double left = std::max<double>(all.left(), xOf(window_.start_ns));
    const double right = std::min<double>(all.right() + 1, std::max(xOf(window_.end_ns), left + kLeastWindow));
    QColor shade = theme_.surface;
    shade.setAlpha(theme_.dark ? 110 : 125);
    painter.fillRect(QRectF(QPointF(all.left(), all.top()), QPointF(left, all.bottom() + 1)), shade);
    painter.fillRect(QRectF(QPointF(right, all.top()), QPointF(all.right() + 1, all.bottom() + 1)), shade);
    painter.setPen(QPen(theme_.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(left + 0.5, all.top() - 1.5, std::max(1.0, right - left - 1), all.height() + 2));
}

std::vector<Overview::RowName> Overview::rowNames() const {
    std::vector<RowName> names;
    if (shown_.ranks.empty()) {
        return names;
    }
    std::vector<std::size_t> wanted = named_;
    wanted.push_back(0);
    wanted.push_back(shown_.ranks.size() - 1);
    const QRect cells = cellArea();
    const int height = scaled(kDetailPixels, theme_) + 1;
    const int width = scaled(kNamesWidth, theme_);
    const auto room = static_cast<std::size_t>(cells.height() / std::max(1, height)) + 1;
    for (const std::size_t r : wanted) {
        if (names.size() >= room) {
            break;
        }
        const double middle = (static_cast<double>(r) + 0.5) / static_cast<double>(shown_.ranks.size());
        const int y = cells.top() + static_cast<int>(middle * cells.height()) - height / 2;
        const QRect place(cells.left() - kMargin / 2 - width, y, width, height);
        if (std::ranges::none_of(names, [&](const RowName& other) { return other.place.intersects(place); })) {
            names.push_back({rankName(r), place});
        }
    }
    return names;
}

std::pair<QString, QString> Overview::scaleEnds() const {
    std::pair<QString, QString> ends(tr("typical"), tr("most"));
    // Iterations of several kinds have one scale each.
    if (shown_.cells.size() == 1 && shown_.cells.front().any() && shown_.cells.front().of_others.empty()) {
        const StepCells::Typical& typical = shown_.cells.front().typical;
        std::pair<QString, QString> times(QString::fromStdString(formatDuration(typical.median_ns)),
                                          QString::fromStdString(formatDuration(typical.median_ns + typical.scale_ns)));
        if (times.first != times.second) {
            ends = std::move(times);
        }
    }
    return ends;
}

// If there is little room, the title is dropped first, then the length of the bar: colours mean little without a scale.
Overview::Head Overview::headOf(const QFontMetrics& metrics) const {
    const QRect busy = busyArea();
    const QRect all(metrics::kNamesText, busy.top(), busy.left() - metrics::kNamesText - kMargin / 2, busy.height());
    Head head;
    std::tie(head.coolest, head.hottest) = scaleEnds();
    const int words = metrics.horizontalAdvance(head.coolest) + metrics.horizontalAdvance(head.hottest) + kMargin;
    const int title = metrics.horizontalAdvance(tr("Whole run")) + kMargin;
    const int wanted = scaled(kScaleWidth, theme_);
    head.titled = title + words + wanted <= all.width();
    const int room = all.width() - words - (head.titled ? title : 0);
    head.bar = std::clamp(room, scaled(kLeastScale, theme_), wanted);
    const int needed = words + head.bar;
    head.scale = QRect(all.right() + 1 - needed, all.top(), needed, all.height());
    head.title = all;
    return head;
}

void Overview::paintScale(QPainter& painter, const Head& head, const Theme& theme) {
    const QRect& at = head.scale;
    painter.drawText(at, Qt::AlignVCenter | Qt::AlignLeft, head.coolest);
    painter.drawText(at, Qt::AlignVCenter | Qt::AlignRight, head.hottest);
    const int left = at.left() + painter.fontMetrics().horizontalAdvance(head.coolest) + kMargin / 2;
    const int top = at.center().y() - kScaleHeight / 2;
    for (int x = 0; x < head.bar; ++x) {
        painter.fillRect(QRect(left + x, top, 1, kScaleHeight), QColor::fromRgb(heatColor(1.0 * x / head.bar, theme)));
    }
}

QRect Overview::scalePlace() const {
    return headOf(QFontMetrics(headFont())).scale;
}

QFont Overview::headFont() const {
    QFont font = theme_.ui_font;
    font.setPixelSize(scaled(kDetailPixels, theme_));
    return font;
}

void Overview::paintSide(QPainter& painter) const {
    painter.setFont(headFont());
    painter.setPen(theme_.text_dim);
    const Head head = headOf(painter.fontMetrics());
    if (head.titled) {
        painter.drawText(head.title, Qt::AlignVCenter | Qt::AlignLeft, tr("Whole run"));
    }
    paintScale(painter, head, theme_);
    for (const RowName& row : rowNames()) {
        const QString fitted = painter.fontMetrics().elidedText(row.name, Qt::ElideRight, row.place.width());
        painter.drawText(row.place, Qt::AlignVCenter | Qt::AlignRight, fitted);
    }
}

void Overview::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.surface);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme_.border);
    paintSide(painter);
    const QRect busy = busyArea();
    painter.fillRect(busy, theme_.track);
    painter.fillRect(cellArea(), theme_.track);
    if (painter.paintEngine()->type() == QPaintEngine::SVG) {
        paintAsShapes(painter, busy, picture_.busy);
        paintAsShapes(painter, cellArea(), picture_.cells);
    } else {
        painter.drawImage(busy, picture_.busy);
        painter.drawImage(cellArea(), picture_.cells);
    }
    for (const Tick& tick : ticks_) {
        painter.fillRect(QRectF(xOf(tick.at_ns) - 1, busy.top(), 2, tick.height), tick.color);
    }
    forEachHitPixel(
        [&](int x) { painter.fillRect(QRect(x, busy.bottom() - kTickHeight + 1, 1, kTickHeight), theme_.accent); });
    paintWindow(painter);
    paintChosen(painter);
    painter.fillRect(QRect(busy.left() - 1, 0, 1, height()), theme_.border);
}

}  // namespace rankscope::ui
