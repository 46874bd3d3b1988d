/**
 * What Playwright's `launch` needs to start a browser. `env` has variables to add to the environment of the browser's
 * process.
 */
export interface Chromium {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where the browser comes from, as a text for people. */
  readonly source: string
}

/** A way to find or install a browser. */
export interface Strategy {
  readonly name: string
  /** Whether the user asked for exactly this browser. If that browser does not run, no other strategy is tried. */
  readonly isOrder?: boolean
  offer(context: StrategyContext): Promise<Offer>
}

export interface StrategyContext {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/** The candidates of a strategy, best first. `otherwise` says why there is no candidate. */
export interface Offer {
  readonly candidates: readonly Chromium[]
  readonly otherwise: string
}

/**
 * Returns the arguments to start Chromium with. Root gets `--no-sandbox`, because Chromium refuses to start its sandbox
 * as root.
 */
export function argsForThisUser(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}
