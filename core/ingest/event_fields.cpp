// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/event_fields.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rankscope {
namespace {

namespace od = simdjson::ondemand;

struct ArgKey {
    std::string_view key;  // with its closing quote
    Arg arg;
};

/// Keys of args by their first letter, so that most keys of a kernel are passed over after one comparison.
constexpr std::array kArgKeys = {
    ArgKey{"bytes\"", Arg::Bytes},
    ArgKey{"correlation\"", Arg::Correlation},
    ArgKey{"cuda_sync_kind\"", Arg::SyncKind},
    ArgKey{"device\"", Arg::Device},
    ArgKey{"dtype\"", Arg::Dtype},
    ArgKey{"name\"", Arg::Name},
    ArgKey{"size\"", Arg::Bytes},
    ArgKey{"stream\"", Arg::Stream},
    ArgKey{"wait_on_stream\"", Arg::WaitOnStream},
    ArgKey{"wait_on_cuda_event_record_corr_id\"", Arg::WaitOnRecord},
    ArgKey{"Bytes\"", Arg::Bytes},
    ArgKey{"Collective name\"", Arg::CollectiveName},
    ArgKey{"Comms Id\"", Arg::CommsId},
    ArgKey{"Device Id\"", Arg::DeviceId},
    ArgKey{"Dst Rank\"", Arg::DstRank},
    ArgKey{"Global rank start\"", Arg::GlobalStart},
    ArgKey{"Global rank stride\"", Arg::GlobalStride},
    ArgKey{"Group size\"", Arg::GroupSize},
    ArgKey{"In msg nelems\"", Arg::InElements},
    ArgKey{"Out msg nelems\"", Arg::OutElements},
    ArgKey{"Process Group Description\"", Arg::GroupDescription},
    ArgKey{"Process Group Name\"", Arg::GroupName},
    ArgKey{"Process Group Ranks\"", Arg::GroupRanks},
    ArgKey{"Rank\"", Arg::Rank},
    ArgKey{"Seq\"", Arg::Sequence},
    ArgKey{"Src Rank\"", Arg::SrcRank},
    ArgKey{"Total Allocated\"", Arg::TotalAllocated},
    ArgKey{"Total Reserved\"", Arg::TotalReserved},
};

constexpr std::size_t kLetters = 128;

/// Where the keys that begin with a letter stand in kArgKeys, which is sorted so that they stand together.
constexpr auto kFirstByLetter = [] {
    std::array<std::pair<std::uint8_t, std::uint8_t>, kLetters> ranges{};
    for (std::size_t i = 0; i < kArgKeys.size(); ++i) {
        auto& [first, last] = ranges[static_cast<unsigned char>(kArgKeys[i].key.front())];
        if (last == 0) {
            first = static_cast<std::uint8_t>(i);
        }
        last = static_cast<std::uint8_t>(i + 1);
    }
    return ranges;
}();

bool is(const char* raw, std::string_view key) {
    return std::memcmp(raw, key.data(), key.size()) == 0;
}

/// The arg that a key names, or Arg::Count. Reading past the key is safe: the batch is padded.
Arg argOf(const char* raw) {
    const auto letter = static_cast<unsigned char>(*raw);
    if (letter < kLetters) {
        const auto [first, last] = kFirstByLetter[letter];
        for (std::uint8_t i = first; i < last; ++i) {
            if (is(raw, kArgKeys[i].key)) {
                return kArgKeys[i].arg;
            }
        }
    }
    return Arg::Count;
}

/// A scalar as written, without white space behind it and without quotes around it.
bool scalar(od::value value, std::string_view& into) {
    std::string_view token = value.raw_json_token();
    while (!token.empty() &&
           (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' || token.back() == '\t')) {
        token.remove_suffix(1);
    }
    if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
        token = token.substr(1, token.size() - 2);
    } else if (token.empty() || token.front() == '"') {
        return false;
    }
    into = token;
    return true;
}

bool readArgs(od::object args, EventText& event) {
    for (auto field : args) {
        od::raw_json_string key;
        if (field.key().get(key) != simdjson::SUCCESS) {
            return false;
        }
        const Arg arg = argOf(key.raw());
        od::value value;
        if (arg == Arg::Count) {
            continue;
        }
        if (field.value().get(value) != simdjson::SUCCESS) {
            return false;
        }
        const char first = *value.raw_json_token().data();
        if (first != '{' && first != '[' && !scalar(value, event.args[static_cast<std::size_t>(arg)])) {
            return false;
        }
    }
    return true;
}

/// Where the value of a key of an event goes; nullptr for keys that are not read.
std::string_view* fieldOf(const char* raw, EventText& event) {
    switch (raw[0]) {
        case 'p': return is(raw, "pid\"") ? &event.pid : (is(raw, "ph\"") ? &event.phase : nullptr);
        case 't': return is(raw, "ts\"") ? &event.ts : (is(raw, "tid\"") ? &event.tid : nullptr);
        case 'c': return is(raw, "cat\"") ? &event.category_text : nullptr;
        case 'n': return is(raw, "name\"") ? &event.name : nullptr;
        case 'd': return is(raw, "dur\"") ? &event.dur : nullptr;
        case 'i': return is(raw, "id\"") ? &event.id : nullptr;
        default: return nullptr;
    }
}

/// Reads the args now where it is known what they are for; else leaves their text in `late`.
bool readArgsOf(od::value value, EventText& event, std::string_view& late) {
    if (*value.raw_json_token().data() != '{') {
        return true;
    }
    const bool known =
        !event.phase.empty() && !event.name.empty() && (!event.category_text.empty() || event.phase != "X");
    if (known && !readsArgs(event)) {
        return true;
    }
    od::object args;
    if (value.get_object().get(args) != simdjson::SUCCESS) {
        return false;
    }
    return known ? readArgs(args, event) : args.raw_json().get(late) == simdjson::SUCCESS;
}

}  // namespace

Category EventFields::categoryOfText(std::string_view text) {
    for (const KnownCategory& known : known_) {
        if (text == std::string_view(known.text.data(), known.size)) {
            return known.category;
        }
    }
    KnownCategory& known = known_[next_known_];
    const Category category = categoryOf(text);
    if (text.size() <= known.text.size()) {
        known.size = text.size();
        text.copy(known.text.data(), text.size());
        known.category = category;
        next_known_ = (next_known_ + 1) % known_.size();
    }
    return category;
}

bool EventFields::readLateArgs(std::string_view json, EventText& event) {
    late_args_ = simdjson::padded_string(json);
    od::document document;
    od::object object;
    return late_parser_.iterate(late_args_).get(document) == simdjson::SUCCESS &&
           document.get_object().get(object) == simdjson::SUCCESS && readArgs(object, event);
}

bool EventFields::read(od::object object, EventText& event) {
    std::string_view late_args;
    for (auto field : object) {
        od::raw_json_string key;
        od::value value;
        if (field.key().get(key) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS) {
            return false;
        }
        const char* const raw = key.raw();
        if (is(raw, "args\"")) {
            if (!readArgsOf(value, event, late_args)) {
                return false;
            }
        } else if (std::string_view* const into = fieldOf(raw, event); into != nullptr) {
            if (!scalar(value, *into)) {
                return false;
            }
            if (into == &event.category_text) {
                event.category = categoryOfText(event.category_text);
            }
        }
    }
    return late_args.empty() || !readsArgs(event) || readLateArgs(late_args, event);
}

}  // namespace rankscope
