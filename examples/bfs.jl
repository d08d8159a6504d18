# Breadth-first search from Julia by the standard's names: julia bfs.jl. GRIDBLAS_LIBRARY: the library's file, where the loader does not find it.
using Libdl

const lib = get(ENV, "GRIDBLAS_LIBRARY", "libgridblas.so.0")
const Object = Ptr{Cvoid}  # a handle: GrB_Matrix, GrB_Vector, GrB_Type, GrB_Semiring, ...
const Index = UInt64       # GrB_Index

# A predefined object, such as GrB_BOOL, is a variable of the library, which holds a handle.
object(name) = unsafe_load(Ptr{Object}(dlsym(dlopen(lib), name)))

check(info) = info == 0 || error(unsafe_string(@ccall lib.Grid_last_error()::Cstring))

function bfs(from, to, n, source)
    bool = object(:GrB_BOOL)
    A, frontier, level = Ref{Object}(C_NULL), Ref{Object}(C_NULL), Ref{Object}(C_NULL)
    check(@ccall lib.GrB_Matrix_new(A::Ref{Object}, bool::Object, n::Index, n::Index)::Cint)
    values, count = fill(true, length(from)), length(from)
    check(@ccall lib.GrB_Matrix_build_BOOL(A[]::Object, from::Ptr{Index}, to::Ptr{Index}, values::Ptr{Bool}, count::Index,
                                           object(:GrB_LOR)::Object)::Cint)
    check(@ccall lib.GrB_Vector_new(frontier::Ref{Object}, bool::Object, n::Index)::Cint)
    check(@ccall lib.GrB_Vector_new(level::Ref{Object}, object(:GrB_INT32)::Object, n::Index)::Cint)
    check(@ccall lib.GrB_Vector_setElement_BOOL(frontier[]::Object, true::Bool, source::Index)::Cint)
    depth, found = 0, Ref{Index}(1)
    while found[] > 0
        # level<frontier> = depth;  frontier<not level, replace> = frontier A
        check(@ccall lib.GrB_Vector_assign_INT32(level[]::Object, frontier[]::Object, C_NULL::Object, depth::Int32,
                                                 object(:GrB_ALL)::Ptr{Index}, n::Index, object(:GrB_DESC_S)::Object)::Cint)
        check(@ccall lib.GrB_vxm(frontier[]::Object, level[]::Object, C_NULL::Object, object(:GrB_LOR_LAND_SEMIRING_BOOL)::Object,
                                 frontier[]::Object, A[]::Object, object(:GrB_DESC_RSC)::Object)::Cint)
        check(@ccall lib.GrB_Vector_nvals(found::Ref{Index}, frontier[]::Object)::Cint)
        depth += 1
    end
    check(@ccall lib.GrB_Vector_nvals(found::Ref{Index}, level[]::Object)::Cint)
    vertices, levels = zeros(Index, found[]), zeros(Int32, found[])
    check(@ccall lib.GrB_Vector_extractTuples_INT32(vertices::Ptr{Index}, levels::Ptr{Int32}, found::Ref{Index}, level[]::Object)::Cint)
    check(@ccall lib.GrB_Matrix_free(A::Ref{Object})::Cint)
    check(@ccall lib.GrB_Vector_free(frontier::Ref{Object})::Cint)
    check(@ccall lib.GrB_Vector_free(level::Ref{Object})::Cint)
    return vertices, levels
end

check(@ccall lib.GrB_init(0::Cint)::Cint)  # GrB_NONBLOCKING
# 0 - 1 - 2 - 3 - 0, 3 - 4 - 5, and 6 - 7 apart; indices count from 0
from, to = Index[0, 1, 2, 3, 3, 4, 6], Index[1, 2, 3, 0, 4, 5, 7]
for (vertex, level) in zip(bfs([from; to], [to; from], 8, 0)...)
    println("vertex $vertex: level $level")
end
check(@ccall lib.GrB_finalize()::Cint)
