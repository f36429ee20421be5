// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/read_heads.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/parallel.h"
#include "core/digest/step_table.h"
#include "core/ingest/bounds.h"
#include "core/ingest/files/archive.h"
#include "core/ingest/files/batch_cutter.h"
#include "core/ingest/files/holds_digest.h"

namespace rankscope {
namespace {

constexpr std::uint64_t kHead = std::uint64_t{128} * 1024;
constexpr std::uint64_t kLongHead = std::uint64_t{16} << 20U;
/// Times after this, in the year 2001, count from the Unix epoch. Earlier ones are relative to a base.
constexpr TimeNs kSinceEpoch = 1'000'000'000'000'000'000;

std::vector<RankClaims> claimsOfDigest(const FileSource& file) {
    std::vector<RankClaims> claims;
    const Result<std::vector<DigestedRank>> ranks = readDigestedRanks({file.path});
    for (const DigestedRank& rank : ranks.ok() ? ranks.value() : std::vector<DigestedRank>()) {
        const std::optional<TimeNs> start_ns = isTime(rank.start_ns) ? std::optional(rank.start_ns) : std::nullopt;
        claims.push_back({rank.rank, rank.world_size, start_ns, start_ns.value_or(kSinceEpoch) < kSinceEpoch});
    }
    return claims;
}

/// Adds what a file shows.
void readHead(const FileSource& file, FolderHead& into) {
    ++into.files;
    if (holdsDigest(file)) {
        into.ranks = claimsOfDigest(file);
        return;
    }
    Result<std::vector<RankTrace>> head = loadHead(file, kHead);
    if (!head.ok()) {
        head = loadHead(file, kLongHead);
    }
    if (head.failed() && saysNoTrace(head.error())) {
        into.no_traces.push_back(head.error());
    }
    if (!head.ok()) {
        return;
    }
    for (const RankTrace& trace : head.value()) {
        const bool has_base = trace.metadata.contains("baseTimeNanoseconds") || trace.window.start_ns >= kSinceEpoch;
        into.ranks.push_back({trace.rank, trace.world_size, trace.window.start_ns, !has_base});
    }
}

}  // namespace

std::vector<FolderHead> readHeads(const std::vector<RunSource>& folders) {
    std::vector<FileSource> files;
    std::vector<std::size_t> folder_of;
    for (std::size_t folder = 0; folder < folders.size(); ++folder) {
        files.insert(files.end(), folders[folder].files.begin(), folders[folder].files.end());
        folder_of.resize(files.size(), folder);
    }
    const std::vector<std::size_t> order = shareTexts(files);
    std::vector<FolderHead> read(files.size());
    forEachIndex(files.size(), threadCount(0), [&](std::size_t i) { readHead(files[order[i]], read[order[i]]); });
    std::vector<FolderHead> heads(folders.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        FolderHead& of_folder = heads[folder_of[i]];
        of_folder.files += read[i].files;
        std::ranges::move(read[i].ranks, std::back_inserter(of_folder.ranks));
        std::ranges::move(read[i].no_traces, std::back_inserter(of_folder.no_traces));
    }
    return heads;
}

}  // namespace rankscope
