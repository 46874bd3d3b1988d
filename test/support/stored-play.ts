import { type Actor, ActorError } from '../../worker/actor/actor.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { laterRows } from '../../worker/later-table.ts'
import { cut, endTurn, runTurn } from '../../worker/session/run-turn.ts'
import type { SessionInfo } from '../../worker/session/session-info.ts'
import { SessionStore } from '../../worker/session/session-store.ts'
import type { StoredTurn } from '../../worker/session/turn.ts'
import type { TurnDeps } from '../../worker/session/turn-deps.ts'
import { takeChoose, takeRetry, takeSay } from '../../worker/session/take-message.ts'
import { Disk } from './in-process/disk.ts'
import { sampleNpc, sampleScenario } from './sample-scenario.ts'
import {
  action,
  annotation,
  choice,
  decision,
  guarded,
  recall,
  reflection,
  sideEffect,
  stateGraph,
  terminal,
} from './state-graph.ts'

/** What a learner does, together with how the colleague reacts to it. */
export type Deed =
  | {
      readonly type: 'say'
      readonly speech: string
      readonly satisfied: boolean
      readonly engagement: number
      /** The answers to the requests for inner work, in the order of the requests. */
      readonly answers: readonly string[]
    }
  /** Picks a card of the open fork. */
  | { readonly type: 'choose'; readonly card: number }
  /** A message whose reply fails before its first text. */
  | { readonly type: 'fail' }
  | { readonly type: 'retry'; readonly speech: string; readonly satisfied: boolean }
  /** A message whose reply the learner stops. */
  | { readonly type: 'cut'; readonly shown: string }
  /** A goodbye. */
  | { readonly type: 'leave' }
  /** A message that takes the goodbye back. */
  | { readonly type: 'back'; readonly speech: string; readonly satisfied: boolean }
  | { readonly type: 'wait'; readonly ms: number }

type Speaking = Extract<Deed, { type: 'say' | 'retry' | 'back' | 'leave' }>

const facts = [
  { id: 'rate', npc: 'maya', text: 'The rate', heard: [['23.4%']], deciding: true },
  { id: 'size', npc: 'maya', text: 'The size', heard: [['180']], deciding: true },
] as const

/** The sample scenario, made into a simulation. Only the log of a simulation stores the walks. */
export const playedScenario: Scenario = {
  ...sampleScenario,
  simulation: { minutes: 5, skills: [], deadline: 'by noon', guide: 'otto', facts, endings: [] },
}

/** A graph with a circle and a state of every kind. */
export const roundGraph: Graph = stateGraph({
  nodes: [
    action('greet', [choice('noted'), choice('end_session')]),
    annotation('noted', guarded('remember')),
    recall('remember', guarded('conclude'), null),
    reflection('conclude', guarded('tell')),
    action('tell', [guarded('told')], { actions: ['tell'], maxTurns: 1, selfLoop: false }),
    sideEffect('told', guarded('choose')),
    decision('choose', [choice('greet'), choice('end_session')]),
    terminal(),
  ],
})

export const STARTED_AT = 1_790_000_000_000

export function infoOf(graph: Graph, scenario: Scenario = playedScenario): SessionInfo {
  return {
    session: 'the-first',
    epoch: 'first',
    scenario,
    npc: sampleNpc.id,
    graph,
    engine: 'graph',
    seed: 0,
    person: 'new',
    learner: { kind: 'anonymous', id: 'a' },
    run: { id: 'ctx_run', context: 'ctx_maya' },
    createdAt: STARTED_AT,
  }
}

/**
 * A conversation that a test plays step by step, with a disk of its own in memory. If the same things happen at the
 * same times, the conversation is the same.
 */
export class StoredPlay {
  readonly disk = new Disk()
  readonly store: SessionStore
  now = STARTED_AT
  #names = 0
  #spoken: Speaking | null = null
  #answers: string[] = []

  constructor() {
    this.store = new SessionStore(this.disk.storage({ isAlive: true }))
    this.store.migrate()
  }

  static begun(graph: Graph, scenario?: Scenario): StoredPlay {
    const play = new StoredPlay()
    play.store.create(infoOf(graph, scenario), startWalk(graph))
    return play
  }

  /** Does something, if this is possible now. Returns whether it was possible. @param deed what the learner does */
  async do(deed: Deed, number: number): Promise<boolean> {
    this.now += 1_000
    this.#names = number
    switch (deed.type) {
      case 'wait':
        this.now += deed.ms
        return true
      case 'choose':
        return this.#choose(deed.card)
      case 'retry':
        return this.#run(takeRetry(this.#deps(), { cid: this.#cid(), turn: this.store.lastTurn()?.id ?? 0 }), deed)
      case 'cut': {
        const turn = this.begin(number)
        return turn !== null && endTurn(this.#deps(), cut(this.#deps(), turn, deed.shown)) !== null
      }
      case 'fail':
        return this.#run(this.#say(), null)
      case 'leave':
        return this.#run(this.#say({ text: 'I have to go. Goodbye!' }), deed)
      case 'back':
        return this.#run(this.#say({ resume: true }), deed)
      case 'say':
        return this.#run(this.#say(), deed)
    }
  }

  /** Begins a turn, but lets nothing answer it. */
  begin(number: number): StoredTurn | null {
    this.#names = number
    const taken = this.#say()
    return taken.ok ? taken.turn : null
  }

  /**
   * Returns everything that is stored about the conversation. Leaves out what differs between two equal conversations:
   * the ids (session, epoch, run and learner), and the leases of turns that have ended.
   */
  dump(): unknown {
    const { sql } = this.disk.storage({ isAlive: true })
    const all = (query: string) => laterRows(sql, query)
    const { session: _s, epoch: _e, run: _r, learner: _l, ...info } = this.store.info()!
    return {
      info,
      walk: this.store.walk(),
      events: all('SELECT seq, at, body, walk FROM events ORDER BY seq'),
      turns: all('SELECT id, attempt, status, cid, learner, page, report, quality, told, loop FROM turns ORDER BY id'),
      records: all('SELECT seq, body FROM records ORDER BY id'),
      chain: all('SELECT number, event FROM chain_events ORDER BY number'),
      cursor: all('SELECT last, seen_at, due FROM chain_cursor'),
      earlier: all('SELECT seq, info FROM earlier ORDER BY seq'),
    }
  }

  /** Returns every row of every table, as text. */
  bytes(): string {
    const { sql } = this.disk.storage({ isAlive: true })
    const tables = sql
      .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .toArray()
    return JSON.stringify(
      tables.map(({ name }: { readonly name: string }) => [name, sql.exec(`SELECT * FROM "${name}"`).toArray()]),
    )
  }

  #say(also: { readonly text?: string; readonly resume?: true } = {}) {
    return takeSay(this.#deps(), { cid: this.#cid(), text: `What about number ${this.#names}?`, ...also })
  }

  async #run(taken: ReturnType<typeof takeSay>, deed: Speaking | null): Promise<boolean> {
    if (!taken.ok) return false
    const { turn } = taken
    if (turn === null) return true
    this.#spoken = deed
    this.#answers = deed?.type === 'say' ? [...deed.answers] : []
    await runTurn(this.#deps(), turn, new AbortController().signal)
    return true
  }

  #choose(card: number): boolean {
    const { graph } = this.store.info()!
    const { node: pivot } = this.store.walk()
    const node = graph.nodes[pivot]
    const picked = node?.kind === 'pivot' ? node.pivot.choices[card % node.pivot.choices.length] : undefined
    return picked !== undefined && takeChoose(this.#deps(), { cid: this.#cid(), pivot, choice: picked.id }).ok
  }

  #cid(): string {
    return `cid-${this.#names}`
  }

  #deps(): TurnDeps {
    const info = this.store.info()!
    return {
      info,
      npc: sampleNpc,
      store: this.store,
      actor: this.#actor(),
      budget: { refusal: () => null, turnBegins: () => {} },
      memory: () => ({ recall: async (queries) => queries.map((query) => ({ query, found: [`${query}: a figure`] })) }),
      separator: () => SEPARATOR,
      leaseMs: 75_000,
      now: () => this.now,
      after: () => () => {},
      sendEvents: () => {},
      probe: () => {},
      log: () => {},
    }
  }

  #actor(): Actor {
    const spoken = this.#spoken
    const answers = this.#answers
    return {
      kind: 'model',
      label: 'scripted',
      async *speak() {
        await Promise.resolve()
        if (spoken === null) throw new ActorError('unreachable')
        const engagement = spoken.type === 'say' ? spoken.engagement : 1
        const isLeaving = spoken.type === 'leave'
        yield isLeaving ? 'See you.' : spoken.speech
        const report = {
          ...EMPTY_REPORT,
          node_satisfied: !isLeaving && spoken.satisfied,
          engagement_score: engagement,
          learner_leaving: isLeaving,
        }
        yield `\n---END---\n${JSON.stringify(report)}`
      },
      async think() {
        await Promise.resolve()
        return answers.shift() ?? '{"exit": 0}'
      },
    }
  }
}
