// SPDX-License-Identifier: GPL-3.0-or-later
// The window's main: wiring only.
#include <CLI/CLI.hpp>
#include <QApplication>
#include <QMetaObject>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>
#include <string>
#include <vector>

#include "core/report/version.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"
#include "ui/window/session_keeper.h"

namespace {

constexpr int kWrongUsage = 2;

struct Arguments {
    std::vector<std::string> paths;
    std::vector<std::string> compare;
    std::string screenshot;
    std::string size;
    std::string theme;
    std::vector<std::string> commands;
    std::string search;
};

QSize sizeOf(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

void describe(CLI::App& app, Arguments& arguments) {
    app.set_version_flag("--version", "rankscope " + std::string(rankscope::toolVersion()));
    auto* paths = app.add_option("paths", arguments.paths, "Trace files or folders of one run")->type_name("PATH");
    app.add_option("--compare", arguments.compare, "Compare two runs, A the baseline")
        ->expected(2)
        ->type_name("A B")
        ->excludes(paths);
    app.add_option("--screenshot", arguments.screenshot, "Draw off screen, write a PNG and exit")->type_name("OUT.png");
    app.add_option("--size", arguments.size, "Size of the window in pixels")
        ->type_name("WxH")
        ->check([](const std::string& text) {
            const QSize size = sizeOf(text);
            return size.width() > 0 && size.height() > 0 ? std::string() : "'" + text + "' is no size like 1280x720";
        });
    app.add_option("--command", arguments.commands, "Do a command before the picture is taken: view.charts, go.fit-all")
        ->type_name("ID")
        ->allow_extra_args(false);
    app.add_option("--search", arguments.search, "Search for this before the picture is taken")->type_name("TEXT");
    app.add_option("--theme", arguments.theme, "dark or light; without it the desktop's")
        ->check(CLI::IsMember({"dark", "light"}));
}

QStringList listOf(const std::vector<std::string>& paths) {
    QStringList all;
    for (const std::string& path : paths) {
        all.append(QString::fromStdString(path));
    }
    return all;
}

void open(rankscope::ui::MainWindow& window, const Arguments& arguments) {
    const QStringList pair = listOf(arguments.compare);
    if (pair.size() == 2) {
        window.compare({pair[0]}, {pair[1]});
    } else {
        window.open(listOf(arguments.paths));
    }
}

int runWindow(int argc, char** argv, const Arguments& arguments) {
    const bool off_screen = !arguments.screenshot.empty();
    if (off_screen && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("rankscope"));
    QApplication::setOrganizationName(QStringLiteral("rankscope"));
    QApplication::setDesktopFileName(QStringLiteral("rankscope"));
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setFont(rankscope::ui::Theme::darkTheme().ui_font);  // the same in all themes

    // A picture must look the same whatever the user has set, and must not change it.
    const QTemporaryDir scratch;
    QSettings kept;
    QSettings unkept(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    rankscope::ui::MainWindow window(off_screen ? unkept : kept);
    if (!arguments.theme.empty()) {
        window.setThemeChoice(rankscope::ui::themeChoiceOf(QString::fromStdString(arguments.theme)));
    }
    if (!arguments.size.empty()) {
        window.resize(sizeOf(arguments.size));
    }
    window.show();
    const bool nothing = arguments.paths.empty() && arguments.compare.empty();
    if (!off_screen) {
        if (nothing) {
            window.sessions().openLast();
        }
        open(window, arguments);
        return QApplication::exec();
    }
    rankscope::ui::Screenshot screenshot(window, QString::fromStdString(arguments.screenshot));
    QStringList commands;
    for (const std::string& id : arguments.commands) {
        commands.append(QString::fromStdString(id));
    }
    if (!screenshot.before(commands)) {
        std::fputs("rankscope: --command: there is no such command\n", stderr);
        return kWrongUsage;
    }
    screenshot.searchFor(QString::fromStdString(arguments.search));
    QObject::connect(&screenshot, &rankscope::ui::Screenshot::done, &app, &QApplication::exit);
    if (nothing) {
        QMetaObject::invokeMethod(&screenshot, &rankscope::ui::Screenshot::take, Qt::QueuedConnection);
    }
    open(window, arguments);
    return QApplication::exec();
}

}  // namespace

// An exception that nobody expected ends the program with its message, by std::terminate.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
    CLI::App app("Shows what the ranks of a PyTorch training run wait for.");
    Arguments arguments;
    describe(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUsage;
    }
    return runWindow(argc, argv, arguments);
}
