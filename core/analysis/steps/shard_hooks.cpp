// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/shard_hooks.h"

#include <utility>

namespace rankscope {

// From torch/distributed/fsdp/_fully_shard/_fsdp_state.py and _fsdp_param_group.py.
std::optional<ShardHook> shardHookOf(std::string_view name) {
    constexpr std::string_view kLibrary = "FSDP::";
    if (!name.starts_with(kLibrary)) {
        return std::nullopt;
    }
    name.remove_prefix(kLibrary.size());
    const std::string_view hook = name.substr(0, name.find(' '));
    if (hook == "root_pre_forward") {
        return ShardHook::RootForward;
    }
    if (hook == "pre_forward") {
        return ShardHook::PreForward;
    }
    if (hook == "post_forward") {
        return ShardHook::PostForward;
    }
    const bool backward =
        hook == "pre_backward" || hook.starts_with("post_backward") || hook.starts_with("root_post_backward");
    return backward ? std::optional(ShardHook::Backward) : std::nullopt;
}

void HookedForwards::add(ShardHook hook, SliceIndex slice, StringId name, const TimeSpan& span) {
    if (hook == ShardHook::PostForward) {
        if (open_) {
            open_->span.end_ns = span.end_ns;
            depth_ -= depth_ > 0 ? 1 : 0;
        }
        return;
    }
    if (hook == ShardHook::RootForward || (depth_ == 0 && units_.contains(name))) {
        close();
    }
    if (!open_) {
        open_ = HookedForward{slice, {span.start_ns, span.start_ns}};
    }
    if (hook == ShardHook::PreForward) {
        units_.insert(name);
        ++depth_;
    }
}

void HookedForwards::close() {
    if (open_ && !open_->span.empty()) {
        forwards_.push_back(*open_);
    }
    open_.reset();
    units_.clear();
    depth_ = 0;
}

std::vector<HookedForward> HookedForwards::finish() {
    close();
    return std::move(forwards_);
}

}  // namespace rankscope
