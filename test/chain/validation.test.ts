import { describe, expect, it } from 'vitest'
import type { OperationName } from '../../worker/chain/api/operations.ts'
import type { RequestPart } from '../../worker/http/chain/problems.ts'
import { problemsFound } from './support/problems-found.ts'

interface Wrong {
  readonly what: string
  readonly name: OperationName
  readonly part: RequestPart
  readonly value: Readonly<Record<string, unknown>>
  readonly problem: string
}

const NEW = { purpose: 'Audit', memorySpaceId: 'sales' }
const UPDATES = { status: 'completed' }

/** Requests that the chain refuses, whatever data it stores. */
const WRONG: readonly Wrong[] = [
  ...cases('createContext', [
    ['no purpose', 'body', { ...NEW, purpose: '' }, 'MISSING_REQUIRED_FIELD /body/purpose'],
    ['a purpose of blanks', 'body', { ...NEW, purpose: '   ' }, 'WHITESPACE_ONLY /body/purpose'],
    ['no memory space', 'body', { ...NEW, memorySpaceId: '' }, 'MISSING_REQUIRED_FIELD /body/memorySpaceId'],
    ['a parent that is no id', 'body', { ...NEW, parentId: 'invalid-format' }, 'INVALID_ID /body/parentId'],
    // A new context is always active, so a request cannot set a status, not even a valid one.
    ['a status', 'body', { ...NEW, status: 'pending' }, 'UNKNOWN_FIELD /body/status'],
    [
      'a conversation without its id',
      'body',
      { ...NEW, conversationRef: {} },
      'MISSING_REQUIRED_FIELD /body/conversationRef/conversationId',
    ],
    ['data that is text', 'body', { ...NEW, data: 'not an object' }, 'INVALID_TYPE /body/data'],
  ]),
  ...cases('getContext', [
    ['no context', 'params', {}, 'MISSING_REQUIRED_FIELD /params/context'],
    ['a context that is no id', 'params', { context: 'invalid-id' }, 'INVALID_ID /params/context'],
  ]),
  ...cases('updateContext', [
    ['no context', 'params', {}, 'MISSING_REQUIRED_FIELD /params/context'],
    ['a context that is no id', 'params', { context: 'invalid-id' }, 'INVALID_ID /params/context'],
    ['a status that there is not', 'body', { status: 'done' }, 'INVALID_STATUS /body/status'],
    // The chain itself sets the time of completion.
    ['a time of completion', 'body', { ...UPDATES, completedAt: -1 }, 'UNKNOWN_FIELD /body/completedAt'],
  ]),
  ...cases('deleteContext', [
    ['no context', 'params', {}, 'MISSING_REQUIRED_FIELD /params/context'],
    ['a context that is no id', 'params', { context: 'invalid-id' }, 'INVALID_ID /params/context'],
  ]),
  ...cases('listContexts', [
    ['a depth below 0', 'query', { depth: '-1' }, 'INVALID_RANGE /query/depth'],
    ['a limit of 0', 'query', { limit: '0' }, 'INVALID_RANGE /query/limit'],
    ['a limit over 1000', 'query', { limit: '1001' }, 'INVALID_RANGE /query/limit'],
    ['a status that there is not', 'query', { status: 'pending' }, 'INVALID_STATUS /query/status'],
    ['a parent that is no id', 'query', { parentId: 'invalid-format' }, 'INVALID_ID /query/parentId'],
    ['a root that is no id', 'query', { rootId: 'invalid-format' }, 'INVALID_ID /query/rootId'],
  ]),
  ...cases('countContexts', [
    ['a status that there is not', 'query', { status: 'pending' }, 'INVALID_STATUS /query/status'],
  ]),
  ...cases('getChain', [
    ['no context', 'params', {}, 'MISSING_REQUIRED_FIELD /params/context'],
    ['a context that is no id', 'params', { context: 'invalid-id' }, 'INVALID_ID /params/context'],
  ]),
  ...cases('createPattern', [
    ['a pattern that there is not', 'body', { ...NEW, pattern: 'ring', steps: [NEW] }, 'INVALID_FORMAT /body/pattern'],
    ['no steps', 'body', { ...NEW, pattern: 'sequence', steps: [] }, 'EMPTY_ARRAY /body/steps'],
    [
      'eleven approvals',
      'body',
      { ...NEW, pattern: 'approval', steps: Array.from({ length: 11 }, () => NEW) },
      'TOO_LONG /body/steps',
    ],
  ]),
  ...cases('addParticipant', [
    ['no context', 'params', {}, 'MISSING_REQUIRED_FIELD /params/context'],
    ['a context that is no id', 'params', { context: 'invalid-id' }, 'INVALID_ID /params/context'],
    ['no participant', 'body', { participant: '' }, 'MISSING_REQUIRED_FIELD /body/participant'],
  ]),
  ...cases('removeParticipant', [
    ['no context', 'params', { participant: 'legal' }, 'MISSING_REQUIRED_FIELD /params/context'],
    ['no participant', 'params', { context: 'ctx_1', participant: '' }, 'MISSING_REQUIRED_FIELD /params/participant'],
  ]),
  ...cases('updateContexts', [
    ['a filter of nothing', 'body', { filter: {}, updates: UPDATES }, 'EMPTY_FILTERS /body/filter'],
    ['updates of nothing', 'body', { filter: { memorySpaceId: 'a' }, updates: {} }, 'EMPTY_UPDATES /body/updates'],
    [
      'a status to look for that there is not',
      'body',
      { filter: { status: 'pending' }, updates: { data: {} } },
      'INVALID_STATUS /body/filter/status',
    ],
    [
      'a status to set that there is not',
      'body',
      { filter: { memorySpaceId: 'a' }, updates: { status: 'done' } },
      'INVALID_STATUS /body/updates/status',
    ],
  ]),
  ...cases('deleteContexts', [
    ['a filter of nothing', 'body', { filter: {} }, 'EMPTY_FILTERS /body/filter'],
    // `deleteContexts` has no filter by time, because retention deletes old data.
    [
      'a time of completion',
      'body',
      { filter: { status: 'active', completedBefore: -1 } },
      'UNKNOWN_FIELD /body/filter/completedBefore',
    ],
    ['a status that there is not', 'body', { filter: { status: 'pending' } }, 'INVALID_STATUS /body/filter/status'],
  ]),
  ...cases('exportContexts', [
    // The export is always CSV; the list operation returns JSON.
    ['a format', 'query', { format: 'xml' }, 'UNKNOWN_FIELD /query/format'],
    ['a status that there is not', 'query', { status: 'pending' }, 'INVALID_STATUS /query/status'],
  ]),
  ...cases('listContexts', [
    ['no conversation', 'query', { conversationId: '' }, 'MISSING_REQUIRED_FIELD /query/conversationId'],
    // A tenant chooses its conversation ids freely, but an id must not be blank.
    ['a conversation of blanks', 'query', { conversationId: '  ' }, 'WHITESPACE_ONLY /query/conversationId'],
  ]),
  ...cases('getContext', [
    ['version 0', 'query', { version: '0' }, 'INVALID_RANGE /query/version'],
    ['a version below 0', 'query', { version: '-1' }, 'INVALID_RANGE /query/version'],
    ['half a version', 'query', { version: '1.5' }, 'INVALID_RANGE /query/version'],
    ['a day that there is not', 'query', { at: '2026-02-30T00:00:00Z' }, 'INVALID_DATE /query/at'],
    ['no time', 'query', { at: 'yesterday' }, 'INVALID_DATE /query/at'],
    ['a version and a time', 'query', { version: '1', at: '0' }, 'INVALID_FORMAT /query'],
  ]),
  ...cases('listVersions', [
    ['no context', 'params', {}, 'MISSING_REQUIRED_FIELD /params/context'],
    ['a context that is no id', 'params', { context: 'invalid-id' }, 'INVALID_ID /params/context'],
  ]),
]

describe('invalid requests', () => {
  it.each(WRONG)('$name with $what', ({ name, part, value, problem }) => {
    expect(problemsFound(name, part, value)).toEqual([problem])
  })
})

type Row = readonly [what: string, part: RequestPart, value: Readonly<Record<string, unknown>>, problem: string]

function cases(name: OperationName, rows: readonly Row[]): readonly Wrong[] {
  return rows.map(([what, part, value, problem]) => ({ name, what, part, value, problem }))
}
