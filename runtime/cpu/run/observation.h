/* Guards, checks and the trace's record of a launch, before its first CTA and after its last. */
#ifndef ROMARK_CPU_OBSERVATION_H
#define ROMARK_CPU_OBSERVATION_H

#include "runtime/cpu/engine/cpu_device.h"
#include "runtime/cpu/engine/cpu_module.h"
#include "runtime/cpu/observe/observe.h"

/* l->observer becomes `o` if the launch's program is observed; else the guards alone are asked, to tell the user. */
void observation_begin(struct device_kernel *k, struct launch *l, struct observer *o);
/* Of a launch with an observer. */
void observation_end(struct launch *l);

#endif
