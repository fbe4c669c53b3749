/*
 * A run is identified by its trace, configuration and options; a point by its place in a study. So two points can share
 * a run, a label can change without a new run, and a changed trace or configuration is another run.
 */
#include "study/database/schema.h"

const char database_schema[] =
    /* Inputs of runs. */
    "CREATE TABLE IF NOT EXISTS traces("
    " hash TEXT PRIMARY KEY, path TEXT NOT NULL, bytes INTEGER NOT NULL,"
    " program_hash TEXT, command TEXT);" /* of the executable, and its arguments; NULL for a given trace */
    "CREATE TABLE IF NOT EXISTS configs("
    " hash TEXT PRIMARY KEY, json TEXT NOT NULL);" /* every key in force; it is a GPU file, too */

    /* Runs. */
    "CREATE TABLE IF NOT EXISTS runs("
    " id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
    " trace TEXT NOT NULL REFERENCES traces(hash), config TEXT NOT NULL REFERENCES configs(hash),"
    " gpu TEXT NOT NULL, llc_policy TEXT NOT NULL, l1_policy TEXT NOT NULL, options TEXT NOT NULL,"
    " state TEXT NOT NULL CHECK(state IN ('planned', 'running', 'done', 'failed')),"
    " owner TEXT, lease REAL, folder TEXT, executor TEXT, handle TEXT," /* of the sweep that runs it */
    " attempts INTEGER NOT NULL DEFAULT 0,"
    " romark TEXT, version TEXT, host TEXT, started REAL,"
    " wall_seconds REAL, cpu_seconds REAL, peak_rss_bytes INTEGER,"
    " code INTEGER, signal INTEGER, message TEXT, last_lines TEXT);"
    "CREATE INDEX IF NOT EXISTS runs_by_trace ON runs(trace, llc_policy);"
    "CREATE INDEX IF NOT EXISTS runs_running ON runs(state) WHERE state = 'running';"

    /* Studies, and their points: the places of runs. */
    "CREATE TABLE IF NOT EXISTS studies("
    " id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL, text TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS points("
    " study INTEGER NOT NULL REFERENCES studies(id),"
    " program TEXT NOT NULL, size TEXT NOT NULL, gpu TEXT NOT NULL, variant TEXT NOT NULL, policy TEXT NOT NULL,"
    " seed INTEGER NOT NULL, run INTEGER NOT NULL REFERENCES runs(id),"
    " PRIMARY KEY(study, program, size, gpu, variant, policy, seed)) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS points_by_run ON points(run);"

    /* Numbers of done runs; a counter's name is its path in the result's JSON. */
    "CREATE TABLE IF NOT EXISTS counters(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE IF NOT EXISTS run_values("
    " run INTEGER NOT NULL, counter INTEGER NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY(run, counter)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS kernels("
    " run INTEGER NOT NULL, launch INTEGER NOT NULL, name TEXT NOT NULL,"
    " PRIMARY KEY(run, launch)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS kernel_values("
    " run INTEGER NOT NULL, launch INTEGER NOT NULL, counter INTEGER NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY(run, launch, counter)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS structures("
    " run INTEGER NOT NULL, number INTEGER NOT NULL, kernel TEXT NOT NULL, id TEXT NOT NULL, verdict TEXT NOT NULL,"
    " PRIMARY KEY(run, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS structure_values("
    " run INTEGER NOT NULL, number INTEGER NOT NULL, counter INTEGER NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY(run, number, counter)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS unit_values(" /* kind: 'slices' or 'channels' */
    " run INTEGER NOT NULL, kind TEXT NOT NULL, counter INTEGER NOT NULL, unit INTEGER NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY(run, kind, counter, unit)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS epoch_values(" /* cycle: the epoch's end */
    " run INTEGER NOT NULL, cycle INTEGER NOT NULL, counter INTEGER NOT NULL, value REAL NOT NULL,"
    " PRIMARY KEY(run, cycle, counter)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS documents(" /* the whole of `romark sim --json`, as a zstd frame */
    " run INTEGER PRIMARY KEY, zstd BLOB NOT NULL);"

    /* Hashes of files, valid while size and time are the same. */
    "CREATE TABLE IF NOT EXISTS files("
    " path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, changed INTEGER NOT NULL, hash TEXT NOT NULL);"

    /* Views for people. */
    "CREATE VIEW IF NOT EXISTS results AS"
    " SELECT s.name AS study, p.program, p.size, p.gpu, p.variant, p.policy, p.seed, r.state, r.id AS run,"
    " r.llc_policy, r.l1_policy, r.wall_seconds, r.peak_rss_bytes, r.host, r.message,"
    " (SELECT v.value FROM run_values v JOIN counters c ON c.id = v.counter"
    "  WHERE v.run = r.id AND c.name = 'cycles') AS cycles,"
    " (SELECT v.value FROM run_values v JOIN counters c ON c.id = v.counter"
    "  WHERE v.run = r.id AND c.name = 'ipc') AS ipc"
    " FROM points p JOIN studies s ON s.id = p.study JOIN runs r ON r.id = p.run;"
    "CREATE VIEW IF NOT EXISTS run_counters AS"
    " SELECT v.run, c.name, v.value FROM run_values v JOIN counters c ON c.id = v.counter;"
    "CREATE VIEW IF NOT EXISTS kernel_counters AS"
    " SELECT v.run, v.launch, k.name AS kernel, c.name, v.value FROM kernel_values v"
    " JOIN counters c ON c.id = v.counter JOIN kernels k ON k.run = v.run AND k.launch = v.launch;";
