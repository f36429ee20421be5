// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/device/memory_use.h"
#include "ui/charts/run_chart.h"
#include "ui/timeline/latest_job.h"

class QComboBox;

namespace rankscope::ui {

/// The memory of a device's allocator over time, on one rank: allocated and reserved.
class MemoryChart : public RunChart {
    Q_OBJECT

  public:
    explicit MemoryChart(const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] bool busy() const override { return job_.busy(); }

  protected:
    QString fill() override;

  private:
    struct Shown {
        RankPosition rank;
        std::int32_t device = -1;
        friend bool operator==(const Shown&, const Shown&) = default;
    };

    void offerDevices();
    void read(const Shown& what);
    void draw();
    void activate(double from_base);
    [[nodiscard]] QString words(const MemorySample& sample) const;

    QComboBox* device_;
    std::vector<Shown> devices_;
    Shown shown_;
    std::shared_ptr<const Run> read_of_;
    std::vector<MemorySample> samples_;
    double unit_ns_ = 1e9;  // unit of the time axis
    LatestJob job_;
};

}  // namespace rankscope::ui
