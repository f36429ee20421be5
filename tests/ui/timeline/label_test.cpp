// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "ui/theme/theme.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr std::string_view kKernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int, float*)";

class Label : public testing::Test {
  protected:
    QFont font = labelFont(Theme::darkTheme(), 1.0);
    TextMeasure measure{font};
    double widthOf(const char* text) { return measure.width(QString::fromUtf8(text)); }
};

TEST_F(Label, AddsUpToWhatQtMeasures) {
    const QString text = QStringLiteral("ncclDevKernel_AllReduce_Sum_f32");
    EXPECT_NEAR(measure.width(text), QFontMetricsF(font).horizontalAdvance(text), 2.0);
}

TEST_F(Label, IsTheWholeNameWhereThatFits) {
    EXPECT_EQ(fitLabel("aten::mm", widthOf("aten::mm"), measure), "aten::mm");
}

TEST_F(Label, LosesParametersAndTemplatesOfAKernelFirst) {
    const double room = widthOf("at::native::vectorized_elementwise_kernel");
    EXPECT_EQ(fitLabel(kKernel, room, measure), "at::native::vectorized_elementwise_kernel");
}

TEST_F(Label, LosesNamespacesNext) {
    EXPECT_EQ(fitLabel(kKernel, widthOf("vectorized_elementwise_kernel") + 1, measure),
              "vectorized_elementwise_kernel");
}

TEST_F(Label, IsCutWithAnEllipsisLastAndNeverTooWide) {
    for (int room = 0; room < 700; room += 3) {
        const QString text = fitLabel(kKernel, room, measure);
        EXPECT_LE(measure.width(text), room);
        EXPECT_TRUE(text.isEmpty() || text.size() >= 4) << qPrintable(text);
    }
    EXPECT_EQ(fitLabel(kKernel, widthOf("vectorized") + 12, measure).back(), QChar(0x2026));
}

TEST_F(Label, KeepsTheBracketsOfAPythonFrame) {
    EXPECT_EQ(withoutParameters("train.py(54): step"), "train.py(54): step");
    EXPECT_EQ(withoutParameters("aten::to"), "aten::to");
    EXPECT_EQ(withoutParameters("Memcpy HtoD (Pageable -> Device)"), "Memcpy HtoD (Pageable -> Device)");
}

TEST_F(Label, SurvivesNamesWithLoneBrackets) {
    for (const char* name : {"a<b", "operator<", "f)", "void ", "x::y)", "<lambda>", ""}) {
        (void)fitLabel(name, 40, measure);
        (void)fitLabel(name, 400, measure);
    }
    EXPECT_EQ(fitLabel("operator<", 400, measure), "operator<");
}

}  // namespace
}  // namespace rankscope::ui
