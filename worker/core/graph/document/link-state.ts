import type { Speaker } from './bind-content.ts'
import { bindContent } from './bind-content.ts'
import {
  type ActionDocument,
  type DwellDocument,
  type ExitDocument,
  type StateDocument,
  type TargetDocument,
  injectedGuidelines,
} from './document.ts'
import type { Exit, GuardedExit, BoundContent, GraphNode, Overlay } from '../graph.ts'
import type { LinkScope } from './link-scope.ts'
import { guardIn, nodeIdIn, ownNameIn, targetIn } from './link-scope.ts'

/** A state as a node of the linked graph. */
export function linkState(state: StateDocument, scope: LinkScope, speaker: Speaker | null): GraphNode {
  const base = { id: nodeIdIn(scope, state.name), module: scope.module }
  switch (state.type) {
    case 'action':
      return linkAction(state, scope, speaker)
    case 'decision': {
      const { objective, guidelines, exits } = state
      return { ...base, kind: 'decide', intent: objective, guidelines, exits: linkExits(exits, scope) }
    }
    case 'recall': {
      const { queries, requestedInformation: requested } = state
      return { ...base, kind: 'recall', intent: requested ?? '', queries, requested, exits: onwards(state, scope) }
    }
    case 'reflection': {
      const { problem, wordLimit } = state
      return { ...base, kind: 'reflect', intent: problem, problem, wordLimit, exits: onwards(state, scope) }
    }
    case 'annotation': {
      const { innerThought: thought } = state
      return { ...base, kind: 'annotate', intent: thought, thought, exits: onwards(state, scope) }
    }
    case 'side-effect':
      return { ...base, kind: 'effect', intent: '', sideEffect: state.sideEffect, exits: onwards(state, scope) }
  }
}

/** A state without rules of its own stays until a way out is chosen. */
const OPEN_DWELL: DwellDocument = { minTurns: 0, maxTurns: null, isGate: false, selfLoop: true }

/** The last state has its say, once, and that is the end; in a called graph that is where the call returns. */
const LAST_DWELL: DwellDocument = { minTurns: 1, maxTurns: 1, isGate: false, selfLoop: false }
const END: GuardedExit = { id: 'end', by: 'guard', when: null, to: null, returnTo: null }

function linkAction(state: ActionDocument, scope: LinkScope, speaker: Speaker | null): GraphNode {
  const isTerminal = state.name === scope.document.terminalState
  const { content, pivot } = contentOf(state, scope, speaker)
  const base = {
    id: nodeIdIn(scope, state.name),
    module: scope.module,
    intent: state.objective,
    exits: isTerminal ? [END] : linkExits(state.exits, scope),
    satisfyWhen: state.satisfyWhen,
    content,
    ...(isTerminal ? LAST_DWELL : (state.dwell ?? OPEN_DWELL)),
    overlay: overlayOf(state, scope, speaker),
    actions: state.actions,
    guidelines: injectedGuidelines(scope.document, state),
    contexts: state.includedContexts,
    messageMetadata: state.messageMetadata,
  }
  return pivot && !isTerminal ? { ...base, kind: 'pivot', pivot } : { ...base, kind: 'speak' }
}

/** A fork comes from the state itself, or by name from the colleague. Its question is content, as in a backbone. */
function contentOf({ contentSource, pivot }: ActionDocument, { document }: LinkScope, speaker: Speaker | null) {
  const bound = contentSource === null ? null : bindContent(contentSource, document, speaker)
  const asked: readonly BoundContent[] = pivot ? [{ source: `pivots[${pivot.id}]`, lines: [pivot.question] }] : []
  return { content: [...(bound?.content ?? []), ...asked], pivot: pivot ?? bound?.pivot ?? null }
}

function overlayOf({ overlay }: ActionDocument, scope: LinkScope, speaker: Speaker | null): Overlay | null {
  if (!overlay) return null
  const [first, ...rest] = bindContent(overlay.contentSource, scope.document, speaker).content
  if (!first) return null
  const content = { source: first.source, lines: [first, ...rest].flatMap(({ lines }) => lines) }
  return { id: ownNameIn(scope, overlay.id), content, when: guardIn(scope, overlay.when) }
}

function linkExits(exits: readonly ExitDocument[], scope: LinkScope): readonly Exit[] {
  return exits.map((exit, index): Exit => {
    const base = { id: `exit-${index + 1}`, ...targetIn(scope, exit.nextState) }
    if (exit.isGuarded) return { ...base, by: 'guard', when: exit.when && guardIn(scope, exit.when) }
    return { ...base, by: 'choice', description: exit.description, isSafety: exit.isSafety }
  })
}

function onwards({ nextStates }: { nextStates: readonly TargetDocument[] }, scope: LinkScope): readonly GuardedExit[] {
  return nextStates.map((target) => ({ id: 'next', by: 'guard', when: null, ...targetIn(scope, target) }))
}
