# Completion of romark in fish: `romark complete` knows how a line may go on.
function __romark_complete
	set -l typed (commandline -ct)
	for line in (romark complete -- (commandline -opc) "$typed" 2>/dev/null)
		if string match -q ':files*' -- $line
			set -l ending (string replace -r '^:files ?' '' -- $line)
			set -l kept (string match -r '^-.*=' -- $typed)
			set -l value (string replace -r '^-[^=]*=' '' -- $typed)
			for path in $value*
				if test -d $path
					echo "$kept$path/"
				else if string match -q -- "*$ending" $path
					echo "$kept$path"
				end
			end
		else
			echo $line
		end
	end
end
complete -c romark -f -a '(__romark_complete)'
