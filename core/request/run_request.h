// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/name_rules.h"
#include "core/analysis/efficiency/efficiency.h"
#include "core/analysis/model_size.h"
#include "core/analysis/parallelism/parallelism.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/diagnosis/prices/peer_links.h"
#include "core/ingest/load.h"
#include "core/trace/iteration_names.h"

namespace rankscope {

/// A run that the user names, with its files and folders.
struct NamedRun {
    std::string name;
    std::vector<std::string> paths;
};

/// Which runs may come out of RunRequest::paths.
enum class PathsAre : std::uint8_t {
    Together,       ///< any number, of all paths together
    OneRunEach,     ///< one of each path; it is an error if there are several
    RecordingsEach  ///< any number of each path by itself
};

/// The runs that a user asks for, and how they are read and analysed. The command line and the Python module fill it.
struct RunRequest {
    std::vector<std::string> paths;  ///< files, folders, archives, and ssh://host/path
    PathsAre paths_are = PathsAre::Together;
    std::vector<NamedRun> named_runs;
    std::vector<std::string> snapshots;  ///< files with memory snapshots
    LoadOptions load;
    std::optional<NameRules> name_rules;             ///< followed by the built-in ones; nothing: the user's own
    bool file_clocks = false;                        ///< keep the times as recorded
    std::map<RankNumber, DurationNs> clock_offsets;  ///< entered instead of fitted
    ModelSize model;
    RoleChoices roles;                        ///< of process groups
    std::optional<IterationKind> iterations;  ///< of a server: the kind that is priced
    EfficiencyOptions efficiency;             ///< the job's work and its devices
    LinkChoices links;                        ///< the links between ranks
    bool bucket_sizes = true;                 ///< as AnalysisOptions::bucket_sizes
    bool keep_replay = false;                 ///< as AnalysisOptions::keep_replay
};

/// Receives what happens while a request is answered.
class RequestObserver {
  public:
    RequestObserver() = default;
    RequestObserver(const RequestObserver&) = delete;
    RequestObserver& operator=(const RequestObserver&) = delete;
    virtual ~RequestObserver() = default;
    /// Called from worker threads, also from several at once.
    virtual void progress(const Progress& at) = 0;
    /// A sentence that the user should see. Called from the thread that asked, as is failure().
    virtual void note(const std::string& text) = 0;
    /// A path, a file or a rank that could not be read.
    virtual void failure(const Error& error) = 0;
};

}  // namespace rankscope
