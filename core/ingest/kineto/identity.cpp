// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/identity.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/base/bounded_json.h"
#include "core/ingest/kineto/decimal_time.h"

namespace rankscope {
namespace {

using nlohmann::json;

constexpr std::size_t kMetadataKept = std::size_t{64} * 1024;  // in bytes of one value

/// The value of a text; nothing if it is invalid, with a note if it is nested too deep.
json parse(const std::string& text, std::string_view what, IdentityReport& report) {
    Result<json> value = parseBoundedJson(text);
    if (value.ok()) {
        return std::move(value).value();
    }
    if (nestedDeeperThan(text, kJsonDepth)) {
        report.notes.push_back(std::string(what) + " " + value.error().cause + " and is not read");
    }
    return nullptr;
}

/// An integer from `lowest` to `highest`; -1 if it is absent or something else.
std::int32_t smallInt(const json& object, const char* key, std::int64_t lowest, std::int64_t highest,
                      BoundsReport& report) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_integer()) {
        return -1;
    }
    if (at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(highest)) {
        report.add({key, at->dump(), highest, std::nullopt, 1});
        return -1;
    }
    const auto value = at->get<std::int64_t>();
    return value == -1 ? -1 : static_cast<std::int32_t>(bounded(key, value, lowest, highest, report).value_or(-1));
}

std::string stringAt(const json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end()) {
        return {};
    }
    return at->is_string() ? at->get<std::string>() : at->dump();
}

/// Ranks as a list, or as on-demand traces write them: as a list in a string.
std::vector<RankNumber> rankList(const json& value, IdentityReport& report) {
    const json text = value.is_string() ? parse(value.get<std::string>(), "pg_config.ranks", report) : json();
    const json& list = value.is_string() ? text : value;
    std::vector<RankNumber> ranks;
    if (list.is_array()) {
        for (const json& rank : list) {
            const std::int64_t highest = kMostRanks - 1;
            const bool fits =
                rank.is_number_unsigned() && rank.get<std::uint64_t>() <= static_cast<std::uint64_t>(highest);
            if (fits) {
                ranks.emplace_back(rank.get<std::int32_t>());
            } else if (rank.is_number_integer()) {
                report.bounds.add({"a member of pg_config.ranks", rank.dump(), highest, std::nullopt, 1});
            }
        }
    }
    return ranks;
}

void readDistributed(const json& info, RankTrace& into, IdentityReport& report) {
    if (!info.is_object()) {
        return;
    }
    if (const std::int32_t rank = smallInt(info, "rank", 0, kMostRanks - 1, report.bounds); rank >= 0) {
        into.rank = RankNumber(rank);
        into.rank_origin = RankOrigin::DistributedInfo;
    }
    if (const std::int32_t size = smallInt(info, "world_size", 0, kMostRanks, report.bounds); size > 0) {
        into.world_size = size;
    }
    into.backend = stringAt(info, "backend");
    const auto groups = info.find("pg_config");
    if (groups == info.end() || !groups->is_array()) {
        return;
    }
    for (const json& group : *groups) {
        if (group.is_object()) {
            into.groups.push_back({stringAt(group, "pg_name"), stringAt(group, "pg_desc"),
                                   stringAt(group, "backend_config"),
                                   smallInt(group, "pg_size", 0, kMostRanks, report.bounds),
                                   rankList(group.value("ranks", json()), report)});
        }
    }
}

void readDevices(const json& devices, RankTrace& into, IdentityReport& report) {
    if (!devices.is_array()) {
        return;
    }
    for (const json& device : devices) {
        if (device.is_object()) {
            const auto memory = device.find("totalGlobalMem");
            const std::uint64_t bytes =
                memory != device.end() && memory->is_number_unsigned() ? memory->get<std::uint64_t>() : 0;
            const bool fits = bytes <= static_cast<std::uint64_t>(kMostBytes);
            if (!fits) {
                report.bounds.add({"totalGlobalMem", std::to_string(bytes), kMostBytes, std::nullopt, 1});
            }
            into.devices.push_back({smallInt(device, "id", 0, kMostDevices - 1, report.bounds),
                                    stringAt(device, "name"), fits ? bytes : 0,
                                    smallInt(device, "numSms", 0, kMostDevices, report.bounds)});
        }
    }
}

/// The rank by the args of a collective on the default group: its members are numbered by global rank.
std::optional<RankNumber> rankByCollectives(const RankTrace& trace) {
    for (const Track& track : trace.tracks) {
        for (const CollectiveArgs& args : track.collectives.value) {
            if (args.rank >= 0 && args.global_start >= 0 && args.global_stride > 0) {
                return RankNumber(args.global_start +
                                  args.rank * args.global_stride);  // below kMostRanks, as they were read
            }
            const std::string_view description = trace.strings.view(args.group_description);
            if (args.rank >= 0 &&
                (description == "default_pg" || trace.strings.view(args.group_name) == "default_pg")) {
                return RankNumber(args.rank);
            }
        }
    }
    return std::nullopt;
}

/// The host in the name of a worker, "<host>_<pid>".
std::string hostOfWorker(const std::string& worker) {
    static const std::regex pattern(R"(^(.+)_[0-9]+$)");
    std::smatch match;
    return std::regex_match(worker, match, pattern) && !rankByName(match[1]) ? match[1].str() : std::string();
}

}  // namespace

std::optional<RankNumber> rankByName(const std::string& name) {
    static const std::regex pattern("(?:^|[^a-zA-Z])(?:rank|worker)[-_ .]?([0-9]{1,6})(?![0-9])", std::regex::icase);
    std::smatch match;
    return std::regex_search(name, match, pattern) ? std::optional(RankNumber(std::stoi(match[1]))) : std::nullopt;
}

std::string workerByName(const std::string& name) {
    static const std::regex pattern(R"(^(.+)\.[0-9]{10,}\.pt\.trace\.json.*$)");
    std::smatch match;
    return std::regex_match(name, match, pattern) ? match[1].str() : std::string();
}

TimeNs baseTime(const TopLevelKeys& keys, BoundsReport& report) {
    const auto at = std::ranges::find(keys, "baseTimeNanoseconds", &TopLevelKeys::value_type::first);
    const std::optional<TimeNs> base = at != keys.end() ? parseInteger(at->second) : std::nullopt;
    return base ? bounded("baseTimeNanoseconds", *base, -kFarthestTime, kFarthestTime, report).value_or(0) : 0;
}

IdentityReport readMetadata(const TopLevelKeys& keys, RankTrace& into) {
    IdentityReport report;
    for (const auto& [key, text] : keys) {
        if (key == "distributedInfo") {
            readDistributed(parse(text, key, report), into, report);
        } else if (key == "deviceProperties") {
            readDevices(parse(text, key, report), into, report);
        } else if (key == "host_name") {
            const json name = parse(text, key, report);
            into.host = name.is_string() ? name.get<std::string>() : std::string();
        } else if (key != "traceEvents" && text.size() <= kMetadataKept) {
            into.metadata.emplace(key, text);
        }
    }
    return report;
}

void numberByCollectives(std::vector<RankTrace>& traces) {
    std::set<RankNumber> numbers;
    for (const RankTrace& trace : traces) {
        if (const std::optional<RankNumber> rank = rankByCollectives(trace)) {
            numbers.insert(*rank);
        }
    }
    if (numbers.size() != traces.size()) {
        return;
    }
    for (RankTrace& trace : traces) {
        trace.rank = rankByCollectives(trace);
        trace.rank_origin = RankOrigin::CollectiveArgs;
    }
}

void guessIdentity(const FileSource& file, RankTrace& into) {
    const std::filesystem::path path(file.member.empty() ? file.path : file.member);
    const auto take = [&](std::optional<RankNumber> rank, RankOrigin origin) {
        if (!into.rank && rank) {
            into.rank = rank;
            into.rank_origin = origin;
        }
    };
    take(rankByCollectives(into), RankOrigin::CollectiveArgs);
    const auto name = [](const std::filesystem::path& part) {
        return part.filename().string().substr(0, kNameLookedAt);
    };
    take(rankByName(name(path)), RankOrigin::FileName);
    take(rankByName(name(path.parent_path())), RankOrigin::FolderName);
    if (into.host.empty()) {
        into.host = hostOfWorker(workerByName(name(path)));
    }
}

}  // namespace rankscope
