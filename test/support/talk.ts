import { isDeepStrictEqual } from 'node:util'
import type { LogEvent } from '../../worker/wire/messages.ts'
import { audit, countShown } from './audit.ts'
import { door } from './doors.ts'
import { markIn, type MarkedModel, reportTo } from './marked-model.ts'
import { type Pulse, within } from './pulse.ts'
import { followedIn, replay } from './replay.ts'
import { type Breach, StreamWatcher } from './stream-watcher.ts'
import type { WorkerServer } from './worker-server.ts'

/** The part of a server that a talk uses. The server's worker must have the test routes ("doors"). */
export type Served = Pick<WorkerServer, 'url' | 'fetch'>

/** The results of a closed conversation. */
export interface Closed {
  readonly stored: readonly LogEvent[]
  readonly written: number
  readonly acknowledged: number
  readonly shown: { readonly stored: number; readonly voided: number }
  readonly breaches: readonly Breach[]
}

/** One conversation, with the tabs that show it. Only the first tab sends messages. */
export class Talk {
  readonly session: string
  readonly tabs: readonly StreamWatcher[]
  readonly written = new Map<string, string>()
  readonly #name: string
  readonly #pulse: Pulse
  #asked = 0
  isOver = false

  constructor(session: string, name: string, tabs: readonly StreamWatcher[], pulse: Pulse) {
    this.session = session
    this.#name = name
    this.tabs = tabs
    this.#pulse = pulse
  }

  get tab(): StreamWatcher {
    const [tab] = this.tabs
    if (!tab) throw new Error('a conversation without anybody')
    return tab
  }

  /** Does one of the things that the learner may do now, and waits for the effect. @param draw decides which */
  async exchange(draw: (below: number) => number): Promise<void> {
    const { tab } = this
    await tab.until(() => tab.hellos > 0)
    const failed = tab.events.findLast((event) => event.type === 'turn' || event.type === 'turn-start')
    const pivot = openPivot(tab.events)
    if (pivot && draw(2) === 0) return this.#choose(pivot, draw)
    if (failed?.type === 'turn' && failed.outcome === 'failed' && draw(2) === 0) return this.#retry(failed.turn)
    await this.say(draw)
  }

  async say(draw: (below: number) => number = () => 1): Promise<void> {
    const cid = this.#newCid()
    const text = `What about this? mark-${this.#name}-${this.#asked}`
    this.written.set(cid, text)
    const isImpatient = draw(12) === 0
    await this.#ask({ name: 'say', body: { cid, text } }, isImpatient)
  }

  async leave(): Promise<void> {
    for (const tab of this.tabs) {
      await tab.until(() => tab.events.length >= this.tab.events.length)
      tab.leave()
    }
  }

  /**
   * Ends the test of this conversation: waits until no reply is running, sends one more message, and connects a new
   * client. Then compares the log, the clients and the model.
   */
  async close(server: Served, model: MarkedModel): Promise<Closed> {
    const breaches: Breach[] = []
    for (const tab of this.tabs) await quiet(tab)
    // Unless the conversation has ended or is full, the learner must be able to go on.
    if (!this.isOver) {
      const before = this.tab.last?.seq ?? 0
      await within('a last message to be answered', this.say(), () => `${this.session} after ${before}`).catch(
        (error) => breaches.push({ kind: 'stuck', what: String(error) }),
      )
      for (const tab of this.tabs) await tab.until(() => tab.events.length >= this.tab.events.length)
    }
    const fresh = new StreamWatcher(server, this.session, `${this.#name}-fresh`)
    await within(
      'a fresh client to be let in',
      fresh.until(() => fresh.hellos > 0),
      () => this.session,
    )
    if (fresh.running) breaches.push({ kind: 'stuck', what: `turn ${fresh.running.turn} still runs` })
    const stored = fresh.events
    // Events may still be on their way to a tab. If one never arrives, the audit reports it.
    for (const tab of this.tabs)
      await within(
        'a tab to have been told everything',
        tab.until(() => tab.isLeft || tab.events.length >= stored.length),
        () => this.session,
      ).catch(() => undefined)
    for (const tab of [fresh, ...this.tabs]) tab.leave()
    const marks = new Set([...this.written.values()].map((text) => text.slice(text.indexOf('mark-'))))
    breaches.push(...(await this.#walked(server, stored)))
    const evidence = {
      clients: this.tabs,
      written: this.written,
      stored,
      said: model.said.filter(({ mark }) => marks.has(mark)),
    }
    const counts = this.tabs.map(({ shown }) => countShown(stored, shown))
    const named = audit(evidence).map(({ kind, what }) => ({ kind, what: `${this.session.slice(0, 8)}: ${what}` }))
    return {
      stored,
      written: this.written.size,
      acknowledged: this.tab.acknowledged.size,
      breaches: [...breaches, ...named],
      shown: {
        stored: counts.reduce((sum, count) => sum + count.stored, 0),
        voided: counts.reduce((sum, count) => sum + count.voided, 0),
      },
    }
  }

  /**
   * Checks invariant I6. Without any fault, a walk with the same messages would come to the same node and send the same
   * commands.
   */
  async #walked(server: Served, stored: readonly LogEvent[]): Promise<readonly Breach[]> {
    const [info, walk] = [await door(server, this.session, 'info'), await door(server, this.session, 'walk')]
    const undisturbed = replay(info.graph, stored, (message) => reportTo(markIn(message)))
    const isSame =
      isDeepStrictEqual(undisturbed.events, followedIn(stored)) && isDeepStrictEqual(undisturbed.walk, walk)
    const what = `stands at ${walk.node}, ${undisturbed.walk.node} expected`
    return isSame ? [] : [{ kind: 'walked', what }]
  }

  async #choose(pivot: { id: string; choices: readonly string[] }, draw: (below: number) => number): Promise<void> {
    const choice = pivot.choices[draw(pivot.choices.length)] ?? ''
    await this.#ask({ name: 'choose', body: { cid: this.#newCid(), pivot: pivot.id, choice } })
  }

  #retry(turn: number): Promise<void> {
    return this.#ask({ name: 'retry', body: { cid: this.#newCid(), turn } })
  }

  async #ask(message: Parameters<StreamWatcher['ask']>[0], isImpatient = false): Promise<void> {
    const { tab } = this
    this.#pulse.note('said')
    const answer = await tab.ask(message)
    this.#pulse.note('acknowledged')
    if (!answer.ok) {
      this.isOver ||= answer.code === 'ended' || answer.next === 'start-over'
      // By the time the message arrived, the choice may have expired, or somebody may have retried the turn.
      const isLate = ['unknown-choice', 'nothing-to-retry'].includes(answer.code)
      if (!this.isOver && !isLate) tab.breaches.push({ kind: 'stuck', what: `${message.name}: ${answer.code}` })
      return
    }
    if (message.name === 'choose') return void (await tab.until(() => tab.events.length >= answer.seq))
    // Waits until this turn has begun. A reply that runs before that belongs to another turn.
    if (isImpatient) {
      await tab.until(() =>
        tab.running?.turn === answer.turn && tab.running.text.length > 20 ? true : ended(tab, answer),
      )
      tab.cancel(answer.turn)
    }
    await tab.until(() => ended(tab, answer))
  }

  #newCid(): string {
    return `${this.#name}-${++this.#asked}`
  }
}

/** Returns whether the last attempt of an acknowledged turn has ended. */
function ended(tab: StreamWatcher, { turn, seq }: { turn: number; seq: number }): boolean {
  if (tab.events.length < seq) return false
  const last = tab.events.findLast((event) => event.type === 'turn-start' && event.turn === turn)
  return tab.events.some(
    (event) =>
      event.type === 'turn' && event.turn === turn && last?.type === 'turn-start' && event.attempt === last.attempt,
  )
}

/** Resolves when a client is connected and no reply is running. */
async function quiet(tab: StreamWatcher): Promise<void> {
  await within(
    'a line to be whole and quiet',
    tab.until(() => tab.isLeft || (tab.isLinked && !tab.running)),
    () => JSON.stringify(tab.last),
  )
}

function openPivot(events: readonly LogEvent[]): { id: string; choices: readonly string[] } | null {
  const last = events.findLast(
    (event) => event.type === 'pivot-end' || (event.type === 'command' && event.command.name === 'AI_PivotMoment'),
  )
  if (last?.type !== 'command' || last.command.name !== 'AI_PivotMoment') return null
  return { id: last.command.pivot, choices: last.command.choices.map(({ id }) => id) }
}
