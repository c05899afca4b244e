#include "entries.cuh"
#include "tables.cuh"

namespace lookback::strategies {
namespace {

template <class Table>
cuda_entry<table_call> entry_of(named<Table> s) {
    return {s.name, [](const table_call& c, const resources& r) {
                Table::run(*r.gpu, static_cast<const rgb8*>(c.in), image_size{c.height, c.width},
                           static_cast<pixel<float, 4>*>(c.out));
            }};
}

}  // namespace

cuda_table_entries table_entries() {
    cuda_table_entries all;
    for_each_table([&](auto s) { all.push_back(entry_of(s)); });
    return all;
}

}  // namespace lookback::strategies
