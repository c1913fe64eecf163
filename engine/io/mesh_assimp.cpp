// STL and OBJ by Assimp.
#include <assimp/MemoryIOWrapper.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <exception>
#include <utility>

#include "engine/io/mesh_file.hpp"
#include "engine/io/mesh_obj.hpp"

namespace kinetree::inline inner {
namespace {

/// Files as Assimp sees them: the one, in memory. What it names (an OBJ its materials) is not there.
class OneFile : public Assimp::IOSystem {
 public:
  OneFile(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}
  bool Exists(const char* file) const override { return file == name_; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char*) override {
    if (file != name_) return nullptr;
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size());
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string name_;
  std::string_view bytes_;
};

/// A node and where it stands: its meshes are in its own axes, and the scene's list of meshes alone lacks that.
struct PlacedNode {
  const aiNode* node;
  aiMatrix4x4 transform;
};

/// False, with `why`: there are more than the limits.
bool add(const aiMesh& part, const aiMatrix4x4& transform, const MeshLimits& limits, TriangleMesh& mesh,
         std::string& why) {
  if (mesh.points.size() + part.mNumVertices > limits.points || mesh.faces.size() + part.mNumFaces > limits.triangles) {
    why = "has more than the " + std::to_string(limits.triangles) + " triangles on " + std::to_string(limits.points) +
          " points that kinetree reads; simplify the mesh";
    return false;
  }
  const int first = static_cast<int>(mesh.points.size());
  for (unsigned k = 0; k < part.mNumVertices; ++k) {
    const aiVector3D p = transform * part.mVertices[k];
    mesh.points.emplace_back(p.x, p.y, p.z);
  }
  const bool mirrored = transform.Determinant() < 0;
  for (unsigned k = 0; k < part.mNumFaces; ++k) {
    const aiFace& face = part.mFaces[k];
    if (face.mNumIndices != 3) continue;  // points and lines
    std::array<int, 3> corners{};
    for (unsigned c = 0; c < 3; ++c) {
      if (face.mIndices[c] >= part.mNumVertices) return why = "has a face with a point that it has not", false;
      corners[c] = first + static_cast<int>(face.mIndices[c]);
    }
    if (mirrored) std::swap(corners[1], corners[2]);  // Assimp keeps their order, and so turns them inside out
    mesh.faces.push_back(corners);
  }
  return true;
}

}  // namespace

std::optional<TriangleMesh> read_by_assimp(std::string_view bytes, const std::string& format, const MeshLimits& limits,
                                           std::string& why, ObjParts parts) try {
  const std::string name = "mesh." + format;
  std::string text;
  int left_out = 0;
  if (format == "obj") {
    if (!mend_obj(bytes, parts, limits, text, left_out, why)) return std::nullopt;
    bytes = text;
  }
  Assimp::Importer importer;
  importer.SetIOHandler(new OneFile(name, bytes));  // the importer's from now on
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode) {
    why = "can't be read by Assimp: " + std::string(importer.GetErrorString()) + "; save the mesh anew";
    return std::nullopt;
  }
  TriangleMesh mesh;
  mesh.objects_left_out = left_out;
  std::vector<PlacedNode> left{{scene->mRootNode, scene->mRootNode->mTransformation}};
  while (!left.empty()) {
    const PlacedNode here = left.back();
    left.pop_back();
    for (unsigned k = 0; k < here.node->mNumMeshes; ++k)
      if (!add(*scene->mMeshes[here.node->mMeshes[k]], here.transform, limits, mesh, why)) return std::nullopt;
    for (unsigned k = 0; k < here.node->mNumChildren; ++k)
      left.push_back({here.node->mChildren[k], here.transform * here.node->mChildren[k]->mTransformation});
  }
  if (mesh.faces.empty()) {
    why = "has no faces; save the mesh with faces";
    return std::nullopt;
  }
  return mesh;
} catch (const std::exception& e) {  // of memory, say
  why = "can't be read by Assimp: " + std::string(e.what()) + "; save the mesh anew";
  return std::nullopt;
}

}  // namespace kinetree::inline inner
