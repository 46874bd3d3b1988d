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

/** A point at which code of the object waits until the world calls `go`. */
interface Gate {
  readonly go: () => void
  /** Whether all earlier writes must be durable before the code continues. */
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

/** The steps at which the object's code awaits the probe, a function that the code calls at every step. */
const AWAITED: ReadonlySet<StepName> = new Set<StepName>(['ask', 'speak', 'schedule', 'deliver'])
const LEASE_MS = 75_000

/**
 * Everything around one conversation, on a single thread and in a reproducible order: the disk, the object with its
 * crashes and its alarm, the connections, and the tabs that use them. Each method does one thing that can happen.
 */
export class World {
  now = 1_790_000_000_000
  isCalm = false
  readonly tabs: Tab[] = []
  readonly checks = new Checks()
  readonly happened: string[] = []
  readonly draws: Draws
  readonly disk: Disk
  /** Reads what is stored, without an instance of the object. */
  readonly reader: SessionStore
  readonly #lines = new Set<Line>()
  readonly #browser: Browser = { epoch: '', seen: 0 }
  #instance: Instance | null = null
  /** Frames that the world sends only when a crash can no longer lose the writes before them. */
  #held: { readonly stretch: number; readonly leave: () => void }[] = []
  /** The step at which the object will crash, and whether before or after the step. */
  #crashAt: { readonly step: StepName; readonly when: 'before' | 'after' } | null = null
  #isCrashed = false
  #violation: Violation | null = null
  #names = 0

  readonly #isGated: boolean

  /** @param isGated if false, the world sends frames at once, although earlier writes may still be lost */
  constructor(draws: Draws, disk: Disk, isGated = true) {
    this.draws = draws
    this.disk = disk
    this.#isGated = isGated
    this.reader = new SessionStore(disk.storage({ isAlive: true }))
    this.reader.migrate()
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

  /** The points at which waiting code may go on now. */
  get gates(): readonly Gate[] {
    return [...(this.#instance?.gates ?? [])].filter(({ isOutbound }) => !isOutbound || !this.disk.isPending)
  }

  /** The next time at which a timer is due, or null if no timer is set. The alarm does not count as a timer. */
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

  /** Runs code of the object until the code waits for something. Wakes the object first if it sleeps. */
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

  /** Makes all writes durable: a crash can no longer lose them. Then sends the frames that waited for these writes. */
  commit(): void {
    this.disk.commit()
    for (const { leave } of this.#held.splice(0)) leave()
    if (this.#violation) throw this.#violation
  }

  /** Crashes the object. The object loses its memory and every connection. */
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
    // The platform runs an alarm's handler again until the handler completes.
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

  /** Evicts the object from memory. The object's connections stay. */
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

  /** Lets time pass, and runs the object's timers that are due. */
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
      broadcast: (name, body) => {
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
            // If a connection's buffer is full, the connection drops some deltas.
            if (name === 'delta' && !this.isCalm && this.draws.oneIn(12)) continue
            line.sendDown({ type: 'event', name, body })
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
    line.clientId = (auth as { clientId: string }).clientId
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

  /** Sends a frame when all earlier writes are durable, which means that a crash can no longer lose them. */
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

/** Waits until all running code has come to a point where it waits for the world. */
function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
