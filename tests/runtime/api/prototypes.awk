# From the preprocessed headers of the API: for each function that returns an error, one that calls it with the values
# it is given, and a row with the types and names of its parameters. `elsewhere` are those of another library. The table
# unsupported.def comes first: its functions look at no argument, and so do the older forms that call them.
#
#   extern cudaError_t cudaFree(void *ptr);   becomes
#   static int call_cudaFree(const uint64_t *v) { return (int)cudaFree((void *)(uintptr_t)v[0]); }
#   {"cudaFree", call_cudaFree, 1, {{"void *", "ptr"}}},
BEGIN { RS = ";" }

function trimmed(s) {
	gsub(/[ \t\n]+/, " ", s)
	gsub(/^ | $/, "", s)
	return s
}

# Structs are passed by value where the type names one; whatever else is a number or an address.
function by_value(type) {
	return type !~ /\*/ && type ~ /^(const )?(struct |dim3$|CUmemLocation$|cudaIpc[A-Za-z]*Handle_t$|CUipc[A-Za-z]*Handle$|CUuuid$)/
}

FILENAME ~ /unsupported\.def$/ {
	while (match($0, /\n(RUNTIME|DRIVER)\([A-Za-z0-9_]+/)) {
		name = substr($0, RSTART, RLENGTH)
		sub(/.*\(/, "", name)
		seen[name] = 1
		$0 = substr($0, RSTART + RLENGTH)
	}
	next
}

{
	text = trimmed($0)
	if (!match(text, /extern (cudaError_t|CUresult) (__)?cu[A-Za-z0-9_]*\(/) || text ~ /[{}]/ || text ~ /\( *\*/)
		next
	text = substr(text, RSTART)
	name = text
	sub(/^extern (cudaError_t|CUresult) /, "", name)
	sub(/\(.*/, "", name)
	if (name in seen || (name "_v2") in seen || (name "_v3") in seen || name ~ elsewhere)
		next
	seen[name] = 1
	list = substr(text, index(text, "(") + 1)
	sub(/\)[^)]*$/, "", list)
	n = list == "void" ? 0 : split(list, params, ",")
	values = row = ""
	for (i = 1; i <= n; i++) {
		param = trimmed(params[i])
		match(param, /[A-Za-z0-9_]+$/)
		type = trimmed(substr(param, 1, RSTART - 1))
		parameter = substr(param, RSTART)
		value = by_value(type) ? "*(" type " *)(uintptr_t)v[" i - 1 "]" : "(" type ")(uintptr_t)v[" i - 1 "]"
		values = values (i > 1 ? ", " : "") value
		row = row (i > 1 ? ", " : "") "{\"" type "\", \"" parameter "\"}"
	}
	printf "static int call_%s(const uint64_t *v)\n{\n\t(void)v;\n\treturn (int)%s(%s);\n}\n\n", name, name, values
	rows = rows sprintf("    {\"%s\", call_%s, %d, {%s}},\n", name, name, n, row)
}

END { printf "static const struct call calls[] = {\n%s};\n", rows }
