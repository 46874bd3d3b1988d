import * as fc from 'fast-check'
import type {
  ExitDocument,
  GraphDocument,
  StateDocument,
  TargetDocument,
} from '../../worker/core/graph/document/document.ts'

/** Returns a minimal graph document with the given fields. */
export function documentOf(part: Partial<GraphDocument>): GraphDocument {
  return {
    id: 'sample',
    version: 1,
    name: 'Sample',
    description: '',
    states: [],
    newUserInitialState: 'greet',
    returningUserInitialState: 'greet',
    terminalState: 'close',
    references: {},
    globalNavigationGuidelines: [],
    globalActionGuidelines: [],
    globalBoundaryConstraints: [],
    topologyDescription: null,
    behaviors: [],
    content: {},
    limits: { stall: 20, exchanges: 80 },
    speaksAtReturn: false,
    allowsRecursion: false,
    migrations: [],
    ...part,
  }
}

export function actionOf(name: string, exits: readonly ExitDocument[] = []): StateDocument {
  return {
    type: 'action',
    name,
    objective: `Do ${name}`,
    actions: ['Say something'],
    navigationGuidelines: [],
    actionGuidelines: [],
    boundaryConstraints: [],
    exits,
    includedContexts: [],
    messageMetadata: [],
    dwell: null,
    satisfyWhen: null,
    contentSource: null,
    overlay: null,
    pivot: null,
  }
}

export function decisionOf(name: string, exits: readonly ExitDocument[]): StateDocument {
  return { type: 'decision', name, objective: `Decide ${name}`, guidelines: [], exits }
}

export type SilentType = 'recall' | 'reflection' | 'annotation' | 'side-effect'

export function silentOf(type: SilentType, name: string, nextStates: readonly TargetDocument[]): StateDocument {
  switch (type) {
    case 'recall':
      return { type, name, queries: ['what was said'], requestedInformation: null, nextStates }
    case 'reflection':
      return { type, name, problem: 'what it means', wordLimit: 40, nextStates }
    case 'annotation':
      return { type, name, innerThought: 'here we are', nextStates }
    case 'side-effect':
      return { type, name, sideEffect: { type: 'emit-event', event: 'seen', data: {} }, nextStates }
  }
}

export function exitOf(description: string, nextState: TargetDocument): ExitDocument {
  return { description, nextState, isSafety: false, when: null, isGuarded: false }
}

/** The graph that generated documents call under the name `other`. It has a state of every kind. */
export const OTHER: GraphDocument = documentOf({
  id: 'elsewhere',
  version: 3,
  states: [
    actionOf('greet'),
    decisionOf('choose', []),
    silentOf('recall', 'recall', ['close']),
    silentOf('annotation', 'mark', ['close']),
    actionOf('close'),
  ],
})

/**
 * Generates every kind of document that the parser accepts. Many of their graphs are invalid: some have exits to states
 * that do not exist, silent states with no exit or with two, end states with exits, or conditions with any text.
 */
export const anyDocument: fc.Arbitrary<GraphDocument> = fc
  .uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/), { minLength: 1, maxLength: 7 })
  .chain((names) => {
    const anyName = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: fc.constant('ghost') },
    )
    const states = names.map((name) => anyState(name, anyTarget(anyName)))
    return fc.record({ states: fc.tuple(...states), first: anyName, again: anyName, last: anyName })
  })
  .map(({ states, first, again, last }) =>
    documentOf({
      states,
      newUserInitialState: first,
      returningUserInitialState: again,
      terminalState: last,
      references: { other: { id: OTHER.id, version: OTHER.version } },
    }),
  )

/**
 * Generates conditions. Some are written as authors write them. Others contain characters with a special meaning in a
 * notation for graphs, such as Mermaid.
 */
export const anyCondition: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        '\\',
        '->',
        '→',
        '[A]',
        '[returns to x]',
        'END',
        '...',
        '\n',
        ' ',
        '"',
        '|',
        '`',
        '#',
        ';',
        '%%',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.lorem({ maxCount: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(' '))

function anyTarget(anyName: fc.Arbitrary<string>): fc.Arbitrary<TargetDocument> {
  const called = fc.constantFrom('greet', 'choose', 'recall', 'mark', 'close').map((state) => `other.${state}`)
  const call = fc.record({ call: called, returnTo: anyName })
  return fc.oneof({ weight: 4, arbitrary: anyName }, { weight: 1, arbitrary: call })
}

function anyState(name: string, target: fc.Arbitrary<TargetDocument>): fc.Arbitrary<StateDocument> {
  const exits = fc.array(
    fc.tuple(anyCondition, target).map(([text, to]) => exitOf(text, to)),
    { maxLength: 4 },
  )
  const silent = fc.constantFrom<SilentType>('recall', 'reflection', 'annotation', 'side-effect')
  return fc.oneof(
    exits.map((some) => actionOf(name, some)),
    exits.map((some) => decisionOf(name, some)),
    fc.tuple(silent, fc.array(target, { maxLength: 2 })).map(([type, next]) => silentOf(type, name, next)),
  )
}
