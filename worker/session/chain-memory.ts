import { factsUnder } from '../chain/memories/facts.ts'
import type { PersonFact } from '../chain/memory.ts'
import type { MemoryRow } from '../chain/memories/read-memory.ts'
import { findMemories } from '../chain/memories/search-memories.ts'
import type { RunPlace } from '../chain/runs/run-data.ts'
import type { Scope } from '../chain/scope.ts'
import { cap } from '../core/reply/characters.ts'
import { holdsReportsUp } from '../core/reply/echoes.ts'
import { contentStems, isAmong, type Synonyms } from '../core/text/stems.ts'
import { readWords } from '../core/text/words.ts'
import type { MemorySource, Recalled } from '../core/walk/event.ts'
import { inTime } from '../clock.ts'
import { nameOf } from '../log.ts'
import type { Learner } from '../trust/learner.ts'

/** The most facts of one person that a recall reads. */
const FACTS = 50

/** The most memories for one query, and the most characters of each. */
const FOUND = 3
const CHARACTERS = 400

/**
 * The longest that a turn waits for the chain, in milliseconds. A colleague who remembers nothing can go on talking.
 */
const WAIT_MS = 2_000

const NO_SYNONYMS: Synonyms = new Map()

export interface ChainMemoryOptions {
  /** Opens the chain; null if there is none. */
  readonly scope: () => Promise<Scope | null>
  readonly learner: Learner
  readonly run: RunPlace | null
  /** The colleague, whose own memories come first. */
  readonly npc: string
  readonly after: (ms: number, task: () => void) => () => void
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * Makes a source of the chain's memories of a learner: for a verified learner, everything that is theirs in all
 * conversations; for an anonymous learner, what was said and done in this run. It never fails: if the chain cannot be
 * read, nothing is remembered, and the error's name is logged.
 */
export function chainMemory(options: ChainMemoryOptions): MemorySource {
  return {
    async recall(queries) {
      if (queries.length === 0 || options.run === null) return []
      const missed = (error: string) => {
        options.log('chain-not-recalled', { error })
        return []
      }
      try {
        return await inTime(recalled(options, queries), WAIT_MS, () => missed('timeout'), options)
      } catch (error) {
        return missed(nameOf(error))
      }
    },
  }
}

/**
 * Combines two sources: first what was said in this conversation, then what the chain has besides. A learner's words
 * are always marked as said, so that no learner can say something that reads as if it had happened.
 *
 * @param first what the learner said; always answers
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
  { scope: open, learner, run, npc }: ChainMemoryOptions,
  queries: readonly string[],
): Promise<readonly Recalled[]> {
  const scope = await open()
  if (scope === null || run === null) return []
  const whose = learner.kind === 'verified' ? { userId: learner.id } : { userId: learner.id, rootId: run.id }
  const [facts, own, all] = await Promise.all([
    factsUnder(scope, learner.id, FACTS),
    findMemories(scope, { ...whose, memorySpaceId: npc }, { queries, limit: FOUND }),
    findMemories(scope, whose, { queries, limit: FOUND }),
  ])
  return queries.map((query, at) => {
    // The walk keeps what it recalled. A text that names a field of the report would block every report from here on.
    const known = facts.filter((fact) => answers(fact, query)).map(factText)
    const memories = [...(own[at] ?? []), ...(all[at] ?? [])].map(memoryText)
    const found = [...known, ...memories].filter((text) => !holdsReportsUp(text))
    return { query, found: [...new Set(found)].slice(0, FOUND) }
  })
}

/** Returns whether a fact's key or value shares a word with a query. */
function answers({ key, value }: PersonFact, query: string): boolean {
  const asked = contentStems(readWords(query), NO_SYNONYMS)
  return [...contentStems(readWords(`${key.replace(/[_.-]+/g, ' ')} ${value}`), NO_SYNONYMS)].some((stem) =>
    isAmong(stem, asked),
  )
}

/** Returns a fact as text. If a conversation is its source, the words are the learner's own. */
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
