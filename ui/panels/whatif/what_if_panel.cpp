// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/what_if_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QThreadPool>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/whatif/predicted_run.h"
#include "ui/panels/shared/words.h"
#include "ui/panels/whatif/change_control.h"
#include "ui/panels/whatif/change_list.h"
#include "ui/panels/whatif/forecast_bars.h"
#include "ui/panels/whatif/what_if_sweep.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/keyed_splitter.h"
#include "ui/widgets/linked_label.h"
#include "ui/widgets/panel_page.h"

namespace rankscope::ui {
namespace {

constexpr int kSlow = 100;  // milliseconds: a shown forecast that is older than the changes fades then

/// Frees a prepared run on another thread: its replay is as large as its slices.
template <class Held>
void freeLater(Held held) {
    if (held != nullptr) {
        QThreadPool::globalInstance()->start([held = std::move(held)]() mutable { held.reset(); });
    }
}

/// Why a run cannot tell a change, without the change, which its title says.
QString reasonOf(const Error& error, const std::string& change) {
    const std::string before = "\"" + change + "\": ";
    return coreText(error.cause.starts_with(before) ? error.cause.substr(before.size()) : error.cause);
}

bool isOn(const ChangeList& list, const std::string& text) {
    const std::vector<WhatIfChange> on = list.changes();
    return std::ranges::find(on, text, &WhatIfChange::text) != on.end();
}

}  // namespace

WhatIfPanel::WhatIfPanel(const Theme& theme, QWidget* parent)
    : RunPanel(theme, parent),
      sweep_(new WhatIfSweep(this)),
      title_(plainLabel()),
      about_(plainLabel()),
      reset_(new QPushButton(tr("No Changes"))),
      open_(new QPushButton(tr("Open as a Run"))),
      bars_(new ForecastBars(theme)),
      details_(new LinkedLabel("dim")),
      body_(new KeyedSplitter(Qt::Horizontal, tr("Changes and what each saves"))),
      list_(new ChangeList(theme)),
      tornado_title_(plainLabel()),
      tornado_(new TornadoChart(theme)) {
    slow_.setSingleShot(true);
    slow_.setInterval(kSlow);
    layOut();
    wire();
    showNothing(tr("No run is open."));
}

WhatIfPanel::~WhatIfPanel() = default;

void WhatIfPanel::layOut() {
    reset_->setProperty("role", QStringLiteral("quiet"));
    open_->setProperty("role", QStringLiteral("quiet"));
    open_->setToolTip(
        plainTip(tr("Shows the run as it would be with these changes, next to the measured one and compared with it")));
    tornado_title_->setProperty("role", QStringLiteral("section"));
    auto* scroll = new QScrollArea;
    scroll->setWidget(tornado_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(tornado_, &TornadoChart::rowReached, scroll,
            [scroll](const QRect& row) { scroll->ensureVisible(row.center().x(), row.center().y(), 0, row.height()); });
    auto* single = new QWidget;
    auto* column = new QVBoxLayout(single);
    column->setContentsMargins(8, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(tornado_title_);
    column->addWidget(scroll, 1);
    body_->addWidget(list_);
    body_->addWidget(single);
    body_->setStretchFactor(0, 1);
    body_->setStretchFactor(1, 1);
    body_->setSizes({1'000, 1'200});
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(details_, 1);
    for (QPushButton* button : {open_, reset_}) {
        line->addWidget(button, 0, Qt::AlignTop);
    }
    setPage(makePanelHead(*title_, *about_, {&runBox()}), {bars_, row, body_});
}

void WhatIfPanel::wire() {
    connect(&slow_, &QTimer::timeout, this, [this] { bars_->setOutdated(forecasting_.busy()); });
    connect(list_, &ChangeList::changed, this, &WhatIfPanel::requestForecast);
    connect(sweep_, &WhatIfSweep::known, this, &WhatIfPanel::takeSingle);
    connect(reset_, &QPushButton::clicked, list_, &ChangeList::reset);
    connect(open_, &QPushButton::clicked, this, [this] { (void)openAsRun(); });
    connect(tornado_, &TornadoChart::changeAsked, list_, &ChangeList::toggle);
    connect(details_, &QLabel::linkActivated, this, [this](const QString& link) {
        const auto detail = static_cast<ForecastDetail>(link.section(QLatin1Char(':'), 1).toInt());
        if (unfolded_.erase(detail) == 0) {
            unfolded_.insert(detail);
        }
        showDetails();
    });
}

void WhatIfPanel::setRuns(const OpenRuns& runs) {
    if (std::ranges::find(runs, prepared_of_) == runs.end()) {
        release();
    }
    RunPanel::setRuns(runs);
}

void WhatIfPanel::setTheme(const Theme& theme) {
    RunPanel::setTheme(theme);
    bars_->setTheme(theme);
    list_->setTheme(theme);
    tornado_->setTheme(theme);
    showDetails();
}

void WhatIfPanel::ask(std::uint32_t run, const std::string& change) {
    runBox().setCurrentIndex(static_cast<int>(run));
    const bool is_prepared = bars_->forecast() && run < runs().size() && prepared_of_ == runs()[run];
    const auto offer = std::ranges::find(offers_, change, &OfferedChange::typical);
    const bool is_played = offer == offers_.end() || std::size_t(offer - offers_.begin()) < sweep_->played();
    if (!is_prepared || !is_played) {
        asked_ = change;  // the sweep makes it
    } else if (!change.empty() && !isOn(*list_, change)) {
        list_->toggle(change);
    }
}

bool WhatIfPanel::busy() const {
    return RunPanel::busy() || forecasting_.busy() || opening_.busy() || sweep_->busy();
}

void WhatIfPanel::finish() {
    while (busy()) {
        job().finish();
        sweep_->finish();
        forecasting_.finish();
        opening_.finish();
    }
}

QString WhatIfPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + about_->text();
}

// ---- the run

void WhatIfPanel::offerChoices(const AnalysedRun* /*of*/) {}

void WhatIfPanel::showBody(bool shown) {
    for (QWidget* part : std::initializer_list<QWidget*>{bars_, details_, body_}) {
        part->setVisible(shown);
    }
    checkButtons();
}

void WhatIfPanel::showNothing(const QString& why) {
    release();
    title_->setText(why);
    about_->setText({});
    showBody(false);
}

void WhatIfPanel::release() {
    job().forget();
    forecasting_.forget();
    opening_.forget();
    sweep_->stop();
    slow_.stop();
    again_ = false;
    freeLater(std::exchange(prepared_, nullptr));
    freeLater(std::exchange(prepared_of_, nullptr));
    offers_.clear();
    singles_.clear();
    bars_->setForecast(std::nullopt);
    list_->clear();
    tornado_->setChanges({});
}

void WhatIfPanel::showRun(const std::shared_ptr<const AnalysedRun>& of) {
    if (of == prepared_of_) {
        return;
    }
    release();
    prepared_of_ = of;
    title_->setText(tr("The run is being prepared."));
    about_->setText(tr("It is analysed once more, with all that a forecast needs."));
    showBody(false);
    job().start([this, of](const std::stop_token& stop) -> LatestJob::Show {
        auto prepared = WhatIfRun::prepare(*of, {}, stop);
        if (prepared.cancelled()) {
            return {};
        }
        return [this, prepared = std::move(prepared)] { takePrepared(prepared); };
    });
}

void WhatIfPanel::takePrepared(const Result<std::shared_ptr<const WhatIfRun>>& prepared) {
    if (prepared.failed()) {
        title_->setText(tr("Nothing can be forecast."));
        about_->setText(coreText(prepared.error().cause));
        return;
    }
    prepared_ = prepared.value();
    requestForecast();
}

// ---- each change alone

/// The change that was asked for is played first.
void WhatIfPanel::startSweep() {
    offers_ = offeredChanges();
    std::ranges::stable_partition(offers_, [this](const OfferedChange& each) { return each.typical() == asked_; });
    std::vector<std::string> texts;
    std::ranges::transform(offers_, std::back_inserter(texts), &OfferedChange::typical);
    sweep_->start(prepared_, std::move(texts));
    showSweep();
    if (!asked_.empty() && offers_.front().typical() != asked_) {  // it is not among them
        list_->toggle(std::exchange(asked_, {}));
    }
}

void WhatIfPanel::takeSingle(std::size_t index, const Result<Forecast>& forecast) {
    const OfferedChange& offer = offers_[index];
    const bool is_asked = offer.typical() == asked_;
    if (forecast.ok()) {
        singles_.push_back(singleChange(offer.typical(), offer.typicalTitle(), forecast.value()));
        tornado_->setChanges(singles_);
        list_->offer(offer);
        if (is_asked) {
            list_->toggle(std::exchange(asked_, {}));
        }
    } else if (forecast.failed()) {
        const QString reason = reasonOf(forecast.error(), offer.typical());
        list_->refuse(offer, reason);
        if (is_asked) {
            asked_.clear();
            list_->reject(tr("%1: %2", "a change and the reason").arg(offer.title, reason));
        }
    }
    showSweep();
}

void WhatIfPanel::showSweep() {
    tornado_title_->setText(sweep_->played() < offers_.size()
                                ? tr("Each change alone: %1 of %2 played").arg(sweep_->played()).arg(offers_.size())
                                : tr("Each change alone, the largest saving first"));
}

// ---- the forecast of all changes that are on

void WhatIfPanel::requestForecast() {
    const std::vector<WhatIfChange> changes = list_->changes();
    opening_.forget();  // it would be a run of other changes
    checkButtons();
    std::vector<std::string> made;
    std::ranges::transform(changes, std::back_inserter(made), &WhatIfChange::text);
    tornado_->setMade(std::move(made));
    if (prepared_ == nullptr) {
        return;
    }
    if (forecasting_.busy()) {  // its result is shown, then the newest changes are played: a drag shows how it goes
        again_ = true;
        return;
    }
    slow_.start();
    forecasting_.start([this, run = prepared_, changes](const std::stop_token& stop) -> LatestJob::Show {
        Result<Forecast> forecast = run->forecast(changes, stop);
        if (forecast.cancelled()) {
            return {};
        }
        return [this, forecast = std::move(forecast)] { takeForecast(forecast); };
    });
}

void WhatIfPanel::takeForecast(const Result<Forecast>& forecast) {
    slow_.stop();
    const bool again = std::exchange(again_, false);
    if (forecast.ok()) {
        showForecast(forecast.value());
    } else if (bars_->forecast()) {
        list_->reject(coreText(forecast.error().cause));  // plays what is left
        return;
    } else {
        title_->setText(tr("Nothing can be forecast."));
        about_->setText(coreText(forecast.error().cause));
        return;
    }
    if (again) {
        requestForecast();
    }
}

void WhatIfPanel::showForecast(const Forecast& forecast) {
    const bool first = !bars_->forecast();
    title_->setText(printed(forecastTitle(forecast)));
    about_->setText(printed(forecastAbout(forecast)));
    bars_->setForecast(forecast);
    if (first) {
        showBody(true);
        startSweep();
    }
    showDetails();
}

// ---- the forecast as a run

void WhatIfPanel::checkButtons() {
    const bool any = !body_->isHidden() && !list_->changes().empty();
    reset_->setVisible(any);
    open_->setVisible(any);
    open_->setEnabled(!opening_.busy());
}

bool WhatIfPanel::openAsRun() {
    std::vector<WhatIfChange> changes = list_->changes();
    if (prepared_ == nullptr || changes.empty()) {
        return false;
    }
    if (opening_.busy()) {
        return true;
    }
    opening_.start(
        [this, run = prepared_, changes = std::move(changes)](const std::stop_token& stop) -> LatestJob::Show {
            auto made = predictedRun(*run, changes, stop);
            if (made.cancelled()) {
                return {};
            }
            return [this, made = std::move(made)] {
                if (made.ok()) {
                    Q_EMIT forecastMade(prepared_of_->run, made.value());
                } else {
                    list_->say(coreText(made.error().cause));
                }
                checkButtons();
            };
        });
    checkButtons();
    return true;
}

void WhatIfPanel::showDetails() {
    const auto& forecast = bars_->forecast();
    details_->write(forecast ? forecastDetailsHtml(*forecast, unfolded_, theme()) : QString());
    details_->setVisible(forecast && !details_->text().isEmpty());
}

}  // namespace rankscope::ui
