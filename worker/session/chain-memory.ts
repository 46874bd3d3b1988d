import type { PersonFact } from '../chain/memory.ts'
import type { MemoryRow } from '../chain/memories/read-memory.ts'
import { findMemories } from '../chain/memories/search-memories.ts'
import { type BroughtRead, readBrought } from '../chain/runs/read-brought.ts'
import type { RunPlace } from '../chain/runs/run-data.ts'
import type { Scope } from '../chain/scope.ts'
import { cap } from '../core/reply/characters.ts'
import { holdsReportsUp } from '../core/reply/echoes.ts'
import { contentStems, isAmong } from '../core/text/stems.ts'
import { readWords } from '../core/text/words.ts'
import type { MemorySource, Recalled } from '../core/walk/event.ts'
import { inTime } from '../clock.ts'
import { nameOf } from '../log.ts'
import type { Learner } from '../trust/learner.ts'

/** The most memories for one query, and the most characters of each. */
const FOUND = 3
const CHARACTERS = 400

/** The longest that a turn waits for the chain, in milliseconds. A colleague can go on talking without memories. */
const WAIT_MS = 2_000

export interface ChainMemoryOptions {
  /** Opens the chain; null if the deployment has no chain. */
  readonly scope: () => Promise<Scope | null>
  readonly learner: Learner
  readonly run: RunPlace | null
  /** The id of the colleague. The colleague's own memories come first in every result. */
  readonly npc: string
  readonly after: (ms: number, task: () => void) => () => void
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/** Reads the chain for one turn. */
export interface ChainMemory extends MemorySource {
  /**
   * Reads what the learner did in the run's other conversations, and the facts about the learner. Null if the chain
   * cannot be read. A call of `recall` in the same turn does not read the facts again.
   */
  brought(): Promise<BroughtRead | null>
}

/**
 * Makes a source of the chain's facts and memories of a learner, for one turn. For a verified learner, facts and
 * memories come from all their conversations; for an anonymous learner, both come only from the run. No method throws.
 * If the chain cannot be read within `WAIT_MS`, the result is empty, the error's name is logged, and every later call
 * in the turn returns an empty result at once.
 */
export function chainMemory(options: ChainMemoryOptions): ChainMemory {
  let read: Promise<BroughtRead> | null = null
  let isLost = false
  const readOnce = (scope: Scope, run: string) => (read ??= readBrought(scope, { ...options, run }))
  const asked = async <T>(name: string, empty: T, work: (scope: Scope, run: string) => Promise<T>): Promise<T> => {
    const { run } = options
    if (run === null || isLost) return empty
    const missed = (error: string) => {
      isLost = true
      options.log(name, { error })
      return empty
    }
    const opened = async () => {
      const scope = await options.scope()
      return scope === null ? empty : work(scope, run.id)
    }
    try {
      return await inTime(opened(), WAIT_MS, () => missed('timeout'), options)
    } catch (error) {
      return missed(nameOf(error))
    }
  }
  return {
    recall: (queries) =>
      queries.length === 0
        ? Promise.resolve([])
        : asked<readonly Recalled[]>('chain-not-recalled', [], (scope, run) =>
            recalled(scope, { ...options, run, facts: readOnce(scope, run).then(({ known }) => known) }, queries),
          ),
    brought: () => asked<BroughtRead | null>('chain-not-brought', null, readOnce),
  }
}

/**
 * The most facts about the learner that a colleague is told in a briefing without a recall (a search of the memory).
 */
const REMEMBERED = 3

/** Returns the newest facts about a learner as text. Equally new facts stay in the order of `known`. */
export function newestFacts(known: readonly PersonFact[]): readonly string[] {
  return known
    .toSorted((a, b) => b.at - a.at)
    .slice(0, REMEMBERED)
    .map(factText)
}

/**
 * Combines two memory sources: first the learner's words in the present conversation, then further memories from the
 * chain. The learner's words get the prefix "They said:", so that a claim does not read like something that happened.
 *
 * @param first the source of the learner's words; it returns an entry for every query
 */
export function withChain(first: MemorySource, chain: MemorySource): MemorySource {
  return {
    async recall(queries) {
      const [here, before] = await Promise.all([first.recall(queries), chain.recall(queries)])
      return here.map(({ query, found }) => {
        const more = before.find((each) => each.query === query)?.found ?? []
        return { query, found: [...new Set([...found.map(asSaid), ...more])] }
      })
    },
  }
}

async function recalled(
  scope: Scope,
  {
    learner,
    run,
    npc,
    facts: known,
  }: Pick<ChainMemoryOptions, 'learner' | 'npc'> & {
    readonly run: string
    readonly facts: Promise<readonly PersonFact[]>
  },
  queries: readonly string[],
): Promise<readonly Recalled[]> {
  const whose = learner.kind === 'verified' ? { userId: learner.id } : { userId: learner.id, rootId: run }
  const [facts, own, all] = await Promise.all([
    known,
    findMemories(scope, { ...whose, memorySpaceId: npc }, { queries, limit: FOUND }),
    findMemories(scope, whose, { queries, limit: FOUND }),
  ])
  return queries.map((query, at) => {
    // The walk keeps the recalled texts, so they are part of every later briefing. A text that contains a field of the
    // report is left out: every later report that sets this field would count as copied from the text, and be refused.
    const about = facts.filter((fact) => answers(fact, query)).map(factText)
    const memories = [...(own[at] ?? []), ...(all[at] ?? [])].map(memoryText)
    const found = [...about, ...memories].filter((text) => !holdsReportsUp(text))
    return { query, found: [...new Set(found)].slice(0, FOUND) }
  })
}

/** Returns true if a fact's key or value shares a word with a query. */
function answers({ key, value }: PersonFact, query: string): boolean {
  const asked = contentStems(readWords(query))
  return [...contentStems(readWords(`${key.replace(/[_.-]+/g, ' ')} ${value}`))].some((stem) => isAmong(stem, asked))
}

/**
 * Returns a fact as text for the colleague. If the fact comes from a conversation, the text says that the learner said
 * it.
 */
function factText({ key, value, source }: PersonFact): string {
  const text = `${key}: ${value.replace(/\s+/g, ' ').trim()}`
  return cap(
    source.startsWith('conversation ') ? `They said of themselves: ${text}` : `Known of them: ${text}`,
    CHARACTERS,
  )
}

function memoryText({ kind, content }: MemoryRow): string {
  const text = content.replace(/\s+/g, ' ').trim()
  return cap(kind === 'said' ? asSaid(text) : text, CHARACTERS)
}

function asSaid(text: string): string {
  return `They said: ${text}`
}
