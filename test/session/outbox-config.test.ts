import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../worker/env.ts'
import { webhookSecret } from '../support/webhook-receiver.ts'

const CANARY = 'canary-4c1d'
const URL_ = 'https://hooks.example.com/walkon'
const SECRET = webhookSecret(1)

describe('settings of what goes out', () => {
  it('[outbox-12] nothing set: nowhere to send', () => {
    expect(readConfig({}).delivery).toEqual({ webhook: null, email: null, timeoutMs: 15_000 })
  })

  it('[outbox-15] an address with a secret, or with the new one and the old one', () => {
    expect(readConfig({ WALKON_WEBHOOK_URL: ` ${URL_} `, WALKON_WEBHOOK_SECRET: SECRET }).delivery.webhook).toEqual({
      url: URL_,
      secrets: [SECRET],
    })
    const both = { WALKON_WEBHOOK_URL: URL_, WALKON_WEBHOOK_SECRET: `${webhookSecret(2, 24)}  ${webhookSecret(3, 64)}` }
    expect(readConfig(both).delivery.webhook?.secrets).toEqual([webhookSecret(2, 24), webhookSecret(3, 64)])
  })

  it('[outbox-15] accepts a secret made by the documented command', () => {
    const page = readFileSync(new URL('../../docs/reference/operations.md', import.meta.url), 'utf8')
    const [, made = ''] = /^ *echo "(.+)" +WALKON_WEBHOOK_SECRET$/m.exec(page) ?? []
    const secret = made.replace('$(openssl rand -base64 32)', Buffer.alloc(32, 7).toString('base64'))
    const env = { WALKON_WEBHOOK_URL: URL_, WALKON_WEBHOOK_SECRET: secret }
    expect(readConfig(env).delivery.webhook?.secrets).toEqual([secret])
  })

  it('[outbox-14] plain http to this machine, if it is asked for', () => {
    const env = { WALKON_WEBHOOK_URL: 'http://127.0.0.1:4000/', WALKON_WEBHOOK_SECRET: SECRET }
    expect(problemsOf(env)).toEqual([expect.stringContaining('WALKON_WEBHOOK_INSECURE=true')])
    expect(problemsOf({ ...env, WALKON_WEBHOOK_INSECURE: 'false' })).toHaveLength(1)
    expect(readConfig({ ...env, WALKON_WEBHOOK_INSECURE: 'true' }).delivery.webhook?.url).toBe(env.WALKON_WEBHOOK_URL)
  })

  it('[outbox-16] a sender and a recipient of mail', () => {
    const env = { WALKON_EMAIL_FROM: 'walkon@example.com', WALKON_EMAIL_TO: 'lead+sims@example.co.uk' }
    expect(readConfig(env).delivery.email).toEqual({ from: 'walkon@example.com', to: 'lead+sims@example.co.uk' })
  })

  const wrong: readonly [string, Record<string, string>, readonly string[]][] = [
    ['an address without a secret', { WALKON_WEBHOOK_URL: URL_ }, ['WALKON_WEBHOOK_SECRET']],
    ['a secret without an address', { WALKON_WEBHOOK_SECRET: SECRET }, ['WALKON_WEBHOOK_URL']],
    [
      'an address of a private network',
      { WALKON_WEBHOOK_URL: `https://${CANARY}.internal/`, WALKON_WEBHOOK_SECRET: SECRET },
      ['WALKON_WEBHOOK_URL'],
    ],
    ['a secret of another form', hook({ WALKON_WEBHOOK_SECRET: CANARY }), ['WALKON_WEBHOOK_SECRET']],
    ['a secret without its prefix', hook({ WALKON_WEBHOOK_SECRET: SECRET.slice(6) }), ['WALKON_WEBHOOK_SECRET']],
    ['a weak secret', hook({ WALKON_WEBHOOK_SECRET: webhookSecret(1, 23) }), ['WALKON_WEBHOOK_SECRET']],
    ['a secret that is too long', hook({ WALKON_WEBHOOK_SECRET: webhookSecret(1, 65) }), ['WALKON_WEBHOOK_SECRET']],
    ['three secrets', hook({ WALKON_WEBHOOK_SECRET: `${SECRET} ${SECRET} ${SECRET}` }), ['WALKON_WEBHOOK_SECRET']],
    ['one good secret of two', hook({ WALKON_WEBHOOK_SECRET: `${SECRET} ${CANARY}` }), ['WALKON_WEBHOOK_SECRET']],
    ['neither yes nor no', hook({ WALKON_WEBHOOK_INSECURE: CANARY }), ['WALKON_WEBHOOK_INSECURE']],
    ['mail from nobody', { WALKON_EMAIL_TO: 'a@example.com' }, ['WALKON_EMAIL_FROM']],
    ['mail to nobody', { WALKON_EMAIL_FROM: 'a@example.com' }, ['WALKON_EMAIL_TO']],
    ['two recipients', mail({ WALKON_EMAIL_TO: `${CANARY}@example.com,b@example.com` }), ['WALKON_EMAIL_TO']],
    ['a name around an address', mail({ WALKON_EMAIL_TO: `${CANARY} <a@example.com>` }), ['WALKON_EMAIL_TO']],
    [
      'a header in an address',
      mail({ WALKON_EMAIL_FROM: `a@example.com\r\nBcc: ${CANARY}@b.c` }),
      ['WALKON_EMAIL_FROM'],
    ],
    ['no domain', mail({ WALKON_EMAIL_FROM: `${CANARY}@localhost` }), ['WALKON_EMAIL_FROM']],
    ['no time for an attempt', { WALKON_DELIVERY_TIMEOUT_MS: '99' }, ['WALKON_DELIVERY_TIMEOUT_MS']],
    [
      'several at once, and a model without a place',
      { WALKON_WEBHOOK_URL: 'http://example.com', WALKON_EMAIL_TO: 'a@example.com', OPENAI_MODEL: CANARY },
      ['OPENAI_MODEL', 'WALKON_WEBHOOK_URL', 'WALKON_WEBHOOK_SECRET', 'WALKON_EMAIL_FROM'],
    ],
  ]
  it.each(wrong)('[outbox-15] %s stops the boot', (_, env, variables) => {
    const problems = problemsOf(env)
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(variables)
    expect(problems.join()).not.toContain(CANARY)
    expect(problems.join()).not.toContain(SECRET.slice(6, 30))
  })
})

function hook(more: Record<string, string>): Record<string, string> {
  return { WALKON_WEBHOOK_URL: URL_, WALKON_WEBHOOK_SECRET: SECRET, ...more }
}

function mail(more: Record<string, string>): Record<string, string> {
  return { WALKON_EMAIL_FROM: 'a@example.com', WALKON_EMAIL_TO: 'b@example.com', ...more }
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
