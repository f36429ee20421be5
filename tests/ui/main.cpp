// SPDX-License-Identifier: GPL-3.0-or-later
// The main of all window tests: gtest under a QApplication that draws off screen.
#include <gtest/gtest.h>

#include <QApplication>
#include <algorithm>
#include <array>

namespace {

QtMessageHandler g_shown_by = nullptr;

/// What the platform of tests says again and again, and no test can change.
bool isOfThePlatform(const QString& message) {
    static constexpr std::array kSaid{
        QLatin1String("This plugin does not support propagateSizeHints()"),
        QLatin1String("This plugin does not support raise()"),
        QLatin1String("This plugin does not support grabbing the keyboard"),
        QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"),
    };
    return std::ranges::any_of(kSaid, [&](QLatin1String said) { return message.startsWith(said); });
}

void showOthers(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (!isOfThePlatform(message)) {
        g_shown_by(type, context, message);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    g_shown_by = qInstallMessageHandler(showOthers);
    testing::InitGoogleTest(&argc, argv);
    const QApplication app(argc, argv);
    return RUN_ALL_TESTS();
}
