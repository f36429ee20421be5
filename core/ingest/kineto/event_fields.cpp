// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/kineto/event_fields.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rankscope {
namespace {

struct ArgKey {
    std::string_view key;  // with its closing quote
    Arg arg;
};

/// Keys of args by their first letter, so that most keys of a kernel are skipped after one comparison.
constexpr std::array kArgKeys = {
    ArgKey{"block\"", Arg::Block},
    ArgKey{"bytes\"", Arg::Bytes},
    ArgKey{"correlation\"", Arg::Correlation},
    ArgKey{"cuda_sync_kind\"", Arg::SyncKind},
    ArgKey{"device\"", Arg::Device},
    ArgKey{"dtype\"", Arg::Dtype},
    ArgKey{"flops\"", Arg::Flops},
    ArgKey{"grid\"", Arg::Grid},
    ArgKey{"labels\"", Arg::Labels},
    ArgKey{"name\"", Arg::Name},
    ArgKey{"pid_raw\"", Arg::PidRaw},
    ArgKey{"rank\"", Arg::MergedRank},
    ArgKey{"size\"", Arg::Bytes},
    ArgKey{"stream\"", Arg::Stream},
    ArgKey{"wait_on_stream\"", Arg::WaitOnStream},
    ArgKey{"wait_on_cuda_event_record_corr_id\"", Arg::WaitOnRecord},
    ArgKey{"Addr\"", Arg::Addr},
    ArgKey{"Bytes\"", Arg::Bytes},
    ArgKey{"Collective name\"", Arg::CollectiveName},
    ArgKey{"Comms Id\"", Arg::CommsId},
    ArgKey{"Concrete Inputs\"", Arg::ConcreteInputs},
    ArgKey{"Device Id\"", Arg::DeviceId},
    ArgKey{"Dst Rank\"", Arg::DstRank},
    ArgKey{"Global rank start\"", Arg::GlobalStart},
    ArgKey{"Global rank stride\"", Arg::GlobalStride},
    ArgKey{"Group size\"", Arg::GroupSize},
    ArgKey{"In msg nelems\"", Arg::InElements},
    ArgKey{"Input Dims\"", Arg::InputDims},
    ArgKey{"Input dims\"", Arg::InputDims},
    ArgKey{"Input type\"", Arg::InputType},
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

/// Where the keys with a given first letter are in kArgKeys, which is sorted.
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

/// The arg for a key, or Arg::Count. Reading past the key is safe: the batch is padded.
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

/// A string without its quotes, or a bare word, as written.
bool scalar(std::string_view token, std::string_view& into) {
    if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
        token = token.substr(1, token.size() - 2);
    } else if (token.empty() || token.front() == '"') {
        return false;
    }
    into = token;
    return true;
}

bool beginsValue(char c) {
    return c != ',' && c != ':' && c != '}' && c != ']';
}

/// Visits the fields of the object that token `at` opens, and moves `at` after it. `use(key, value)` gets the start of
/// each key's text, after its quote, and the first token of its value; it returns whether all is well. False if it was
/// not, or if this is not an object.
template <class Use>
bool forEachField(const JsonTokens& tokens, std::size_t& at, const Use& use) {
    if (tokens.kind(at) != '{') {
        return false;
    }
    if (at + 1 < tokens.size() && tokens.kind(at + 1) == '}') {
        at += 2;
        return true;
    }
    while (true) {
        const std::size_t key = at + 1;
        const std::size_t value = at + 3;
        if (value >= tokens.size() || tokens.kind(key) != '"' || tokens.kind(key + 1) != ':') {
            return false;
        }
        if (!beginsValue(tokens.kind(value)) || !use(tokens.at(key) + 1, value)) {
            return false;
        }
        at = tokens.behind(value);
        if (tokens.kind(at) != ',') {
            break;
        }
    }
    return at < tokens.size() && tokens.kind(at++) == '}';
}

bool isBracket(char c) {
    return c == '{' || c == '[';
}

/// The args that are lists and become columns.
bool isList(Arg arg) {
    return arg == Arg::InputDims || arg == Arg::InputType || arg == Arg::ConcreteInputs || arg == Arg::Grid ||
           arg == Arg::Block;
}

/// The text from the bracket at token `at` to its closing bracket.
std::string_view bracketed(const JsonTokens& tokens, std::size_t at) {
    const std::size_t last = tokens.behind(at) - 1;
    return {tokens.at(at), static_cast<std::size_t>(tokens.at(last) + 1 - tokens.at(at))};
}

bool readArgs(const JsonTokens& tokens, std::size_t at, EventText& event) {
    event.has_args = true;
    return forEachField(tokens, at, [&](const char* key, std::size_t value) {
        const Arg arg = argOf(key);
        if (arg == Arg::Count) {
            return true;
        }
        std::string_view& into = event.args[static_cast<std::size_t>(arg)];
        if (!isBracket(tokens.kind(value))) {
            return scalar(tokens.text(value), into);
        }
        if (isList(arg)) {
            into = bracketed(tokens, value);
        }
        return true;
    });
}

/// The field for a key of an event; nullptr for keys that are not read.
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

}  // namespace

Arg argNamed(std::string_view key) {
    const auto letter = key.empty() ? kLetters : static_cast<unsigned char>(key.front());
    const auto [first, last] = letter < kLetters ? kFirstByLetter[letter] : std::pair<std::uint8_t, std::uint8_t>();
    for (std::uint8_t i = first; i < last; ++i) {
        if (kArgKeys[i].key.size() == key.size() + 1 && kArgKeys[i].key.starts_with(key)) {
            return kArgKeys[i].arg;
        }
    }
    return Arg::Count;
}

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

bool EventFields::read(const JsonTokens& tokens, std::size_t& at, EventText& event) {
    std::size_t args = 0;
    const auto use = [&](const char* key, std::size_t value) {
        if (is(key, "args\"")) {
            args = tokens.kind(value) == '{' ? value : args;
        } else if (std::string_view* const into = fieldOf(key, event); into != nullptr) {
            if (!scalar(tokens.text(value), *into)) {
                return false;
            }
            if (into == &event.category_text) {
                event.category = categoryOfText(event.category_text);
            }
        }
        return true;
    };
    const bool sound = forEachField(tokens, at, use);
    if (sound && args != 0 && event.phase == "C") {
        event.has_args = true;
        event.args[static_cast<std::size_t>(Arg::Series)] = bracketed(tokens, args);
    }
    return sound && (args == 0 || !(all_args_ || readsArgs(event)) || readArgs(tokens, args, event));
}

}  // namespace rankscope
