// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long after its button was pressed, or the window closed, the window's reader has stopped, wherever it was: a run
// of 64 ranks is opened again and again, and left at one moment after another of the time that it takes whole. At most
// half a second. Of the button, Cancel stops the reading, and analyses what has come; Stop at once stops that too.
//     bench_cancel [PATH]    the run of PATH in place of the simulated one
#include <unistd.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tests/bench/many_ranks.h"
#include "ui/window/opening/run_loader.h"

namespace rankscope::bench {
namespace {

constexpr int kMoments = 12;

/// Opens `path`, does `leave` after `at_ms`, and waits for the end. In ms from leaving to the end; 0 where all had
/// ended before.
qint64 waitAfter(const std::string& path, qint64 at_ms,
                 const std::function<void(std::unique_ptr<ui::RunLoader>&)>& leave) {
    auto loader = std::make_unique<ui::RunLoader>();
    QEventLoop loop;
    QElapsedTimer left;
    QObject::connect(loader.get(), &ui::RunLoader::finished, &loop, &QEventLoop::quit);
    QTimer::singleShot(std::chrono::milliseconds(at_ms), &loop, [&] {
        left.start();
        leave(loader);
        if (!loader) {
            loop.quit();
        }
    });
    loader->load({path});
    loop.exec();
    return left.isValid() ? left.elapsed() : 0;
}

int run(const std::string& path) {
    QElapsedTimer whole;
    whole.start();
    waitAfter(path, 1'000'000, [](auto&) {});
    const qint64 whole_ms = whole.elapsed();
    qint64 cancel_ms = 0;
    qint64 stop_ms = 0;
    qint64 quit_ms = 0;
    for (int i = 0; i < kMoments; ++i) {
        const qint64 at_ms = whole_ms * i / kMoments;
        cancel_ms = std::max(cancel_ms, waitAfter(path, at_ms, [](auto& loader) { loader->cancel(); }));
        stop_ms = std::max(stop_ms, waitAfter(path, at_ms, [](auto& loader) { loader->giveUp(); }));
        quit_ms = std::max(quit_ms, waitAfter(path, at_ms, [](auto& loader) { loader.reset(); }));
    }
    std::printf("opened whole in %lld ms; left at %d moments of that\n", static_cast<long long>(whole_ms), kMoments);
    const auto say = [](const char* what, qint64 ms) {
        std::printf("%-72s %.2f\n", what, static_cast<double>(ms) / 1e3);
    };
    say("Cancel to the findings of what had come, the longest, in seconds", cancel_ms);
    say("Stop at once to the end, the longest, in seconds (at most 0.5)", stop_ms);
    say("Quit to the end of all threads, the longest, in seconds (at most 0.5)", quit_ms);
    return 0;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    const QCoreApplication app(argc, argv);
    if (argc > 1) {
        return rankscope::bench::run(argv[1]);
    }
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("rankscope-bench-cancel-" + std::to_string(::getpid()));
    rankscope::bench::writeManyRanks({.ranks = 64, .slices_each = 20'000}, folder);
    const int code = rankscope::bench::run(folder.string());
    fs::remove_all(folder);
    return code;
}
