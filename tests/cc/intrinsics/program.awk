# A CUDA program that calls each function of list.awk's rows over many arguments: compare.h does the work. Names in the
# variable `except` are left out. Of those in `approximate`, "NAME=UNITS ...", the numbers may differ by so many units in the
# last place, in double and in single precision (the name with an f). `only` is "exact" for the others, "approximate" for
# these, which are then alone in the program.
BEGIN {
	FS = "|"
	split(except, words, " ")
	for (i in words)
		left_out[words[i]]
	split(approximate, words, " ")
	for (i in words) {
		split(words[i], word, "=")
		units[word[1]] = units[word[1] "f"] = word[2]
	}
	print "#include \"compare.h\"\n#include \"classes.h\""
}
(only == "approximate") != ($2 in units) || $2 in left_out || $2 ~ /^(__internal|make_|cuda|__[a-z]+Atomic)/ || $2 ~ /_impl$|_internal$|_kernel$/ {
	next
}
{
	count = split($3, type, ",")
	parameters = arguments = types = ""
	for (i = 1; i <= count; i++) {
		parameters = parameters (i > 1 ? ", " : "") type[i] " a" i
		arguments = arguments (i > 1 ? ", " : "") argument(type[i], "a" i)
		types = types (i > 1 ? ", " : "") type[i]
	}
	printf "struct f%d { using type = %s(%s); static const char *name() { return \"%s %s(%s)\"; }\n", ++functions, $1, \
		types, $1, $2, types
	printf "static unsigned units() { return %d; }\n", $2 in units ? units[$2] : 0
	printf "static __device__ %s call(%s) { return %s(%s); } };\n", $1, parameters, $2, arguments
}
END {
	print "int main(int argc, char **argv) {\n\tif (!begin(argc, argv))\n\t\treturn 2;"
	for (i = 1; i <= functions; i++)
		print "\tcheck<f" i ">();"
	if (only != "approximate")
		print "\tcheck_classes();"
	print "\treturn end();\n}"
}

function argument(type, name)
{
	return type == "mask" ? name ".bits" : type == "width" ? name ".lanes" : name
}
