// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/condense/make_digest.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/analysis/stages.h"
#include "core/base/write_file.h"
#include "core/condense/fact_tables.h"
#include "core/digest/column.h"
#include "core/digest/digest_file.h"
#include "core/ingest/files/content_hash.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// The source of a trace as a digest stores it, without the content's hash.
DigestSource sourceOf(const FileSource& file, const DigestMaker& maker) {
    return {file.path, file.member, file.bytes, modifiedAt(file.path), 0, maker.tool, maker.definitions};
}

/// The source of an existing digest, if it is one of this version.
std::optional<DigestSource> knownSource(const std::string& digest) {
    std::error_code error;
    if (!fs::exists(digest, error)) {
        return std::nullopt;
    }
    const Result<std::vector<DigestSource>> sources = readSources(digest);
    return sources.ok() && sources.value().size() == 1 ? std::optional(sources.value().front()) : std::nullopt;
}

/// Whether `known` describes the current trace; an error if that cannot be read.
Result<bool> isUpToDate(const DigestSource& known, DigestSource now, const FileSource& file) {
    now.hash = known.hash;
    if (known == now) {
        return true;
    }
    now.modified_ns = known.modified_ns;
    if (known != now) {
        return false;
    }
    const Result<std::uint64_t> hash = contentHash(file);
    return hash.ok() ? Result<bool>(hash.value() == known.hash) : Result<bool>(hash.error());
}

Result<std::string> digestBytes(const DigestSource& source, const std::vector<std::shared_ptr<const RankTrace>>& ranks,
                                const DigestMaker& maker) {
    try {
        const Database digest = newDigest();
        digest.run("BEGIN");
        const std::int64_t from = addSource(digest, source);
        for (const auto& rank : ranks) {
            const std::int64_t number = addRank(digest, from, *rank);
            addFacts(digest, number, analyseRank(rank, maker.rules, maker.threads));
        }
        digest.run("COMMIT");
        return digest.bytes();
    } catch (const DigestFault& fault) {
        return Error{source.path, std::nullopt, std::string("no digest can be made of it: ") + fault.what()};
    }
}

}  // namespace

Result<MadeDigest> makeDigest(const DigestTask& task, const DigestMaker& maker, std::stop_token stop) {
    const FileSource& file = task.source;
    if (!task.refused.empty()) {
        return Error{task.label, std::nullopt, task.refused};
    }
    DigestSource source = sourceOf(file, maker);
    if (const std::optional<DigestSource> known = knownSource(task.digest)) {
        const Result<bool> is_up_to_date = isUpToDate(*known, source, file);
        if (!is_up_to_date.ok()) {
            return is_up_to_date.error();
        }
        if (is_up_to_date.value()) {
            return MadeDigest{.was_up_to_date = true};
        }
    }
    LoadOptions options;
    options.threads = maker.threads;
    LoadObserver nobody;
    Result<std::vector<RankTrace>> loaded = loadRanks(file, options, nobody, std::move(stop));
    if (!loaded.ok()) {
        return loaded.failed() ? Result<MadeDigest>(loaded.error()) : Result<MadeDigest>(Cancelled{});
    }
    std::vector<std::shared_ptr<const RankTrace>> ranks;
    for (RankTrace& rank : loaded.value()) {
        ranks.push_back(std::make_shared<const RankTrace>(std::move(rank)));
    }
    MadeDigest made{false, ranks.size(), 0, ranks.front()->files.front().json_bytes};
    const Result<std::uint64_t> hash = contentHash(file);
    if (!hash.ok()) {
        return hash.error();
    }
    source.hash = hash.value();
    const Result<std::string> bytes = digestBytes(source, ranks, maker);
    if (!bytes.ok()) {
        return bytes.error();
    }
    std::error_code error;
    fs::create_directories(fs::path(task.digest).parent_path(), error);  // an error shows itself in the next call
    if (const std::optional<Error> failed = writeFileAtomically(task.digest, bytes.value())) {
        return *failed;
    }
    made.bytes = bytes.value().size();
    return made;
}

std::optional<Error> writeDigest(const Run& run, const std::string& path, const DigestMaker& maker) {
    DigestSource source;
    source.path = path;
    source.tool = maker.tool;
    source.definitions = maker.definitions;
    const Result<std::string> bytes = digestBytes(source, run.ranks, maker);
    return bytes.ok() ? writeFileAtomically(path, bytes.value()) : std::optional(bytes.error());
}

}  // namespace rankscope
