import { describe, expect, it } from 'vitest'
import { chooseActor } from '../../worker/actor/choose-actor.ts'
import { ConfigError, readConfig } from '../../worker/env.ts'

const CANARY = 'canary-7f3a'

describe('settings', () => {
  it('[model-1] nothing set: the rehearsal actor', () => {
    expect(readConfig({})).toMatchObject({ speaker: { kind: 'rehearsal' }, rehearsalPaceMs: 40, turnLeaseMs: 60_000 })
    expect(readConfig({ WALKON_REHEARSAL_PACE_MS: '0' }).rehearsalPaceMs).toBe(0)
    expect(readConfig({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '  ', OPENAI_MODEL: '\n' }).speaker).toEqual({
      kind: 'rehearsal',
    })
  })

  it('[forgery-10] the line between speech and report: plain, or with a nonce', () => {
    expect(readConfig({}).separator).toBe('plain')
    expect(readConfig({ WALKON_SEPARATOR: ' nonce ' }).separator).toBe('nonce')
    expect(() => readConfig({ WALKON_SEPARATOR: 'random' })).toThrow('WALKON_SEPARATOR must be plain or nonce')
  })

  it('[model-1] other bindings are none of its business', () => {
    expect(readConfig({ SESSION: {}, ASSETS: { fetch: () => null } }).speaker.kind).toBe('rehearsal')
  })

  it('[model-2] a key alone: OpenAI', () => {
    expect(readConfig({ OPENAI_API_KEY: ' sk-1 ' }).speaker).toEqual({
      kind: 'model',
      baseURL: 'https://api.openai.com/v1',
      model: 'gpt-5.4-mini',
      apiKey: 'sk-1',
      idleTimeoutMs: 20_000,
      overallTimeoutMs: 50_000,
      maxOutputTokens: 1_000,
      maxOutputCharacters: 8_000,
    })
  })

  it('[model-3] a base URL and a model: no key needed', () => {
    expect(
      readConfig({ OPENAI_BASE_URL: 'http://localhost:11434/v1', OPENAI_MODEL: 'llama3.1' }).speaker,
    ).toMatchObject({
      baseURL: 'http://localhost:11434/v1',
      model: 'llama3.1',
      apiKey: 'none',
    })
  })

  it('every limit can be set, as text or as a number', () => {
    expect(
      readConfig({
        OPENAI_API_KEY: 'sk-1',
        WALKON_MODEL_IDLE_MS: '500',
        WALKON_MODEL_OVERALL_MS: 600,
        WALKON_MODEL_MAX_TOKENS: '77',
        WALKON_MODEL_MAX_CHARACTERS: '',
        WALKON_MODEL_TOKEN_PARAMETER: 'max_tokens',
      }).speaker,
    ).toMatchObject({
      idleTimeoutMs: 500,
      overallTimeoutMs: 600,
      maxOutputTokens: 77,
      maxOutputCharacters: 8_000,
      tokenParameter: 'max_tokens',
    })
  })

  const wrong: readonly [string, Record<string, unknown>, readonly string[]][] = [
    ['a model without a place', { OPENAI_MODEL: CANARY }, ['OPENAI_MODEL']],
    ['a place without a model', { OPENAI_BASE_URL: `http://${CANARY}/v1` }, ['OPENAI_MODEL']],
    ['OpenAI without a key', { OPENAI_BASE_URL: 'https://api.openai.com/v1' }, ['OPENAI_API_KEY']],
    ['an address of another kind', { OPENAI_BASE_URL: `file:///${CANARY}`, OPENAI_MODEL: 'm' }, ['OPENAI_BASE_URL']],
    ['no address at all', { OPENAI_BASE_URL: CANARY, OPENAI_MODEL: 'm' }, ['OPENAI_BASE_URL']],
    ['a user in the address', { OPENAI_BASE_URL: `https://u:${CANARY}@h/v1`, OPENAI_MODEL: 'm' }, ['OPENAI_BASE_URL']],
    ['a query in the address', { OPENAI_BASE_URL: `https://h/v1?k=${CANARY}`, OPENAI_MODEL: 'm' }, ['OPENAI_BASE_URL']],
    ['a key in two lines', { OPENAI_API_KEY: `sk-\n${CANARY}` }, ['OPENAI_API_KEY']],
    ['a key that is no text', { OPENAI_API_KEY: { CANARY } }, ['OPENAI_API_KEY']],
    ['a limit that is no number', { OPENAI_API_KEY: 'k', WALKON_MODEL_IDLE_MS: CANARY }, ['WALKON_MODEL_IDLE_MS']],
    ['a limit out of bounds', { OPENAI_API_KEY: 'k', WALKON_MODEL_MAX_TOKENS: '0' }, ['WALKON_MODEL_MAX_TOKENS']],
    [
      'a limit that is not whole',
      { OPENAI_API_KEY: 'k', WALKON_MODEL_MAX_TOKENS: '99.5' },
      ['WALKON_MODEL_MAX_TOKENS'],
    ],
    [
      'idle longer than overall',
      { WALKON_MODEL_IDLE_MS: '5000', WALKON_MODEL_OVERALL_MS: '4000' },
      ['WALKON_MODEL_IDLE_MS'],
    ],
    ['an unknown parameter name', { WALKON_MODEL_TOKEN_PARAMETER: CANARY }, ['WALKON_MODEL_TOKEN_PARAMETER']],
    ['two at once', { OPENAI_BASE_URL: CANARY, OPENAI_API_KEY: `k ${CANARY}` }, ['OPENAI_BASE_URL', 'OPENAI_API_KEY']],
  ]
  for (const [name, env, variables] of wrong) {
    it(`[model-4] [model-5] ${name} stops the boot`, () => {
      const error = errorOf(() => readConfig(env))
      expect(error.problems.map((problem) => problem.split(' ')[0])).toEqual(variables)
      for (const variable of variables) expect(error.message).toContain(variable)
      expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(CANARY)
    })
  }
})

describe('who speaks', () => {
  const pace = (): Promise<void> => Promise.resolve()

  it('[model-1] the rehearsal actor, where no model is set', () => {
    expect(chooseActor(readConfig({}), { pace }).kind).toBe('rehearsal')
  })

  it('[model-2] the model, where one is', () => {
    expect(chooseActor(readConfig({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }), { pace })).toMatchObject({
      kind: 'model',
      label: 'm',
    })
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
