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

/** Facts of one person that are looked through, at most. */
const FACTS = 50

/** Memories found for one query, and the characters of each, at most. */
const FOUND = 3
const CHARACTERS = 400

/** The longest a turn waits for the chain, in milliseconds. A colleague who remembers nothing can go on talking. */
const WAIT_MS = 2_000

const NO_SYNONYMS: Synonyms = new Map()

export interface ChainMemoryOptions {
  /** The chain; null where there is none. */
  readonly scope: () => Promise<Scope | null>
  readonly learner: Learner
  readonly run: RunPlace | null
  /** Whose own memories come first: the colleague's. */
  readonly npc: string
  readonly after: (ms: number, task: () => void) => () => void
  readonly log: (event: string, ids: Readonly<Record<string, string | number | null>>) => void
}

/**
 * What the chain remembers of a learner: of a verified one everything that is theirs in all conversations, of an anonymous
 * one what was said and done in this run. Never fails: what cannot be had is not remembered, and logged by name.
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
 * Both together: what was said in this conversation, and then what the chain has besides. Whatever a learner said is told as
 * that, so that nobody can say something that reads as if it had happened.
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
    // A walk keeps in mind what it recalled: what names a field would hold up every report from here on.
    const known = facts.filter((fact) => answers(fact, query)).map(factText)
    const memories = [...(own[at] ?? []), ...(all[at] ?? [])].map(memoryText)
    const found = [...known, ...memories].filter((text) => !holdsReportsUp(text))
    return { query, found: [...new Set(found)].slice(0, FOUND) }
  })
}

/** Tells whether a fact's key or value shares a word with a query. */
function answers({ key, value }: PersonFact, query: string): boolean {
  const asked = contentStems(readWords(query), NO_SYNONYMS)
  return [...contentStems(readWords(`${key.replace(/[_.-]+/g, ' ')} ${value}`), NO_SYNONYMS)].some((stem) =>
    isAmong(stem, asked),
  )
}

/** A fact as text. The words of a fact that a conversation found are the learner's own. */
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
