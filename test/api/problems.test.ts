import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  contextId,
  cursor,
  data,
  line,
  name,
  queryInt,
  queryTime,
  status,
  time,
} from '../../worker/chain/api/shapes.ts'
import { problemsOf } from '../../worker/http/chain/problems.ts'
import { jsonProblems } from '../../worker/http/chain/json-problems.ts'

const shape = z.strictObject({
  purpose: line(),
  space: name(),
  status: status(),
  id: contextId(),
  limit: queryInt(1, 10),
  at: time(),
  since: queryTime(),
  cursor: cursor(),
  data: data(),
  list: z
    .array(z.strictObject({ version: z.int().min(1) }))
    .min(1)
    .max(2),
  mode: z.enum(['a', 'b']),
})
const VALID = {
  purpose: 'p',
  space: 's',
  status: 'active',
  id: 'ctx_1',
  limit: '5',
  at: 5,
  since: '5',
  cursor: 'c',
  data: {},
  list: [{ version: 1 }],
  mode: 'a',
}

const wrongWith = (own: object) => {
  const value = { ...VALID, ...own }
  const read = shape.safeParse(value)
  return read.success ? [] : problemsOf('body', read.error, value)
}

describe('the problems of a request', () => {
  it('[api-2] are none for a valid request', () => {
    expect(wrongWith({})).toEqual([])
  })

  it.each([
    [{ purpose: undefined }, 'MISSING_REQUIRED_FIELD', '/body/purpose'],
    [{ purpose: '' }, 'MISSING_REQUIRED_FIELD', '/body/purpose'],
    [{ purpose: ' \n' }, 'WHITESPACE_ONLY', '/body/purpose'],
    [{ purpose: null }, 'INVALID_TYPE', '/body/purpose'],
    [{ purpose: 5 }, 'INVALID_TYPE', '/body/purpose'],
    [{ purpose: 'x'.repeat(2_001) }, 'TOO_LONG', '/body/purpose'],
    [{ space: '..' }, 'INVALID_FORMAT', '/body/space'],
    [{ status: 'done' }, 'INVALID_STATUS', '/body/status'],
    [{ status: 1 }, 'INVALID_STATUS', '/body/status'],
    [{ id: 'mem_1' }, 'INVALID_ID', '/body/id'],
    [{ limit: '0' }, 'INVALID_RANGE', '/body/limit'],
    [{ limit: '11' }, 'INVALID_RANGE', '/body/limit'],
    [{ limit: '-1' }, 'INVALID_RANGE', '/body/limit'],
    [{ limit: 'NaN' }, 'INVALID_RANGE', '/body/limit'],
    [{ limit: '1.5' }, 'INVALID_RANGE', '/body/limit'],
    [{ at: 'yesterday' }, 'INVALID_DATE', '/body/at'],
    [{ at: null }, 'INVALID_DATE', '/body/at'],
    [{ since: '2026-02-30T00:00:00Z' }, 'INVALID_DATE', '/body/since'],
    [{ cursor: '' }, 'INVALID_CURSOR', '/body/cursor'],
    [{ data: [] }, 'INVALID_TYPE', '/body/data'],
    [{ data: null }, 'INVALID_TYPE', '/body/data'],
    [{ list: [] }, 'EMPTY_ARRAY', '/body/list'],
    [{ list: [{ version: 1 }, { version: 1 }, { version: 1 }] }, 'TOO_LONG', '/body/list'],
    [{ list: [{ version: 1.5 }] }, 'INVALID_RANGE', '/body/list/0/version'],
    [{ list: [{ version: 0 }] }, 'INVALID_RANGE', '/body/list/0/version'],
    [{ list: [{ version: '1' }] }, 'INVALID_TYPE', '/body/list/0/version'],
    [{ list: [{ version: 1, more: 1 }] }, 'UNKNOWN_FIELD', '/body/list/0/more'],
    [{ mode: 'c' }, 'INVALID_FORMAT', '/body/mode'],
    [{ mode: 3 }, 'INVALID_TYPE', '/body/mode'],
    [{ 'a/b~c': 1 }, 'UNKNOWN_FIELD', '/body/a~1b~0c'],
  ] as const)('[api-2] %o is %s at %s', (own, code, pointer) => {
    const found = wrongWith(own)
    expect(found).toEqual([{ code, pointer, message: expect.stringMatching(/^\p{Lu}.*\.$/u) }])
  })

  it('[api-2] are listed together, without any value', () => {
    const found = wrongWith({ purpose: ' ', status: 'heron', limit: 'heron', more: 'heron' })
    expect(found.map(({ pointer }) => pointer)).toEqual(['/body/purpose', '/body/status', '/body/limit', '/body/more'])
    expect(JSON.stringify(found)).not.toContain('heron')
  })
})

describe('JSON that parses but is refused', () => {
  it.each([
    ['{"a":1,"a":2}', ['DUPLICATE_FIELD /body/a']],
    ['{"a":{"b":[0,{"c":1,"c":2}]},"d":1}', ['DUPLICATE_FIELD /body/a/b/1/c']],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":"b","b":"a","c":["a","a"]}', []],
    ['{"a":"\\"a\\":1,{[","b":"}]"}', []],
    ['{"__proto__":1}', ['UNKNOWN_FIELD /body/__proto__']],
    ['{"a":{"\\u005f_proto__":1}}', ['UNKNOWN_FIELD /body/a/__proto__']],
    ['{"a":"x\\u0000y","b\\u0000":1}', ['INVALID_FORMAT /body/a', 'INVALID_FORMAT /body/b\0']],
    ['{"a":["\\ud800"]}', ['INVALID_FORMAT /body/a/0']],
    ['{"a":"\\ud83d\\ude00"}', []],
    ['"text"', []],
    ['{"a":[9007199254740991,-9007199254740991,0,-0,1.5e3,1e300,12345678901234567.5]}', []],
    ['{"a":9007199254740993}', ['INVALID_RANGE /body/a']],
    ['{"a":[0,-9007199254740992,1e999,-1e400]}', ['/1', '/2', '/3'].map((at) => `INVALID_RANGE /body/a${at}`)],
    ['{"a":"9007199254740993","b":1}', []],
  ])('[api-3] in %s is found', (text, expected) => {
    expect(jsonProblems(text).map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(expected)
  })

  it('[api-2] has at most a hundred problems, with short pointers', () => {
    const found = jsonProblems(`{"a~b":{"${'k'.repeat(100_000)}":[${Array(1_000).fill('"\\u0000"').join()}]}}`)
    expect(found.map(({ pointer }) => pointer)).toEqual(Array(100).fill('/body/a~0b'))
    const deep = `${Array.from({ length: 30 }, () => `{"${'k'.repeat(100)}":`).join('')}"\\u0000"${'}'.repeat(30)}`
    expect(jsonProblems(deep).map(({ pointer }) => pointer)).toEqual([`/body${`/${'k'.repeat(100)}`.repeat(4)}`])
  })

  it('[api-3] is read once, however long or deep it is', () => {
    expect(jsonProblems('['.repeat(131_072) + ']'.repeat(131_072)).map(({ code }) => code)).toEqual(['TOO_DEEP'])
    expect(jsonProblems(JSON.stringify({ text: `${'\\"'.repeat(60_000)}${'x'.repeat(100_000)}` }))).toEqual([])
  })
})
