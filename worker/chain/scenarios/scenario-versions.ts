import { builtScenarios } from '../../../build/catalogue.ts'
import type { SimulationCard } from '../../wire/run.ts'
import { committedOrBusy, commit, guard } from '../commit.ts'
import { rows, type Scope, statement } from '../scope.ts'
import { type ContentSources, loadScenario } from './contents.ts'
import type { StoredScenario } from './stored-scenario.ts'

/** A version of a scenario that this deployment has. Times are milliseconds since 1970. */
export interface ScenarioVersion {
  readonly id: string
  readonly version: number
  /** The SHA-256 of the stored text (`bodyOf`), in hexadecimal digits. */
  readonly hash: string
  readonly title: string
  /** `build`: the deployment was built with this version. */
  readonly source: 'build' | 'published'
  readonly publishedAt: number | null
  /** Set while no new conversation begins with this version. */
  readonly withdrawnAt: number | null
}

interface Row {
  readonly id: string
  readonly version: number
  readonly hash: string
  readonly title: string
  readonly published_at: number | null
  readonly withdrawn_at: number | null
}

/** The most versions of all scenarios together. */
const MOST_VERSIONS = 1_000

const BUILT: readonly ScenarioVersion[] = builtScenarios.map(({ id, version, hash, title }) => ({
  id,
  version,
  hash,
  title,
  source: 'build',
  publishedAt: null,
  withdrawnAt: null,
}))

/**
 * Returns all versions: first those of the build, in the build's order, then the published ones, in the order of their
 * publication. If the build has the id and version of a published one, only the build's is returned.
 *
 * @param scope null for a deployment without a database, which has only the versions of its build
 */
export async function listScenarioVersions(scope: Scope | null): Promise<readonly ScenarioVersion[]> {
  const stored = scope === null ? [] : await rows<Row>(scope, VERSIONS)
  // A withdrawal counts for the content that was withdrawn. A later deployment may have other content as that version.
  const built = BUILT.map((each) => ({ ...each, withdrawnAt: stored.find(same(each))?.withdrawn_at ?? null }))
  const published = stored
    .filter(
      (row) => row.published_at !== null && !BUILT.some(({ id, version }) => id === row.id && version === row.version),
    )
    .map(readRow)
  return [...built, ...published]
}

const VERSIONS = `SELECT id, version, hash, title, published_at, withdrawn_at FROM scenarios WHERE tenant = ?1
  ORDER BY published_at, id, version LIMIT ${MOST_VERSIONS}`

function same({ id, version, hash }: ScenarioVersion) {
  return (row: Row) => row.id === id && row.version === version && row.hash === hash
}

function readRow({ id, version, hash, title, published_at, withdrawn_at }: Row): ScenarioVersion {
  return { id, version, hash, title, source: 'published', publishedAt: published_at, withdrawnAt: withdrawn_at }
}

/** A scenario that is read, and the hash under which it is stored. */
export interface OpenedScenario extends StoredScenario {
  readonly hash: string
}

/**
 * Returns the scenario with which a new conversation or run begins: the highest version that is not withdrawn. The list
 * of versions may be some seconds old ([publish-11]).
 *
 * @param id if it is undefined, the first scenario of the list that is not withdrawn
 */
export async function scenarioToBegin(sources: ContentSources, id?: string): Promise<OpenedScenario | null> {
  const chain = await sources.chain()
  const remembered = chain && rememberedVersions(chain)
  const known = remembered && highestLive(remembered, id)
  const highest = known ?? highestLive(await freshVersions(chain), id)
  return highest && openVersion(sources, highest)
}

/**
 * Returns the scenario of a run that has begun: the run's own version, even if it was withdrawn. If that version is not
 * there any more, returns the highest version, and among withdrawn ones only if there is no other.
 *
 * @param version undefined for a run or a class that names no version
 */
export async function scenarioToContinue(
  sources: ContentSources,
  id: string,
  version?: number,
): Promise<OpenedScenario | null> {
  const built = BUILT.find((each) => each.id === id && each.version === version)
  if (built) return openVersion(sources, built)
  const all = (await listScenarioVersions(await sources.chain())).filter((each) => each.id === id)
  const own = all.find((each) => each.version === version)
  const live = all.filter(({ withdrawnAt }) => withdrawnAt === null)
  const found = own ?? highestOf(live, id) ?? highestOf(all, id)
  return found && openVersion(sources, found)
}

function highestLive(versions: readonly ScenarioVersion[], id: string | undefined): ScenarioVersion | null {
  const live = versions.filter(({ withdrawnAt }) => withdrawnAt === null)
  return highestOf(live, id ?? live[0]?.id)
}

function highestOf(versions: readonly ScenarioVersion[], id: string | undefined): ScenarioVersion | null {
  const own = versions.filter((each) => each.id === id)
  return own.reduce<ScenarioVersion | null>((best, each) => (best && best.version >= each.version ? best : each), null)
}

/** How long an isolate begins conversations from the same list of versions, in milliseconds. */
const LIST_MS = 5_000

/** The list of versions that this isolate read last, for each database. */
const lists = new WeakMap<
  D1Database,
  { readonly tenant: string; readonly at: number; readonly versions: readonly ScenarioVersion[] }
>()

function rememberedVersions(scope: Scope): readonly ScenarioVersion[] | null {
  const list = lists.get(scope.db)
  if (list?.tenant !== scope.tenant) return null
  const age = scope.now() - list.at
  return age >= 0 && age < LIST_MS ? list.versions : null
}

async function freshVersions(scope: Scope | null): Promise<readonly ScenarioVersion[]> {
  const versions = await listScenarioVersions(scope)
  if (scope) lists.set(scope.db, { tenant: scope.tenant, at: scope.now(), versions })
  return versions
}

async function openVersion(sources: ContentSources, { hash }: ScenarioVersion): Promise<OpenedScenario | null> {
  const found = await loadScenario(sources, hash)
  return found && { ...found, hash }
}

/** A checked scenario to be published. */
export interface Publication extends StoredScenario {
  /** The text that `bodyOf` makes, and its SHA-256. */
  readonly body: string
  readonly hash: string
  /** What the game's library shows; null for a scenario that is not played to a decision. */
  readonly card: SimulationCard | null
}

export type Published =
  | { readonly ok: true; readonly version: ScenarioVersion }
  | { readonly ok: false; readonly why: 'version-taken' | 'too-many-versions' }

/**
 * Publishes a scenario, or takes back the withdrawal of the same content. A version that is published never changes:
 * other content needs another version.
 *
 * @throws ChainError BUSY
 */
export async function publishScenario(scope: Scope, { scenario, body, hash, card }: Publication): Promise<Published> {
  const { id, version, title, npcs } = scenario
  return committedOrBusy(async () => {
    const all = await listScenarioVersions(scope)
    const taken = all.find((each) => each.id === id && each.version === version)
    if (taken && taken.hash !== hash) return { ok: false, why: 'version-taken' }
    if (!taken && all.length >= MOST_VERSIONS) return { ok: false, why: 'too-many-versions' }
    const isBuilt = taken?.source === 'build'
    const at = isBuilt ? null : (taken?.publishedAt ?? scope.now())
    const guards = [
      guard(
        scope,
        'NOT EXISTS (SELECT 1 FROM scenarios WHERE tenant = ?1 AND id = ?2 AND version = ?3 AND hash <> ?4 AND published_at IS NOT NULL)',
        id,
        version,
        hash,
      ),
    ]
    const writes = isBuilt
      ? [statement(scope, 'DELETE FROM scenarios WHERE tenant = ?1 AND id = ?2 AND version = ?3', id, version)]
      : [
          statement(
            scope,
            'INSERT OR IGNORE INTO scenario_bodies (tenant, hash, body) VALUES (?1, ?2, ?3)',
            hash,
            body,
          ),
          statement(
            scope,
            `INSERT OR REPLACE INTO scenarios (tenant, id, version, hash, npcs, card, title, published_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
            id,
            version,
            hash,
            JSON.stringify(npcs.map((npc) => npc.id)),
            card && JSON.stringify(card),
            title,
            at,
          ),
        ]
    const { ok } = await commit(scope, { guards, writes })
    lists.delete(scope.db)
    const source = isBuilt ? 'build' : 'published'
    return ok ? { ok, version: { id, version, hash, title, source, publishedAt: at, withdrawnAt: null } } : null
  })
}

/**
 * Withdraws a version: no new conversation begins with it. What has begun goes on. A version that was withdrawn before
 * keeps its time of withdrawal. Returns null if there is no such version.
 */
export async function withdrawScenario(scope: Scope, id: string, version: number): Promise<ScenarioVersion | null> {
  const found = (await listScenarioVersions(scope)).find((each) => each.id === id && each.version === version)
  if (!found) return null
  const withdrawnAt = found.withdrawnAt ?? scope.now()
  const npcs = builtScenarios.find((each) => each.id === id)?.npcs ?? []
  const write =
    found.source === 'build'
      ? statement(
          scope,
          `INSERT OR REPLACE INTO scenarios (tenant, id, version, hash, npcs, title, withdrawn_at)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
          id,
          version,
          found.hash,
          JSON.stringify(npcs),
          found.title,
          withdrawnAt,
        )
      : statement(
          scope,
          'UPDATE scenarios SET withdrawn_at = ?4 WHERE tenant = ?1 AND id = ?2 AND version = ?3',
          id,
          version,
          withdrawnAt,
        )
  await commit(scope, { guards: [], writes: [write] })
  lists.delete(scope.db)
  return { ...found, withdrawnAt }
}

/**
 * Returns what the game's library shows of the published scenarios, and the ids of the build's scenarios that the
 * library must not show as the build has them: those that are withdrawn, and those of which a higher version is
 * published.
 */
export async function libraryChanges(
  scope: Scope,
): Promise<{ readonly cards: readonly SimulationCard[]; readonly replaced: ReadonlySet<string> }> {
  const live = (await listScenarioVersions(scope)).filter(({ withdrawnAt }) => withdrawnAt === null)
  const served = live.filter((each) => highestOf(live, each.id) === each)
  const replaced = new Set(
    BUILT.map(({ id }) => id).filter((id) => !served.some((each) => each.id === id && each.source === 'build')),
  )
  const published = served.filter(({ source }) => source === 'published')
  if (published.length === 0) return { cards: [], replaced }
  const found = await rows<{ card: string }>(
    scope,
    `SELECT card FROM scenarios WHERE tenant = ?1 AND card IS NOT NULL
       AND id || ' ' || version IN (SELECT value FROM json_each(?2)) ORDER BY published_at, id`,
    JSON.stringify(published.map(({ id, version }) => `${id} ${version}`)),
  )
  return { cards: found.map(({ card }) => JSON.parse(card) as SimulationCard), replaced }
}

/** Returns the ids of all colleagues of published scenarios. */
export async function publishedNpcs(scope: Scope): Promise<readonly string[]> {
  const found = await rows<{ npc: string }>(
    scope,
    'SELECT DISTINCT npc.value AS npc FROM scenarios s, json_each(s.npcs) npc WHERE s.tenant = ?1',
  )
  return found.map(({ npc }) => npc)
}
