import { addressOf } from './address.ts'
import type { OperatorControl } from './store.ts'

/** The time between two moments while the run plays, in milliseconds. */
const PLAY_MS = 900

type Playback =
  | { readonly name: 'paused' }
  | { readonly name: 'playing'; readonly timer: ReturnType<typeof setInterval> }

/**
 * Shows the run at each of its moments (the times at which a context of the run changed), one at a time or
 * automatically. Moving through time adds no entries to the browser's history.
 */
export class TimeTravel {
  readonly #control: OperatorControl
  #playback: Playback = { name: 'paused' }

  constructor(control: OperatorControl) {
    this.#control = control
  }

  /**
   * Shows a time. If `settled` is true, the operator has released the slider, so the time is also written into the
   * address.
   */
  showTime(time: number | null, settled: boolean): void {
    this.pause()
    this.#moveTo(time, settled)
  }

  step(by: -1 | 1): void {
    this.pause()
    const to = this.#neighbour(by)
    if (to !== undefined) this.#moveTo(to, true)
  }

  /** Plays from the shown time, or from the first moment if the shown time is now. Pauses if the run is playing. */
  playOrPause(): void {
    if (this.#playback.name === 'playing') return this.pause()
    const { moments } = this.#control.store
    if (moments.value.length === 0) return
    if (this.#neighbour(1) === undefined) this.#moveTo(moments.value[0]?.time ?? null, true)
    this.#playback = { name: 'playing', timer: setInterval(() => this.#playOn(), PLAY_MS) }
    this.#control.setPlaying(true)
  }

  pause(): void {
    if (this.#playback.name === 'playing') clearInterval(this.#playback.timer)
    this.#playback = { name: 'paused' }
    this.#control.setPlaying(false)
  }

  #playOn(): void {
    const to = this.#neighbour(1)
    if (to !== undefined) this.#moveTo(to, true)
    if (this.#neighbour(1) === undefined) this.pause()
  }

  #moveTo(time: number | null, settled: boolean): void {
    this.#control.setTime(time)
    if (settled) history.replaceState(null, '', addressOf(this.#control.store.view.value))
  }

  /**
   * Returns the time of the moment before or after the shown moment; undefined if there is no such moment. For the last
   * moment, returns null, which means now.
   */
  #neighbour(by: -1 | 1): number | null | undefined {
    const { value: moments } = this.#control.store.moments
    const { value: time } = this.#control.store.time
    if (by === 1) {
      if (time === null) return undefined
      const next = moments.findIndex((moment) => moment.time > time)
      return next === -1 || next === moments.length - 1 ? null : moments[next]?.time
    }
    const here = time ?? moments.at(-1)?.time ?? 0
    return moments.findLast((moment) => moment.time < here)?.time
  }
}
