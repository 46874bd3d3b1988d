import type { Tokens } from './tokens.ts'

/** Limits on what a conversation, a learner and the deployment may use. */
export interface BudgetConfig {
  /** The most turns that may begin in one conversation within any sixty seconds. */
  readonly turnsMinute: number
  /** The most turns of one conversation. Each attempt at a turn counts. */
  readonly turnsSession: number
  /** The most tokens of one conversation, input and output together. */
  readonly tokensSession: number
  /** The most tokens of a verified learner in one day, across all their conversations. Null: no limit. */
  readonly tokensLearnerDay: number | null
  /** The most that the deployment may cost in one day. Null: no limit. */
  readonly money: MoneyConfig | null
}

export interface MoneyConfig {
  /** The limit of one day, in micro-dollars. */
  readonly day: number
  readonly price: Price
}

/** The budget settings from the environment. The form of each value is checked already. */
export interface BudgetSettings {
  readonly WALKON_TURNS_MINUTE: number
  readonly WALKON_TURNS_SESSION: number
  readonly WALKON_TOKENS_SESSION: number
  readonly WALKON_TOKENS_LEARNER_DAY?: number | undefined
  readonly WALKON_MONEY_DAY?: string | undefined
  readonly WALKON_PRICE_INPUT?: string | undefined
  readonly WALKON_PRICE_OUTPUT?: string | undefined
}

/**
 * Reads the budget settings. Returns the configuration, and one message for every problem. No message contains a
 * setting's value.
 *
 * @param hasLedger true if the deployment has the binding `LEDGER`, which a limit for several conversations together
 *   needs; a script outside a Worker cannot know the bindings and passes true
 */
export function readBudget(
  settings: BudgetSettings,
  { hasLedger }: { hasLedger: boolean },
): { config: BudgetConfig; problems: readonly string[] } {
  const money = readMoney(settings)
  const shared = SHARED.filter((name) => settings[name] !== undefined)
  const needed = shared.length > 0 && !hasLedger
  return {
    config: {
      turnsMinute: settings.WALKON_TURNS_MINUTE,
      turnsSession: settings.WALKON_TURNS_SESSION,
      tokensSession: settings.WALKON_TOKENS_SESSION,
      tokensLearnerDay: settings.WALKON_TOKENS_LEARNER_DAY ?? null,
      money: money.config,
    },
    problems: [
      ...money.problems,
      ...(needed ? [`LEDGER is missing: ${shared.join(' and ')} need the binding of that name in wrangler.toml`] : []),
    ],
  }
}

/** The settings that limit several conversations together. They need the binding `LEDGER`. */
const SHARED = ['WALKON_MONEY_DAY', 'WALKON_TOKENS_LEARNER_DAY'] as const

const NO_AMOUNT = 'must be US dollars such as 25 or 0.075, with at most six digits on either side'
const MONEY = ['WALKON_MONEY_DAY', 'WALKON_PRICE_INPUT', 'WALKON_PRICE_OUTPUT'] as const

function readMoney(settings: BudgetSettings): { config: MoneyConfig | null; problems: readonly string[] } {
  const given = MONEY.filter((name) => settings[name] !== undefined)
  if (given.length === 0) return { config: null, problems: [] }
  const missing = MONEY.filter((name) => settings[name] === undefined)
  const problems = [
    ...missing.map((name) => `${name} is missing: ${given.join(' and ')} can hold nobody to anything without it`),
    ...given.filter((name) => readDollars(settings[name] ?? '') === null).map((name) => `${name} ${NO_AMOUNT}`),
  ]
  const [day, input, output] = MONEY.map((name) => readDollars(settings[name] ?? ''))
  if (problems.length > 0 || day == null || input == null || output == null) return { config: null, problems }
  return { config: { day, price: { input, output } }, problems: [] }
}

/** Price of a million tokens of a model, in micro-dollars. */
export interface Price {
  readonly input: number
  readonly output: number
}

const MICRO = 1_000_000

/**
 * Reads an amount of US dollars, such as `12` or `0.075`, as whole micro-dollars. The function calculates with whole
 * numbers only, because fractions such as 0.1 would be rounded.
 *
 * @returns null if the text is not an amount of dollars, or has more than six digits on either side of the point
 */
export function readDollars(text: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? null : Number(whole) * MICRO + Number(fraction.padEnd(6, '0'))
}

/** Returns the cost of a call's tokens in micro-dollars, rounded up. */
export function costOf({ input, output }: Tokens, price: Price): number {
  // The product may be larger than the largest whole number that JavaScript's `number` represents exactly.
  const product = BigInt(input) * BigInt(price.input) + BigInt(output) * BigInt(price.output)
  return Number((product + BigInt(MICRO - 1)) / BigInt(MICRO))
}
