/* A row for each kind of reason; the names are a promise to scripts (docs/read-only-analysis.md). */
#include "verdict/reason_kind.h"

/* clang-format off */
const struct reason_kind_row reason_kinds[REASON_KINDS] = {
	[REASON_NONE] = {"none", true, "No instruction decided", "Nothing is to be done."},
	[REASON_WRITTEN] = {"written", true, "The kernel writes the data that it loads",
		"If only a part of the data is written, give that part a pointer of its own."},
	[REASON_ALIAS] = {"alias", false, "The kernel writes other memory that may be the same",
		"Declare the pointer that is read const and __restrict__, or use the alias level guarded."},
	[REASON_UNKNOWN_POINTER] = {"unknown-pointer", false, "The kernel writes through a pointer of which nothing is known",
		"Pass the pointer as a parameter of the kernel instead of loading it or making it from integers."},
	[REASON_HIDDEN_WRITE] = {"hidden-write", false, "An instruction writes memory that its address does not name",
		"Write what tensor maps and multicast addresses lead to in a kernel of its own."},
	[REASON_UNKNOWN_CODE] = {"unknown-code", false, "The kernel calls code that is not in the module",
		"Compile the called function in the same file, or link the device code before the analysis."},
	[REASON_GRID_WAIT] = {"grid-wait", true, "The kernel before may write until this one has waited for it",
		"Launch the kernel without programmatic dependence."},
	[REASON_LISTENS] = {"listens", false, "The kernel may be told while it runs that others have written the data",
		"Use the alias level guarded, under which each launch is checked."},
	[REASON_INSTRUCTION] = {"instruction", false, "An instruction of this kind carries no mark",
		"Load the data by a plain load, neither volatile nor atomic nor with a cache operator that forbids caching."},
	[REASON_OTHER_SPACE] = {"other-space", false, "The address may also lie in shared, local or constant memory",
		"Load the two kinds of memory in different places of the code."},
	[REASON_OTHER_STRUCTURE] = {"other-structure", false, "The address may also lie in data that the kernel writes",
		"Load the two data structures in different places of the code."},
	[REASON_HEAP] = {"heap", true, "Memory of device-side malloc carries no marks",
		"Allocate the memory on the host."},
	[REASON_OTHER_KERNEL] = {"other-kernel", false, "Another kernel comes to the load and forbids its mark",
		"Let romark copy the function (--load other than keep), or make the function inline."},
	[REASON_OTHER_MODULE] = {"other-module", false, "Code of other modules may come to the load",
		"Make the function static, or link the device code before the analysis."},
};
/* clang-format on */
