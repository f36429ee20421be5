// SPDX-License-Identifier: GPL-3.0-or-later
// The main function of the window program: wiring only.
#include <CLI/CLI.hpp>
#include <QApplication>
#include <QLocale>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/fatal_error.h"
#include "core/analysis/device/name_rules.h"
#include "core/base/utf8.h"
#include "core/ingest/files/path_map.h"
#include "core/remote/fetch_digests.h"
#include "core/report/version.h"
#include "ui/theme/window_style.h"
#include "ui/window/appearance.h"
#include "ui/window/commands/quit.h"
#include "ui/window/help/translations.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"
#include "ui/window/session/place_link.h"
#include "ui/window/session/session_keeper.h"

namespace {

using rankscope::kNothingReadable;
using rankscope::kWrongUsage;

constexpr int kLongestSide = 16'384;                 // of a picture, in pixels; Qt cannot draw more in one piece
constexpr qint64 kMostPixels = 100'000'000;          // 400 MB of memory
constexpr std::chrono::milliseconds kPatience{350};  // from the end of the event loop to the end of the process

struct Arguments {
    std::vector<std::string> paths;
    std::vector<std::string> compare;  // A and B, or recordings of A if there is `against`
    std::vector<std::string> against;  // recordings of B
    std::string screenshot;
    std::string size;
    std::string theme;
    std::vector<std::string> commands;
    std::string search;
    std::string place;
    std::string name_rules;
    std::vector<std::string> map;
};

QSize sizeOf(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

/// Why a window cannot have that size; empty if it can.
std::string problemOfSize(const std::string& text) {
    const QSize size = sizeOf(text);
    if (size.width() <= 0 || size.height() <= 0) {
        return "'" + text + "' is not a size like 1280x720";
    }
    const bool fits =
        std::max(size.width(), size.height()) <= kLongestSide && qint64{size.width()} * size.height() <= kMostPixels;
    return fits ? std::string() : "'" + text + "' is too large: at most 16384 pixels per side and 100 million in all";
}

/// Why a file is not a valid file of name rules; empty if it is.
std::string problemOfRules(const std::string& path) {
    const auto rules = rankscope::NameRules::fromFile(path);
    return rules.ok() ? std::string() : rules.error().text();
}

/// Why a text is not a pair of folders; empty if it is.
std::string problemOfMap(const std::string& text) {
    return rankscope::mappedFolderOf(text) && text.find(':') == std::string::npos
               ? std::string()
               : "'" + text + "' is not a pair of absolute paths without ':', like /lustre=/mnt";
}

/// Why a text does not name a place; empty if it does.
std::string problemOfPlace(const std::string& text) {
    return rankscope::ui::placeOf(QString::fromStdString(text))
               ? std::string()
               : "'" + text + "' is not a place: write FROM:TO, in nanoseconds from the start of the run";
}

void describe(CLI::App& app, Arguments& arguments) {
    app.set_version_flag("--version", "rankscope " + rankscope::versionsText());
    auto* paths = app.add_option("paths", arguments.paths,
                                 "Traces, digests, zips or sessions; each of several folders is one run")
                      ->type_name("PATH");
    auto* compare = app.add_option("--compare", arguments.compare,
                                   "Compare two runs; A, or the recordings before --against, is the baseline")
                        ->type_name("A [A2...] B")
                        ->excludes(paths);
    app.add_option("--against", arguments.against, "The recordings of B; those of A are after --compare")
        ->type_name("B [B2...]")
        ->needs(compare);
    app.add_option("--screenshot", arguments.screenshot, "Draw off screen, write a PNG, and exit")
        ->type_name("OUT.png");
    app.add_option("--size", arguments.size, "Size of the window in pixels")->type_name("WxH")->check(problemOfSize);
    app.add_option("--command", arguments.commands,
                   "Run a command before the screenshot, like view.charts or go.fit-all")
        ->type_name("ID")
        ->allow_extra_args(false);
    app.add_option("--search", arguments.search, "Search for this before the screenshot")->type_name("TEXT");
    app.add_option("--place", arguments.place, "Show this place, as Edit > Copy a Command to This Place writes it")
        ->type_name("FROM:TO[@slice:RUN.RANK.TRACK.SLICE]")
        ->check(problemOfPlace)
        ->excludes("--compare");
    app.add_option("--name-rules", arguments.name_rules,
                   "Recognise communication kernels by this file's rules first, instead of the user's own")
        ->type_name("F")
        ->check(problemOfRules);
    app.add_option("--map", arguments.map, "A digest's traces are below TO here, and were below FROM when it was made")
        ->type_name("FROM=TO")
        ->allow_extra_args(false)
        ->check(problemOfMap);
    app.add_option("--theme", arguments.theme, "dark or light, for this start only; default is the last choice")
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
    if (!arguments.compare.empty()) {
        window.compare(listOf(arguments.compare), listOf(arguments.against));
    } else {
        window.open(listOf(arguments.paths));
    }
}

/// Shows the named files, or those of the last session, until the user closes the window.
int showWindow(rankscope::ui::MainWindow& window, const Arguments& arguments) {
    const rankscope::ui::QuitSignals asked;
    QObject::connect(&asked, &rankscope::ui::QuitSignals::quitAsked, &window, &rankscope::ui::MainWindow::quit);
    if (arguments.paths.empty() && arguments.compare.empty()) {
        window.sessions().openLast();
    }
    if (const auto place = rankscope::ui::placeOf(QString::fromStdString(arguments.place))) {
        window.showWhenOpened(*place);
    }
    open(window, arguments);
    const int code = QApplication::exec();
    rankscope::ui::endProcessWithin(kPatience, code);  // the window has saved its settings when it was closed
    return code;
}

/// Writes a picture of the window once everything named is read and drawn.
int takePicture(const QApplication& app, rankscope::ui::MainWindow& window, const Arguments& arguments) {
    rankscope::ui::Screenshot screenshot(window, QString::fromStdString(arguments.screenshot));
    QStringList commands;
    for (const std::string& id : arguments.commands) {
        commands.append(QString::fromStdString(id));
    }
    if (!screenshot.before(commands)) {
        std::fputs("rankscope: --command: there is no such command\n", stderr);
        return kWrongUsage;
    }
    if (const auto place = rankscope::ui::placeOf(QString::fromStdString(arguments.place))) {
        screenshot.at(*place);
    }
    screenshot.searchFor(QString::fromStdString(arguments.search));
    QObject::connect(&screenshot, &rankscope::ui::Screenshot::done, &app, &QApplication::exit);
    open(window, arguments);
    screenshot.takeUnlessOpening();
    return QApplication::exec();
}

/// Nobody watches a picture being taken, so Qt's messages about its environment are noise: the picture and the exit
/// code show errors.
void tellOnlyErrors(QtMsgType type, const QMessageLogContext& /*context*/, const QString& words) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::fprintf(stderr, "rankscope: %s\n", qUtf8Printable(words));
    }
}

int runWindow(int argc, char** argv, const Arguments& arguments) {
    const bool off_screen = !arguments.screenshot.empty();
    if (!arguments.name_rules.empty()) {
        // Each opened run reads the rules again, so that the user can change them in the meantime.
        qputenv("RANKSCOPE_NAME_RULES", QByteArray::fromStdString(arguments.name_rules));
    }
    QByteArray map;
    for (const std::string& folder : arguments.map) {
        map += QByteArray::fromStdString(folder) + ':';
    }
    qputenv("RANKSCOPE_MAP", map + qgetenv("RANKSCOPE_MAP"));  // before the existing value
    if (off_screen && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    if (off_screen) {
        qInstallMessageHandler(tellOnlyErrors);
    }
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("rankscope"));
    QApplication::setOrganizationName(QStringLiteral("rankscope"));
    QApplication::setDesktopFileName(QStringLiteral("rankscope"));
    QApplication::setStyle(new rankscope::ui::WindowStyle);
    QApplication::setFont(rankscope::ui::Theme::darkTheme().ui_font);  // the same in all themes

    if (!off_screen) {
        (void)rankscope::ui::installTranslations(app, QLocale(), rankscope::ui::translationsFolder());
    }

    // A picture must look the same whatever the user's settings are, and must not change them.
    const QTemporaryDir scratch;
    QSettings kept;
    QSettings unkept(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    rankscope::ui::MainWindow window(off_screen ? unkept : kept);
    if (!arguments.theme.empty()) {
        window.appearance().use(rankscope::ui::themeChoiceOf(QString::fromStdString(arguments.theme)));
    }
    if (!arguments.size.empty()) {
        window.resize(sizeOf(arguments.size));
    }
    window.show();
    return off_screen ? takePicture(app, window, arguments) : showWindow(window, arguments);
}

/// Replaces each ssh://host/path by digests, and companions if wanted, which are created there and copied here. Reports
/// its progress on standard error, since there is no window yet. Returns whether all could be fetched.
bool fetchRemotePaths(std::vector<std::string>& paths, bool with_companions) {
    rankscope::RemoteOptions options = rankscope::remoteOptionsForUser();
    options.companions = with_companions;
    const auto say = [](std::string_view words) {
        std::fprintf(stderr, "rankscope: %s\n", rankscope::printable(words).c_str());
    };
    options.on_progress = say;
    rankscope::FetchedPaths fetched = rankscope::fetchPaths(paths, options);
    for (const auto* errors : {&fetched.remarks, &fetched.failed}) {
        for (const rankscope::Error& error : *errors) {
            say(error.text());
        }
    }
    paths = std::move(fetched.paths);
    return fetched.failed.empty();
}

/// After this, `compare` has the recordings of A and `against` those of B. False if no two sides are named.
bool divideSides(Arguments& arguments) {
    if (arguments.against.empty() && arguments.compare.size() == 2) {
        arguments.against = {std::move(arguments.compare.back())};
        arguments.compare.pop_back();
    }
    return arguments.compare.empty() == arguments.against.empty();
}

int parseAndRun(int argc, char** argv) {
    CLI::App app("Shows what the ranks of a PyTorch training run wait for.");
    Arguments arguments;
    describe(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUsage;
    }
    if (!divideSides(arguments)) {
        std::fputs("rankscope: --compare: name A and B, or the recordings of A, then --against and those of B\n",
                   stderr);
        return kWrongUsage;
    }
    // The window fetches what it opens, so that the user can see and stop it; sides are compared by local paths.
    const bool in_window = arguments.screenshot.empty();
    if ((!in_window && !fetchRemotePaths(arguments.paths, true)) || !fetchRemotePaths(arguments.compare, false) ||
        !fetchRemotePaths(arguments.against, false)) {
        return kNothingReadable;
    }
    return runWindow(argc, argv, arguments);
}

}  // namespace

int main(int argc, char** argv) {
    rankscope::endOnUncaughtExceptions("rankscope");
    try {
        return parseAndRun(argc, argv);
    } catch (...) {
        return rankscope::tellFatalError("rankscope");
    }
}
