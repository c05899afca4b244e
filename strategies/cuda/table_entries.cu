// The ways to make tables, by name. They are apart from the rest of the registry, for programs that
// need only these.

#include "entries.cuh"
#include "tables.cuh"

namespace lookback::strategies {
namespace {

using cuda_table_entries = std::vector<cuda_entry<table_call>>;

template <class Table>
cuda_entry<table_call> entry_of(named<Table> s) {
    return {s.name, [](const table_call& c, const resources& r) {
                Table::run(*r.gpu, static_cast<const rgb8*>(c.in), image_size{c.height, c.width},
                           static_cast<pixel<float, 4>*>(c.out));
            }};
}

cuda_table_entries table_entries() {
    cuda_table_entries all;
    for_each_table([&](auto s) { all.push_back(entry_of(s)); });
    return all;
}

}  // namespace

table_strategy::function find_cuda_table(std::string_view name) {
    static const cuda_table_entries all = table_entries();
    return find_run(all, name);
}

}  // namespace lookback::strategies
