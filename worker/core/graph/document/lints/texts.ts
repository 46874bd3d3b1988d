import type { GraphDocument, StateDocument } from '../document.ts'
import type { Guidelines } from '../../graph.ts'
import { pointerTo } from '../../finding.ts'
import { atState } from './subject.ts'

/** A text that the author wrote, and its JSON pointer. */
export interface PlacedText {
  readonly at: string
  readonly text: string
  /** True if the pointer leads to a plain text; false if it may lead to an object that contains the text. */
  readonly isPlain: boolean
}

/** Returns every text that goes into a prompt: all but state names, labels for the log and data for side effects. */
export function promptTexts(document: GraphDocument): readonly PlacedText[] {
  return [
    plain(pointerTo('name'), document.name),
    plain(pointerTo('description'), document.description),
    ...document.states.flatMap(textsOfState),
    ...plains(pointerTo('global_intra_state_navigation_guidelines'), document.globalNavigationGuidelines),
    ...plains(pointerTo('global_action_guidelines'), document.globalActionGuidelines),
    ...boundaries(pointerTo('global_boundary_constraints'), document.globalBoundaryConstraints),
    ...document.behaviors.flatMap(({ triggers, guidelines }, index) => [
      ...plains(pointerTo('behaviors', index, 'conversation_triggers'), triggers),
      ...plains(pointerTo('behaviors', index, 'navigation_guidelines'), guidelines.navigation),
      ...plains(pointerTo('behaviors', index, 'action_guidelines'), guidelines.action),
      ...boundaries(pointerTo('behaviors', index, 'boundary_constraints'), guidelines.boundary),
    ]),
    ...contentTexts(document),
  ]
}

/** Returns the texts of the document's `content`. */
export function contentTexts({ content }: GraphDocument): readonly PlacedText[] {
  return Object.entries(content).flatMap(([name, lines]) => plains(pointerTo('content', name), lines))
}

/**
 * Returns the texts that a colleague says word for word: the texts of `content` except `content.document`, and the
 * texts of forks.
 */
export function spokenTexts(document: GraphDocument): readonly PlacedText[] {
  const record = pointerTo('content', 'document')
  return [
    ...contentTexts(document).filter(({ at }) => !at.startsWith(`${record}/`)),
    ...document.states.flatMap(textsOfFork),
  ]
}

function textsOfState(state: StateDocument): readonly PlacedText[] {
  const at = (...keys: readonly (string | number)[]) => atState(state, ...keys)
  switch (state.type) {
    case 'action':
      return [
        plain(at('objective'), state.objective),
        ...plains(at('actions'), state.actions),
        ...plains(at('intra_state_navigation_guidelines'), state.navigationGuidelines),
        ...plains(at('action_guidelines'), state.actionGuidelines),
        ...boundaries(at('boundary_constraints'), state.boundaryConstraints),
        ...textsOfExits(state),
        ...plains(at('included_contexts'), state.includedContexts),
        ...(state.satisfyWhen === null ? [] : [plain(at('satisfy_when'), state.satisfyWhen)]),
        ...textsOfFork(state),
      ]
    case 'decision':
      return [
        plain(at('objective'), state.objective),
        ...plains(at('decision_guidelines'), state.guidelines),
        ...textsOfExits(state),
      ]
    case 'recall':
      return [
        ...plains(at('queries'), state.queries ?? []),
        ...(state.requestedInformation === null
          ? []
          : [plain(at('requested_information'), state.requestedInformation)]),
      ]
    case 'reflection':
      return [plain(at('problem'), state.problem)]
    case 'annotation':
      return [plain(at('inner_thought'), state.innerThought)]
    case 'side-effect':
      return []
  }
}

function textsOfExits(state: Extract<StateDocument, { exits: unknown }>): readonly PlacedText[] {
  return state.exits.map(({ description }, index) =>
    plain(atState(state, 'exit_conditions', index, 'description'), description),
  )
}

function textsOfFork(state: StateDocument): readonly PlacedText[] {
  if (state.type !== 'action' || state.pivot === null) return []
  const at = (...keys: readonly (string | number)[]) => atState(state, 'pivot', ...keys)
  return [
    plain(at('question'), state.pivot.question),
    ...state.pivot.choices.flatMap(({ text, reaction, effect }, index) => [
      plain(at('choices', index, 'text'), text),
      plain(at('choices', index, 'reaction'), reaction),
      plain(at('choices', index, 'effect'), effect),
    ]),
  ]
}

function plain(at: string, text: string): PlacedText {
  return { at, text, isPlain: true }
}

function plains(at: string, texts: readonly string[]): readonly PlacedText[] {
  return texts.map((text, index) => plain(at + pointerTo(index), text))
}

/** Returns the texts of boundaries. In the file, a boundary is a text or an object with a text. */
function boundaries(at: string, list: Guidelines['boundary']): readonly PlacedText[] {
  return list.map(({ text }, index) => ({ at: at + pointerTo(index), text, isPlain: false }))
}
