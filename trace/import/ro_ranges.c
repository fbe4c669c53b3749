/* The file of address ranges that `romark import --ro-ranges` takes. */
#include "trace/import/accelsim.h"

#include "common/vec.h"
#include "trace/import/line_reader.h"
#include "trace/import/scan.h"

/* A word as a number, with 0x or decimal. */
static bool take_number(const char **at, uint64_t *value)
{
	scan_blanks(at);
	return (*at)[0] == '0' && ((*at)[1] | 0x20) == 'x' ? scan_hex(at, value) : scan_decimal(at, value);
}

/* "BEGIN END" or "BEGIN +BYTES". */
static bool take_range(const char *line, struct accelsim_range *range)
{
	bool is_size;

	if (!take_number(&line, &range->begin))
		return false;
	scan_blanks(&line);
	is_size = *line == '+';
	line += is_size;
	if (!take_number(&line, &range->end))
		return false;
	scan_blanks(&line);
	if (is_size && range->end > UINT64_MAX - range->begin)
		return false;
	range->end += is_size ? range->begin : 0;
	return !*line && range->begin < range->end;
}

int accelsim_read_ranges(const char *path, struct accelsim_range **ranges, size_t *count, struct diag *d)
{
	VEC(struct accelsim_range) list = VEC_INIT;
	struct accelsim_range range;
	struct input in;
	int status = input_open(&in, path, d);
	char *line;

	while (status == 0 && (line = input_line(&in, d)) != NULL) {
		line[strcspn(line, "#")] = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		if (take_range(line, &range))
			vec_push(&list, range);
		else
			status = diag_set(d, path, in.line_number, 0,
					  "no range of addresses; 'BEGIN END' or 'BEGIN +BYTES' is wanted");
	}
	if (in.failed)
		status = DIAG_ERROR;
	input_close(&in);
	*ranges = list.data;
	*count = list.len;
	if (status < 0) {
		vec_release(&list);
		*ranges = NULL;
		*count = 0;
	}
	return status;
}
