import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../worker/env.ts'

const MONEY = { WALKON_MONEY_DAY: '25', WALKON_PRICE_INPUT: '0.25', WALKON_PRICE_OUTPUT: '2' }
const CANARY = 'canary-7f3a'

describe('the settings of budgets', () => {
  it('[budget-16] nothing set: a conversation has its limits, and nothing reaches beyond it', () => {
    expect(readConfig({}).budget).toEqual({
      turnsMinute: 20,
      turnsSession: 120,
      tokensSession: 8_000_000,
      tokensLearnerDay: null,
      money: null,
    })
  })

  it('[budget-16] [budget-13] money is read without a float, from text or a number', () => {
    expect(readConfig(MONEY).budget.money).toEqual({ day: 25_000_000, price: { input: 250_000, output: 2_000_000 } })
    const odd = { WALKON_MONEY_DAY: 0.3, WALKON_PRICE_INPUT: '0.000001', WALKON_PRICE_OUTPUT: ' 999999.999999 ' }
    expect(readConfig(odd).budget.money).toEqual({ day: 300_000, price: { input: 1, output: 999_999_999_999 } })
  })

  it('[budget-16] every limit can be set', () => {
    const limits = {
      WALKON_TURNS_MINUTE: '3',
      WALKON_TURNS_SESSION: 40,
      WALKON_TOKENS_SESSION: '50000',
      WALKON_TOKENS_LEARNER_DAY: '900000',
    }
    expect(readConfig(limits).budget).toEqual({
      turnsMinute: 3,
      turnsSession: 40,
      tokensSession: 50_000,
      tokensLearnerDay: 900_000,
      money: null,
    })
  })

  const wrong: readonly [string, Record<string, unknown>, readonly string[]][] = [
    ['money without prices', { WALKON_MONEY_DAY: '25' }, ['WALKON_PRICE_INPUT', 'WALKON_PRICE_OUTPUT']],
    ['one price without the rest', { WALKON_PRICE_INPUT: '1' }, ['WALKON_MONEY_DAY', 'WALKON_PRICE_OUTPUT']],
    ['an amount that is none', { ...MONEY, WALKON_MONEY_DAY: CANARY }, ['WALKON_MONEY_DAY']],
    ['an amount below nothing', { ...MONEY, WALKON_MONEY_DAY: '-1' }, ['WALKON_MONEY_DAY']],
    ['a price too fine to count', { ...MONEY, WALKON_PRICE_INPUT: '0.0000001' }, ['WALKON_PRICE_INPUT']],
    ['a price with an exponent', { ...MONEY, WALKON_PRICE_OUTPUT: '1e3' }, ['WALKON_PRICE_OUTPUT']],
    ['an amount that is no text', { ...MONEY, WALKON_MONEY_DAY: { CANARY } }, ['WALKON_MONEY_DAY']],
    ['no turn at all', { WALKON_TURNS_MINUTE: '0' }, ['WALKON_TURNS_MINUTE']],
    ['half a turn', { WALKON_TURNS_SESSION: '0.5' }, ['WALKON_TURNS_SESSION']],
    ['tokens that are no number', { WALKON_TOKENS_SESSION: CANARY }, ['WALKON_TOKENS_SESSION']],
    ['tokens for no call', { WALKON_TOKENS_LEARNER_DAY: '10' }, ['WALKON_TOKENS_LEARNER_DAY']],
    ['an unknown way to count', { WALKON_MODEL_USAGE: CANARY }, ['WALKON_MODEL_USAGE']],
    ['a deployment without the binding', { ...MONEY, CONVERSATIONS: {} }, ['LEDGER']],
    ['the same for learners', { WALKON_TOKENS_LEARNER_DAY: '9000', CONVERSATIONS: {} }, ['LEDGER']],
  ]
  it.each(wrong)('[budget-16] %s stops the boot, by name and without the value', (_, env, variables) => {
    const error = errorOf(() => readConfig(env))
    expect(error.problems.map((problem) => problem.split(' ')[0])).toEqual(variables)
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain(CANARY)
  })

  it('[budget-16] the binding is asked of deployments only, and only where a limit needs it', () => {
    expect(readConfig({ ...MONEY, CONVERSATIONS: {}, LEDGER: {} }).budget.money).not.toBeNull()
    expect(readConfig({ CONVERSATIONS: {} }).budget.money).toBeNull()
  })
})

function errorOf(run: () => unknown): ConfigError {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('nothing was wrong')
}
