// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/query/database.h"
#include "core/report/reports.h"
#include "python/native/filled.h"

namespace rankscope::python {

/// A run that was read and analysed, for Python. All methods may be called from any thread: one at a time works on the
/// run, without the interpreter's lock. After close() they throw a ClosedError.
class LoadedRun {
  public:
    /// The run, the logs and dumps of its job, and what else could not be read where it was found.
    LoadedRun(AnalysedRun run, JobCompanions companions, std::vector<Error> unreadable);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Frees the traces and facts.
    void close();
    [[nodiscard]] bool isClosed() const { return run_.load() == nullptr; }
    /// The run itself, which lives as long as this pointer. For comparisons.
    [[nodiscard]] std::shared_ptr<const AnalysedRun> shared() const;

    /// All cells of a table of the registry. Throws KeyError for another name.
    [[nodiscard]] Filled fill(const std::string& table);
    /// Answers one SELECT; `seconds` of 0: no limit. Throws a QueryError.
    [[nodiscard]] Filled ask(const std::string& sql, double seconds);
    /// The JSON text of the event of a slice by its id in the table `slice`, read again from its file. Throws
    /// IndexError for another id, and a ReadError with the byte.
    [[nodiscard]] std::string event(std::int64_t slice);
    /// Returns a text about the run.
    [[nodiscard]] std::string textOf(const std::function<std::string(const ReportInput& input)>& make);

    /// Adds the class to the module.
    static void addTo(pybind11::module_& module);

  private:
    /// Calls `work(run, stop)` on another thread when no other call works on the run.
    template <class Work>
    auto alone(const Work& work);
    /// The run as a database, which is made when it is first asked for. Only inside of alone().
    [[nodiscard]] query::Database& databaseOf(const AnalysedRun& run);

    std::string name_;
    JobCompanions companions_;
    std::vector<Error> unreadable_;
    std::atomic<std::shared_ptr<const AnalysedRun>> run_;  // null: closed
    std::timed_mutex mutex_;                               // of the database
    std::unique_ptr<query::Database> database_;
};

/// A list of (name, meaning, [(column, "int64", "float64" or "text", meaning)]): the tables of the registry.
[[nodiscard]] pybind11::list tableList();

}  // namespace rankscope::python
