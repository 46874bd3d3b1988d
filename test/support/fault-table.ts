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

/**
 * Faults that can strike a conversation at a step. `test/conversations/fault-worker.mjs` causes all these faults except
 * the deployment.
 */
export const FAULTS = ['throw', 'abort', 'die', 'hang', 'full', 'evict', 'deploy'] as const
export type Fault = (typeof FAULTS)[number]

/**
 * A row of the table: a step of the server's work, which occurrence of the step is meant, and whether the fault strikes
 * before or after the step.
 */
export interface Row {
  readonly number: number
  readonly step: StepName
  /** Says which occurrence of the step this is. Empty if all occurrences of the step are alike. */
  readonly note: string
  readonly nth: number
  readonly when: 'before' | 'after'
}

export interface Cell {
  readonly row: Row
  readonly fault: Fault
  /**
   * The broken invariants. Null if this fault is impossible at this step: a synchronous step, for example, cannot hang.
   */
  readonly violations: readonly Violation[] | null
  /** How the turn ended in which the fault struck. */
  readonly outcome: string
}

const AGAIN: readonly { readonly step: StepName; readonly nth: number; readonly note: string }[] = [
  { step: 'ask', nth: 2, note: 'after the reply' },
  { step: 'keep', nth: 2, note: 'after the reply' },
  { step: 'apply', nth: 2, note: 'of the last turn' },
  { step: 'tell', nth: 2, note: 'of the last turn' },
  { step: 'done', nth: 2, note: 'of the last turn' },
]

/** Steps that run after a conversation has ended. */
const AT_THE_END: readonly StepName[] = ['recollect', 'pick', 'remember']

/**
 * The rows of the table. Every step has a row for a fault before the step and a row for a fault after it. The second
 * occurrence of a step has rows of its own if it differs from the first.
 */
export const ROWS: readonly Row[] = STEPS.flatMap(({ number, name }) =>
  [
    { nth: 1, note: AT_THE_END.includes(name) ? 'of the last turn' : '' },
    ...AGAIN.filter(({ step }) => step === name),
  ].flatMap(({ nth, note }) => (['before', 'after'] as const).map((when) => ({ number, step: name, note, nth, when }))),
)

/**
 * The graph of all conversations. The first turn does inner work before and after its reply, and sends a side effect.
 * The second turn reaches the end and sends the commands of the end.
 */
const GRAPH: Graph = {
  ...stateGraph({
    nodes: [
      action('greet', [guarded('choose')], { maxTurns: 1, selfLoop: false }),
      // With an answer of the model, the walker takes the last exit; without an answer, it takes this exit too. So the
      // outcome is the same even if the machine is busy and the model's answer comes too late.
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

/**
 * A scenario with two facts. The first fact is in every reply, also in a reply that was cut off. The second fact is in
 * the document that the learner gets at the end.
 */
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

/**
 * Returns the state that a conversation must have after a message. The rules are written here by hand, so they do not
 * depend on the walker.
 */
function law({ node, commands, sends }: Expected, text: string): Expected {
  if (node === 'greet') return { node: 'hub', commands, sends: [...sends, 'told'] }
  if (!text.includes('bye')) return { node, commands, sends }
  return { node: 'end_session', commands: ['AI_AdvanceObjective:talk', 'AI_EndConversation'], sends }
}

const SECRET = webhookSecret(21)
/**
 * How long the server waits for a sign of life before it gives up a turn, in milliseconds. This is long enough even on
 * a busy machine.
 */
const LEASE_MS = 6_000
/**
 * How long a client waits for a connection. If an object dies while a socket is opening, only this time limit tells the
 * client that something is wrong.
 */
const LINE = { timeout: 4_000 }
/**
 * How long a test waits for a conversation's end, in milliseconds. If a delivery fails twice because the machine is
 * busy, the server tries again only after more than five minutes.
 */
const PATIENCE_MS = 400_000
const AT_ONCE = 32

/**
 * Plays one conversation for each pair of a step and a fault, all in one real worker. The fault strikes at the step.
 * Each conversation then goes on to its end, and its outcome is compared with the reference model.
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

/**
 * Returns the table as text. Each step has a row, and each fault a column. `·` means that no invariant was broken, and
 * `-` that the fault is impossible at the step. Any other entry names the broken invariants.
 */
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

/**
 * Everything that the conversations use: a real worker, a scripted model, a receiver of webhooks, and a server that the
 * worker calls when it reaches a step.
 */
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

  /**
   * Plays each conversation up to its step, and then deploys the worker once. For all these conversations, the
   * deployment is the fault.
   */
  async deployedCells(struck: readonly Struck[]): Promise<readonly Cell[]> {
    const plays = await atOnce(struck, (each) => this.#begin(each))
    const reached = plays.map((play) => {
      const there = new Promise<void>((resolve) => this.#told.when(play.session, resolve))
      // Waits for a limited time, because some conversations may never reach their step.
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
      // The step `recover` happens only after a fault, so another fault has to strike before it.
      ...(row.step === 'recover' ? [{ step: 'speak', when: 'before', nth: 1, fault: 'die' }] : []),
      { step: row.step, when: row.when, nth: row.nth, fault: fault === 'deploy' ? 'hold' : fault },
    ]
    const mark = `mark-${++this.#plays}`
    const around = { server: this.#server, model: this.#model, receiver: this.#receiver }
    const play = new Play(around, { row, fault }, session, mark)
    // Sets the faults only after both tabs are connected. Otherwise a fault could strike while a socket opens, which is
    // not part of a turn.
    await play.linked()
    await onceMore(() => this.#server.fetch(`doors/${session}/arm`, { method: 'POST', body: JSON.stringify(faults) }))
    return play
  }

  /**
   * Removes an object from memory, as the platform does. The platform removes an object only while the object has no
   * work.
   */
  #evict(session: string): Promise<void> {
    return this.#server.evict({ className: 'ConversationObject', id: session })
  }
}

/**
 * Sends a request, and sends it once more if it fails: an idle connection may close at the moment at which the request
 * is sent. It does no harm if such a request arrives twice.
 */
async function onceMore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch {
    return ask()
  }
}

/** One conversation of a learner who has two tabs open. */
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

  /** Sends the first message. If the fault strikes in the last turn, also sends the second message. */
  speak(): void {
    void this.#say(this.#isStopped ? 'pause' : 'hello')
    if (this.#struck.row.note === 'of the last turn') void this.#ended(1).then(() => this.#say('bye'))
  }

  /**
   * Plays the conversation to its end and compares the outcome with the reference model.
   *
   * @param rested called when the turn that the fault struck has ended and the server has no more work
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
    // `unstruck` counts the faults that have not struck yet. A deployment removes all faults, so the number is then 0.
    if (unstruck > 0) found.push({ invariant: 'I11', what: `the fault never struck` })
    return { ...this.#struck, violations: found, outcome }
  }

  get #isStopped(): boolean {
    return this.#struck.row.step === 'cancel'
  }

  /** Stops the reply as soon as its first text is shown, as a learner who presses stop does. */
  #stop(): void {
    const [tab] = this.#tabs
    if (this.#isStopped && tab.running?.turn === 1 && tab.running.text !== '') tab.cancel(1)
  }

  /** Sends a message. Returns whether the server accepted it. */
  async #say(what: string): Promise<boolean> {
    const [tab] = this.#tabs
    const text = `${this.#mark}-${this.#written.size + 1} ${what}`
    const cid = text.replace(' ', '-')
    this.#written.set(cid, text)
    const answer = await tab.ask({ name: 'say', body: { cid, text } })
    // The server refused the message. So the message must not be in the conversation.
    if (!answer.ok) this.#written.delete(cid)
    return answer.ok
  }

  /**
   * Waits until each tab knows how a turn ended. Returns the outcome, and the number of the last attempt if there was
   * more than one.
   */
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

  /** Waits until the conversation's memories are stored. */
  async #remembered(): Promise<void> {
    while (!(await this.#look<{ isRemembered: boolean }>('queue')).isRemembered)
      await new Promise((resolve) => setTimeout(resolve, 100))
  }

  /**
   * Checks invariant I13. The chain has each of the conversation's entries exactly once. The entries agree with what
   * the learner has seen. No event is still on its way to the chain.
   */
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

  /**
   * Returns rows of the chain's database. Tries again if the request fails, because a deployment may close its
   * connection.
   */
  async #rows(query: string): Promise<unknown> {
    for (;;) {
      const response = await this.#around.server.fetch('doors/db', { method: 'POST', body: query }).catch(() => null)
      if (response?.ok) return response.json()
    }
  }

  /**
   * Calls a test route ("door") of the conversation. Tries again if the request fails, because the object may be dying.
   */
  async #look<T>(name: string): Promise<T> {
    for (;;) {
      const response = await this.#around.server.fetch(`doors/${this.session}/${name}`).catch(() => null)
      if (response?.ok) return (await response.json()) as T
    }
  }

  /**
   * Returns the broken promises that the tabs noticed. A fault at the step `show` may lose a piece of a reply. So after
   * such a fault, a missing piece is no broken promise.
   */
  #breaches(): readonly Violation[] {
    const { row } = this.#struck
    return this.#tabs.flatMap(({ breaches }) =>
      breaches
        .filter(({ kind, what }) => !(row.step === 'show' && kind === 'shown' && what.includes('misses')))
        .map(({ what }): Violation => ({ invariant: 'I4', what })),
    )
  }
}

/**
 * Returns whether `turn` is the first turn in the log whose text states the fact. If `turn` is null, there is nothing
 * to check, and the result is true.
 */
function isInLog({ said, turn }: HeardNow, stored: Outcome['stored']): boolean {
  if (turn === null) return true
  const ends = stored.filter((event) => event.type === 'turn' && event.outcome !== 'failed')
  const first = ends.find((event) => event.type === 'turn' && /\btake\b/i.test(event.text))
  return first?.type === 'turn' && first.turn === turn && first.text.startsWith(said.replace(/…$/, ''))
}

/**
 * A scripted model. It does the inner work that the server requests. Every word of a reply contains the reply's number.
 */
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

/**
 * Returns what the model selects. It takes an exit if no action is offered, or if the learner says `bye`. In a decision
 * state it takes the second exit. In all other cases it takes the first action.
 */
function selected(prompt: string, text: string): string {
  const [hasActions, hasExits] = [prompt.includes('\nACTIONS:\n'), prompt.includes('\nEXITS:\n')]
  if (hasExits && (!hasActions || text.endsWith('bye')))
    return JSON.stringify(hasActions ? { action: null, exit: 0 } : { exit: 1 })
  return JSON.stringify(hasExits ? { action: 0, exit: null } : { action: 0 })
}

/** An HTTP server that the worker calls when it reaches a step. */
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

/** Returns whether a fault is impossible: a synchronous step cannot hang, because no code waits for it. */
function isImpossible({ row, fault }: Struck): boolean {
  return fault === 'hang' && STEPS.some(({ name, kind }) => name === row.step && kind === 'sync')
}

async function atOnce<T, U>(all: readonly T[], act: (each: T) => Promise<U>): Promise<U[]> {
  const results: U[] = []
  const queue = all.entries()
  const work = async () => {
    for (const [at, each] of queue) results[at] = await act(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
