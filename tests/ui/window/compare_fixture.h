// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTableView>
#include <optional>

#include "tests/ui/window/window_fixture.h"
#include "ui/compare/compare_panel.h"
#include "ui/compare/compare_table.h"
#include "ui/compare/compare_view.h"
#include "ui/panels/shared/words.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/window/comparison/comparing.h"

namespace rankscope::ui {

/// A window, with what comparing two runs in it takes.
class CompareWindow : public test::WindowTest {
  protected:
    [[nodiscard]] CompareView& view() { return window().compareView(); }
    [[nodiscard]] ComparePanel& panel() { return view().panel(); }
    using WindowTest::timeline;
    [[nodiscard]] TimelineWidget& timeline(Side side) { return view().timeline(side); }

    /// In a dialog, which no window manager activates here: else the key were a shortcut of the window behind it.
    static void pressEnter(QWidget& at) {
        QApplication::setActiveWindow(at.window());
        QTest::keyClick(&at, Qt::Key_Return);
    }
    /// Waits until the comparison is in sight and all of it is worked out.
    [[nodiscard]] bool waitUntilCompared() {
        const bool done =
            waitUntilIdle() &&
            QTest::qWaitFor([this] { return window().comparing().active() && view().compared() && !view().busy(); },
                            kPatience);
        for (TimelineWidget* each : window().active().timelines()) {
            each->settle();
        }
        QCoreApplication::processEvents();
        return done && view().isVisible();
    }
    [[nodiscard]] bool compareSamples() {
        window().compare({zero()}, {four()});
        return waitUntilCompared();
    }
    [[nodiscard]] bool waitUntilFound() {
        const bool done = QTest::qWaitFor([this] { return !view().busy(); }, kPatience);
        timeline(Side::A).settle();
        timeline(Side::B).settle();
        return done;
    }
    [[nodiscard]] QString names() {
        const auto& runs = view().compared();
        return text(runs->a->run->name) + QStringLiteral(" ") + text(runs->b->run->name);
    }
    void clickRow(ComparePage page, int row) {
        QTableView& table = panel().table(page).view();
        panel().showPage(page);
        table.scrollTo(table.model()->index(row, 0));
        const QPoint at = table.visualRect(table.model()->index(row, 0)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at);
    }
    /// Clicks on the widest slice of a device that is in sight; false where there is none.
    bool clickWidestKernel(Side side) {
        TimelineWidget& of = timeline(side);
        const Frame frame = of.frame();
        const AnalysedRun& run = view().compared()->run(side);
        std::optional<QRectF> widest;
        for (const FrameSliceRow& slice_row : frame.slice_rows) {
            const bool device = run.run->ranks[slice_row.rank]->tracks[slice_row.track.value].kind == TrackKind::Stream;
            for (std::uint32_t i = slice_row.first; device && i < slice_row.last; ++i) {
                const FrameItem& item = frame.items[i];
                const bool whole = item.count == 1 && slice_row.y + slice_row.height < frame.height;
                if (whole && (!widest || item.x1 - item.x0 > widest->width())) {
                    widest = QRectF(item.x0, slice_row.y, item.x1 - item.x0, slice_row.height);
                }
            }
        }
        if (widest) {
            clickAt(of, *widest);
        }
        return widest.has_value();
    }
    [[nodiscard]] bool selectWidestKernel(Side side) { return clickWidestKernel(side) && waitUntilFound(); }
    /// Where the selection of a timeline begins, in pixels from the left of its tracks.
    [[nodiscard]] double startX(Side side) {
        const TimelineWidget& of = timeline(side);
        return of.viewport().xAt(of.spanOf(of.selection()).start_ns);
    }
    /// Clicks in the middle of an item of the frame of a timeline.
    static void clickAt(TimelineWidget& of, const QRectF& device_pixels) {
        const QRectF seen = device_pixels.intersected(QRectF(0, 0, of.frame().width, of.frame().height));
        const QPointF at = QPointF(of.tracksArea().topLeft()) + seen.center() / of.frame().pixel_ratio;
        QTest::mouseMove(&of, at.toPoint());
        QTest::mouseClick(&of, Qt::LeftButton, {}, at.toPoint());
    }
};

}  // namespace rankscope::ui
