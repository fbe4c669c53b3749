/* Which words of memory are pointers that a kernel loads: see struct structure.words. */
#ifndef ROMARK_VERDICT_GUARD_WORDS_H
#define ROMARK_VERDICT_GUARD_WORDS_H

#include "verdict/structure.h"

/* Whether the kernel may load a pointer to `s` from `distance` bytes behind where the pointer to its holder leads. */
static inline bool guard_is_word(const struct structure *s, int64_t distance)
{
	for (uint32_t i = 0; i < s->nwords; i++) {
		const struct word_place *p = &s->words[i];

		if (p->step ? (distance - p->at) % p->step == 0 : distance == p->at)
			return true;
	}
	return s->nwords == 0;
}

#endif
