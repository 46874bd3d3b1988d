import { builtScenarios } from '../../../build/catalogue.ts'
import { deepFreeze } from '../../deep-freeze.ts'
import { sha256 } from '../../sha256.ts'
import { commit } from '../commit.ts'
import { firstRow, rows, type Scope, statement } from '../scope.ts'
import { readBuiltBody, type StaticFiles } from './built-body.ts'
import { keptScenarios } from './kept.ts'
import type { StoredScenario } from './stored-scenario.ts'

/** Where contents (the texts of scenarios and graphs) are read. */
export interface ContentSources {
  /** The static files, which have the scenarios of the build; null if the deployment has none. */
  readonly files: StaticFiles | null
  /**
   * Opens the database, which has every content that was published or with which a conversation began. Returns null if
   * there is none. Called only when the files do not suffice.
   */
  chain(): Promise<Scope | null>
}

/** Returns the sources of a deployment's contents. */
export function contentSources(env: object, chain: Scope | null): ContentSources {
  return { files: staticFiles(env), chain: () => Promise.resolve(chain) }
}

/** Returns the binding of the deployment's static files; null if it has none, as in some tests. */
export function staticFiles(env: object): StaticFiles | null {
  const { ASSETS } = env as { readonly ASSETS?: StaticFiles }
  return ASSETS ?? null
}

/**
 * Returns the scenario with this hash, frozen, and the graphs that it walks. An isolate reads and parses it only if it
 * does not keep it. Returns null if neither the build nor the database has it.
 *
 * @throws if a source cannot be read now
 */
export async function loadScenario(sources: ContentSources, hash: string): Promise<StoredScenario | null> {
  const known = keptScenarios.get(hash)
  if (known) return known
  const text = await readBody(sources, hash)
  if (text === null) return null
  // Another request may have read it meanwhile. Everybody then gets that request's object.
  const found = keptScenarios.get(hash) ?? deepFreeze(JSON.parse(text) as StoredScenario)
  keptScenarios.put(hash, found)
  return found
}

/**
 * Returns the text of the scenario with this hash: the build's file, or the database's row. Returns null if neither has
 * it.
 *
 * @throws if a source cannot be read now
 */
export async function readBody(sources: ContentSources, hash: string): Promise<string | null> {
  const { files } = sources
  if (files === null || !builtScenarios.some((built) => built.hash === hash)) return readContent(sources, hash)
  try {
    return await ofHash(await readBuiltBody(files, hash), hash)
  } catch (error) {
    const stored = await readContent(sources, hash)
    if (stored === null) throw error
    return stored
  }
}

/**
 * Returns the text with this hash from the database; null if the database does not have it, or has another text.
 *
 * @throws if the database cannot be read now
 */
export async function readContent(sources: ContentSources, hash: string): Promise<string | null> {
  const scope = await sources.chain()
  const sql = 'SELECT body FROM scenario_bodies WHERE tenant = ?1 AND hash = ?2'
  const row = scope && (await firstRow<{ body: string }>(scope, sql, hash))
  return row && ofHash(row.body, hash)
}

async function ofHash(text: string, hash: string): Promise<string | null> {
  return (await sha256(text)) === hash ? text : null
}

/** A text to keep, and its SHA-256. */
export interface Content {
  readonly hash: string
  /** Returns the text. Called only if the database does not have it. */
  readonly text: () => string | Promise<string>
}

/** The contents that this isolate knows to be in a database. */
const inDatabase = new WeakMap<D1Database, Set<string>>()

/**
 * Makes sure that the database has the contents, so that they outlive the build. An isolate asks for a content once, and
 * writes it only if it is not there ([version-20]). Nothing ever deletes a content.
 *
 * @throws if the database cannot be reached
 */
export async function keepContents(scope: Scope, contents: readonly Content[]): Promise<void> {
  const known = inDatabase.get(scope.db) ?? new Set()
  inDatabase.set(scope.db, known)
  const keyOf = (hash: string) => `${scope.tenant} ${hash}`
  const asked = contents.filter(({ hash }) => !known.has(keyOf(hash)))
  if (asked.length === 0) return
  const sql = 'SELECT hash FROM scenario_bodies WHERE tenant = ?1 AND hash IN (SELECT value FROM json_each(?2))'
  const found = await rows<{ hash: string }>(scope, sql, JSON.stringify(asked.map(({ hash }) => hash)))
  const missing = asked.filter(({ hash }) => !found.some((row) => row.hash === hash))
  const insert = 'INSERT OR IGNORE INTO scenario_bodies (tenant, hash, body) VALUES (?1, ?2, ?3)'
  const writes = await Promise.all(missing.map(async ({ hash, text }) => statement(scope, insert, hash, await text())))
  if (writes.length > 0) await commit(scope, { guards: [], writes })
  for (const { hash } of asked) known.add(keyOf(hash))
}
