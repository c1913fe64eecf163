#pragma once
// A drawing of a block matrix: which blocks can be other than zero, of which kind they are, groups of rows framed.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetree::bench {

/// Equal blocks side by side, drawn as one.
struct BlockArea {
  int row = 0, column = 0, rows = 0, columns = 0;
  int kind = 0;
};

/// The blocks of a size x size matrix whose kind is >= 0, merged to rectangles: along rows, then equal rows.
std::vector<BlockArea> merge_blocks(int size, const std::function<int(int row, int column)>& kind);

/// Rows and columns that belong together, framed on the diagonal.
struct FramedRows {
  int begin = 0, end = 0;
  std::string_view colour;
  std::string tooltip;
};

struct MatrixPicture {
  std::string title;
  std::vector<std::string> captions;   ///< lines below the title
  std::vector<std::string> rows;       ///< names, first row first; their number is the size
  std::function<int(int, int)> kind;   ///< of block (row, column): index into `fill`, or -1 for zero
  std::vector<std::string_view> fill;  ///< colours by kind
  std::vector<FramedRows> frames;      ///< ascending, disjoint
  struct Key {
    std::string_view fill;
    std::string words;
  };
  std::vector<Key> legend;
};

/// The SVG document. Areas are of class "block" and carry data-row, data-column, data-rows, data-columns; frames are of
/// class "frame". A matrix without rows is its title and captions.
std::string draw(const MatrixPicture& picture);

}  // namespace kinetree::bench
