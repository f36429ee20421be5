// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

// The efficiency of a run in the window's words. Facts are only worded here.

/// What there is to say of the use of the devices, above all pictures.
struct EfficiencyHead {
    QString title;  ///< "MFU 33 % · 5.18 of 15.7 TFLOP/s"
    QString about;  ///< what these mean
    QString notes;  ///< what is missing to show them, or to show them better; empty where nothing is
    /// What is missing can be entered: the work of the job, or the peak of its devices.
    bool can_be_entered = false;
};
/// Of one rank, or of all.
[[nodiscard]] EfficiencyHead efficiencyHead(const AnalysedRun& run, std::optional<RankPosition> rank);

/// Why FLOPs are unknown, and what to record.
[[nodiscard]] QString whyNothingIsCounted(NoFlops why);

/// 1e12 operations a second with three digits: "5.18".
[[nodiscard]] QString teraflops(double tflops);
/// A roof: "float16: 125 TFLOP/s".
[[nodiscard]] QString roofTitle(NumberType type, double tflops);
/// All that is known of an operator, or of a kernel, in some lines. `peak`: of its device; null where it is not known.
[[nodiscard]] QString productWords(const ProductRow& row);
[[nodiscard]] QString kernelWords(const ProductKernel& row, const DevicePeak* peak);

}  // namespace rankscope::ui
