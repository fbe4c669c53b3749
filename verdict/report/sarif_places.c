/*
 * Files under the working folder get a URI relative to it, so that whoever reads the report finds them in a checkout
 * that lies elsewhere. All others get an absolute one.
 */
#include "verdict/report/sarif_places.h"

#include "common/ascii.h"
#include "common/strbuf.h"

#include <string.h>

static void drop_step(struct strbuf *path)
{
	while (path->len && path->data[path->len - 1] != '/')
		path->len--;
	path->len -= path->len > 0;
}

/* Names alone count for "." and "..", as for anybody who resolves a URI. */
static void add_steps(struct strbuf *out, const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && memcmp(path, "..", 2) == 0) {
			drop_step(out);
		} else if (length && !(length == 1 && *path == '.')) {
			strbuf_addc(out, '/');
			strbuf_add(out, path, length);
		}
		path += length + (path[length] == '/');
	}
}

/* "/data/k.cu" for "src/../k.cu" in "/data"; a path of no steps is "". */
static void add_full(struct strbuf *out, const char *folder, const char *path)
{
	if (*path != '/')
		add_steps(out, folder);
	add_steps(out, path);
	strbuf_reserve(out, 1);
	out->data[out->len] = '\0';
}

static void add_encoded(struct strbuf *out, const char *path)
{
	for (; *path; path++) {
		if (ascii_is_alnum(*path) || strchr("/-._~", *path))
			strbuf_addc(out, *path);
		else
			strbuf_addf(out, "%%%02X", (unsigned char)*path);
	}
}

static json_t *take_string(struct strbuf *text)
{
	json_t *s = json_string(text->data);

	strbuf_release(text);
	return s;
}

json_t *sarif_folder(const char *folder)
{
	struct strbuf full = STRBUF_INIT, uri = STRBUF_INIT;

	add_full(&full, "", folder);
	strbuf_adds(&uri, "file://");
	add_encoded(&uri, full.data);
	strbuf_addc(&uri, '/');
	strbuf_release(&full);
	return json_pack("{s:o}", "uri", take_string(&uri));
}

json_t *sarif_artifact(const char *folder, const char *path)
{
	struct strbuf full = STRBUF_INIT, base = STRBUF_INIT, uri = STRBUF_INIT;
	json_t *artifact = json_object();
	bool is_inside;

	add_full(&full, folder, path);
	add_full(&base, "", folder);
	is_inside =
	    full.len > base.len + 1 && memcmp(full.data, base.data, base.len) == 0 && full.data[base.len] == '/';
	if (!is_inside)
		strbuf_adds(&uri, "file://");
	add_encoded(&uri, is_inside ? full.data + base.len + 1 : full.data);
	json_object_set_new(artifact, "uri", take_string(&uri));
	if (is_inside)
		json_object_set_new(artifact, "uriBaseId", json_string(SARIF_FOLDER));
	strbuf_release(&full);
	strbuf_release(&base);
	return artifact;
}

json_t *sarif_physical(const char *folder, const char *path, long long line, long long column)
{
	json_t *place = json_pack("{s:o}", "artifactLocation", sarif_artifact(folder, path)), *region;

	if (line <= 0)
		return place;
	region = json_pack("{s:I}", "startLine", (json_int_t)line);
	if (column > 0)
		json_object_set_new(region, "startColumn", json_integer(column));
	json_object_set_new(place, "region", region);
	return place;
}
