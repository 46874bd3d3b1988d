import type {
  ActionDocument,
  ExitDocument,
  GraphDocument,
  StateDocument,
  TargetDocument,
} from '../../worker/core/graph/document/document.ts'
import type { Guard, Boundary } from '../../worker/core/graph/graph.ts'

/**
 * Returns a graph document in the notation in which authors write, with every key. If the parser reads this, the result
 * must be equal to the given document.
 */
export function spellGraph(document: GraphDocument, form: 'map' | 'list' = 'map'): Record<string, unknown> {
  const states = document.states.map((state) => [state.name, spellState(state)] as const)
  return {
    service_hierarchical_state_machine_id: document.id,
    version: document.version,
    name: document.name,
    description: document.description,
    states: form === 'map' ? Object.fromEntries(states) : states.map(([name, state]) => ({ name, ...state })),
    new_user_initial_state: document.newUserInitialState,
    returning_user_initial_state: document.returningUserInitialState,
    terminal_state: document.terminalState,
    references: Object.fromEntries(
      Object.entries(document.references).map(([name, { id, version }]) => [name, [id, version]]),
    ),
    global_intra_state_navigation_guidelines: document.globalNavigationGuidelines,
    global_action_guidelines: document.globalActionGuidelines,
    global_boundary_constraints: document.globalBoundaryConstraints.map(spellBoundary),
    topology_description: document.topologyDescription,
    behaviors: document.behaviors.map(({ id, version, triggers, mode, guidelines }) => ({
      id,
      version,
      conversation_triggers: triggers,
      mode,
      navigation_guidelines: guidelines.navigation,
      action_guidelines: guidelines.action,
      boundary_constraints: guidelines.boundary.map(spellBoundary),
    })),
    content: document.content,
    limits: document.limits,
    speaks_at_return: document.speaksAtReturn,
    allows_recursion: document.allowsRecursion,
    migrations: document.migrations.map(({ from, nodes, unknown }) => ({ from, states: nodes, unknown })),
  }
}

function spellState(state: StateDocument): Record<string, unknown> {
  switch (state.type) {
    case 'action':
      return spellAction(state)
    case 'decision':
      return {
        type: state.type,
        objective: state.objective,
        decision_guidelines: state.guidelines,
        exit_conditions: state.exits.map(spellExit),
      }
    case 'recall':
      return {
        type: state.type,
        queries: state.queries,
        requested_information: state.requestedInformation,
        next_state: spellNext(state.nextStates),
      }
    case 'reflection':
      return {
        type: state.type,
        problem: state.problem,
        word_limit: state.wordLimit,
        next_state: spellNext(state.nextStates),
      }
    case 'annotation':
      return { type: state.type, inner_thought: state.innerThought, next_state: spellNext(state.nextStates) }
    case 'side-effect':
      return { type: state.type, side_effect: state.sideEffect, next_state: spellNext(state.nextStates) }
  }
}

function spellAction(state: ActionDocument): Record<string, unknown> {
  const { dwell, overlay } = state
  return {
    type: state.type,
    objective: state.objective,
    actions: state.actions,
    intra_state_navigation_guidelines: state.navigationGuidelines,
    action_guidelines: state.actionGuidelines,
    boundary_constraints: state.boundaryConstraints.map(spellBoundary),
    exit_conditions: state.exits.map(spellExit),
    included_contexts: state.includedContexts,
    message_metadata: state.messageMetadata,
    dwell: dwell && { min: dwell.minTurns, max: dwell.maxTurns, gate: dwell.isGate, self_loop: dwell.selfLoop },
    satisfy_when: state.satisfyWhen,
    content_source: state.contentSource,
    overlay: overlay && { id: overlay.id, content_source: overlay.contentSource, when: spellGuard(overlay.when) },
    pivot: state.pivot,
  }
}

function spellExit({ description, nextState, isSafety, when, isGuarded }: ExitDocument): Record<string, unknown> {
  return {
    description,
    next_state: spellTarget(nextState),
    safety: isSafety,
    when: when && spellGuard(when),
    guarded: isGuarded,
  }
}

function spellTarget(target: TargetDocument): unknown {
  return typeof target === 'string' ? target : [target.call, target.returnTo]
}

function spellNext(targets: readonly TargetDocument[]): unknown {
  const [only, ...rest] = targets
  if (only === undefined) return null
  return rest.length === 0 ? spellTarget(only) : targets
}

function spellGuard(guard: Guard): unknown {
  if ('relationship' in guard) return { relationship: guard.relationship.atLeast }
  if ('all' in guard) return { all: guard.all.map(spellGuard) }
  if ('any' in guard) return { any: guard.any.map(spellGuard) }
  if ('not' in guard) return { not: spellGuard(guard.not) }
  return guard
}

function spellBoundary({ text, isHard }: Boundary): unknown {
  return isHard ? { text, hard: true } : text
}
