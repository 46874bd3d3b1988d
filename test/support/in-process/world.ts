import { Checks, Violation } from './checks.ts'
import type { Disk } from './disk.ts'
import type { Draws } from './draws.ts'
import { Host } from './host.ts'
import { Line, type UpFrame } from './network.ts'
import { scriptedActor } from './scripted-actor.ts'
import { type Browser, Tab } from './tab.ts'
import { SessionStore } from '../../../worker/session/session-store.ts'
import type { Hello } from '../../../worker/wire/messages.ts'
import type { StepName } from '../../../worker/steps.ts'

/** A place where the object's code waits until the world calls `go`. */
interface Gate {
  readonly go: () => void
  /** Whether the code may go on only when everything that was written earlier is durable. */
  readonly isOutbound: boolean
}

interface Timer {
  readonly at: number
  readonly task: () => void
}

interface Instance {
  isAlive: boolean
  host: Host | null
  readonly gates: Set<Gate>
  readonly timers: Set<Timer>
  isInAlarm: boolean
}

/** The steps at which the object's code waits for the probe. The object calls the probe at every step of its work. */
const AWAITED: ReadonlySet<StepName> = new Set<StepName>(['ask', 'speak', 'schedule', 'deliver'])
const LEASE_MS = 75_000

/**
 * Everything around one conversation: the disk, the object with its crashes and its alarm, the connections, and the
 * tabs. All of it runs on one thread, in an order that a test can repeat. Each method does one thing that can happen.
 */
export class World {
  now = 1_790_000_000_000
  isCalm = false
  readonly tabs: Tab[] = []
  readonly checks = new Checks()
  readonly happened: string[] = []
  readonly draws: Draws
  readonly disk: Disk
  readonly #lines = new Set<Line>()
  readonly #browser: Browser = { epoch: '', seen: 0 }
  #instance: Instance | null = null
  /** Frames that wait to be sent. The world sends a frame when everything that was written before it is durable. */
  #held: { readonly stretch: number; readonly leave: () => void }[] = []
  /**
   * The step at which the object will crash, and whether it crashes before or after this step. Null if no crash is
   * planned.
   */
  #crashAt: { readonly step: StepName; readonly when: 'before' | 'after' } | null = null
  #isCrashed = false
  #violation: Violation | null = null
  #names = 0

  readonly #isGated: boolean

  /**
   * @param isGated whether frames wait until earlier writes are durable; if false, the world sends every frame at once
   */
  constructor(draws: Draws, disk: Disk, isGated = true) {
    this.draws = draws
    this.disk = disk
    this.#isGated = isGated
    this.reader.migrate()
  }

  /** Reads what the disk has stored now. This works even while the object has no instance. */
  get reader(): SessionStore {
    return new SessionStore(this.disk.storage({ isAlive: true }))
  }

  get lines(): readonly Line[] {
    return [...this.#lines]
  }

  get hasInstance(): boolean {
    return this.#instance !== null
  }

  get isIdle(): boolean {
    return this.#instance === null || (this.#instance.gates.size === 0 && this.#instance.timers.size === 0)
  }

  /** The places at which code of the object is waiting and may go on now. */
  get gates(): readonly Gate[] {
    return [...(this.#instance?.gates ?? [])].filter(({ isOutbound }) => !isOutbound || !this.disk.isPending)
  }

  /** The earliest time at which a timer is due. Null if no timer is set. The object's alarm is not a timer here. */
  get nextTime(): number | null {
    const times = [
      ...[...(this.#instance?.timers ?? [])].map(({ at }) => at),
      ...this.tabs.flatMap(({ wakeAt, waiting }) => [
        ...(wakeAt === null ? [] : [wakeAt]),
        ...[...waiting.values()].map(({ until }) => until),
      ]),
    ]
    return times.length === 0 ? null : Math.min(...times)
  }

  name(kind: string): string {
    return `${kind}-${++this.#names}`
  }

  // ── The object ─────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Runs a function on the object until the object's code waits for something. If the object has no instance, makes one
   * first.
   */
  async stretch(act: (host: Host) => unknown): Promise<void> {
    try {
      const instance = (this.#instance ??= this.#wake())
      instance.host ??= this.#begin(instance)
      const settled = act(instance.host)
      if (settled instanceof Promise) settled.catch((error: unknown) => this.#broke(error))
    } catch (error) {
      this.#broke(error)
    }
    await drained()
    if (this.#violation) throw this.#violation
    if (this.#isCrashed) return this.crash()
    this.disk.endStretch()
    if (this.isCalm || !this.draws.oneIn(4)) this.commit()
  }

  /**
   * Makes everything that was written durable, so that a crash cannot lose it. Then sends the frames that have waited
   * for this.
   */
  commit(): void {
    this.disk.commit()
    for (const { leave } of this.#held.splice(0)) leave()
    if (this.#violation) throw this.#violation
  }

  /** Crashes the object. What was in its memory is lost, and every connection breaks. */
  crash(): void {
    const kept = this.draws.below(this.disk.waiting + 1)
    const wasInAlarm = this.#instance?.isInAlarm === true
    this.disk.crash(kept)
    const left = this.#held.splice(0).filter(({ stretch }) => stretch < kept)
    if (left.length > 0 && this.draws.oneIn(2)) for (const { leave } of left) leave()
    this.#forget()
    for (const line of this.#lines) {
      line.isServed = false
      line.die(0, this.draws.below(line.down.length + 1))
    }
    this.#isCrashed = false
    // If an alarm's handler does not complete, the platform runs the handler again.
    const again = this.now + 2_000
    if (wasInAlarm && (this.disk.alarm() ?? Infinity) > again) {
      this.disk.setAlarm(again)
      this.disk.endStretch()
      this.disk.commit()
    }
  }

  crashAt(step: StepName, when: 'before' | 'after'): void {
    this.#crashAt = { step, when }
  }

  /** Removes the object from memory, as the platform does with an idle object. The connections stay open. */
  evict(): void {
    this.commit()
    this.#forget()
  }

  calm(): void {
    this.isCalm = true
    this.#crashAt = null
  }

  async alarm(): Promise<void> {
    this.disk.setAlarm(null)
    this.disk.endStretch()
    await this.stretch(async (host) => {
      const instance = this.#instance
      if (instance) instance.isInAlarm = true
      await host.alarm()
      if (instance) instance.isInAlarm = false
    })
  }

  async letGo(gate: Gate): Promise<void> {
    this.#instance?.gates.delete(gate)
    await this.stretch(() => gate.go())
  }

  /** Lets the time pass up to `to`, and runs the object's timers that are due then. */
  async pass(to: number): Promise<void> {
    this.now = Math.max(this.now, to)
    const timers = this.#instance?.timers ?? new Set<Timer>()
    const due = [...timers].filter(({ at }) => at <= this.now)
    if (due.length === 0) return
    await this.stretch(() => {
      for (const timer of due) if (timers.delete(timer)) timer.task()
    })
  }

  // ── The lines ──────────────────────────────────────────────────────────────────────────────────────────

  async deliverUp(line: Line): Promise<void> {
    const frame = JSON.parse(line.up.shift() ?? 'null') as UpFrame
    // If the object has closed a connection, the connection delivers no more frames to the object.
    if (!line.isServed) return
    if (frame.type === 'connect') return this.stretch((host) => this.#connect(host, line, frame.auth))
    if (!line.isReady) throw new Violation('I11 an event before its line was greeted')
    const { name, body, ack } = frame
    this.happened.push(`  ${name} ${JSON.stringify(body)}`)
    await this.stretch((host) => {
      const acknowledge = (answer: unknown) => {
        this.happened.push(`  is answered ${JSON.stringify(answer)}`)
        if (ack !== null) this.#leave(line, { type: 'ack', ack, body: answer })
      }
      const greet = (hello: Hello) => this.#leave(line, { type: 'event', name: 'hello', body: hello })
      return host.event(name, body, greet, acknowledge)
    })
  }

  deliverDown(line: Line): void {
    const frame = line.down.shift()
    const tab = this.tabs.find((each) => each.line === line)
    if (frame !== undefined && tab) tab.take(frame)
  }

  /** Lets the client notice that its line is dead. */
  noticeDown(line: Line): void {
    line.isOpen = false
    if (!line.isServed) this.#lines.delete(line)
    this.tabs.find((each) => each.line === line)?.down()
  }

  /** Lets the object notice that a client's line is dead. */
  noticeGone(line: Line): void {
    line.isServed = false
    if (!line.isOpen) this.#lines.delete(line)
  }

  // ── The tabs ───────────────────────────────────────────────────────────────────────────────────────────

  openTab(stored: Tab['stored'] = []): Tab {
    const { now, checks } = { now: () => this.now, checks: this.checks }
    const tab = new Tab(this.name('tab'), { browser: this.#browser, stored, now, listener: checks })
    this.tabs.push(tab)
    return tab
  }

  connect(tab: Tab): void {
    const line = new Line(++this.#names)
    this.#lines.add(line)
    tab.connect(line)
  }

  /** Closes the page. Frames that the page has sent may still arrive. */
  closeTab(tab: Tab): void {
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    const { line } = tab
    if (!line) return
    line.die(this.draws.below(line.up.length + 1), 0)
    line.isOpen = false
  }

  // ── Inside ─────────────────────────────────────────────────────────────────────────────────────────────

  #wake(): Instance {
    return { isAlive: true, host: null, gates: new Set(), timers: new Set(), isInAlarm: false }
  }

  #begin(instance: Instance): Host {
    return new Host({
      storage: this.disk.storage(instance),
      actor: (store) => scriptedActor(this.#actorWorld(instance), store),
      leaseMs: LEASE_MS,
      now: () => this.now,
      after: (ms, task) => this.#after(instance, ms, task),
      broadcast: (name, body, short) => {
        if (!instance.isAlive) return
        this.happened.push(`  ${name} ${JSON.stringify(body).slice(0, 160)}`)
        this.#hold(() => {
          this.#watch(() => {
            this.checks.read(this.reader)
            if ('offset' in body) this.checks.deltaLeaves(body)
            else this.checks.eventLeaves(body)
          })
          for (const line of this.#lines) {
            if (!line.isServed || !line.isReady) continue
            // A connection whose buffer is full loses some deltas.
            if (name === 'delta' && !this.isCalm && this.draws.oneIn(12)) continue
            line.sendDown({ type: 'event', ...(line.isShort && short ? short : { name, body }) })
          }
        })
      },
      probe: (step, when) => this.#probe(instance, step, when),
    })
  }

  #actorWorld(instance: Instance) {
    return {
      draws: this.draws,
      isCalm: () => this.isCalm,
      outbound: () => (this.disk.isPending ? this.#gate(instance, true) : Promise.resolve()),
      wait: (signal: AbortSignal, how: 'brief' | 'deaf') => this.#waitFor(instance, signal, how),
      after: (ms: number, task: () => void) => this.#after(instance, ms, task),
      asked: (turn: number, attempt: number) => {
        this.happened.push(`  asks for ${turn}.${attempt}`)
        this.#watch(() => this.checks.asked(turn, attempt))
      },
    }
  }

  #waitFor(instance: Instance, signal: AbortSignal, how: 'brief' | 'deaf'): Promise<void> {
    return new Promise((resolve, reject) => {
      if (how === 'deaf') return
      const gate: Gate = { go: resolve, isOutbound: false }
      instance.gates.add(gate)
      const stop = () => {
        instance.gates.delete(gate)
        reject(new Error('called off'))
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }

  #gate(instance: Instance, isOutbound: boolean): Promise<void> {
    return new Promise((resolve) => instance.gates.add({ go: resolve, isOutbound }))
  }

  #after(instance: Instance, ms: number, task: () => void): () => void {
    const timer: Timer = { at: this.now + ms, task }
    if (instance.isAlive) instance.timers.add(timer)
    return () => instance.timers.delete(timer)
  }

  #probe(instance: Instance, step: StepName, when: 'before' | 'after'): void | Promise<void> {
    if (!instance.isAlive) throw new Error('this instance of the object was reset')
    const at = this.#crashAt
    if (at?.step === step && at.when === when) {
      this.#crashAt = null
      this.#isCrashed = true
      instance.isAlive = false
      this.happened.push(`  dies ${when} ${step}`)
      throw new Error('the object died here')
    }
    if (AWAITED.has(step) && !this.isCalm && this.draws.oneIn(6)) return this.#gate(instance, false)
  }

  #connect(host: Host, line: Line, auth: unknown): void {
    const hello = host.connect(auth)
    if (hello === null) throw new Violation('I11 a client was refused')
    const { clientId, short = false } = auth as { clientId: string; short?: boolean }
    line.clientId = clientId
    line.isShort = short
    for (const older of this.#lines)
      if (older !== line && older.isServed && older.clientId === line.clientId) {
        older.die(0, older.down.length)
        older.isServed = false
        if (!older.isOpen) this.#lines.delete(older)
      }
    line.isReady = true
    this.#leave(line, { type: 'event', name: 'hello', body: hello })
  }

  #leave(line: Line, frame: Parameters<Line['sendDown']>[0]): void {
    const instance = this.#instance
    if (!instance?.isAlive) return
    this.#hold(() => {
      this.#watch(() => this.checks.read(this.reader))
      line.sendDown(frame)
    })
  }

  /** Sends a frame as soon as everything that was written before it is durable. */
  #hold(leave: () => void): void {
    if (this.#isGated && this.disk.isPending) this.#held.push({ stretch: this.disk.waiting, leave })
    else leave()
  }

  #watch(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.#violation ??=
        error instanceof Violation ? error : new Violation(`I11 nothing can be read: ${String(error)}`)
    }
  }

  #broke(error: unknown): void {
    if (error instanceof Violation) this.#violation ??= error
    else if (!this.#isCrashed && this.#instance?.isAlive === true)
      this.#violation ??= new Violation(`I11 the object threw: ${error instanceof Error ? error.stack : String(error)}`)
  }

  #forget(): void {
    if (this.#instance) this.#instance.isAlive = false
    this.#instance = null
  }
}

/** Waits until all code that can run has run, and now waits for the world. */
function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
