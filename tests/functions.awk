# The standard's functions as a table for unit_functions.c, generated from the preprocessed header:
#   awk -f functions.awk twin/functions.txt HEADER
# For each: a C function that takes its arguments from an array, and a row FUNCTION(name, call, {arguments' types and names}).
FNR == NR { wanted[$1] = 1; next }
{ text = text " " $0 }

function trim(s) { gsub(/^ +| +$/, "", s); return s }
# "const GrB_Matrix A": type in `type`, name in `name`
function split_argument(s) {
  s = trim(s)
  name = s
  sub(/.*[ *]/, "", name)
  type = trim(substr(s, 1, length(s) - length(name)))
  gsub(/ *\*/, " *", type)
}
# An argument's cast from a union `arg`.
function from_union(k) {
  if (type == "FUNCTION") return "(TYPE_OF_FUNCTION)a[" k "].f"
  if (type == "double" || type == "float") return "(" type ")a[" k "].d"
  if (type ~ /\*$/ || type ~ /GrB_(Type|UnaryOp|BinaryOp|IndexUnaryOp|Monoid|Semiring|Descriptor|Scalar|Vector|Matrix|Global)$/) return "a[" k "].p"
  return "(" type ")a[" k "].u"
}

END {
  gsub(/[ \t]+/, " ", text)
  n = split(text, statement, ";")
  for (s = 1; s <= n; s++) {
    line = trim(statement[s])
    if (line !~ /^(extern )?GrB_Info GrB_[A-Za-z0-9_]+ *\(/) continue
    f = line
    sub(/^.*GrB_Info /, "", f)
    sub(/ *\(.*/, "", f)
    if (!(f in wanted) || (f in done)) continue
    done[f] = 1
    args = line
    sub(/^[^(]*\(/, "", args)
    sub(/\) *$/, "", args)
    pointer = ""
    if (match(args, /void \(\*f\)\([^)]*\)/)) {
      pointer = substr(args, RSTART, RLENGTH)
      sub(/\*f/, "*", pointer)
      args = substr(args, 1, RSTART - 1) "FUNCTION f" substr(args, RSTART + RLENGTH)
    }
    count = args == "void" ? 0 : split(args, one, ",")
    call = ""; names = ""
    for (k = 1; k <= count; k++) {
      split_argument(one[k])
      cast = from_union(k - 1)
      if (type == "FUNCTION") sub(/TYPE_OF_FUNCTION/, pointer, cast)
      comma = k > 1 ? ", " : ""
      call = call comma cast
      names = names comma "{\"" type "\", \"" name "\"}"
    }
    printf "static GrB_Info call_%s(const arg *a) {\n  (void)a;\n  return %s(%s);\n}\n", f, f, call
    if (!count) names = "{0}"
    rows = rows "    {\"" f "\", call_" f ", " count ", {" names "}},\n"
  }
  printf "static const function functions[] = {\n%s};\n", rows
}
