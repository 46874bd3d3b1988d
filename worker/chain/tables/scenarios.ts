/**
 * Published scenarios. A body is the JSON text of a scenario with its graphs; `hash` is the SHA-256 of that text, so a
 * body never changes. A scenario of the build has a row in `scenarios` only while it is withdrawn, and no body.
 */
export const SCENARIO_TABLES: readonly string[] = [
  `CREATE TABLE scenarios (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    -- JSON lists and objects: the ids of the colleagues, and what the game's library shows (null: not in the library).
    npcs TEXT NOT NULL,
    card TEXT,
    title TEXT NOT NULL,
    -- Null for a scenario of the build.
    published_at INTEGER,
    withdrawn_at INTEGER,
    PRIMARY KEY (tenant, id, version)
  ) WITHOUT ROWID`,
  `CREATE TABLE scenario_bodies (
    tenant TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (tenant, hash)
  )`,
]
