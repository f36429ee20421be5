// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/flight_recorder/flight_recorder.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace rankscope {
namespace {

using nlohmann::json;

/// Larger numbers are not of a job.
constexpr std::int64_t kMostRank = 10'000'000;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 61;

/// The whole number of a text; nothing if it is none.
std::optional<std::int64_t> parsed(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

const json* member(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::int64_t> integer(const json& object, const char* key) {
    const json* value = member(object, key);
    if (value == nullptr || !value->is_number_integer()) {
        return std::nullopt;
    }
    const auto number = value->get<std::int64_t>();
    return number >= 0 && number <= kMostNumber ? std::optional(number) : std::nullopt;
}

std::string text(const json& object, const char* key) {
    const json* value = member(object, key);
    return value == nullptr             ? std::string()
           : value->is_string()         ? value->get<std::string>()
           : value->is_number_integer() ? std::to_string(value->get<std::int64_t>())
                                        : std::string();
}

/// Ranks as a list, or as the text of one: "[0, 1, 2]".
std::vector<std::int64_t> ranksOf(const json* value) {
    std::vector<std::int64_t> ranks;
    const auto add = [&ranks](std::optional<std::int64_t> rank) {
        if (rank && *rank >= 0 && *rank <= kMostRank) {
            ranks.push_back(*rank);
        }
    };
    if (value != nullptr && value->is_array()) {
        for (const json& rank : *value) {
            add(rank.is_number_integer() ? std::optional(rank.get<std::int64_t>()) : std::nullopt);
        }
    } else if (value != nullptr && value->is_string()) {
        const std::string_view all = value->get_ref<const std::string&>();
        for (std::size_t at = all.find_first_of("0123456789"); at != std::string_view::npos;) {
            const std::size_t end = std::min(all.find_first_not_of("0123456789", at), all.size());
            add(parsed(all.substr(at, end - at)));
            at = all.find_first_of("0123456789", end);
        }
    }
    return ranks;
}

/// The groups of a dump by name, and which of them `pg_id` means.
class Groups {
  public:
    explicit Groups(FlightDump& dump) : dump_(dump) {}

    void addConfig(const json& document) {
        const json* config = member(document, "pg_config");
        if (config == nullptr || !config->is_object()) {
            return;
        }
        for (const auto& [name, group] : config->items()) {
            FlightGroup& known = dump_.groups[indexOf(name)];
            known.description = text(group, "desc");
            known.ranks = ranksOf(member(group, "ranks"));
        }
        sortByName();
    }

    /// The index of a group by name, which is added if it is new.
    std::size_t indexOf(const std::string& name) {
        const auto [at, is_new] = by_name_.try_emplace(name, dump_.groups.size());
        if (is_new) {
            dump_.groups.emplace_back().name = name;
        }
        return at->second;
    }

    /// Notes that a call with this id belongs to a group.
    void learn(const std::optional<std::int64_t>& id, std::size_t group) {
        if (id) {
            by_id_.try_emplace(*id, group);
        }
    }

    /// Gives each group its status. Dumps name groups in `pg_config` and number them in `pg_status`. Calls tell which
    /// number has which name; where there are none, both count the groups in the order in which they were made, if they
    /// count equally many and no call says otherwise.
    void addStatus(const json& document) {
        const json* status = member(document, "pg_status");
        if (status == nullptr || !status->is_object()) {
            return;
        }
        std::map<std::int64_t, const json*> sorted;
        for (const auto& [id, of_group] : status->items()) {
            if (const auto number = parsed(id)) {
                sorted.emplace(*number, &of_group);
            }
        }
        const bool is_in_order = agreesInOrder(sorted);
        std::size_t position = 0;
        for (const auto& [id, of_group] : sorted) {
            const auto known = by_id_.find(id);
            if (known != by_id_.end() || is_in_order) {
                FlightGroup& group = dump_.groups[known != by_id_.end() ? known->second : position];
                group.enqueued = integer(*of_group, "last_enqueued_collective");
                group.completed = integer(*of_group, "last_completed_collective");
            }
            ++position;
        }
    }

  private:
    /// In the order in which they were made, if all names are numbers.
    void sortByName() {
        is_numbered_ =
            std::ranges::all_of(dump_.groups, [](const FlightGroup& group) { return parsed(group.name).has_value(); });
        if (is_numbered_) {
            std::ranges::sort(dump_.groups, {}, [](const FlightGroup& group) { return *parsed(group.name); });
            for (std::size_t i = 0; i < dump_.groups.size(); ++i) {
                by_name_[dump_.groups[i].name] = i;
            }
        }
    }

    [[nodiscard]] bool agreesInOrder(const std::map<std::int64_t, const json*>& sorted) const {
        if (!is_numbered_ || sorted.size() != dump_.groups.size()) {
            return false;
        }
        return std::ranges::all_of(by_id_, [&sorted](const auto& known) {
            const auto at = sorted.find(known.first);
            return at != sorted.end() && static_cast<std::size_t>(std::distance(sorted.begin(), at)) == known.second;
        });
    }

    FlightDump& dump_;
    std::map<std::string, std::size_t> by_name_;
    std::map<std::int64_t, std::size_t> by_id_;
    bool is_numbered_ = false;
};

std::vector<std::vector<std::int64_t>> sizesOf(const json* tensors) {
    std::vector<std::vector<std::int64_t>> out;
    if (tensors != nullptr && tensors->is_array()) {
        for (const json& tensor : *tensors) {
            std::vector<std::int64_t>& sizes = out.emplace_back();
            for (const json& size : tensor.is_array() ? tensor : json::array()) {
                sizes.push_back(size.is_number_integer() ? size.get<std::int64_t>() : 0);
            }
        }
    }
    return out;
}

std::vector<std::string> typesOf(const json* types) {
    std::vector<std::string> out;
    if (types != nullptr && types->is_array()) {
        for (const json& type : *types) {
            out.push_back(type.is_string() ? type.get<std::string>() : std::string());
        }
    }
    return out;
}

std::vector<FlightFrame> framesOf(const json* frames) {
    std::vector<FlightFrame> out;
    if (frames != nullptr && frames->is_array()) {
        for (const json& frame : *frames) {
            out.push_back({text(frame, "name"), text(frame, "filename"), integer(frame, "line").value_or(0)});
        }
    }
    return out;
}

/// A call that was retired is no longer watched: it is complete.
FlightState stateOf(const json& entry) {
    const std::string state = text(entry, "state");
    const json* retired = member(entry, "retired");
    const bool is_retired = retired != nullptr && retired->is_boolean() && retired->get<bool>();
    return state == "completed" || is_retired ? FlightState::Completed
           : state == "started"               ? FlightState::Started
                                              : FlightState::Scheduled;
}

/// The name of the group of a call: its own field, the first item of a pair, or in old dumps `pg_name`.
std::optional<std::string> groupNameOf(const json& entry) {
    const json* group = member(entry, "process_group");
    if (group != nullptr && group->is_array() && !group->empty() && group->front().is_string()) {
        return group->front().get<std::string>();
    }
    std::string name = text(entry, "pg_name");
    if (name.empty() && member(entry, "pg_id") != nullptr) {
        name = text(entry, "pg_id");
    }
    return name.empty() ? std::nullopt : std::optional(std::move(name));
}

std::string kindOf(const json& entry) {
    const std::string name = text(entry, "profiling_name");
    const std::size_t backend = name.find(':');
    return backend == std::string::npos ? name : name.substr(backend + 1);
}

std::optional<FlightCall> callOf(const json& entry, FlightDump& dump, Groups& groups) {
    const std::optional<std::string> name = groupNameOf(entry);
    const auto number = integer(entry, member(entry, "collective_seq_id") != nullptr ? "collective_seq_id" : "seq_id");
    FlightCall call;
    call.kind = kindOf(entry);
    if (!name || !number || call.kind.empty()) {
        return std::nullopt;
    }
    call.group = groups.indexOf(*name);
    groups.learn(integer(entry, "pg_id"), call.group);
    const json* pair = member(entry, "process_group");
    if (pair != nullptr && pair->is_array() && pair->size() > 1 && (*pair)[1].is_string() &&
        dump.groups[call.group].description.empty()) {
        dump.groups[call.group].description = (*pair)[1].get<std::string>();
    }
    call.record = integer(entry, "record_id").value_or(integer(entry, "id").value_or(0));
    call.number = *number;
    call.exchange = integer(entry, "p2p_seq_id").value_or(0);
    call.state = stateOf(entry);
    const json* exchange = member(entry, "is_p2p");
    call.is_exchange = exchange != nullptr && exchange->is_boolean() && exchange->get<bool>();
    call.inputs = sizesOf(member(entry, "input_sizes"));
    call.outputs = sizesOf(member(entry, "output_sizes"));
    call.types = typesOf(member(entry, "input_dtypes"));
    call.created_ns = integer(entry, "time_created_ns");
    call.started_ns = integer(entry, "time_discovered_started_ns");
    call.completed_ns = integer(entry, "time_discovered_completed_ns");
    call.frames = framesOf(member(entry, "frames"));
    return call;
}

/// The number in a file's name that follows "rank", or else the last one: "rank_3.pickle", "nccl_trace_rank_3".
std::optional<std::int64_t> rankOfName(const std::string& path) {
    constexpr std::string_view kDigits = "0123456789";
    const std::string name = std::filesystem::path(path).filename().string();
    const std::size_t rank = name.rfind("rank");
    std::size_t from = rank == std::string::npos ? name.find_last_of(kDigits) : name.find_first_of(kDigits, rank);
    if (from == std::string::npos) {
        return std::nullopt;
    }
    if (rank == std::string::npos) {
        const std::size_t before = name.find_last_not_of(kDigits, from);
        from = before == std::string::npos ? 0 : before + 1;
    }
    const std::size_t end = std::min(name.find_first_not_of(kDigits, from), name.size());
    const auto number = parsed(std::string_view(name).substr(from, end - from));
    return number && *number <= kMostRank ? number : std::nullopt;
}

/// The only rank that all groups of a dump share.
std::optional<std::int64_t> sharedRank(const FlightDump& dump) {
    std::optional<std::vector<std::int64_t>> shared;
    for (const FlightGroup& group : dump.groups) {
        std::vector<std::int64_t> ranks = group.ranks;
        std::ranges::sort(ranks);
        if (!ranks.empty() && shared) {
            std::vector<std::int64_t> both;
            std::ranges::set_intersection(*shared, ranks, std::back_inserter(both));
            shared = std::move(both);
        } else if (!ranks.empty()) {
            shared = std::move(ranks);
        }
    }
    return shared && shared->size() == 1 ? std::optional(shared->front()) : std::nullopt;
}

std::optional<std::int64_t> rankOf(const json& document, const FlightDump& dump) {
    std::optional<std::int64_t> rank = integer(document, "rank");
    rank = rank ? rank : rankOfName(dump.path);
    rank = rank ? rank : sharedRank(dump);
    return rank && *rank <= kMostRank ? rank : std::nullopt;
}

}  // namespace

Result<FlightDump> buildFlightDump(const json& document, const std::string& path) {
    const json* entries = member(document, "entries");
    if (!document.is_object() || (entries == nullptr && member(document, "pg_config") == nullptr) ||
        (entries != nullptr && !entries->is_array())) {
        return Error{path, {}, "is no dump of PyTorch's flight recorder: it has neither \"entries\" nor \"pg_config\""};
    }
    FlightDump dump;
    dump.path = path;
    dump.version = text(document, "version");
    dump.nccl_version = text(document, "nccl_version");
    if (dump.nccl_version.empty()) {
        dump.nccl_version = text(document, "comm_lib_version");
    }
    Groups groups(dump);
    groups.addConfig(document);
    for (const json& entry : entries == nullptr ? json::array() : *entries) {
        if (std::optional<FlightCall> call = callOf(entry, dump, groups)) {
            dump.calls.push_back(std::move(*call));
        }
    }
    std::ranges::stable_sort(dump.calls, {}, &FlightCall::record);
    groups.addStatus(document);
    const std::optional<std::int64_t> rank = rankOf(document, dump);
    if (!rank) {
        return Error{path, {}, "does not say which rank it is of. Name it like rank_3.pickle"};
    }
    dump.rank = *rank;
    return dump;
}

}  // namespace rankscope
