/*
 * Hostile traces. The first byte chooses: the rest is a whole file, or the contents of chunks (type, 16-bit size,
 * bytes) that are packed with right checksums, so that the fuzzer reaches tables and streams.
 */
#include "trace/chunk.h"
#include "trace/trace.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void pack_chunks(struct bytes *file, const uint8_t *data, size_t size)
{
	struct chunk_packer packer = {0};

	chunk_put_file_header(file);
	while (size >= 3) {
		size_t len = (size_t)load_fixed(data + 1, 2);

		len = len > size - 3 ? size - 3 : len;
		chunk_pack(&packer, (enum chunk_type)(data[0] % CHUNK_TYPE_END), data + 3, len);
		put_bytes(file, packer.packed.data, packer.packed.len);
		data += 3 + len;
		size -= 3 + len;
	}
	chunk_packer_release(&packer);
}

static void read_all(struct trace_reader *r)
{
	struct trace_warp_cursor cursor;
	struct trace_launch launch;
	struct trace_cta cta;
	struct trace_op op;

	while (trace_next_launch(r, &launch, NULL) > 0)
		while (trace_next_cta(r, &cta, NULL) > 0) {
			for (uint32_t warp = 0; warp < cta.nwarps; warp++) {
				trace_warp_start(&cursor, trace_kernel_of(r, launch.kernel), &cta, warp);
				while (trace_warp_next(&cursor, &op))
					continue;
			}
			trace_cta_release(&cta);
		}
	trace_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = {0};
	struct trace_reader *r;
	int fd;

	if (size < 1)
		return 0;
	if (data[0] & 1)
		pack_chunks(&file, data + 1, size - 1);
	else
		put_bytes(&file, data + 1, size - 1);
	fd = memfd_create("fuzz", 0);
	if (fd >= 0 && write(fd, file.data, file.len) == (ssize_t)file.len && lseek(fd, 0, SEEK_SET) == 0) {
		r = trace_open_fd(fd, "fuzz", NULL);
		if (r)
			read_all(r);
	}
	vec_release(&file);
	return 0;
}
