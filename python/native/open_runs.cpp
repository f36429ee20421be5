// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/open_runs.h"

#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/ingest/files/batch_cutter.h"
#include "core/request/companions_of_runs.h"
#include "core/request/digests.h"
#include "python/native/failure.h"
#include "python/native/listener.h"
#include "python/native/loaded_run.h"
#include "python/native/on_thread.h"
#include "python/native/options.h"

namespace rankscope::python {
namespace {

namespace py = pybind11;

/// What the request names; without runs if a path could not be fetched.
ReadRuns readAll(RunRequest request, Listener& listener, const std::stop_token& stop) {
    if (!fetchRemotePaths(request, listener, stop)) {
        return {};
    }
    ReadRuns read = readJob(request, listener, stop);
    if (read.runs.empty() && !read.companions.empty() && listener.failures().empty()) {
        listener.failure({read.companions.logs != nullptr ? read.companions.logs->files.front()
                                                          : read.companions.dumps->files.front(),
                          {},
                          "belongs to a job, but no trace of the job was named"});
    }
    return read;
}

}  // namespace

py::tuple openRuns(const std::vector<std::string>& paths, const py::object& name, const py::dict& options,
                   const py::object& progress) {
    RunRequest request;
    if (name.is_none()) {
        request.paths = paths;
    } else {
        request.named_runs.push_back({name.cast<std::string>(), paths});
    }
    readOptions(options, request);
    Listener listener;
    ReadRuns read = onThread([&](const std::stop_token& stop) { return readAll(request, listener, stop); },
                             listener.tellerTo(progress));
    py::list runs;
    for (AnalysedRun& run : read.runs) {
        runs.append(std::make_shared<LoadedRun>(std::move(run), read.companions, read.unreadable));
    }
    py::list failures;
    for (const Error& error : listener.failures()) {
        failures.append(placeOf(error));
    }
    return py::make_tuple(runs, listener.notes(), failures);
}

py::list digestPaths(const std::vector<std::string>& paths, const std::string& folder, unsigned jobs,
                     const py::object& progress) {
    struct Made {
        DigestTask task;
        Result<MadeDigest> result;
    };
    Listener listener;
    std::mutex mutex;
    std::vector<Made> all;
    Result<std::size_t> done = onThread(
        [&](const std::stop_token& stop) -> Result<std::size_t> {
            const Result<std::vector<DigestTask>> tasks = planDigests(paths, folder);
            if (!tasks.ok()) {
                return tasks.error();
            }
            makeDigests(
                tasks.value(), jobs,
                [&](const DigestTask& task, const Result<MadeDigest>& made, DurationNs /*took_ns*/) {
                    const std::scoped_lock lock(mutex);
                    all.push_back({task, made});
                    listener.progress({"making digests", all.size(), tasks.value().size()});
                },
                stop);
            return tasks.value().size();
        },
        listener.tellerTo(progress));
    (void)valueOr("ReadError", std::move(done));
    py::list out;
    for (const Made& one : all) {
        const bool ok = one.result.ok();
        if (one.result.failed() && !one.task.source.is_named && saysNoTrace(one.result.error())) {
            continue;
        }
        const MadeDigest made = ok ? one.result.value() : MadeDigest();
        const Error error = one.result.failed() ? one.result.error() : Error{one.task.label, {}, "was cancelled"};
        out.append(py::make_tuple(one.task.label, made.was_up_to_date, made.ranks, made.bytes, made.json_bytes,
                                  ok ? py::object(py::none()) : placeOf(error)));
    }
    return out;
}

}  // namespace rankscope::python
