// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/network/network.h"
#include "core/report/reports.h"

/// What is said about NCCL's logs: the words, and the reports made of them.
namespace rankscope {

/// Logs, what was found in them, and which files could not be read. All must outlive it.
struct NetworkInput {
    const NcclLogs& logs;
    const network::Network& network;
    const std::vector<Error>& unreadable;
};

/// What `analyze` prints of logs: findings with their lines, communicators, paths, calls and start-up, on one screen;
/// with `is_full` all rows, and evidence of all findings.
[[nodiscard]] std::string networkScreen(const NetworkInput& input, const ScreenStyle& style, bool is_full);
/// What `check` prints: a line per topic, which is "ok", "look here" or "cannot tell".
[[nodiscard]] std::string networkCheckScreen(const NetworkInput& input, const ScreenStyle& style);
/// What `info` prints: what each file contains.
[[nodiscard]] std::string networkInfo(const NetworkInput& input, const ScreenStyle& style);
/// All of it as JSON text in UTF-8, in the form of resources/network.schema.json.
[[nodiscard]] std::string jsonNetwork(const NetworkInput& input);

namespace report {

[[nodiscard]] std::string_view topicId(network::Topic topic);              ///< "nccl-socket-fallback", as in the JSON
[[nodiscard]] std::string_view levelId(network::Level level);              ///< "high"
[[nodiscard]] std::string_view pathKindId(network::PathKind kind);         ///< "peer-to-peer", as in the JSON
[[nodiscard]] std::string_view judgementId(network::Judgement judgement);  ///< "ok", "look", "cannot-tell"

/// The words for a finding.
struct NetworkFindingWords {
    std::string title;   ///< the cause
    std::string text;    ///< a sentence with the figure, and why, as the log says
    std::string why;     ///< why it matters
    std::string remedy;  ///< what to change
};
[[nodiscard]] NetworkFindingWords networkFindingWords(const NcclLogs& logs, const network::Job& job,
                                                      const network::Finding& finding);

/// "broadcast of 5 float32, root 1", with the root and the operator if variants differ in them; or the value. Empty: no
/// value, or no further call.
[[nodiscard]] std::string networkVariantWords(const network::Finding& finding, const network::Variant& variant);

/// What a topic of the check says: of its worst finding, why it is fine, or what to record.
[[nodiscard]] std::string networkCheckText(const NcclLogs& logs, const network::Job& job, network::Topic topic);
[[nodiscard]] std::string_view topicTitle(network::Topic topic);  ///< "Network between hosts"

/// The answer for a job in one or two sentences.
[[nodiscard]] std::string networkAnswer(const NcclLogs& logs, const network::Job& job);
/// "8 ranks on 1 host, 1 communicator, NCCL 2.28.9+cuda13.0, driver 13.2".
[[nodiscard]] std::string networkJobWords(const NcclLogs& logs, const network::Job& job);
/// What the logs do not show, a sentence each.
[[nodiscard]] std::vector<std::string> networkNotes(const NcclLogs& logs, const network::Job& job);

/// "ranks 0 and 3", or "node0:1234 and 2 more" if ranks are unknown. `processes` as in Job::processes.
[[nodiscard]] std::string processWords(const NcclLogs& logs, const network::Job& job,
                                       const std::vector<std::size_t>& processes);
/// "bfloat16"; the number of an unknown type.
[[nodiscard]] std::string ncclTypeName(std::int32_t type);
/// "all-gather" of "AllGather".
[[nodiscard]] std::string ncclKindWords(std::string_view kind);

}  // namespace report
}  // namespace rankscope
