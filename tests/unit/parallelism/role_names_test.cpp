// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/parallelism/role_names.h"

#include "tests/support/places.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// A name of a group, and what it must say; no role where it is for several dimensions, or says nothing.
struct Named {
    const char* name;
    std::optional<Role> role;
    bool whole = true;
};

void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

class NamesOfGroups : public testing::TestWithParam<Named> {};

TEST_P(NamesOfGroups, SayTheirRole) {
    const RoleNames names = RoleNames::builtIn();
    const RoleNames::Rule* const rule = names.ofGroup(GetParam().name);
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->role, GetParam().role);
    EXPECT_EQ(rule->whole || !rule->role, GetParam().whole);
}

INSTANTIATE_TEST_SUITE_P(
    Megatron, NamesOfGroups,
    testing::Values(
        Named{"TENSOR_MODEL_PARALLEL_GROUP", Role::Tensor}, Named{"PIPELINE_MODEL_PARALLEL_GROUP", Role::Pipeline},
        Named{"DATA_PARALLEL_GROUP", Role::Data}, Named{"DATA_PARALLEL_GROUP_GLOO", Role::Data},
        Named{"DATA_PARALLEL_GROUP_WITH_CP", Role::Data, false}, Named{"CONTEXT_PARALLEL_GROUP", Role::Sequence},
        Named{"EXPERT_MODEL_PARALLEL_GROUP", Role::Expert}, Named{"EXPERT_DATA_PARALLEL_GROUP", Role::Data, false},
        Named{"EXPERT_TENSOR_PARALLEL_GROUP", Role::Tensor, false}, Named{"EMBEDDING_GROUP", Role::Pipeline, false},
        Named{"POSITION_EMBEDDING_GROUP", Role::Pipeline, false}, Named{"MODEL_PARALLEL_GROUP", {}},
        Named{"TENSOR_AND_CONTEXT_PARALLEL_GROUP", {}}, Named{"TENSOR_AND_DATA_PARALLEL_GROUP_WITH_CP", {}},
        Named{"EXPERT_TENSOR_AND_MODEL_PARALLEL_GROUP", {}}));
INSTANTIATE_TEST_SUITE_P(DeviceMeshes, NamesOfGroups,
                         testing::Values(Named{"default_pg", Role::World}, Named{"mesh_tp", Role::Tensor},
                                         Named{"mesh_pp", Role::Pipeline}, Named{"mesh_cp", Role::Sequence},
                                         Named{"mesh_dp", Role::Data}, Named{"mesh_dp_replicate", Role::Data},
                                         Named{"mesh_dp_shard", Role::Shard}, Named{"mesh_dp_shard_cp", Role::Shard},
                                         Named{"mesh_dp_shard_in_ep", Role::Shard, false}, Named{"mesh_dp_cp", {}},
                                         Named{"mesh_ep", Role::Expert}, Named{"mesh_fsdp", Role::Shard},
                                         Named{"mesh_infer_tp", Role::Tensor}, Named{"mesh_replicate", Role::Data},
                                         Named{"mesh_shard", Role::Shard}));

TEST(NamesOfGroups, SayNothingWhereTheyOnlyLookAlike) {
    const RoleNames names = RoleNames::builtIn();
    for (const char* const name :
         {"undefined", "mesh_dim_0", "my_group", "mesh_output", "appdata", "step", "wrapper"}) {
        EXPECT_EQ(names.ofGroup(name), nullptr) << name;
    }
}

TEST(NamesAroundLaunches, SayWhatTheirOperationIsFor) {
    const RoleNames names = RoleNames::builtIn();
    EXPECT_EQ(names.ofLaunch("FSDP::all_gather (layers.3)", CollectiveKind::AllGather)->role, Role::Shard);
    EXPECT_EQ(names.ofLaunch("FSDP::post_backward_reduce (layers.3)", CollectiveKind::AllReduce)->role, Role::Data);
    EXPECT_EQ(names.ofLaunch("FSDP::pre_forward (layers.3)", CollectiveKind::AllReduce), nullptr)
        << "a forward that FSDP wraps holds sums of tensors too";
    EXPECT_EQ(names.ofLaunch("FullyShardedDataParallel.forward", CollectiveKind::AllReduce), nullptr);
    EXPECT_TRUE(names.ofLaunch("SyncBatchNormBackward", CollectiveKind::AllReduce)->aside);
}

TEST(RoleNames, AreRefusedWithAReason) {
    const auto why = [](const char* json) { return RoleNames::fromJson(json, "roles.json").error().text(); };
    EXPECT_THAT(why("{"), HasSubstr("not valid JSON"));
    EXPECT_THAT(why(R"({"groups": []})"), HasSubstr("launches"));
    EXPECT_THAT(why(R"({"groups": [{"pattern": "(", "role": "data"}], "launches": [], "kernels": []})"),
                HasSubstr("not a regular expression"));
    EXPECT_THAT(why(R"({"groups": [{"pattern": "a", "role": "dta"}], "launches": [], "kernels": []})"),
                HasSubstr("no role"));
}

TEST(RoleNames, NameTheSourceOfEachOfThem) {
    std::ifstream file(sourceFolder() / "resources/role_names.json");
    const nlohmann::json table = nlohmann::json::parse(file);
    for (const char* const part : {"groups", "launches", "kernels"}) {
        for (const nlohmann::json& rule : table.at(part)) {
            EXPECT_FALSE(rule.value("source", "").empty()) << rule.at("pattern");
        }
    }
}

}  // namespace
}  // namespace rankscope::test
