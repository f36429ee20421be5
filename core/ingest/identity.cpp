// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/identity.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/ingest/decimal_time.h"

namespace rankscope {
namespace {

using nlohmann::json;

constexpr std::size_t kMetadataKept = std::size_t{64} * 1024;  // bytes of one value

json parse(const std::string& text) {
    return json::parse(text, nullptr, false);
}

std::int32_t smallInt(const json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? at->get<std::int32_t>() : -1;
}

std::string stringAt(const json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end()) {
        return {};
    }
    return at->is_string() ? at->get<std::string>() : at->dump();
}

/// Ranks as a list, or as on-demand traces write them: the list as a string.
std::vector<std::int32_t> rankList(const json& value) {
    const json list = value.is_string() ? parse(value.get<std::string>()) : value;
    std::vector<std::int32_t> ranks;
    if (list.is_array()) {
        for (const json& rank : list) {
            if (rank.is_number_integer()) {
                ranks.push_back(rank.get<std::int32_t>());
            }
        }
    }
    return ranks;
}

void readDistributed(const json& info, RankTrace& into) {
    if (!info.is_object()) {
        return;
    }
    if (const std::int32_t rank = smallInt(info, "rank"); rank >= 0) {
        into.rank = rank;
        into.rank_origin = RankOrigin::DistributedInfo;
    }
    if (const std::int32_t size = smallInt(info, "world_size"); size > 0) {
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
                                   stringAt(group, "backend_config"), smallInt(group, "pg_size"),
                                   rankList(group.value("ranks", json()))});
        }
    }
}

void readDevices(const json& devices, RankTrace& into) {
    if (!devices.is_array()) {
        return;
    }
    for (const json& device : devices) {
        if (device.is_object()) {
            const auto memory = device.find("totalGlobalMem");
            const bool has_memory = memory != device.end() && memory->is_number_unsigned();
            into.devices.push_back({smallInt(device, "id"), stringAt(device, "name"),
                                    has_memory ? memory->get<std::uint64_t>() : 0, smallInt(device, "numSms")});
        }
    }
}

/// The rank by the args of a collective on the default group: its members are numbered by global rank.
std::optional<std::int32_t> rankByCollectives(const RankTrace& trace) {
    for (const Track& track : trace.tracks) {
        for (const CollectiveArgs& args : track.collectives.value) {
            if (args.rank >= 0 && args.global_start >= 0 && args.global_stride > 0) {
                return args.global_start + args.rank * args.global_stride;
            }
            const std::string_view description = trace.strings.view(args.group_description);
            if (args.rank >= 0 &&
                (description == "default_pg" || trace.strings.view(args.group_name) == "default_pg")) {
                return args.rank;
            }
        }
    }
    return std::nullopt;
}

/// "rank3", "rank-3", "rank_3", "worker3" as a word of a name.
std::optional<std::int32_t> rankByName(const std::string& name) {
    static const std::regex pattern("(?:^|[^a-zA-Z])(?:rank|worker)[-_ .]?([0-9]{1,6})(?![0-9])", std::regex::icase);
    std::smatch match;
    return std::regex_search(name, match, pattern) ? std::optional(std::stoi(match[1])) : std::nullopt;
}

/// tensorboard_trace_handler names files "<host>_<pid>.<time>.pt.trace.json".
std::string hostByName(const std::string& name) {
    static const std::regex pattern(R"(^(.+)_[0-9]+\.[0-9]{10,}\.pt\.trace\.json.*$)");
    std::smatch match;
    return std::regex_match(name, match, pattern) && !rankByName(match[1]) ? match[1].str() : std::string();
}

}  // namespace

TimeNs baseTime(const TopLevelKeys& keys) {
    const auto at = std::ranges::find(keys, "baseTimeNanoseconds", &TopLevelKeys::value_type::first);
    return at != keys.end() ? parseInteger(at->second).value_or(0) : 0;
}

void readMetadata(const TopLevelKeys& keys, RankTrace& into) {
    for (const auto& [key, text] : keys) {
        if (key == "distributedInfo") {
            readDistributed(parse(text), into);
        } else if (key == "deviceProperties") {
            readDevices(parse(text), into);
        } else if (key == "host_name") {
            const json name = parse(text);
            into.host = name.is_string() ? name.get<std::string>() : std::string();
        } else if (key != "traceEvents" && text.size() <= kMetadataKept) {
            into.metadata.emplace(key, text);
        }
    }
}

void guessIdentity(const FileSource& file, RankTrace& into) {
    const std::filesystem::path path(file.member.empty() ? file.path : file.member);
    const auto take = [&](std::optional<std::int32_t> rank, RankOrigin origin) {
        if (!into.rank && rank) {
            into.rank = rank;
            into.rank_origin = origin;
        }
    };
    take(rankByCollectives(into), RankOrigin::CollectiveArgs);
    take(rankByName(path.filename().string()), RankOrigin::FileName);
    take(rankByName(path.parent_path().filename().string()), RankOrigin::FolderName);
    if (into.host.empty()) {
        into.host = hostByName(path.filename().string());
    }
}

}  // namespace rankscope
