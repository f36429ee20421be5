// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/whatif/what_if_run.h"
#include "ui/panels/shared/run_panel.h"
#include "ui/panels/whatif/forecast_text.h"
#include "ui/panels/whatif/offered_changes.h"
#include "ui/panels/whatif/tornado_chart.h"

class QLabel;
class QPushButton;
class QSplitter;

namespace rankscope::ui {

class ChangeList;
class ForecastBars;
class LinkedLabel;
class WhatIfSweep;

/// What changes of a run would do to its step: switches and sliders, the forecast as a bar below the measured one, and
/// every change alone, the largest saving first. The run is prepared on a thread when the panel is first shown, and
/// forecasts are made on threads: while one is made, only the newest request waits.
class WhatIfPanel : public RunPanel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WhatIfPanel)

  public:
    explicit WhatIfPanel(const Theme& theme, QWidget* parent = nullptr);
    ~WhatIfPanel() override;

    /// Shows these runs from now on.
    void setRuns(const OpenRuns& runs);
    void setTheme(const Theme& theme) override;
    /// Chooses a run, by its index, and makes a change as soon as the run is prepared; an empty text changes nothing.
    void ask(std::uint32_t run, const std::string& change);
    /// Makes a run of the changes that are on, on a thread: forecastMade() follows. False if none is on.
    bool openAsRun();

    /// Whether something is being prepared or forecast.
    [[nodiscard]] bool busy() const;
    /// Waits until nothing is: for tests.
    void finish();

    /// The text above the bars, as plain text.
    [[nodiscard]] QString summary() const;
    /// The measured step and its forecast.
    [[nodiscard]] ForecastBars& bars() const { return *bars_; }
    /// The controls.
    [[nodiscard]] ChangeList& changes() const { return *list_; }
    /// Each change alone.
    [[nodiscard]] TornadoChart& tornado() const { return *tornado_; }

  Q_SIGNALS:
    /// The run as it would be with the changes, and the recorded run that it is made of.
    void forecastMade(const std::shared_ptr<const rankscope::Run>& measured,
                      const std::shared_ptr<const rankscope::Run>& forecast);

  private:
    void layOut();
    void wire();
    void showNothing(const QString& why) override;
    void showRun(const std::shared_ptr<const AnalysedRun>& of) override;
    void offerChoices(const AnalysedRun* of) override;
    void showBody(bool shown);
    /// Frees what is prepared, and stops what works on it.
    void release();
    void takePrepared(const Result<std::shared_ptr<const WhatIfRun>>& prepared);
    void startSweep();
    void takeSingle(std::size_t index, const Result<Forecast>& forecast);
    void requestForecast();
    void takeForecast(const Result<Forecast>& forecast);
    void showForecast(const Forecast& forecast);
    void showDetails();
    void showSweep();
    void checkButtons();

    std::shared_ptr<const AnalysedRun> prepared_of_;  // or being prepared
    std::shared_ptr<const WhatIfRun> prepared_;
    std::vector<OfferedChange> offers_;  // as the sweep plays them
    std::vector<SingleChange> singles_;
    std::string asked_;  // a change to make once it is known whether the run can tell it
    std::set<ForecastDetail> unfolded_;
    bool again_ = false;  // other changes were made while the forecast was being computed
    QTimer slow_;         // until the shown forecast fades
    LatestJob forecasting_;
    LatestJob opening_;
    WhatIfSweep* sweep_;
    QLabel* title_;
    QLabel* about_;
    QPushButton* reset_;
    QPushButton* open_;
    ForecastBars* bars_;
    LinkedLabel* details_;
    QSplitter* body_;
    ChangeList* list_;
    QLabel* tornado_title_;
    TornadoChart* tornado_;
};

}  // namespace rankscope::ui
