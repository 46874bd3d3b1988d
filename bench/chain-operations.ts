/** Conversations that hand over events, some of them together. */
export interface EventLoad {
  readonly conversations: number
  readonly events: number
  readonly together: number
}

/** A call of an operation of the chain's API. */
export interface Asked {
  readonly operation: string
  readonly input: unknown
}

/** What a call cost, in milliseconds, in rows of D1 read and written and in calls to D1, with its answer. */
export interface Measured {
  readonly ms: number
  readonly rows: number
  readonly written: number
  readonly calls: number
  readonly answer: unknown
}

/** A case to measure: the calls that prepare the data, the call to measure, and the calls that undo the changes. */
export interface Case {
  readonly name: string
  readonly before?: readonly Asked[]
  readonly ask: Asked
  readonly after?: readonly Asked[]
  /**
   * The number of rows after which the operation ends a page, whatever the table's size. A case that reads at most this
   * many passes, even if the small database needs far fewer.
   */
  readonly most?: number
  /**
   * Whether the operation is meant to read all of the tenant's contexts. The benchmark then reports the rows but does
   * not judge them.
   */
  readonly grows?: boolean
}

/**
 * Returns at least one case for every operation of the API.
 *
 * @param n the number of the workflow that the calls are about, which has to be a wide one (see `plantWorkflows`)
 * @param run a number that differs in each run, for the ids of the contexts and memories that the calls create
 */
export function casesAbout(n: number, run: number): readonly Case[] {
  const root = `ctx_${n}_0`
  const leaf = `ctx_${n}_7`
  const context = `ctx_${n}_1`
  const deepest = `ctx_${n + 3 - (n % 4)}_10`
  const at = 1_700_000_000_000 + n * 1_000
  const paging = { limit: 100 }
  const made = `ctx_made_${run}`
  const create = (id: string, own: object = {}): Asked => ({
    operation: 'createContext',
    input: {
      id,
      purpose: 'something new',
      memorySpaceId: 'everybody',
      data: {},
      autoComplete: 'never',
      underTerminal: false,
      ...own,
    },
  })
  const remove = (id: string): Asked => ({ operation: 'deleteContext', input: { context: id, mode: 'cascade' } })
  const ask = (operation: string, input: object): Asked => ({ operation, input })
  const read = (name: string, input: object): Case => ({ name, ask: ask(name.split(',')[0] ?? name, input) })
  const child = [create(made), create(`${made}_1`, { parentId: made })]
  const lists: readonly [string, object][] = [
    ['all', {}],
    ['from the middle on', { createdAfter: at }],
    ['of a large space', { memorySpaceId: 'everybody' }],
    ['of a large space and a status', { memorySpaceId: 'everybody', status: 'completed' }],
    ['of a team', { memorySpaceId: `team-${Math.floor(n / 10)}-1` }],
    ['of a status', { status: 'blocked' }],
    ['of a depth', { depth: 1 }],
    ['leaves', { leaf: true }],
    ['leaves of a depth and a status', { leaf: true, depth: 2, status: 'active' }],
    ['of a person', { userId: `person-${n}` }],
    ['of a workflow', { rootId: root }],
    ['of a conversation', { conversationId: `talk-${n}` }],
  ]
  const steps = [1, 2].map((step) => ({ purpose: `step ${step}`, memorySpaceId: 'everybody', data: {} }))
  const pattern = {
    purpose: 'a pattern',
    memorySpaceId: 'everybody',
    userId: `maker-${run}`,
    data: {},
    autoComplete: 'never',
  }
  const unmake: Asked = ask('deleteContexts', { filter: { userId: `maker-${run}` }, mode: 'cascade', limit: 100 })
  return [
    ...lists.flatMap(([name, filter]) => [
      read(`listContexts, ${name}`, { ...filter, order: 'oldest', limit: name.endsWith('and a status') ? 20 : 100 }),
      ...(name === 'from the middle on' ? [] : [read(`countContexts, ${name}`, filter)]),
    ]),
    {
      name: 'listContexts, where nothing fits',
      ask: ask('listContexts', { createdAfter: 0, depth: 9, leaf: true, order: 'oldest', ...paging }),
      most: 6_010,
    },
    read('listContexts, newest', { order: 'newest', ...paging }),
    read('countContexts, of two seconds', { createdAfter: at, createdBefore: at + 2_000 }),
    read('listContexts, completed', { completedAfter: 0, order: 'oldest', ...paging }),
    read('countContexts, completed in two seconds', { completedAfter: at, completedBefore: at + 2_000 }),
    { name: 'countContexts, from the middle on', ask: ask('countContexts', { createdAfter: at }), most: 2_001 },
    { name: 'countContexts, completed', ask: ask('countContexts', { completedAfter: 0 }), most: 2_001 },
    {
      name: 'countContexts, where nothing fits',
      ask: ask('countContexts', { createdAfter: 0, depth: 9, leaf: true }),
      most: 4_002,
    },
    read('listContexts, by a rare word', { q: `case${n}`, ...paging }),
    read('listContexts, by a word of all', { q: 'step', ...paging }),
    read('listContexts, with history', { history: true, ...paging }),
    read('exportContexts', { history: false, ...paging }),
    read('verifyIntegrity, orphans', { kind: 'orphan', ...paging }),
    read('verifyIntegrity', { limit: 100 }),
    read('getContext', { context: leaf, children: true, inherited: true }),
    read('getConversation', { context: root }),
    read('getChain, of a root', { context: root, limit: 100 }),
    read('getChain, of the deepest', { context: deepest, limit: 100 }),
    read('listContexts, children', { parentId: root, ...paging }),
    read('listContexts, everything under', { ancestorId: root, ...paging }),
    read('listVersions', { context: `ctx_${n}_3`, ...paging }),
    read('getContext, at a version', { context: `ctx_${n}_3`, version: 1 }),
    read('getContext, at a time', { context: `ctx_${n}_3`, at: at + 500 }),
    read('listContexts, of a workflow at a time', { rootId: root, at: at + 500, ...paging }),
    { name: 'createContext, a root', ask: create(made), after: [remove(made)] },
    { name: 'createContext, a child', ask: create(made, { parentId: context }), after: [remove(made)] },
    ...['sequence', 'approval', 'parallel'].map((kind) => ({
      name: `createPattern, ${kind}`,
      ask: ask('createPattern', { ...pattern, pattern: kind, steps }),
      after: [unmake],
    })),
    {
      name: 'updateContext',
      before: [create(made)],
      ask: ask('updateContext', { context: made, status: 'blocked', data: { a: 1 } }),
      after: [remove(made)],
    },
    {
      name: 'updateContexts',
      ask: ask('updateContexts', { filter: { rootId: root }, updates: { data: { run } }, limit: 100 }),
    },
    {
      name: 'updateContext, completing what is above',
      before: [create(made, { autoComplete: 'all-completed' }), create(`${made}_1`, { parentId: made })],
      ask: ask('updateContext', { context: `${made}_1`, status: 'completed' }),
      after: [remove(made)],
    },
    {
      name: 'addParticipant',
      before: child,
      ask: ask('addParticipant', { context: `${made}_1`, participant: 'legal' }),
      after: [remove(made)],
    },
    {
      name: 'removeParticipant',
      before: [...child, ask('addParticipant', { context: `${made}_1`, participant: 'legal' })],
      ask: ask('removeParticipant', { context: made, participant: 'legal' }),
      after: [remove(made)],
    },
    { name: 'deleteContext', before: child, ask: remove(made) },
    {
      name: 'deleteContext, leaving its children as roots',
      before: child,
      ask: ask('deleteContext', { context: made, mode: 'orphan-to-root' }),
      after: [remove(`${made}_1`)],
    },
    {
      name: 'deleteContexts',
      before: [ask('createPattern', { ...pattern, pattern: 'parallel', steps })],
      ask: unmake,
    },
    read('repairOrphans', { mode: 'promote' }),
    read('listMemories, of a workflow', { rootId: root, ...paging }),
    read('listMemories', paging),
    read('getMemory', { memory: `mem_${n}_0` }),
    read('listMemories, by words of a person', { q: `case${n}`, userId: `person-${n}`, limit: 20 }),
    read('listMemories, by a rare word', { q: `case${n}`, limit: 20 }),
    {
      name: 'storeMemory',
      ask: ask('storeMemory', {
        id: `mem_made_${run}`,
        memorySpaceId: 'everybody',
        content: 'something to remember',
        kind: 'note',
        importance: 50,
        contextId: context,
        metadata: {},
      }),
      after: [ask('deleteMemory', { memory: `mem_made_${run}` })],
    },
    {
      name: 'deleteMemory',
      before: [
        ask('storeMemory', {
          id: `mem_made_${run}`,
          memorySpaceId: 'everybody',
          content: 'something to forget',
          kind: 'note',
          importance: 50,
          metadata: {},
        }),
      ],
      ask: ask('deleteMemory', { memory: `mem_made_${run}` }),
    },
    {
      name: 'putFact',
      ask: ask('putFact', { user: `maker-${run}`, key: 'likes', value: 'tea', source: 'bench', confidence: 1 }),
    },
    read('listFacts', { user: `person-${n}`, ...paging }),
    { name: 'deleteFact', ask: ask('deleteFact', { user: `maker-${run}`, key: 'likes' }) },
    read('getPerson', { user: `person-${n}` }),
    read('exportPerson', { user: `person-${n}` }),
    ...(['preserve', 'subtree'] as const).map((mode) => ({
      name: `erasePerson, a dry run, ${mode}`,
      ask: ask('erasePerson', { user: `person-${n}`, dryRun: true, mode }),
      grows: true,
    })),
    { name: 'erasePerson', ask: ask('erasePerson', { user: `leaver-${run}`, dryRun: false, mode: 'preserve' }) },
    read('getErasure', { erasure: `era_${n}` }),
  ]
}
