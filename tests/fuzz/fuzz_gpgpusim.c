/* Hostile configurations of GPGPU-Sim: a message of one line, or a GPU file that can be read as YAML. */
#include "sim-backend/config/config.h"
#include "sim-backend/config/gpgpusim.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gpgpusim *g = gpgpusim_create();
	struct diag d = DIAG_INIT;

	if (gpgpusim_read(g, (const char *)data, size, "fuzz.config", &d) < 0) {
		if (!diag_is_set(&d) || strchr(d.message, '\n'))
			abort();
	} else {
		struct sim_config *config = sim_config_create();
		struct strbuf yaml = STRBUF_INIT;

		gpgpusim_write(g, "fuzz", &yaml);
		if (sim_config_parse(config, yaml.data, yaml.len, "fuzz.yaml", &d) < 0)
			abort();
		strbuf_release(&yaml);
		sim_config_free(config);
	}
	gpgpusim_free(g);
	return 0;
}
