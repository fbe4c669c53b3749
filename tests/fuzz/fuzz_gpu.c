/* Hostile GPU files: whatever they hold, the answer is a configuration or one message. */
#include "sim-backend/config/config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_config *config = sim_config_create();
	struct diag d = DIAG_INIT;
	int status = sim_config_parse(config, (const char *)data, size, "fuzz.yaml", &d);

	if (status == 0)
		status = sim_config_check(config, &d);
	if (status < 0 && (!diag_is_set(&d) || strchr(d.message, '\n')))
		abort();
	sim_config_free(config);
	return 0;
}
