/* The image is packed as it is read and unpacked into its place: there is no second copy of it in memory. */
#include "sim-backend/run/checkpoint_file.h"

#include "common/file.h"
#include "common/heap.h"
#include "common/integer.h"
#include "common/xalloc.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#define MAGIC "ROMCKPT"
enum { VERSION = 1, PACKED_PART = 1 << 20, MOST_TEXT = 1 << 24 };

/* --- Which program this is --- */

static void take_note(const ElfW(Nhdr) * note, uint8_t *build)
{
	const uint8_t *content = (const uint8_t *)(note + 1) + round_up(note->n_namesz, 4);
	size_t size = note->n_descsz < BUILD_ID_BYTES ? note->n_descsz : BUILD_ID_BYTES;

	if (note->n_type == NT_GNU_BUILD_ID)
		memcpy(build, content, size);
}

/* Called for the program itself first; that ends the walk. */
static int take_notes(struct dl_phdr_info *info, size_t size, void *build)
{
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const char *at = (const char *)info->dlpi_addr + part->p_vaddr, *end = at + part->p_memsz;

		while (part->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) <= end) {
			const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;

			take_note(note, build);
			at += sizeof *note + round_up(note->n_namesz, 4) + round_up(note->n_descsz, 4);
		}
	}
	return 1;
}

static void identify_program(struct checkpoint_header *h)
{
	memcpy(h->magic, MAGIC, sizeof h->magic);
	h->version = VERSION;
	memset(h->build, 0, sizeof h->build);
	dl_iterate_phdr(take_notes, h->build);
	h->code = (uint64_t)(uintptr_t)identify_program;
}

static uint64_t header_hash(const struct checkpoint_header *h, const char *text)
{
	return XXH64(text, h->text_bytes, XXH64(h, offsetof(struct checkpoint_header, hash), 0));
}

/* --- Writing --- */

struct packer {
	FILE *out;
	ZSTD_CCtx *context;
	XXH64_state_t *hash;
	uint64_t bytes;
	char part[PACKED_PART];
};

static void pack(struct packer *p, const void *data, size_t size, ZSTD_EndDirective mode)
{
	ZSTD_inBuffer in = {data, size, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {p->part, sizeof p->part, 0};

		left = ZSTD_compressStream2(p->context, &out, &in, mode);
		if (ZSTD_isError(left))
			BUG("zstd: %s", ZSTD_getErrorName(left));
		fwrite(p->part, 1, out.pos, p->out);
		XXH64_update(p->hash, p->part, out.pos);
		p->bytes += out.pos;
	} while (mode == ZSTD_e_end ? left > 0 : in.pos < in.size);
}

static int pack_output(struct packer *p, FILE *output, uint64_t size)
{
	char part[1 << 16];

	for (uint64_t at = 0; at < size;) {
		size_t wanted = size - at < sizeof part ? (size_t)(size - at) : sizeof part;
		ssize_t got = pread(fileno(output), part, wanted, (off_t)at);

		if (got <= 0)
			return DIAG_ERROR;
		pack(p, part, (size_t)got, ZSTD_e_continue);
		at += (uint64_t)got;
	}
	return 0;
}

/* The lengths of the outputs so far, which are in their files then. */
static int measure(struct checkpoint_header *h, FILE *const *outputs)
{
	for (unsigned i = 0; i < CHECKPOINT_OUTPUTS; i++) {
		off_t size = outputs[i] && fflush(outputs[i]) == 0 ? ftello(outputs[i]) : 0;

		if (size < 0 || (outputs[i] && ferror(outputs[i])))
			return DIAG_ERROR;
		h->output_bytes[i] = (uint64_t)size;
	}
	return 0;
}

static int pack_all(struct packer *p, struct checkpoint_header *h, FILE *const *outputs)
{
	int status = 0;

	p->context = ZSTD_createCCtx();
	p->hash = XXH64_createState();
	if (!p->context || !p->hash)
		return DIAG_ERROR;
	XXH64_reset(p->hash, 0);
	pack(p, (const void *)(uintptr_t)h->base, h->image_bytes, ZSTD_e_continue);
	for (unsigned i = 0; i < CHECKPOINT_OUTPUTS && status == 0; i++)
		status = pack_output(p, outputs[i], h->output_bytes[i]);
	pack(p, NULL, 0, ZSTD_e_end);
	h->packed_bytes = p->bytes;
	h->packed_hash = XXH64_digest(p->hash);
	return status;
}

/* The header is written twice, the second time with the values that are known only when all else is written. */
static int write_parts(struct outfile *out, struct checkpoint_header *h, const char *text, FILE *const *outputs,
		       struct diag *d)
{
	struct packer *p = xcalloc(1, sizeof *p);
	int status;

	p->out = out->stream;
	fwrite(h, sizeof *h, 1, out->stream);
	fwrite(text, 1, h->text_bytes, out->stream);
	status = pack_all(p, h, outputs);
	ZSTD_freeCCtx(p->context);
	XXH64_freeState(p->hash);
	xfree(p);
	h->hash = header_hash(h, text);
	if (status == 0 && fseeko(out->stream, 0, SEEK_SET) == 0)
		fwrite(h, sizeof *h, 1, out->stream);
	else
		status = DIAG_ERROR;
	if (status == 0 && fflush(out->stream) == 0 && fsync(fileno(out->stream)) == 0)
		return 0;
	return diag_file(d, out->path, "cannot write the checkpoint: %s", strerror(errno ? errno : EIO));
}

int checkpoint_write(const char *path, const struct checkpoint_header *facts, const char *text, FILE *const *outputs,
		     struct diag *d)
{
	struct heap_image image = heap_image();
	struct checkpoint_header h = *facts;
	struct outfile out;

	identify_program(&h);
	h.base = (uint64_t)(uintptr_t)image.base;
	h.image_bytes = image.size;
	h.text_bytes = (uint32_t)strlen(text);
	if (measure(&h, outputs) < 0)
		return diag_file(d, path, "cannot write the checkpoint: the results so far cannot be read");
	if (outfile_open(&out, path, d) < 0)
		return DIAG_ERROR;
	if (write_parts(&out, &h, text, outputs, d) == 0)
		return outfile_commit(&out, d);
	outfile_abort(&out);
	return DIAG_ERROR;
}

/* --- Reading --- */

static int damaged(const struct checkpoint_reader *r, struct diag *d)
{
	return diag_file(d, r->path, "the checkpoint is damaged; copy it again, or start without --resume");
}

static int read_header(struct checkpoint_reader *r, struct diag *d)
{
	struct checkpoint_header *h = &r->header;
	size_t got = fread(h, 1, sizeof *h, r->in);

	if (got < sizeof h->magic || memcmp(h->magic, MAGIC, sizeof h->magic) != 0)
		return diag_file(d, r->path, "not a checkpoint of romark; give the file that --checkpoint named");
	if (got < sizeof *h)
		return damaged(r, d);
	if (h->version != VERSION)
		return diag_file(
		    d, r->path,
		    "another version of romark wrote this checkpoint; go on with that version, or start without "
		    "--resume");
	if (h->text_bytes > MOST_TEXT)
		return damaged(r, d);
	r->text = xcalloc(1, (size_t)h->text_bytes + 1);
	if (fread(r->text, 1, h->text_bytes, r->in) < h->text_bytes || header_hash(h, r->text) != h->hash)
		return damaged(r, d);
	return 0;
}

static int check_program(const struct checkpoint_reader *r, struct diag *d)
{
	struct checkpoint_header own = {.version = 0};

	identify_program(&own);
	if (memcmp(own.build, r->header.build, sizeof own.build) == 0 && own.code == r->header.code)
		return 0;
	return diag_file(
	    d, r->path,
	    "another build of romark wrote this checkpoint; go on with that build, or start without --resume");
}

/* Reads all that follows the text, and goes back there. */
static int check_packed(struct checkpoint_reader *r, struct diag *d)
{
	off_t start = ftello(r->in);
	uint64_t whole = (uint64_t)start + r->header.packed_bytes;
	XXH64_state_t *hash;
	struct stat status;
	uint64_t digest;
	size_t got;

	if (fstat(fileno(r->in), &status) < 0 || (uint64_t)status.st_size < whole)
		return diag_file(d, r->path,
				 "the checkpoint is cut off: %llu of %llu bytes are there; copy it again, or start "
				 "without --resume",
				 (unsigned long long)status.st_size, (unsigned long long)whole);
	hash = XXH64_createState();
	XXH64_reset(hash, 0);
	while ((got = fread(r->packed, 1, PACKED_PART, r->in)) > 0)
		XXH64_update(hash, r->packed, got);
	digest = XXH64_digest(hash);
	XXH64_freeState(hash);
	if (digest != r->header.packed_hash || fseeko(r->in, start, SEEK_SET) < 0)
		return damaged(r, d);
	return 0;
}

int checkpoint_open(struct checkpoint_reader *r, const char *path, struct diag *d)
{
	*r = (struct checkpoint_reader){.path = path, .in = fopen(path, "rb")};
	if (!r->in)
		return diag_file(d, path, "cannot open the checkpoint: %s", strerror(errno));
	r->packed = xmalloc(PACKED_PART);
	r->context = ZSTD_createDCtx();
	if (read_header(r, d) < 0 || check_program(r, d) < 0)
		return DIAG_ERROR;
	return check_packed(r, d);
}

/* Unpacks up to `size` bytes. Returns how many; 0 at the end, or if the data are damaged. */
static size_t unpack(struct checkpoint_reader *r, void *to, size_t size)
{
	ZSTD_outBuffer out = {to, size, 0};

	while (out.pos < out.size) {
		ZSTD_inBuffer in = {r->packed, r->size, r->at};
		size_t before = out.pos;

		if (ZSTD_isError(ZSTD_decompressStream(r->context, &out, &in)))
			break;
		r->at = in.pos;
		if (out.pos > before || r->at < r->size)
			continue;
		r->at = 0;
		r->size = fread(r->packed, 1, PACKED_PART, r->in);
		if (r->size == 0)
			break;
	}
	return out.pos;
}

int checkpoint_read_heap(struct checkpoint_reader *r, struct diag *d)
{
	void *base = heap_restore(r->header.image_bytes, d);

	if (!base)
		return DIAG_ERROR;
	if ((uint64_t)(uintptr_t)base != r->header.base ||
	    unpack(r, base, r->header.image_bytes) != r->header.image_bytes)
		return damaged(r, d);
	heap_use(true);
	return 0;
}

static int read_output(struct checkpoint_reader *r, FILE *output, uint64_t left, struct diag *d)
{
	char part[1 << 16];

	while (left > 0) {
		size_t wanted = left < sizeof part ? (size_t)left : sizeof part;

		if (!output || unpack(r, part, wanted) != wanted)
			return damaged(r, d);
		if (fwrite(part, 1, wanted, output) != wanted)
			return diag_file(d, NULL, "cannot write the results that the checkpoint holds: %s",
					 strerror(errno));
		left -= wanted;
	}
	return 0;
}

int checkpoint_read_outputs(struct checkpoint_reader *r, FILE *const *outputs, struct diag *d)
{
	int status = 0;

	for (unsigned i = 0; i < CHECKPOINT_OUTPUTS && status == 0; i++)
		status = read_output(r, outputs[i], r->header.output_bytes[i], d);
	return status;
}

void checkpoint_close(struct checkpoint_reader *r)
{
	if (r->in)
		fclose(r->in);
	ZSTD_freeDCtx(r->context);
	xfree(r->packed);
	xfree(r->text);
	*r = (struct checkpoint_reader){.in = NULL};
}
