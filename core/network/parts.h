// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include "core/network/network.h"

// The stages of analyseNetwork(), each on what the ones before it made. Private to core/network.
namespace rankscope::network {

/// Processes, communicators and start-ups of each job.
[[nodiscard]] std::vector<Job> joinJobs(const NcclLogs& logs);
/// Connections and their sums. A connection without a communicator gets the one that its ranks and devices leave.
/// `of_process` has the index of each edge, by process.
void addConnections(const NcclLogs& logs, const std::vector<std::vector<std::size_t>>& of_process, Job& job);
/// Sums of calls.
void addCalls(const NcclLogs& logs, Job& job);

/// Each adds what it finds, and sets the judgement of its topics.
void judgePaths(const NcclLogs& logs, Job& job);
void judgePathDifferences(const NcclLogs& logs, Job& job);
void judgeChannels(const NcclLogs& logs, Job& job);
void judgeSettings(const NcclLogs& logs, Job& job);
void judgeCalls(const NcclLogs& logs, Job& job);
void judgeStartup(const NcclLogs& logs, Job& job);

/// More lines prove nothing more.
inline constexpr std::size_t kMostEvidence = 6;

/// The index in Job::processes of a process of the logs, by index there.
[[nodiscard]] std::map<std::size_t, std::size_t> placesOf(const Job& job);

/// Sets a topic's judgement, unless a finding did.
void setJudgement(Job& job, Topic topic, Judgement judgement);
/// Adds a finding, with the first of its evidence, and says so in the judgement.
void addFinding(Job& job, Finding finding);
/// Adds a communicator whose data takes a path that has the problem; nothing: it may be any.
void addCommunicator(Finding& finding, std::optional<std::size_t> communicator);
/// Adds a line to evidence, if there is room and it has a place.
void addEvidence(Finding& finding, const NcclLine& line);
/// Adds remarks of a kind, each kind once, with the first line of each.
void addRemarks(const NcclLogs& logs, const Job& job, NcclRemarkKind kind, Finding& finding);
/// Adds the first process's setting of this name, if `is_cause` says so of its value. Whether there is one.
bool addSetting(const NcclLogs& logs, const Job& job, const std::string& name, bool (*is_cause)(const std::string&),
                Finding& finding);

}  // namespace rankscope::network
