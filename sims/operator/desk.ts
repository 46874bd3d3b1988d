import { addressOf, ALL_RUNS, readAddress } from './address.ts'
import type { View } from './address.ts'
import { connectToChain, developmentTokenOf, tokenKeeper } from './connect.ts'
import { ChainReader } from './reader.ts'
import { createStore } from './store.ts'
import type { OperatorStore } from './store.ts'
import { TimeTravel } from './time-travel.ts'

type DeskState = { readonly name: 'signed-out' } | { readonly name: 'signed-in'; readonly reader: ChainReader }

/**
 * Turns the operator's actions into requests to the service, and the answers into what the page shows. The operator is
 * signed out or signed in; only `#enter` and `#leave` change that state.
 */
export class Desk {
  readonly store: OperatorStore
  readonly #control = createStore()
  readonly #tokens = tokenKeeper()
  readonly #time = new TimeTravel(this.#control)
  #state: DeskState = { name: 'signed-out' }

  constructor() {
    this.store = this.#control.store
  }

  /**
   * Shows the view that the address names. From then on, the page follows the address when the operator goes back or
   * forward or edits it.
   */
  async start(): Promise<void> {
    addEventListener('popstate', () => this.#show(readAddress(location.hash)))
    this.#control.setView(readAddress(location.hash))
    const token = this.#tokens.read()
    if (token !== null) this.#enter(token)
    else this.#control.offerToken(await developmentTokenOf())
  }

  signIn(token: string): void {
    this.#tokens.keep(token)
    this.#enter(token)
  }

  signOut(): void {
    this.#leave(false)
    history.replaceState(null, '', addressOf(ALL_RUNS))
    this.#control.setView(ALL_RUNS)
  }

  /**
   * Signs the operator out, so that they can enter another token. After the next sign-in, the page shows the view that
   * was open.
   */
  changeToken(): void {
    this.#leave(false)
  }

  /**
   * Shows another run or context, and adds an entry to the browser's history. If the view is already shown, loads its
   * data again.
   */
  go(view: View): void {
    if (addressOf(view) === addressOf(this.store.view.value)) return this.readAgain()
    history.pushState(null, '', addressOf(view))
    this.#show(view)
  }

  readAgain(): void {
    this.#time.pause()
    this.#reader?.load(this.store.view.value)
  }

  more(): void {
    this.#reader?.more(this.store.view.value)
  }

  /**
   * Shows the run at a time. If `settled` is true, the operator has released the slider, so the time is also written
   * into the address.
   */
  showTime(time: number | null, settled: boolean): void {
    this.#time.showTime(time, settled)
  }

  /** Shows the run at the time of the previous or the next change. */
  step(by: -1 | 1): void {
    this.#time.step(by)
  }

  playOrPause(): void {
    this.#time.playOrPause()
  }

  checkIntegrity(): void {
    void this.#reader?.checkIntegrity()
  }

  readConversation(context: string): void {
    void this.#reader?.readConversation(context)
  }

  focus(id: string): void {
    this.#control.setFocused(id)
  }

  openBranches(ids: readonly string[]): void {
    this.#control.openBranches(ids)
  }

  closeBranches(ids: readonly string[]): void {
    this.#control.closeBranches(ids)
  }

  get #reader(): ChainReader | null {
    return this.#state.name === 'signed-in' ? this.#state.reader : null
  }

  #enter(token: string): void {
    const api = connectToChain(token)
    if (!api) return this.#leave(true)
    this.#reader?.stop()
    this.#state = { name: 'signed-in', reader: new ChainReader(api, this.#control, () => this.#leave(true)) }
    this.#control.setEntry({ stage: 'in' })
    this.readAgain()
  }

  /**
   * Signs out.
   *
   * @param refused whether the service refused the token, so that the form says so
   */
  #leave(refused: boolean): void {
    this.#reader?.stop()
    this.#state = { name: 'signed-out' }
    this.#time.pause()
    this.#tokens.forget()
    this.#control.forget()
    this.#control.setEntry({ stage: 'out', refused })
    void developmentTokenOf().then(this.#control.offerToken)
  }

  #show(view: View): void {
    this.#time.pause()
    const before = this.store.view.value
    this.#control.setView(view)
    if (!this.#hasAllOf(view, before)) this.readAgain()
  }

  #hasAllOf(view: View, before: View): boolean {
    if (view.screen === 'told') return false
    if (view.screen === 'run')
      return before.screen === 'run' && (before.run === view.run || this.store.head.value?.id === view.run)
    return before.screen === 'runs' && addressOf(before) === addressOf(view)
  }
}
