import { bytesOf, cap } from '../reply/characters.ts'

/** The kind of a cached result. */
export type ResultType = 'research' | 'search' | 'analysis' | 'answer'

export interface CachedResult {
  readonly content: string
  /** The question that it answered last; missing in a record of an older version. */
  readonly query?: string | undefined
  readonly result_type: ResultType
  readonly source_agent: string
  /** Times are milliseconds since 1970. */
  readonly timestamp: number
  /** From 0 to 1. */
  readonly confidence_score: number
  readonly topics: readonly string[]
  /** Addresses of web pages. */
  readonly citations: readonly string[]
}

export interface AgentOutput {
  readonly at: number
  readonly text: string
}

/**
 * What earlier work of a conversation can be used again. The field names, caps and thresholds are those of the upstream
 * project (S4-10); the time to live, the byte budget and the order of eviction are ours. Plain data.
 */
export interface Intelligence {
  readonly cached_results: Readonly<Record<string, CachedResult>>
  readonly current_topic: string | null
  readonly topic_history: readonly string[]
  readonly topic_transitions: readonly { readonly from: string; readonly to: string; readonly at: number }[]
  readonly agent_outputs: Readonly<Record<string, readonly AgentOutput[]>>
  readonly collaboration_suggestions: readonly string[]
  /** The hash of a cached result, by the beginning of the query that it answered. */
  readonly research_cache: Readonly<Record<string, string>>
  readonly source_cache: Readonly<Record<string, { readonly summary: string; readonly at: number }>>
  /** How well a query is covered, from 0 to 1, by the query's beginning. */
  readonly query_coverage_cache: Readonly<Record<string, number>>
  readonly last_updated: number
  /** Counts the updates. */
  readonly intelligence_version: number
}

export const NO_INTELLIGENCE: Intelligence = {
  cached_results: {},
  current_topic: null,
  topic_history: [],
  topic_transitions: [],
  agent_outputs: {},
  collaboration_suggestions: [],
  research_cache: {},
  source_cache: {},
  query_coverage_cache: {},
  last_updated: 0,
  intelligence_version: 0,
}

/** The caps. Those with a comment are the upstream's. */
export const CAPS = {
  results: 40,
  outputsOfAgent: 5, // upstream
  suggestions: 3, // upstream
  transitions: 5, // upstream
  history: 10, // upstream
  topics: 10, // upstream
  citations: 5, // upstream
  sourcesOfUpdate: 10, // upstream
  summary: 500, // upstream
  queryKey: 50, // upstream
  slice: 5, // upstream
  sources: 40,
  queries: 40,
  agents: 16,
  content: 4_000,
  query: 400,
  output: 1_000,
  topic: 60,
  bytes: 48_000,
  /** How long a cached result or source counts, in milliseconds. */
  lifetime: 24 * 3_600_000,
} as const

/** The thresholds of coverage, and of the relevance of a cached result to a query. All are the upstream's. */
const THRESHOLDS = { use: 0.7, supplement: 0.3, relevance: 0.2 } as const

/** The result of an agent's turn. */
export interface AgentFinding {
  readonly agent: string
  readonly query: string
  readonly content: string
  readonly type: ResultType
  readonly confidence?: number
  readonly topics: readonly string[]
  readonly citations?: readonly string[]
  readonly sources?: readonly { readonly url: string; readonly summary: string }[]
  readonly suggestions?: readonly string[]
}

/**
 * Adds a finding, and keeps every cap ([assistant-8]). Lists keep their latest entries. Cached results and sources that
 * are too old go first; if there are still too many, or too many bytes, those with the earliest time go, and of the same
 * time those with the smaller key. The same findings in the same order give the same bytes.
 *
 * @param at milliseconds since 1970
 * @param hash returns the id of a text, such as a hash of it
 */
export function keepFinding(
  before: Intelligence,
  finding: AgentFinding,
  at: number,
  hash: (text: string) => string,
): Intelligence {
  const topics = distinct(finding.topics.map(topicOf).filter((topic) => topic !== '')).slice(0, CAPS.topics)
  const key = hash(finding.content)
  const content = cap(finding.content, CAPS.content)
  const result: CachedResult = {
    content,
    query: cap(finding.query, CAPS.query),
    result_type: finding.type,
    source_agent: finding.agent,
    timestamp: at,
    confidence_score: unit(finding.confidence ?? 0.8),
    topics,
    citations: distinct(finding.citations ?? []).slice(0, CAPS.citations),
  }
  const [topic = before.current_topic] = topics
  const isMoved = topic !== null && before.current_topic !== null && topic !== before.current_topic
  const query = queryKey(finding.query)
  const outputs = [
    ...(ownEntry(before.agent_outputs, finding.agent) ?? []),
    { at, text: cap(finding.content, CAPS.output) },
  ]
  const sources = (finding.sources ?? []).slice(0, CAPS.sourcesOfUpdate)
  return fitting(
    {
      cached_results: withEntries(before.cached_results, [[key, result]]),
      current_topic: topic,
      topic_history: latest(
        topic === null ? before.topic_history : [...before.topic_history.filter((each) => each !== topic), topic],
        CAPS.history,
      ),
      topic_transitions: latest(
        isMoved
          ? [...before.topic_transitions, { from: before.current_topic, to: topic, at }]
          : before.topic_transitions,
        CAPS.transitions,
      ),
      agent_outputs: withEntries(before.agent_outputs, [[finding.agent, latest(outputs, CAPS.outputsOfAgent)]]),
      collaboration_suggestions: latest(
        [...before.collaboration_suggestions, ...(finding.suggestions ?? []).map((text) => cap(text, CAPS.summary))],
        CAPS.suggestions,
      ),
      research_cache: query === '' ? before.research_cache : withEntries(before.research_cache, [[query, key]]),
      source_cache: withEntries(
        before.source_cache,
        sources.map(({ url, summary }) => [url, { summary: cap(summary, CAPS.summary), at }]),
      ),
      query_coverage_cache:
        query === ''
          ? before.query_coverage_cache
          : withEntries(before.query_coverage_cache, [[query, result.confidence_score]]),
      last_updated: at,
      intelligence_version: before.intelligence_version + 1,
    },
    at,
  )
}

/** What to do with a query, by how well earlier work covers it. */
export type Coverage = 'use_cached_context' | 'supplement_cache' | 'fresh_search'

/**
 * Returns how well earlier work covers a query, from 0 to 1: the best product of relevance and confidence. Work that
 * answered the same question is relevant in full; work that answered another one only supplements, whatever its words.
 *
 * @param agents the agents whose work counts
 */
export function coverageOf(
  intelligence: Intelligence,
  query: string,
  at: number,
  agents: readonly string[] | null = null,
): number {
  return relevant(intelligence, query, at, agents).reduce((best, { score }) => Math.max(best, score), 0)
}

export function planFor(coverage: number): Coverage {
  if (coverage > THRESHOLDS.use) return 'use_cached_context'
  return coverage > THRESHOLDS.supplement ? 'supplement_cache' : 'fresh_search'
}

export interface RelevantResult extends CachedResult {
  readonly key: string
  /** From 0 to 1. */
  readonly score: number
}

/**
 * Returns the slice of earlier work for a briefing: the few live results that share the most words with a query, the
 * best first; of equal ones the later, then the one with the smaller key.
 *
 * @param agents the agents whose work counts
 */
export function sliceFor(
  intelligence: Intelligence,
  query: string,
  at: number,
  agents: readonly string[] | null = null,
): readonly RelevantResult[] {
  return relevant(intelligence, query, at, agents).slice(0, CAPS.slice)
}

function relevant(
  { cached_results, research_cache }: Intelligence,
  query: string,
  at: number,
  agents: readonly string[] | null,
): readonly RelevantResult[] {
  const asked = new Set(wordsOf(query))
  if (asked.size === 0) return []
  const same = new Set(
    Object.entries(research_cache).flatMap(([known, key]) =>
      // A longer query is cut, so it may be another one.
      known.length < CAPS.queryKey && isSameQuestion(query, known) ? [key] : [],
    ),
  )
  return Object.entries(cached_results)
    .filter(([, { timestamp, source_agent }]) => {
      return at - timestamp < CAPS.lifetime && agents?.includes(source_agent) !== false
    })
    .map(([key, result]) => {
      const held = new Set(wordsOf(`${result.topics.join(' ')} ${result.content}`))
      const shared = [...asked].filter((word) => held.has(word)).length
      const isSame = same.has(key) || (result.query !== undefined && isSameQuestion(query, result.query))
      const part = Math.min((shared / asked.size) * result.confidence_score, THRESHOLDS.use)
      return { ...result, key, score: isSame ? result.confidence_score : part }
    })
    .filter(({ score }) => score >= THRESHOLDS.relevance)
    .toSorted((a, b) => b.score - a.score || b.timestamp - a.timestamp || (a.key < b.key ? -1 : 1))
}

function fitting(all: Intelligence, at: number): Intelligence {
  const isLive = (since: number) => at - since < CAPS.lifetime
  let kept: Intelligence = {
    ...all,
    cached_results: limited(
      filtered(all.cached_results, ({ timestamp }) => isLive(timestamp)),
      CAPS.results,
      ({ timestamp }) => timestamp,
    ),
    source_cache: limited(
      filtered(all.source_cache, (source) => isLive(source.at)),
      CAPS.sources,
      (source) => source.at,
    ),
    agent_outputs: limited(all.agent_outputs, CAPS.agents, (outputs) => outputs.at(-1)?.at ?? 0),
    query_coverage_cache: newest(all.query_coverage_cache, CAPS.queries),
  }
  while (bytesOf(JSON.stringify(kept)) > CAPS.bytes) {
    const smaller = withoutOldest(kept)
    if (smaller === null) break
    kept = smaller
  }
  const keys = new Set(Object.keys(kept.cached_results))
  return {
    ...kept,
    research_cache: newest(
      filtered(kept.research_cache, (key) => keys.has(key)),
      CAPS.queries,
    ),
  }
}

/** Drops the oldest result, or else the oldest source, or else the oldest agent's outputs. */
function withoutOldest(all: Intelligence): Intelligence | null {
  const result = oldestKey(all.cached_results, ({ timestamp }) => timestamp)
  if (result !== null) return { ...all, cached_results: without(all.cached_results, result) }
  const source = oldestKey(all.source_cache, ({ at }) => at)
  if (source !== null) return { ...all, source_cache: without(all.source_cache, source) }
  const agent = oldestKey(all.agent_outputs, (outputs) => outputs.at(-1)?.at ?? 0)
  return agent === null ? null : { ...all, agent_outputs: without(all.agent_outputs, agent) }
}

type Table<T> = Readonly<Record<string, T>>

/** Adds entries; an entry that is there already becomes the latest. `__proto__` is a key like any other. */
function withEntries<T>(table: Table<T>, added: readonly (readonly [string, T])[]): Table<T> {
  const keys = new Set(added.map(([key]) => key))
  return Object.fromEntries([...Object.entries(table).filter(([key]) => !keys.has(key)), ...added])
}

function ownEntry<T>(table: Table<T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function filtered<T>(table: Table<T>, keeps: (value: T) => boolean): Table<T> {
  return Object.fromEntries(Object.entries(table).filter(([, value]) => keeps(value)))
}

function without<T>(table: Table<T>, key: string): Table<T> {
  return Object.fromEntries(Object.entries(table).filter(([each]) => each !== key))
}

function limited<T>(table: Table<T>, most: number, timeOf: (value: T) => number): Table<T> {
  let kept = table
  while (Object.keys(kept).length > most) {
    const key = oldestKey(kept, timeOf)
    if (key === null) break
    kept = without(kept, key)
  }
  return kept
}

function newest<T>(table: Table<T>, most: number): Table<T> {
  return Object.fromEntries(Object.entries(table).slice(-most))
}

function oldestKey<T>(table: Table<T>, timeOf: (value: T) => number): string | null {
  const [oldest] = Object.entries(table).toSorted(
    ([a, one], [b, other]) => timeOf(one) - timeOf(other) || (a < b ? -1 : 1),
  )
  return oldest ? oldest[0] : null
}

/** Keeps the first of equal texts. The upstream used a set without an order, so that the current topic was random. */
function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

function topicOf(text: string): string {
  return cap(text.trim().toLowerCase(), CAPS.topic)
}

function queryKey(query: string): string {
  return cap(query.trim().toLowerCase(), CAPS.queryKey)
}

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2)
}

/** Words that ask for nothing of their own. */
const EMPTY_WORDS = new Set(
  'a an the and or of in on at to for by with from is are was were be do does did has have had can could will would i you we me my it its this that these those there please tell say know again so then also just'.split(
    ' ',
  ),
)

/** Returns true if two questions have the same words with a content, in whatever order: then they ask for the same. */
export function isSameQuestion(one: string, other: string): boolean {
  const [asked, known] = [one, other].map(
    (text) => new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word))),
  ) as [Set<string>, Set<string>]
  return asked.size > 0 && asked.size === known.size && [...asked].every((word) => known.has(word))
}

function latest<T>(items: readonly T[], most: number): readonly T[] {
  return items.slice(-most)
}

function unit(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0
}
