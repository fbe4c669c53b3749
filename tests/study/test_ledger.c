/* Claims on runs: one owner at a time, until its lease has run out or it is known to be gone. */
#include "study/database/ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static struct database *with_a_run(int64_t *run)
{
	struct diag d = DIAG_INIT;
	struct database *db;

	snprintf(path, sizeof path, "/tmp/test_ledger.%ld.sqlite", (long)getpid());
	unlink(path);
	db = database_open(path, DATABASE_WRITE, &d);
	if (!db)
		fail_msg("%s", d.message);
	database_do(db, "INSERT INTO traces(hash, path, bytes) VALUES('t', 't.romtrace', 1)", "");
	database_do(db, "INSERT INTO configs(hash, json) VALUES('c', '{}')", "");
	database_do(db,
		    "INSERT INTO runs(key, trace, config, gpu, llc_policy, l1_policy, options, state)"
		    " VALUES('k', 't', 'c', 'g', 'shared', 'lru', '', 'planned')",
		    "");
	*run = database_added(db);
	assert_int_equal(database_check(db, &d), 0);
	return db;
}

static void done(struct database *db)
{
	struct diag d = DIAG_INIT;

	assert_int_equal(database_check(db, &d), 0);
	database_close(db);
	unlink(path);
}

static void test_a_claimed_run_is_not_claimed_again(void **state)
{
	int64_t run;
	struct database *db = with_a_run(&run);

	(void)state;
	assert_true(ledger_claim(db, run, "one", "/f", "local", false));
	assert_false(ledger_claim(db, run, "two", "/g", "local", false));
	assert_true(ledger_look(db, run).held);
	assert_string_equal(ledger_look(db, run).owner, "one");
	ledger_release(db, run, "two"); /* another sweep owns it now */
	assert_false(ledger_claim(db, run, "two", "/g", "local", false));
	ledger_release(db, run, "one");
	assert_true(ledger_claim(db, run, "two", "/g", "local", false));
	done(db);
}

static void test_a_claim_runs_out_unless_it_is_renewed(void **state)
{
	int64_t run;
	struct database *db = with_a_run(&run);

	(void)state;
	ledger_claim(db, run, "one", "/f", "local", false);
	database_do(db, "UPDATE runs SET lease = lease - ?", "i", (int64_t)LEASE_SECONDS + 1);
	assert_false(ledger_look(db, run).held);
	ledger_renew(db, "one");
	assert_true(ledger_look(db, run).held);
	assert_false(ledger_claim(db, run, "two", "/g", "local", false));
	ledger_expire(db, "one");
	assert_true(ledger_claim(db, run, "two", "/g", "local", false));
	done(db);
}

/* The sweep that was believed dead has finished after all: one result counts. */
static void test_who_has_lost_its_claim_enters_nothing(void **state)
{
	const struct study_simulation keep = {.kernels = NULL};
	const struct job_end end = {.signal = 9, .host = "h"};
	int64_t run;
	struct database *db = with_a_run(&run);

	(void)state;
	ledger_claim(db, run, "one", "/f", "local", false);
	ledger_expire(db, "one");
	ledger_claim(db, run, "two", "/g", "local", false);
	assert_false(ledger_end(db, run, "one", &end, "/nowhere", &keep, "hash", "1"));
	assert_int_equal(ledger_look(db, run).state, RUN_RUNNING);
	assert_true(ledger_end(db, run, "two", &end, "/nowhere", &keep, "hash", "1"));
	assert_int_equal(ledger_look(db, run).state, RUN_FAILED);
	done(db);
}

static void test_a_failed_run_is_claimed_when_that_is_asked_for(void **state)
{
	const struct study_simulation keep = {.kernels = NULL};
	const struct job_end end = {.code = 1, .host = "h"};
	int64_t run;
	struct database *db = with_a_run(&run);

	(void)state;
	ledger_claim(db, run, "one", "/f", "local", false);
	ledger_end(db, run, "one", &end, "/nowhere", &keep, "hash", "1");
	assert_false(ledger_claim(db, run, "one", "/f", "local", false));
	assert_true(ledger_claim(db, run, "one", "/f", "local", true));
	assert_int_equal(database_count(db, "SELECT attempts FROM runs WHERE id = ?", "i", run), 2);
	done(db);
}

static void test_a_process_that_has_ended_is_known_to_be_gone(void **state)
{
	char owner[512] = "", other[600];
	int ends[2];
	pid_t child;

	(void)state;
	ledger_owner(owner, sizeof owner);
	assert_true(ledger_owner_lives(owner));
	snprintf(other, sizeof other, "x%s", owner); /* of another machine nothing is known */
	assert_true(ledger_owner_lives(other));
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		ledger_owner(owner, sizeof owner);
		_exit(write(ends[1], owner, sizeof owner) < 0);
	}
	assert_int_equal(read(ends[0], owner, sizeof owner), sizeof owner);
	waitpid(child, NULL, 0);
	assert_false(ledger_owner_lives(owner));
}

static void test_another_file_is_no_database_of_results(void **state)
{
	struct diag d = DIAG_INIT;
	int64_t run;
	struct database *db = with_a_run(&run);

	(void)state;
	database_do(db, "PRAGMA application_id = 1", "");
	database_close(db);
	assert_null(database_open(path, DATABASE_WRITE, &d));
	assert_non_null(strstr(d.message, "not a database of romark's results"));
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_claimed_run_is_not_claimed_again),
	    cmocka_unit_test(test_a_claim_runs_out_unless_it_is_renewed),
	    cmocka_unit_test(test_who_has_lost_its_claim_enters_nothing),
	    cmocka_unit_test(test_a_failed_run_is_claimed_when_that_is_asked_for),
	    cmocka_unit_test(test_a_process_that_has_ended_is_known_to_be_gone),
	    cmocka_unit_test(test_another_file_is_no_database_of_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
