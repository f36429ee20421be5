// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"

namespace rankscope::ui {

// The efficiency of a run in the window's words. It only words facts.

/// The text about the use of the devices, above all pictures.
struct EfficiencyHead {
    QString title;  ///< "MFU 33 % · 5.18 of 15.7 TFLOP/s"
    QString about;  ///< the meaning of these
    QString notes;  ///< what is missing to show them, or to show them better; empty if nothing is
    /// The user can enter what is missing: the work of the job, or the peak of its devices.
    bool can_be_entered = false;
};
/// For one rank, or for all.
[[nodiscard]] EfficiencyHead efficiencyHead(const AnalysedRun& run, std::optional<RankPosition> rank);

/// Why FLOPs are unknown, and what to record.
[[nodiscard]] QString whyNothingIsCounted(NoFlops why);

/// 1e12 operations per second with three digits: "5.18".
[[nodiscard]] QString teraflops(double tflops);
/// A roof: "float16: 125 TFLOP/s".
[[nodiscard]] QString roofTitle(NumberType type, double tflops);
/// All details of an operator, or of a kernel, in a few lines. `peak`: of its device; null if it is not known.
[[nodiscard]] QString productWords(const ProductRow& row);
[[nodiscard]] QString kernelWords(const ProductKernel& row, const DevicePeak* peak);

}  // namespace rankscope::ui
