# Completion of romark in bash: `romark complete` knows how a line may go on. Read by bash-completion, or from ~/.bashrc.
_romark()
{
	local line=${COMP_LINE:0:COMP_POINT} word meaning typed kept
	local -a words
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	typed=${words[${#words[@]} - 1]}
	# bash replaces what follows the last sign at which it breaks words.
	kept=
	case $typed in
	*[=:]*) [[ $COMP_WORDBREAKS == *=* ]] && kept=${typed%"${typed##*[=:]}"} ;;
	esac
	COMPREPLY=()
	while IFS=$'\t' read -r word meaning; do
		case $word in
		:files*)
			local ending=${word#:files} value=$typed
			[[ $typed == -*=* ]] && value=${typed#*=}
			compopt -o filenames 2>/dev/null
			while IFS= read -r word; do
				COMPREPLY+=("$word")
			done < <(compgen -f -X "!*${ending# }" -- "$value"; [ -z "${ending# }" ] || compgen -d -- "$value")
			;;
		*)
			COMPREPLY+=("${word#"$kept"}")
			[[ $word == *= ]] && compopt -o nospace 2>/dev/null
			;;
		esac
	done < <(romark complete -- "${words[@]}" 2>/dev/null)
}
complete -F _romark romark
