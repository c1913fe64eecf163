#include <kinetree/model.hpp>

#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree {

Model::Model(std::shared_ptr<const ModelData> data)
    : data_(std::move(data)),
      body_count_(static_cast<int>(data_->parent.size())),
      nq_(data_->q_index.back()),
      nv_(data_->v_index.back()) {}

const std::string& Model::name() const { return data_->name; }

std::string_view Model::joint_name(int body) const { return data_->joint_name[at(body)]; }

std::string_view Model::body_name(int body) const { return data_->frames[at(data_->body_frame[at(body)])].name; }

std::span<const Finding> Model::findings() const { return data_->findings; }

}  // namespace kinetree
