// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <utility>

#include "ui/theme/theme.h"
#include "ui/timeline/latest_job.h"
#include "ui/widgets/deferred_panel.h"

class QLayout;

namespace rankscope::ui {

/// The frame of a panel: a head, the content below it, and the thread that makes the content.
class PagePanel : public DeferredPanel {
    Q_OBJECT

  public:
    explicit PagePanel(const Theme& theme, QWidget* parent = nullptr);

    /// Draws in the colours of this theme from now on.
    virtual void setTheme(const Theme& theme);
    /// The thread that makes the content, to wait for it.
    [[nodiscard]] LatestJob& job() { return job_; }
    [[nodiscard]] const LatestJob& job() const { return job_; }
    [[nodiscard]] bool busy() const { return job_.busy(); }

  protected:
    /// Puts the head above the parts, from top to bottom; the last one fills the rest. Called once.
    void setPage(QLayout* head, std::initializer_list<QWidget*> parts);
    /// Calls `make` on the thread, and then `then` with its result on this one; replaces the previous request.
    template <class Make, class Then>
    void work(Make make, Then then) {
        job_.start([make = std::move(make), then = std::move(then)](const std::stop_token& stop) -> LatestJob::Show {
            if (stop.stop_requested()) {
                return {};
            }
            return [then, made = make()] { then(made); };
        });
    }
    [[nodiscard]] const Theme& theme() const { return theme_; }

  private:
    Theme theme_;
    LatestJob job_;
};

}  // namespace rankscope::ui
