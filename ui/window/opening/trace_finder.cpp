// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening/trace_finder.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "core/ingest/files/content_hash.h"
#include "ui/panels/shared/words.h"
#include "ui/window/opening/locate_offer.h"
#include "ui/window/session/session.h"

namespace rankscope::ui {
namespace {

bool isOfDigest(const RankTrace& rank) {
    return !rank.files.empty() && !rank.files.front().digest.empty();
}

/// The missing traces of the digests of these runs, by path. A missing folder is looked up once.
std::vector<TraceFile> missingTraces(const OpenRuns& runs, const PathMap& map, const std::stop_token& stop) {
    std::map<std::string, bool> folders;
    std::vector<TraceFile> missing;
    for (const auto& run : runs) {
        for (const auto& rank : run->run->ranks) {
            for (const TraceFile& file : rank->files) {
                if (file.digest.empty() || stop.stop_requested()) {
                    continue;
                }
                const std::string folder = std::filesystem::path(file.path).parent_path().string();
                const auto [at, first] = folders.try_emplace(folder);
                if (first) {
                    at->second = isAnyFile(folder);
                }
                if (!(at->second && hasSizeOf(file.path, file)) && !hasSizeOf(pathHere(file, map), file)) {
                    missing.push_back(file);
                }
            }
        }
    }
    const auto name = [](const TraceFile& file) { return std::tie(file.path, file.member); };
    std::ranges::sort(missing, {}, name);
    missing.erase(std::ranges::unique(missing, {}, name).begin(), missing.end());
    return missing;
}

}  // namespace

TraceFinder::TraceFinder(QObject* parent) : QObject(parent) {}

void TraceFinder::look(const OpenRuns& runs, const PathMap& map) {
    OpenRuns of_digests;
    std::ranges::copy_if(runs, std::back_inserter(of_digests), [](const auto& run) {
        return std::ranges::any_of(run->run->ranks, [](const auto& rank) { return isOfDigest(*rank); });
    });
    // A run is replaced when it has facts; its files are the same.
    const bool same = map == map_ &&
                      std::ranges::equal(
                          of_digests, runs_, {}, [](const auto& r) { return r->run->ranks.size(); },
                          [](const auto& r) { return r->run->ranks.size(); }) &&
                      std::ranges::equal(
                          of_digests, runs_, {}, [](const auto& r) { return r->run->ranks.front(); },
                          [](const auto& r) { return r->run->ranks.front(); });
    runs_ = std::move(of_digests);
    map_ = map;
    if (same) {
        return;
    }
    job_.start([this, of = runs_, map](const std::stop_token& stop) -> LatestJob::Show {
        const std::vector<TraceFile> missing = missingTraces(of, map, stop);
        const std::string lay_in =
            missing.empty() ? std::string() : std::filesystem::path(missing.front().path).parent_path().string();
        return [this, number = static_cast<int>(missing.size()), lay_in] { Q_EMIT looked(number, text(lay_in)); };
    });
}

void TraceFinder::lookIn(const QString& folder) {
    job_.start([this, of = runs_, map = map_, folder](const std::stop_token& stop) -> LatestJob::Show {
        std::optional<MappedFolder> mapped;
        for (const TraceFile& missing : missingTraces(of, map, stop)) {  // checked again: some may have gone since
                                                                         // look()
            if (mapped || stop.stop_requested()) {
                break;
            }
            mapped = mappingInto(folder.toStdString(), missing);
        }
        return [this, mapped, folder] {
            if (mapped) {
                Q_EMIT found(*mapped);
            } else {
                Q_EMIT notFound(folder);
            }
        };
    });
}

void connectTraces(Session& session, TraceFinder& finder, LocateOffer& offer) {
    QObject::connect(&finder, &TraceFinder::looked, &offer, &LocateOffer::setMissingTraces);
    QObject::connect(&offer, &LocateOffer::located, &finder, &TraceFinder::lookIn);
    QObject::connect(&finder, &TraceFinder::notFound, &offer, &LocateOffer::sayNotThere);
    QObject::connect(&finder, &TraceFinder::found, &session, [&session](const MappedFolder& folder) {
        PathMap map = session.pathMap();
        map.push_back(folder);
        session.setPathMap(std::move(map));
    });
}

}  // namespace rankscope::ui
