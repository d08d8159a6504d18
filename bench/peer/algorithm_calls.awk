# Makes calls of the algorithms from their declarations: awk -f algorithm_calls.awk gridblas_algos.h [FILE...]
# For each function there that takes a GrB_Matrix: `static GrB_Info call_NAME(algorithm_output *, const algorithm_input *)` (algorithm_call.h), and
# ALGORITHM_CALLS(X), which is X(NAME, number of vectors among its outputs, number of matrices) for each. Left out are functions that one of FILE
# calls itself, those with a parameter for which the list below has no value, and those of left_out.
BEGIN {
  output["GrB_Vector"] = "vector"; output["GrB_Matrix"] = "matrix"; output["uint64_t"] = "count"
  output["int64_t"] = "integer"; output["double"] = "number"; output["bool"] = "flag"
  value["GrB_Matrix A"] = "in->A"; value["GrB_Matrix R"] = "in->A"
  value["GrB_Vector start"] = value["GrB_Vector fixed"] = "in->start"
  value["GrB_Vector x"] = value["GrB_Vector y"] = "NULL"
  value["GrB_Vector personal"] = value["GrB_Vector beta"] = "NULL"
  value["GrB_Index source"] = "in->source"; value["GrB_Index target"] = "in->sources[0]"
  value["const GrB_Index *sources"] = "in->sources"; value["GrB_Index nsources"] = "in->nsources"
  value["int64_t limit"] = "-1"
  value["uint64_t limit"] = value["uint64_t iterations"] = "in->iterations"
  value["uint64_t seed"] = "7"; value["int64_t k"] = "3"; value["int64_t nvalues"] = "1"; value["int flags"] = "0"
  value["GrB_Matrix pairs"] = "in->A"; value["int measure"] = "1"
  value["double damping"] = "0.85"; value["double resolution"] = "1"; value["double inflation"] = "2"; value["double alpha"] = "0.05"
  value["double delta"] = value["double rate"] = value["double gain"] = value["double lambda"] = value["double tolerance"] = "0"
  value["double epsilon"] = value["double failure"] = "0.1"
  value["GrB_Vector *parent"] = "NULL" # any of several is right, so it cannot be compared
  value["GrB_Matrix *vectors"] = value["GrB_Matrix *left"] = value["GrB_Matrix *right"] = value["GrB_Matrix *coordinates"] = "NULL" # right with either sign
  left_out["spectral_embedding"] # its value is near 0 where there are several components: only rounding would be compared
}
NR == FNR { header = header $0 "\n"; next }
{ users = users $0 "\n" }

# One parameter: its argument, or "" where there is none.
function argument(parameter,   type) {
  if (parameter in value) return value[parameter]
  if (parameter !~ /\*/ || parameter ~ /^const/) return ""
  type = parameter
  sub(/ *\*.*/, "", type)
  if (!(type in output)) return ""
  return "&out->" output[type] "[" count[type]++ "]"
}

END {
  while ((at = index(header, "/*")) > 0) {
    rest = substr(header, at)
    header = substr(header, 1, at - 1) substr(rest, index(rest, "*/") + 2)
  }
  gsub(/[ \n\t]+/, " ", header)
  print "/* Made by algorithm_calls.awk. */"
  while (match(header, /GrB_Info Grid_[A-Za-z0-9_]*\([^)]*\);/)) {
    declaration = substr(header, RSTART + 14, RLENGTH - 16)
    header = substr(header, RSTART + RLENGTH)
    name = declaration; sub(/\(.*/, "", name)
    if (declaration !~ /GrB_Matrix/ || index(users, "Grid_" name "(") > 0 || name in left_out) continue
    n = split(substr(declaration, length(name) + 2), parameter, / *, */)
    split("", count)
    arguments = ""
    for (k = 1; k <= n; k++) {
      a = argument(parameter[k])
      if (a == "") break
      arguments = arguments (k > 1 ? ", " : "") a
    }
    if (k <= n) continue
    printf "static GrB_Info call_%s(algorithm_output *out, const algorithm_input *in) {\n  return Grid_%s(%s);\n}\n", name, name, arguments
    rows = rows sprintf(" \\\n  X(%s, %d, %d)", name, count["GrB_Vector"], count["GrB_Matrix"])
  }
  print "#define ALGORITHM_CALLS(X)" rows
}
