# The Fortran module and the C function that gives it the predefined objects, made from the public headers (include/) after the preprocessor:
#   cc -E -P -include gridblas_algos.h gridblas.h | awk -v module=gridblas.f90 -v objects=fortran_objects.c -f fortran.awk
# A function becomes an interface of its name if its arguments have Fortran types. Those for single types become specific procedures of a generic name
# (GrB_setElement, GrB_Matrix_setElement). An enumerator becomes a parameter, a predefined object a variable, which GrB_init sets.
{ text = text " " $0 }

function trim(s) { gsub(/^ +| +$/, "", s); return s }

# Splits "const GrB_Index *rows" into `type` ("GrB_Index"), `name`, `is_const` and `pointers`.
function split_argument(s) {
  s = trim(s)
  name = s
  sub(/.*[ *]/, "", name)
  type = trim(substr(s, 1, length(s) - length(name)))
  is_const = type ~ /const/
  pointers = gsub(/\*/, "", type)
  gsub(/const/, "", type)
  type = trim(type)
}

# The Fortran type of a C type; "" if there is none.
function fortran_type(t) {
  if (t in handle) return "type(" handle[t] ")"
  if (t in kind) return kind[t]
  return ""
}

# The declaration of the argument of `call` that split_argument has split; "": it has none. optional: ", optional" where it may be absent, which is NULL in C.
function declaration(call, optional,    f, is_array) {
  if (type == "FUNCTION") return "type(c_funptr), value :: " name
  if (pointers == 2 && type == "char") return "type(c_ptr), intent(out) :: " name
  if (type == "void" && pointers == 1) return "type(c_ptr), value :: " name
  if (type == "char" && pointers == 1) return "character(kind=c_char), intent(" (is_const ? "in" : "inout") ")" optional " :: " name "(*)"
  if (type == "Grid_Read_Options") return "type(" type "), intent(in), optional :: " name
  f = fortran_type(type)
  if (f == "" || pointers > 1) return ""
  if (pointers == 0) return f ", value :: " name
  is_array = is_const || name ~ /^(indices|rows|cols|values|indptr|moves|v)$/ || call "." name == "Grid_Matrix_order.first"
  if (!(type in handle) && is_array) return f ", intent(" (is_const ? "in" : "inout") ")" optional " :: " name "(*)"
  return f ", intent(inout)" optional " :: " name
}

# Adds the procedure to a generic name, if its types differ from those of the others there: unsigned types are Fortran's signed ones.
function add_generic(generic, f) {
  if (f ~ /_(UINT8|UINT16|UINT32|UINT64|UDT|VOID)$/) return
  if (!(generic in members)) order[++generics] = generic
  members[generic] = members[generic] "    procedure :: " f "\n"
}

function interface(f, args, returns,    count, one, k, names, body, d, generic, pointer) {
  if (match(args, /void \(\*f\)\([^)]*\)/)) args = substr(args, 1, RSTART - 1) "FUNCTION f" substr(args, RSTART + RLENGTH)
  count = args == "void" ? 0 : split(args, one, ",")
  for (k = 1; k <= count; k++) {
    split_argument(one[k])
    d = declaration(f, f ~ /^Grid_/ ? ", optional" : "")
    if (d == "") return
    names = names (k > 1 ? ", &\n      " : "") name
    body = body "      " d "\n"
  }
  interfaces = interfaces "    function " c_name(f) "(" names ") bind(c, name=\"" f "\") result(status)\n      import\n" body "      " returns " :: status\n    end function\n"
  generic = f
  if (generic ~ /_(BOOL|INT8|INT16|INT32|INT64|FP32|FP64)$/) {
    sub(/_[A-Z0-9]+$/, "", generic)
    if (generic ~ /_(new|import|export|setElement|extractElement|extractTuples|build)$/) add_generic(generic, f)
  } else if (generic ~ /_(set|extract)Element_Scalar$/) {
    sub(/_Scalar$/, "", generic)
    add_generic(generic, f)
  }
  generic = f
  if (f == "GrB_Descriptor_set") return # GrB_set with other arguments
  if (!sub(/^GrB_(Type|UnaryOp|BinaryOp|IndexUnaryOp|Monoid|Semiring|Descriptor|Scalar|Vector|Matrix|Global|Row|Col)_/, "", generic)) return
  sub(/_.*/, "", generic)
  if (generic ~ /^(free|wait|error|get|set|setElement|extractElement|extractTuples|build|extract|assign|apply|select|reduce|eWiseAdd|eWiseMult|kronecker)$/)
    add_generic("GrB_" generic, f)
}

# GrB_init and Grid_init are procedures of the module, which also set the objects.
function c_name(f) { return f ~ /^Gr(B|id)_init$/ ? "c_" f : f }

function enumerators(list,    n, one, k, pair) {
  n = split(list, one, ",")
  for (k = 1; k <= n; k++)
    if (split(one[k], pair, "=") == 2 && trim(pair[1]) ~ /^Gr(B|id)_/ && !((pair[1] = trim(pair[1])) in declared) && trim(pair[2]) ~ /^-?[0-9]+$/) {
      declared[pair[1]] = 1
      parameters = parameters "  integer(c_int), parameter :: " pair[1] " = " trim(pair[2]) "\n"
    }
}

BEGIN {
  kinds = split("Type UnaryOp BinaryOp IndexUnaryOp Monoid Semiring Descriptor Scalar Vector Matrix Global", objects_of, " ")
  for (k = 1; k <= kinds; k++) handle["GrB_" objects_of[k]] = "GrB_" objects_of[k]
  handle["GrB_Global"] = "GrB_Global_t" # GrB_GLOBAL is the same name in Fortran
  kind["_Bool"] = kind["bool"] = "logical(c_bool)"
  kind["int8_t"] = kind["uint8_t"] = "integer(c_int8_t)"
  kind["int16_t"] = kind["uint16_t"] = "integer(c_int16_t)"
  kind["int32_t"] = kind["uint32_t"] = "integer(c_int32_t)"
  kind["int64_t"] = kind["uint64_t"] = kind["GrB_Index"] = "integer(c_int64_t)"
  kind["float"] = "real(c_float)"
  kind["double"] = "real(c_double)"
  kind["size_t"] = "integer(c_size_t)"
  kind["int"] = kind["unsigned int"] = kind["GrB_Info"] = kind["GrB_Mode"] = kind["GrB_WaitMode"] = kind["GrB_Format"] = kind["GrB_Desc_Field"] = kind["GrB_Desc_Value"] = "integer(c_int)"
}

END {
  gsub(/[ \t]+/, " ", text)
  n = split(text, statement, ";")
  for (s = 1; s <= n; s++) {
    line = trim(statement[s])
    sub(/^#pragma [^;]*\) /, "", line)
    sub(/^extern "C" \{ /, "", line)
    if (line ~ /^(typedef )?enum \{/) {
      sub(/^[^{]*\{/, "", line)
      sub(/\}.*/, "", line)
      enumerators(line)
    } else if (line ~ /^extern (const )?GrB_[A-Za-z]+ Gr(B|id)_[A-Za-z0-9_]+$/) {
      sub(/^extern (const )?/, "", line)
      split(line, word, " ")
      if (!(word[1] in handle)) continue
      objects_c = objects_c "  to[" count_objects++ "] = " word[2] ";\n"
      variables = variables "  type(" handle[word[1]] "), protected :: " word[2] "\n"
      sets = sets "    " word[2] "%object = to(" count_objects ")\n"
    } else if (line ~ /^(GrB_Info|int) Gr(B|id)_[A-Za-z0-9_]+ ?\(/) {
      f = line
      sub(/^[A-Za-z_]+ /, "", f)
      sub(/ ?\(.*/, "", f)
      if (f in done) continue
      done[f] = 1
      args = line
      sub(/^[^(]*\(/, "", args)
      sub(/\)$/, "", args)
      interface(f, args, "integer(c_int)")
    }
  }

  print "! Made by cmake/fortran.awk from the C headers, which describe every procedure. See docs/fortran.md.\nmodule gridblas\n  use, intrinsic :: iso_c_binding\n  implicit none" >module
  for (k = 1; k <= kinds; k++) {
    h = handle["GrB_" objects_of[k]]
    printf "\n  type, bind(c) :: %s\n    type(c_ptr) :: object\n  end type\n  type(%s), parameter :: GrB_NULL_%s = %s(c_null_ptr)\n", h, h, objects_of[k], h >module
  }
  print "\n  integer, parameter :: GrB_Index = c_int64_t\n  integer(c_int64_t), pointer, contiguous, protected :: GrB_ALL(:)\n" >module
  print parameters variables >module
  print "  ! How Grid_Matrix_read makes a matrix of a file (gridblas.h)." >module
  print "  type, bind(c) :: Grid_Read_Options\n    type(c_ptr) :: format = c_null_ptr\n    type(GrB_Type) :: type = GrB_NULL_Type\n    type(GrB_BinaryOp) :: dup = GrB_NULL_BinaryOp" >module
  print "    logical(c_bool) :: undirected = .false., no_loops = .false., pattern = .false., original_ids = .false.\n  end type\n" >module
  print "  interface\n" interfaces "    subroutine grid_fortran_objects(all_indices, to) bind(c, name=\"grid_fortran_objects\")\n      import\n      type(c_ptr), intent(out) :: all_indices, to(*)\n    end subroutine" >module
  print "    function last_error() bind(c, name=\"Grid_last_error\") result(text)\n      import\n      type(c_ptr) :: text\n    end function" >module
  print "    function text_length(text) bind(c, name=\"strlen\") result(n)\n      import\n      type(c_ptr), value :: text\n      integer(c_size_t) :: n\n    end function\n  end interface" >module
  print "  private :: c_GrB_init, c_Grid_init, last_error, text_length\n" >module
  for (k = 1; k <= generics; k++) printf "  interface %s\n%s  end interface\n", order[k], members[order[k]] >module
  print "\ncontains" >module
  print "  ! Sets the predefined objects: for a program whose C part has initialised the library." >module
  print "  subroutine Grid_objects()\n    type(c_ptr) :: all_indices, to(" count_objects ")\n    call grid_fortran_objects(all_indices, to)\n    call c_f_pointer(all_indices, GrB_ALL, [1])" >module
  print sets "  end subroutine\n" >module
  print "  function GrB_init(mode) result(info)\n    integer(c_int), intent(in) :: mode\n    integer(c_int) :: info\n    call Grid_objects()\n    info = c_GrB_init(mode)\n  end function\n" >module
  print "  function Grid_init(mode, comm, R, C) result(info)\n    integer(c_int), intent(in) :: mode, R, C\n    type(c_ptr), intent(in) :: comm\n    integer(c_int) :: info\n    call Grid_objects()\n    info = c_Grid_init(mode, comm, R, C)\n  end function\n" >module
  print "  ! The message of the last error.\n  function Grid_last_error() result(text)\n    character(:), allocatable :: text\n    character(kind=c_char), pointer :: letters(:)\n    integer :: k\n    type(c_ptr) :: message" >module
  print "    message = last_error()\n    call c_f_pointer(message, letters, [text_length(message)])\n    allocate(character(size(letters)) :: text)\n    do k = 1, size(letters)\n      text(k:k) = letters(k)\n    end do\n  end function\nend module" >module

  print "/* Made by cmake/fortran.awk: the predefined objects in the order of the module's variables. */\n#include \"gridblas.h\"\nvoid grid_fortran_objects(const void **all_indices, const void **to);" >objects
  print "void grid_fortran_objects(const void **all_indices, const void **to) {\n  *all_indices = GrB_ALL;\n" objects_c "}" >objects
}
