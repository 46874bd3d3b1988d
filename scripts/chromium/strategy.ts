/** A browser that Playwright's `launch` can start with `path`, `args` and `env` (added to the environment). */
export interface Chromium {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where the browser comes from, as a text for people. */
  readonly source: string
}

/** A way to get a browser. */
export interface Strategy {
  readonly name: string
  /** Whether the user asked for exactly this browser. If it does not run, no other strategy is tried. */
  readonly isOrder?: boolean
  offer(context: StrategyContext): Promise<Offer>
}

export interface StrategyContext {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/** The candidates, best first. `otherwise` tells why there is none. */
export interface Offer {
  readonly candidates: readonly Chromium[]
  readonly otherwise: string
}

/** Returns the arguments to start Chromium with. Chromium refuses to start its sandbox as root. */
export function argsForThisUser(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}
