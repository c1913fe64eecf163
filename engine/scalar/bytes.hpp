#pragma once
// Memory that objects hold on the heap.

#include <concepts>
#include <cstddef>
#include <memory>
#include <vector>

namespace kinetree::inline inner {

template <class T>
concept CountsBytes = requires(const T& object) {
  { object.bytes() } -> std::convertible_to<std::size_t>;
};

template <CountsBytes T>
std::size_t bytes_of(const T& object) {
  return object.bytes();
}
/// What a pointer owns; the object itself counts its own size, which its class alone knows.
template <CountsBytes T>
std::size_t bytes_of(const std::shared_ptr<T>& object) {
  return object->bytes();
}
inline std::size_t bytes_of(const std::vector<bool>& list) { return list.capacity() / 8; }
template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  std::size_t sum = list.capacity() * sizeof(T);  // NOLINT(bugprone-sizeof-expression): of pointers too
  if constexpr (requires(const T& entry) { bytes_of(entry); })
    for (const T& entry : list) sum += bytes_of(entry);
  return sum;
}

/// The sum over several objects: vectors, vectors of them, and objects with `bytes()`.
template <class First, class Second, class... More>
std::size_t bytes_of(const First& first, const Second& second, const More&... more) {
  return bytes_of(first) + bytes_of(second, more...);
}

}  // namespace kinetree::inline inner
