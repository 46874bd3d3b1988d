import type { Tokens } from './tokens.ts'

/** The limits of a conversation, a learner and the deployment. */
export interface BudgetConfig {
  /** Turns that may begin in any sixty seconds of a conversation. */
  readonly turnsMinute: number
  /** Turns of a conversation, each attempt counted as one. */
  readonly turnsSession: number
  /** Tokens of a conversation, in and out. */
  readonly tokensSession: number
  /** Tokens of a verified learner in a day, in all their conversations. Null: no limit. */
  readonly tokensLearnerDay: number | null
  /** What the deployment may cost in a day. Null: no limit. */
  readonly money: MoneyConfig | null
}

export interface MoneyConfig {
  /** Micro-dollars in a day. */
  readonly day: number
  readonly price: Price
}

/** The settings from the environment, each already of its form. */
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
 * Reads the settings: the configuration, and all problems at once. No problem repeats a value.
 *
 * @param hasLedger the deployment has the binding that keeps limits beyond a conversation, or nothing is deployed yet
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

/** The limits that conversations share. */
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

/** What a model asks for a million tokens, in micro-dollars. */
export interface Price {
  readonly input: number
  readonly output: number
}

const MICRO = 1_000_000

/**
 * Reads an amount of US dollars, such as `12` or `0.075`, as whole micro-dollars. There is no float on the way: 0.1 is
 * not a number of binary digits, and a sum of a thousand of them is not 100.
 *
 * @returns null when it is no such amount, or has more than six digits on either side.
 */
export function readDollars(text: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? null : Number(whole) * MICRO + Number(fraction.padEnd(6, '0'))
}

/** What these tokens cost, in micro-dollars, rounded up. */
export function costOf({ input, output }: Tokens, price: Price): number {
  // A million tokens at a thousand dollars a million are near the largest whole number that a float holds exactly.
  const product = BigInt(input) * BigInt(price.input) + BigInt(output) * BigInt(price.output)
  return Number((product + BigInt(MICRO - 1)) / BigInt(MICRO))
}
