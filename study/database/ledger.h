/*
 * The runs of a plan in the database: which are there, who runs them, how they ended. Several sweeps may work on one
 * database, on one machine or on several: a run belongs to who has claimed it, until that claim's lease has run out.
 */
#ifndef ROMARK_STUDY_DATABASE_LEDGER_H
#define ROMARK_STUDY_DATABASE_LEDGER_H

#include "study/database/database.h"
#include "study/job.h"
#include "study/plan.h"

enum { LEASE_SECONDS = 120 };

/* This process, as claims have it: host, process id and when it started. */
void ledger_owner(char *text, size_t size);
/* Whether the owner of a claim may still be at work; false only when the owner has certainly ended. */
bool ledger_owner_lives(const char *owner);

/* Enters study, traces, configurations, runs and points; gives the plan's runs their ids and states. */
int ledger_enter(struct database *db, struct plan *p, struct diag *d);
/* Reads the states again. */
int ledger_states(struct database *db, struct plan *p, struct diag *d);
/* Estimates time and memory of the plan's runs that are not done, from earlier runs. */
int ledger_estimate(struct database *db, struct plan *p, struct diag *d);

/*
 * Inside a transaction. True: the run was planned, failed and `retry`, or its claim has run out, and is this owner's
 * now.
 */
bool ledger_claim(struct database *db, int64_t run, const char *owner, const char *folder, const char *executor,
		  bool retry);
/* A run as the database has it now. */
struct ledger_row {
	enum run_state state;
	char owner[512], folder[4096], executor[32], handle[64];
	bool held; /* running, and its claim has not run out */
};

struct ledger_row ledger_look(struct database *db, int64_t run);
/* A sweep can take the claims of a process that has ended at once. */
void ledger_expire(struct database *db, const char *owner);
void ledger_handle(struct database *db, int64_t run, const char *handle);
void ledger_renew(struct database *db, const char *owner);
/* Gives a run back, as if it had not been claimed. */
void ledger_release(struct database *db, int64_t run, const char *owner);
/*
 * Enters how a run ended: done, with its numbers, or failed. False when the run is no longer this owner's: nothing is
 * entered then.
 */
bool ledger_end(struct database *db, int64_t run, const char *owner, const struct job_end *end, const char *folder,
		const struct study_simulation *keep, const char *identity, const char *version);

#endif
