import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { HeardNow } from '../../worker/chain/session-events.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { startWalk } from '../../worker/core/walk/walk.ts'
import { messageIdOf } from '../../worker/outbox/event-body.ts'
import { STEPS, type StepName } from '../../worker/steps.ts'
import { event } from './completion-stream.ts'
import { putSession } from './doors.ts'
import { type ModelRequest, type ModelServer, startModelServer } from './model-server.ts'
import { close, hang, head, send, type Step } from './model-steps.ts'
import { type Expected, type Outcome, type Violation, violations, type Written } from './reference-model.ts'
import { sampleNpc, sampleScenario } from './sample-scenario.ts'
import { action, choice, decision, guarded, sideEffect, stateGraph, terminal } from './state-graph.ts'
import { StreamWatcher } from './stream-watcher.ts'
import { WebhookReceiver, webhookSecret } from './webhook-receiver.ts'
import { startWorkerServer, type WorkerServer } from './worker-server.ts'

/** What can befall a conversation at a step. `test/conversations/fault-worker.mjs` does it, all but the deployment itself. */
export const FAULTS = ['throw', 'abort', 'die', 'hang', 'full', 'evict', 'deploy'] as const
export type Fault = (typeof FAULTS)[number]

/** A row of the table: a step, the n-th time it is come to, and what had to go before. */
export interface Row {
  readonly number: number
  readonly step: StepName
  /** Which time, where there are several worth telling apart. */
  readonly note: string
  readonly nth: number
  readonly when: 'before' | 'after'
}

export interface Cell {
  readonly row: Row
  readonly fault: Fault
  /** Null where the fault cannot be: what is done at once cannot hang. */
  readonly violations: readonly Violation[] | null
  /** How the turn ended that the fault struck. */
  readonly outcome: string
}

const AGAIN: readonly { readonly step: StepName; readonly nth: number; readonly note: string }[] = [
  { step: 'ask', nth: 2, note: 'after the reply' },
  { step: 'keep', nth: 2, note: 'after the reply' },
  { step: 'apply', nth: 2, note: 'of the last turn' },
  { step: 'tell', nth: 2, note: 'of the last turn' },
  { step: 'done', nth: 2, note: 'of the last turn' },
]

/** What is done once a conversation has ended. */
const AT_THE_END: readonly StepName[] = ['recollect', 'pick', 'remember']

/** Every step, and those that mean something else the second time, before and after. */
export const ROWS: readonly Row[] = STEPS.flatMap(({ number, name }) =>
  [
    { nth: 1, note: AT_THE_END.includes(name) ? 'of the last turn' : '' },
    ...AGAIN.filter(({ step }) => step === name),
  ].flatMap(({ nth, note }) => (['before', 'after'] as const).map((when) => ({ number, step: name, note, nth, when }))),
)

/** In one turn: inner work, a reply, inner work after it, and something sent. In the next: the end, with its commands. */
const GRAPH: Graph = {
  ...stateGraph({
    nodes: [
      action('greet', [guarded('choose')], { maxTurns: 1, selfLoop: false }),
      // The last way is the walker's own when nobody answers: a model that a busy machine cuts off changes no law.
      decision('choose', [choice('end_session'), choice('told')]),
      sideEffect('told', guarded('hub')),
      action('hub', [choice('end_session')]),
      terminal(),
    ],
  }),
  closing: {
    objective: { id: 'talk', title: 'Have talked' },
    document: { title: 'Run 47', kind: 'test report', lines: ['Takes', 'Medical: 23.4%'] },
    next: null,
  },
}

/** A fact that every reply tells, shown whole or only begun, and one that stands in what is handed over at the end. */
const SCENARIO: Scenario = {
  ...sampleScenario,
  simulation: {
    minutes: 1,
    skills: [],
    deadline: 'by noon',
    guide: sampleNpc.id,
    facts: [
      { id: 'take', npc: sampleNpc.id, text: 'There are takes.', heard: [['take']], deciding: true },
      { id: 'rate', npc: sampleNpc.id, text: 'It is 23.4%.', heard: [['23.4%']], deciding: true },
    ],
    endings: [],
  },
}

const START: Expected = { node: 'greet', commands: [], sends: [] }

/** What becomes of a conversation in `GRAPH`, written down once more by hand. */
function law({ node, commands, sends }: Expected, text: string): Expected {
  if (node === 'greet') return { node: 'hub', commands, sends: [...sends, 'told'] }
  if (!text.includes('bye')) return { node, commands, sends }
  return { node: 'end_session', commands: ['AI_AdvanceObjective:talk', 'AI_EndConversation'], sends }
}

const SECRET = webhookSecret(21)
/** A turn that nothing is heard of for this long is called off; long enough for a busy machine. In milliseconds. */
const LEASE_MS = 6_000
/** Of an object that dies while a socket is opened, a client hears nothing: it has to give up by itself. */
const LINE = { timeout: 4_000 }
/**
 * Longer than an end may be in coming: what a busy machine has kept from being delivered twice is tried again after five
 * minutes and a bit. In milliseconds.
 */
const PATIENCE_MS = 400_000
/** How many conversations are under way at once. */
const AT_ONCE = 32

/**
 * Lets every fault strike at every step, each in a conversation of its own, in one real worker; plays each to its end and
 * holds it against the reference model.
 */
export async function runFaultTable(rows: readonly Row[] = ROWS, faults: readonly Fault[] = FAULTS): Promise<Cell[]> {
  const world = await World.start()
  try {
    const wanted = rows.flatMap((row) => faults.map((fault) => ({ row, fault })))
    const deployed = wanted.filter(({ fault }) => fault === 'deploy')
    const others = wanted.filter(({ fault }) => fault !== 'deploy')
    const cells = [...(await atOnce(others, (cell) => world.cell(cell))), ...(await world.deployedCells(deployed))]
    return wanted.map(({ row, fault }) => {
      const found = cells.find((cell) => cell.row === row && cell.fault === fault)
      if (!found) throw new Error(`no cell for ${row.step} ${fault}`)
      return found
    })
  } finally {
    await world.stop()
  }
}

/** The table as text: a row a step, a column a fault. `·` holds, `-` cannot be, anything else names what did not hold. */
export function printed(cells: readonly Cell[]): string {
  const rows = [...Map.groupBy(cells, ({ row }) => row)].map(([row, own]) => [
    `${row.number} ${row.step}${row.note === '' ? '' : `, ${row.note}`}`,
    row.when,
    ...FAULTS.map((fault) => markOf(own.find((cell) => cell.fault === fault))),
  ])
  const lines = [['step', '', ...FAULTS], ...rows]
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function markOf(cell: Cell | undefined): string {
  if (!cell) return '?'
  if (cell.violations === null) return '-'
  const broken = [...new Set(cell.violations.map(({ invariant }) => invariant))]
  return broken.length === 0 ? `· ${cell.outcome}` : broken.join('+')
}

interface Struck {
  readonly row: Row
  readonly fault: Fault
}

/** A real worker, a model that says what it is told, a receiver of webhooks, and whoever is told that a step is reached. */
class World {
  readonly #server: WorkerServer
  readonly #model: Model
  readonly #receiver: WebhookReceiver
  readonly #told: Told
  #plays = 0

  private constructor(server: WorkerServer, model: Model, receiver: WebhookReceiver, told: Told) {
    this.#server = server
    this.#model = model
    this.#receiver = receiver
    this.#told = told
  }

  static async start(): Promise<World> {
    const model = await Model.start()
    const receiver = await WebhookReceiver.start(SECRET)
    const told = await Told.start()
    const server = await startWorkerServer({
      configPath: 'test/conversations/fault-worker.toml',
      vars: {
        ...model.vars,
        WALKON_TURN_LEASE_MS: String(LEASE_MS),
        WALKON_WEBHOOK_URL: receiver.url,
        WALKON_WEBHOOK_SECRET: SECRET,
        WALKON_WEBHOOK_INSECURE: 'true',
        WALKON_DELIVERY_TIMEOUT_MS: '6000',
        WALKON_EMAIL_FROM: 'walkon@example.com',
        WALKON_EMAIL_TO: 'desk@example.com',
        TEST_FAULT_TOLD: told.url,
      },
    })
    return new World(server, model, receiver, told)
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    this.#told.stop()
    await this.#receiver.stop()
    await this.#model.stop()
  }

  async cell(struck: Struck): Promise<Cell> {
    if (isImpossible(struck)) return { ...struck, violations: null, outcome: '' }
    const play = await this.#begin(struck)
    play.speak()
    return play.toTheEnd(() => (struck.fault === 'evict' ? this.#evict(play.session) : Promise.resolve()))
  }

  /** All at their steps, then one deployment, which strikes them all. */
  async deployedCells(struck: readonly Struck[]): Promise<readonly Cell[]> {
    const plays = await atOnce(struck, (each) => this.#begin(each))
    const reached = plays.map((play) => {
      const there = new Promise<void>((resolve) => this.#told.when(play.session, resolve))
      // One that is not reached is found out afterwards: the fault never struck.
      return Promise.race([there, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())])
    })
    for (const play of plays) play.speak()
    await Promise.all(reached)
    await this.#server.redeploy()
    return atOnce(plays, (play) => play.toTheEnd(() => Promise.resolve()))
  }

  async #begin({ row, fault }: Struck): Promise<Play> {
    const info = {
      epoch: crypto.randomUUID(),
      scenario: SCENARIO,
      npc: sampleNpc.id,
      graph: GRAPH,
      engine: 'graph',
      seed: 0,
      person: 'new',
      learner: { kind: 'anonymous', id: 'a' },
      createdAt: 0,
    }
    const old = { info, walk: JSON.stringify(startWalk(GRAPH)), turns: [], events: [] }
    const session = await onceMore(() => putSession(this.#server, old, 'doors/new-in-run'))
    const faults = [
      // Nobody recovers what nothing has befallen.
      ...(row.step === 'recover' ? [{ step: 'speak', when: 'before', nth: 1, fault: 'die' }] : []),
      { step: row.step, when: row.when, nth: row.nth, fault: fault === 'deploy' ? 'hold' : fault },
    ]
    const mark = `mark-${++this.#plays}`
    const around = { server: this.#server, model: this.#model, receiver: this.#receiver }
    const play = new Play(around, { row, fault }, session, mark)
    // Not before: opening a socket is a step of no turn.
    await play.linked()
    await onceMore(() => this.#server.fetch(`doors/${session}/arm`, { method: 'POST', body: JSON.stringify(faults) }))
    return play
  }

  /** Puts an object to sleep, which the platform does only where no work is under way. */
  #evict(session: string): Promise<void> {
    return this.#server.evict({ className: 'ConversationObject', id: session })
  }
}

/** A line that lay idle may close just as a request goes out on it. To ask for what these ask for twice does no harm. */
async function onceMore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch {
    return ask()
  }
}

/** One conversation of a learner with two tabs. */
class Play {
  readonly session: string
  readonly #around: { server: WorkerServer; model: Model; receiver: WebhookReceiver }
  readonly #struck: Struck
  readonly #mark: string
  readonly #tabs: readonly [StreamWatcher, StreamWatcher]
  readonly #written = new Map<string, string>()
  readonly #startedAt = Date.now()
  #standing = 'at the beginning'

  constructor(
    around: { server: WorkerServer; model: Model; receiver: WebhookReceiver },
    struck: Struck,
    session: string,
    mark: string,
  ) {
    this.#around = around
    this.#struck = struck
    this.session = session
    this.#mark = mark
    const tab = (name: string, told = () => {}) => new StreamWatcher(around.server, session, name, { told, line: LINE })
    this.#tabs = [tab('one', () => this.#stop()), tab('two')]
  }

  async linked(): Promise<void> {
    await Promise.all(this.#tabs.map((tab) => tab.until(() => tab.isLinked)))
  }

  /** The first message, which the fault strikes, unless it waits for the next. */
  speak(): void {
    void this.#say(this.#isStopped ? 'pause' : 'hello')
    if (this.#struck.row.note === 'of the last turn') void this.#ended(1).then(() => this.#say('bye'))
  }

  /**
   * Plays on to the end of the conversation and holds it against the model.
   *
   * @param rested called when the struck turn has ended and nothing is under way
   */
  async toTheEnd(rested: () => Promise<void>): Promise<Cell> {
    const { promise: stuck, resolve } = Promise.withResolvers<Cell>()
    const timer = setTimeout(() => {
      const what = `nothing came any more after ${JSON.stringify(this.#tabs[0].last)} ${this.#standing}`
      resolve({ ...this.#struck, violations: [{ invariant: 'I3', what }, ...this.#breaches()], outcome: 'stuck' })
    }, PATIENCE_MS)
    const cell = await Promise.race([this.#play(rested), stuck])
    clearTimeout(timer)
    for (const tab of this.#tabs) tab.leave()
    return cell
  }

  async #play(rested: () => Promise<void>): Promise<Cell> {
    const { row } = this.#struck
    const turn = row.note === 'of the last turn' ? 2 : 1
    this.#standing = 'in the turn'
    const outcome = await this.#ended(turn)
    this.#standing = 'coming to rest'
    await this.#outboxAtRest()
    await rested()
    this.#standing = 'going on'
    for (let next = turn + 1; await this.#say('bye'); next++) await this.#ended(next)
    this.#standing = 'being remembered'
    await this.#remembered()
    this.#standing = 'at rest'
    const last = await this.#outcome()
    const unstruck = await this.#look<number>('unstruck')
    const found = [...violations(last, START, law), ...this.#breaches(), ...(await this.#chained(last))]
    // Whoever is deployed anew has forgotten what it was to do.
    if (unstruck > 0) found.push({ invariant: 'I11', what: `the fault never struck` })
    return { ...this.#struck, violations: found, outcome }
  }

  get #isStopped(): boolean {
    return this.#struck.row.step === 'cancel'
  }

  /** As a learner presses stop as soon as something is heard. */
  #stop(): void {
    const [tab] = this.#tabs
    if (this.#isStopped && tab.running?.turn === 1 && tab.running.text !== '') tab.cancel(1)
  }

  /** Returns false when the conversation is over. */
  async #say(what: string): Promise<boolean> {
    const [tab] = this.#tabs
    const text = `${this.#mark}-${this.#written.size + 1} ${what}`
    const cid = text.replace(' ', '-')
    this.#written.set(cid, text)
    const answer = await tab.ask({ name: 'say', body: { cid, text } })
    // A refusal has changed nothing.
    if (!answer.ok) this.#written.delete(cid)
    return answer.ok
  }

  /** How a turn ended, once both tabs know. */
  async #ended(turn: number): Promise<string> {
    const of = (tab: StreamWatcher) =>
      tab.until(() => tab.events.findLast((each) => each.type === 'turn' && each.turn === turn))
    const [one] = await Promise.all(this.#tabs.map(of))
    return one?.type === 'turn' ? `${one.outcome}${one.attempt > 1 ? ` ${one.attempt}` : ''}` : ''
  }

  async #outcome(): Promise<Outcome> {
    const { model, receiver } = this.#around
    const [tab] = this.#tabs
    await tab.until(() => tab.commands.includes('AI_EndConversation') && this.#written.size === tab.acknowledged.size)
    const outbox = await this.#outboxAtRest()
    const fresh = new StreamWatcher(this.#around.server, this.session, 'fresh', { line: LINE })
    await fresh.until(() => fresh.hellos > 0)
    fresh.leave()
    await Promise.all(this.#tabs.map((each) => each.until(() => each.events.length >= fresh.events.length)))
    const mine = new RegExp(`${this.#mark}-`)
    return {
      written: [...this.#written].map(([cid, text]): Written => ({
        cid,
        text,
        acknowledged: tab.acknowledged.get(cid) ?? null,
      })),
      stopped: new Set(this.#isStopped ? [1] : []),
      clients: this.#tabs,
      stored: fresh.events,
      asked: model.asked.filter(({ text }) => mine.test(text)),
      node: (await this.#look<{ node: string }>('walk')).node,
      committed: await Promise.all(outbox.map(({ id }) => messageIdOf(this.session, id))),
      arrived: [...receiver.taken].filter(([, { data }]) => data['session'] === this.session).map(([id]) => id),
      struckAt: this.#startedAt,
      foreign: new RegExp(`mark-(?!${this.#mark.slice('mark-'.length)}-)`),
      hidden: /-{2,}\s*END|node_satisfied|never to be shown/,
    }
  }

  /** Once it has ended, and whatever befell it. */
  async #remembered(): Promise<void> {
    while (!(await this.#look<{ isRemembered: boolean }>('queue')).isRemembered)
      await new Promise((resolve) => setTimeout(resolve, 100))
  }

  /** I13: what the conversation brought into the chain is there, once, as the learner has it, and nothing waits. */
  async #chained({ stored }: Outcome): Promise<readonly Violation[]> {
    for (;;) {
      const { waiting } = await this.#look<{ waiting: number }>('queue')
      if (waiting === 0) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const found = (await this.#rows(
      `SELECT s.applied >= 5 AS applied, c.status, c.version, c.data ->> '$.earned' AS earned,
         (SELECT count(*) > 0 FROM memories m WHERE m.context_id = c.id) AS remembered,
         c.data ->> '$.facts' AS facts, c.data ->> '$.paper.title' AS paper
       FROM sessions s JOIN contexts c ON c.id = s.context_id WHERE s.session = '${this.session}'`,
    )) as readonly { readonly facts: string }[]
    const facts = JSON.parse(found[0]?.facts ?? '[]') as readonly HeardNow[]
    const heard = facts.map(({ fact, turn, said }) => (turn === null ? `${fact}: ${said}` : fact))
    const rows = found.map((row) => ({ ...row, facts: heard }))
    const handedOver = { facts: ['take', 'rate: Medical: 23.4%'], paper: 'Run 47' }
    const expected = [{ applied: 1, status: 'completed', version: 6, earned: '["talk"]', remembered: 1, ...handedOver }]
    const holds = isDeepStrictEqual(rows, expected) && facts.every((fact) => isInLog(fact, stored))
    return holds ? [] : [{ invariant: 'I13', what: JSON.stringify(found) }]
  }

  async #outboxAtRest(): Promise<readonly { id: string; status: string }[]> {
    for (;;) {
      const rows = await this.#look<readonly { id: string; status: string }[]>('outbox')
      if (rows.every(({ status }) => status === 'delivered')) return rows
      const count = this.#around.receiver.deliveries.length
      await Promise.race([
        this.#around.receiver.arrivals(count + 1),
        new Promise((resolve) => setTimeout(resolve, 200)),
      ])
    }
  }

  /** Of the chain's database. A deployment closes lines that a request may just be going out on. */
  async #rows(query: string): Promise<unknown> {
    for (;;) {
      const response = await this.#around.server.fetch('doors/db', { method: 'POST', body: query }).catch(() => null)
      if (response?.ok) return response.json()
    }
  }

  /** Through a door, which may find the object dying. */
  async #look<T>(name: string): Promise<T> {
    for (;;) {
      const response = await this.#around.server.fetch(`doors/${this.session}/${name}`).catch(() => null)
      if (response?.ok) return (await response.json()) as T
    }
  }

  /** What a tab noticed by itself. A piece that a fault kept back is missed, and nothing else may be. */
  #breaches(): readonly Violation[] {
    const { row } = this.#struck
    return this.#tabs.flatMap(({ breaches }) =>
      breaches
        .filter(({ kind, what }) => !(row.step === 'show' && kind === 'shown' && what.includes('misses')))
        .map(({ what }): Violation => ({ invariant: 'I4', what })),
    )
  }
}

/** What was heard in a turn is what its learner has of it, and was not heard before. */
function isInLog({ said, turn }: HeardNow, stored: Outcome['stored']): boolean {
  if (turn === null) return true
  const ends = stored.filter((event) => event.type === 'turn' && event.outcome !== 'failed')
  const first = ends.find((event) => event.type === 'turn' && /\btake\b/i.test(event.text))
  return first?.type === 'turn' && first.turn === turn && first.text.startsWith(said.replace(/…$/, ''))
}

/** Inner work as it is asked for, and a reply that tells which one it is at every word. */
class Model {
  readonly asked: { text: string; for: string; said: string }[] = []
  readonly #server: ModelServer

  private constructor(server: ModelServer) {
    this.#server = server
  }

  static async start(): Promise<Model> {
    const later = Promise.withResolvers<Model>()
    const server = await startModelServer(async function* (request) {
      yield* (await later.promise).#answer(request)
    })
    const model = new Model(server)
    later.resolve(model)
    return model
  }

  get vars(): Record<string, string> {
    return { OPENAI_BASE_URL: this.#server.url, OPENAI_MODEL: 'scripted', WALKON_MODEL_STRUCTURED: 'json_schema' }
  }

  stop(): Promise<void> {
    return this.#server.close()
  }

  *#answer({ body }: ModelRequest): Generator<Step> {
    const { messages, response_format } = body as {
      messages: readonly { content: string }[]
      response_format?: { json_schema?: { name: string } }
    }
    const prompt = messages.at(-1)?.content ?? ''
    const text = [...prompt.matchAll(/mark-\d+-\d+ (?:hello|pause|bye)/g)].at(-1)?.[0] ?? ''
    const kind = response_format?.json_schema?.name ?? 'reply'
    const take = this.asked.length + 1
    const words = Array.from({ length: 40 }, (_, at) => `${take}·${at}`)
    const said = kind === 'reply' ? `Take ${take} to “${text}”: ${words.join(' ')}.` : selected(prompt, text)
    this.asked.push({ text, for: kind, said })
    yield head()
    if (kind === 'reply' && text.endsWith('pause')) {
      yield send(event({ content: said.slice(0, said.length / 2) }))
      return yield hang
    }
    for (let at = 0; at < said.length; at += 50) yield send(event({ content: said.slice(at, at + 50) }))
    if (kind === 'reply') yield send(event({ content: '\n---END---\n{"internal_thought": "never to be shown"}' }))
    yield send(`${event({}, 'stop')}data: [DONE]\n\n`)
    yield close
  }
}

/** Leaves where it may, by `bye`; decides for the second way; does the first thing otherwise. */
function selected(prompt: string, text: string): string {
  const [hasActions, hasExits] = [prompt.includes('\nACTIONS:\n'), prompt.includes('\nEXITS:\n')]
  if (hasExits && (!hasActions || text.endsWith('bye')))
    return JSON.stringify(hasActions ? { action: null, exit: 0 } : { exit: 1 })
  return JSON.stringify(hasExits ? { action: 0, exit: null } : { action: 0 })
}

/** Hears from the worker that a step is reached. */
class Told {
  readonly #server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const { session } = JSON.parse(body) as { session: string }
      this.#listeners.get(session)?.()
      response.end()
    })
  })
  readonly #listeners = new Map<string, () => void>()

  static async start(): Promise<Told> {
    const told = new Told()
    told.#server.listen(0, '127.0.0.1')
    await once(told.#server, 'listening')
    return told
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  when(session: string, reached: () => void): void {
    this.#listeners.set(session, reached)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** What is done at once cannot hang: nothing waits for it. */
function isImpossible({ row, fault }: Struck): boolean {
  return fault === 'hang' && STEPS.some(({ name, kind }) => name === row.step && kind === 'sync')
}

/** Does something with each, so many at a time. */
async function atOnce<T, U>(all: readonly T[], act: (each: T) => Promise<U>): Promise<U[]> {
  const results: U[] = []
  const queue = all.entries()
  const work = async () => {
    for (const [at, each] of queue) results[at] = await act(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
