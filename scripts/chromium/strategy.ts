/** How to start a browser: give `path`, `args` and `env` (added to the environment) to Playwright's `launch`. */
export interface Chromium {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Its origin, for people. */
  readonly source: string
}

/** One way to get a browser. */
export interface Strategy {
  readonly name: string
  /** The person asked for this one. If it does not run, nothing else is tried. */
  readonly isOrder?: boolean
  offer(context: StrategyContext): Promise<Offer>
}

export interface StrategyContext {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
}

/** Candidates, best first. `otherwise` says why there is none. */
export interface Offer {
  readonly candidates: readonly Chromium[]
  readonly otherwise: string
}

/** Chromium refuses to start its sandbox as root. */
export function argsForThisUser(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}
