# The device functions that CUDA's headers declare. Input: the headers, preprocessed. Output: a row for each function of
# values and of pointers to them, "RESULT|NAME|PARAMETER TYPES", the types separated by commas, `mask` and `width` for the
# warp functions' parameters of these names.
/^#/ { next }
{
	while ((at = match($0, /[;{}]/))) {
		take(substr($0, 1, at - 1), substr($0, at, 1))
		$0 = substr($0, at + 1)
	}
	if (depth == 0)
		text = text $0 " "
}

# A piece of the source and the mark behind it. Only what stands outside of bodies counts.
function take(piece, mark)
{
	if (depth == 0)
		text = text piece
	if (mark == "{") {
		if (depth == 0 && text ~ /(extern *"C"|namespace *[a-zA-Z_]*) *$/) {
			text = ""
			return
		}
		depth++
		return
	}
	if (mark == "}" && depth > 0)
		depth--
	if (depth == 0) {
		declaration(text)
		text = ""
	}
}

function declaration(s, at, parameters, name)
{
	if (s !~ /__attribute__\(\(device\)\)/ || s ~ /operator|template|typedef|struct |class |enum |\.\.\./)
		return
	gsub(/__attribute__ *\(\([a-z_]*(\([^)]*\))?\)\)|__declspec\([^)]*\)/, " ", s)
	gsub(/noexcept *\(true\)|throw *\(\)|__inline__|inline|static|extern *"C"|extern|constexpr|__restrict__/, " ", s)
	gsub(/[ \t]+/, " ", s)
	at = index(s, "(")
	if (!at)
		return
	parameters = substr(s, at + 1)
	sub(/\).*$/, "", parameters)
	s = substr(s, 1, at - 1)
	sub(/^ /, "", s)
	sub(/ $/, "", s)
	if (!match(s, /[A-Za-z_0-9]+$/))
		return
	name = substr(s, RSTART)
	s = type_of(substr(s, 1, RSTART - 1))
	parameters = types_of(parameters)
	if (s in known && parameters != "" && !seen[s "|" name "|" parameters]++)
		print s "|" name "|" parameters
}

# Empty where one of them is not known.
function types_of(parameters, count, part, i, all, type)
{
	count = split(parameters, part, ",")
	for (i = 1; i <= count; i++) {
		type = part[i]
		sub(/=.*/, "", type)
		gsub(/const |const$/, " ", type)
		if (type ~ / mask *$/)
			type = "mask"
		else if (type ~ / width *$/)
			type = "width"
		else
			type = type_of(type)
		if (type == "void" || !(type in known))
			return ""
		all = all (i > 1 ? "," : "") type
	}
	return all
}

# The type without the name of a parameter, each type under one name.
function type_of(s, pointer)
{
	pointer = gsub(/\*/, " ", s)
	gsub(/[ \t]+/, " ", s)
	sub(/^ /, "", s)
	sub(/ $/, "", s)
	sub(/^struct /, "", s)
	if (!(s in spelling))
		sub(/ [A-Za-z_0-9]+$/, "", s)
	return (s in spelling ? spelling[s] : s) (pointer ? " *" : "")
}

BEGIN {
	n = split("void bool char short int long float double", plain, " ")
	for (i = 1; i <= n; i++)
		spelling[plain[i]] = plain[i]
	spelling["signed char"] = "signed char"
	spelling["unsigned char"] = "unsigned char"
	spelling["short int"] = "short"
	spelling["unsigned short"] = spelling["unsigned short int"] = "unsigned short"
	spelling["unsigned"] = spelling["unsigned int"] = "unsigned"
	spelling["signed int"] = "int"
	spelling["long int"] = "long"
	spelling["unsigned long"] = spelling["unsigned long int"] = "unsigned long"
	spelling["long long"] = spelling["long long int"] = "long long"
	spelling["unsigned long long"] = spelling["unsigned long long int"] = "unsigned long long"
	spelling["__nv_fp8_storage_t"] = "unsigned char"
	spelling["__nv_fp8x2_storage_t"] = "unsigned short"
	spelling["__nv_fp8x4_storage_t"] = "unsigned"
	n = split("__half __half2 __nv_bfloat16 __nv_bfloat162 __half_raw __half2_raw __nv_bfloat16_raw __nv_bfloat162_raw", \
		  classes, " ")
	for (i = 1; i <= n; i++)
		spelling[classes[i]] = classes[i]
	n = split("char uchar short ushort int uint long ulong longlong ulonglong float double", vectors, " ")
	for (i = 1; i <= n; i++)
		for (k = 2; k <= 4; k += 2)
			spelling[vectors[i] k] = vectors[i] k
	spelling["__nv_saturation_t"] = "__nv_saturation_t"
	spelling["__nv_fp8_interpretation_t"] = "__nv_fp8_interpretation_t"
	for (type in spelling) {
		known[spelling[type]]
		known[spelling[type] " *"]
	}
	known["mask"]
	known["width"]
	delete known["void *"]
}
