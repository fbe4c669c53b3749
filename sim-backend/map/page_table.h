/*
 * Page table: which chip's memory holds a page. With first touch, that is the chip of the SM that sent the first
 * request for it. If several chips touch it in the same cycle, the page's number decides between them. So the order in
 * which SMs are ticked cannot change an owner. The owner of a page touched in cycle t may be looked up from t + 1 on.
 *
 *   page_table_touch(&pages, line, chip, now);
 *   home = page_table_chip(&pages, line);          // in a later cycle
 */
#ifndef ROMARK_SIM_PAGE_TABLE_H
#define ROMARK_SIM_PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct page {
	uint64_t number; /* UINT64_MAX: none */
	uint64_t touched;
	uint8_t chip;
};

/* The chip of page n: of its first touch; n modulo chips; or the XOR of n's digits to the base `chips`. */
enum page_owner { PAGE_OF_FIRST_TOUCH, PAGE_OF_NUMBER, PAGE_OF_DIGITS };

struct page_table {
	unsigned chips, shift; /* log2 of a page's bytes */
	enum page_owner owner; /* if not PAGE_OF_FIRST_TOUCH, the table stays empty */
	struct page *pages;    /* open addressing, at most half full; grows with the pages that were touched */
	uint64_t slots, used;
};

/* `page_bytes` and `chips` are powers of two. */
void page_table_init(struct page_table *t, unsigned chips, uint32_t page_bytes, enum page_owner owner);
void page_table_release(struct page_table *t);
/* An SM of `chip` sends a request for the line in cycle `now`. */
void page_table_touch(struct page_table *t, uint64_t line, unsigned chip, uint64_t now);
/* Requires that the line's page was touched in an earlier cycle. */
unsigned page_table_chip(const struct page_table *t, uint64_t line);

#endif
