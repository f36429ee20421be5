// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/ingest/nccl_log/log_line.h"
#include "core/trace/nccl_log.h"

namespace rankscope::nccl {

/// Longer texts are cut, in bytes.
inline constexpr std::size_t kMostText = 300;

/// Makes the model from lines, one at a time and in the order of their files. Private to core/ingest/nccl_log.
class LogBuilder {
  public:
    /// The lines that follow are of this file.
    void beginFile(const std::string& path);
    /// Adds a line without its end. `is_whole` is false if the line was longer than what is read of one.
    void addLine(std::string_view line, bool is_whole);
    /// The file has this many bytes, and ended early if `damage` says why.
    void endFile(std::uint64_t bytes, std::string damage);
    /// What was read; the builder is empty afterwards.
    [[nodiscard]] NcclLogs take();

  private:
    using EdgeKey = std::tuple<std::size_t, std::size_t, std::int32_t, std::int32_t, std::string, std::string, NcclEnd>;
    /// A communicator before its first line that names it: NCCL before 2.14 writes only "Init COMPLETE".
    struct Unnamed {
        NcclMember member;           ///< rings, trees and channels
        std::vector<EdgeKey> edges;  ///< its connections
    };
    /// What is known of a process while its lines are read.
    struct Open {
        std::unordered_map<std::uint64_t, std::size_t> by_pointer;  ///< members that are not ended
        std::unordered_map<std::int64_t, std::size_t> by_thread;    ///< the member that a thread sets up
        std::vector<std::size_t> untimed;                           ///< members without a time of their start-up
        /// For other ranks in the last bootstrap, by thread: several may set up communicators at once.
        std::unordered_map<std::int64_t, DurationNs> waited;
        std::unordered_map<std::int64_t, Unnamed> unnamed;  ///< what threads set up without naming it
    };
    struct TextHash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using ShapeKey = std::tuple<std::string, std::uint64_t, std::int32_t, std::int32_t, std::int32_t>;

    [[nodiscard]] NcclLogFile& file() { return logs_.files.back(); }
    [[nodiscard]] NcclLine lineOf(std::string_view text) const;
    [[nodiscard]] bool findProcess(const PrefixedLine& line);
    /// False if there are too many.
    [[nodiscard]] bool addProcess(const PrefixedLine& line);
    /// What the line's thread sets up; null if that has no name yet, and too many have none.
    [[nodiscard]] NcclMember* openMember(const PrefixedLine& line);
    [[nodiscard]] Unnamed* unnamedOf(const PrefixedLine& line);
    /// Gives a member what its thread wrote before the member had a name.
    void adopt(std::size_t index, Unnamed unnamed);
    /// The version that a line without a prefix has, as NCCL prints it for one process of the file.
    void addPlainVersion(std::string_view line);

    // Each returns whether the line is of its kind; a line of the kind that is not whole is counted as cut.
    bool addCall(const PrefixedLine& line);
    bool addChannel(const PrefixedLine& line);
    bool addStart(const PrefixedLine& line);
    bool addEnd(const PrefixedLine& line);
    bool addMemberFact(const PrefixedLine& line);
    bool addTimings(const PrefixedLine& line);
    bool addChoice(const PrefixedLine& line);

    /// What any other line says about its process.
    void addProcessFact(const PrefixedLine& line);

    void addEdge(const PrefixedLine& line, std::string_view channel, std::string_view pair, std::string_view path);
    void addRing(const PrefixedLine& line, std::string_view channel, std::string_view ranks);
    void addTrees(NcclMember& member, std::string_view text);
    /// How long a thread waited for other ranks in the bootstrap that it ended.
    void noteWaiting(std::int64_t thread, DurationNs ns);
    void addVersion(const std::string& version, NcclLine line);
    void addSetting(std::string_view name, std::string_view value);
    void addRemark(NcclRemarkKind kind);
    [[nodiscard]] std::size_t beginMember(std::uint64_t pointer);
    void count(NcclMember& member, const NcclShape& shape);

    NcclLogs logs_;
    std::vector<Open> open_;  ///< beside NcclLogs::processes
    std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> processes_;
    std::unordered_multimap<std::int64_t, std::size_t> by_pid_;
    std::map<EdgeKey, std::size_t> edges_;
    std::map<ShapeKey, std::uint32_t> shapes_;
    std::optional<NcclLine> plain_version_;  ///< the first line of the file that is only a version
    std::ptrdiff_t first_process_ = 0;       ///< of the file: those before it were in other files
    std::size_t process_ = 0;                ///< of the line that is being added
    std::string_view line_;                  ///< that line
    std::size_t unnamed_ = 0;                ///< entries of Open::unnamed
    std::size_t waited_ = 0;                 ///< entries of Open::waited
    std::size_t ordered_ = 0;                ///< calls in NcclMember::order
    std::size_t shape_rows_ = 0;             ///< entries of NcclMember::shapes
};

}  // namespace rankscope::nccl
