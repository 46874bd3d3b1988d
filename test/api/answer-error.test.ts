import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { CHAIN_ERRORS, ChainError, type ChainErrorCode } from '../../worker/chain/chain-error.ts'
import { answerThrown } from '../../worker/http/chain/answer-error.ts'

const answerTo = (error: unknown) => new Hono().get('/', (c) => answerThrown(c, error, 'getContext')).request('/')

describe('an error of an operation', () => {
  it.each(Object.keys(CHAIN_ERRORS) as ChainErrorCode[])(
    '[api-4] is answered with its status and next step: %s',
    async (code) => {
      const [status, next] = CHAIN_ERRORS[code]
      const response = await answerTo(new ChainError(code, 'A sentence.', '/body/parentId'))
      const wait = response.headers.get('retry-after')
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({
        error: {
          next,
          code,
          message: 'A sentence.',
          pointer: '/body/parentId',
          issues: [{ code, pointer: '/body/parentId', message: 'A sentence.' }],
          ...(next === 'retry-after' ? { retryAfterMs: Number(wait) * 1_000 } : {}),
        },
      })
      expect(wait !== null).toBe(next === 'retry-after')
    },
  )

  it.each([
    ['a defect', new TypeError('of heron'), 500],
    ['what is no error', 'heron', 500],
    ['the database', new Error('D1_ERROR: UNIQUE constraint failed: heron: SQLITE_CONSTRAINT'), 503],
    ['too much for the database', new Error('D1 DB is overloaded. heron'), 503],
  ])('[api-4] of %s nothing goes out and nothing but a name is logged', async (_, error, status) => {
    const write = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const response = await answerTo(error)
    const text = await response.text()
    expect([response.status, JSON.parse(text)]).toEqual([
      status,
      { error: expect.objectContaining({ code: 'unavailable', next: 'retry-after' }) },
    ])
    expect(text + write.mock.calls.flat().join('')).not.toContain('heron')
    expect(write).toHaveBeenCalledOnce()
    write.mockRestore()
  })
})
