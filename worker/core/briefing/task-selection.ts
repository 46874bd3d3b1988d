import type { SelectionRequest } from '../walk/event.ts'
import { answerSchema, indexBelow, orNull } from './answer-schema.ts'
import { includedContext } from './included-context.ts'
import { list, oneLine, section } from './prompt-text.ts'
import { boundaryText } from './state-block.ts'
import type { AnswerSchema } from './task.ts'
import type { TaskMatter } from './task-sections.ts'
import {
  answerSection,
  behaviorSection,
  historySection,
  learnerSection,
  mindSection,
  saidSection,
  standingSection,
  whereSection,
} from './task-sections.ts'

/**
 * The first phase of a state: which action is done, or which exit is taken; in a decision, which exit. Each is
 * numbered from 0, and that number is the answer.
 */
export function selectionTask(
  request: SelectionRequest,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const { node, actions, exits } = request
  const { scenario, npc } = matter.scene
  const contexts = includedContext(node.state?.contexts ?? [], scenario, npc)
  const guidelines = node.state?.guidelines
  const user = [
    ...(request.isRetry ? [section('ONCE MORE', RETRY)] : []),
    section('WHAT TO DO', actions.length === 0 ? DECIDE : SELECT),
    whereSection(matter),
    behaviorSection(matter),
    historySection(matter),
    saidSection(matter),
    mindSection(matter),
    standingSection(matter),
    ...(contexts.length === 0 ? [] : [section('WHAT ELSE BELONGS HERE', list(contexts))]),
    section('WHAT THIS STATE IS FOR', oneLine(node.intent)),
    ...(actions.length === 0 ? [] : [section('ACTIONS', actionsText(request))]),
    ...(exits.length === 0 ? [] : [section('EXITS', exitsText(exits, matter))]),
    section('HOW TO CHOOSE', list((guidelines?.navigation ?? []).map(oneLine), ORDER)),
    ...(guidelines && guidelines.boundary.length > 0
      ? [section('BOUNDARIES', list(guidelines.boundary.map(boundaryText)))]
      : []),
    learnerSection(matter),
    answerSection(form(actions.length, exits.length)),
  ].join('\n\n')
  return { user, answer: schema(actions.length, exits.length) }
}

const SELECT =
  'Choose what you do next: stay and do one of the actions, or leave by one of the exits. Leave only when what an exit says has clearly come true in what they said; neither sooner, because it will, nor later. Do not do again what was done unless they need it.'
const DECIDE =
  'Choose the way on: the one exit whose description fits best what you know by now. You cannot stay. Where none fits, take the one for everything else.'
const RETRY =
  'Your last answer was none of what is offered. Use the numbers below, and the form at the end, to the letter.'
const ORDER = '- The actions are in the order in which they usually come.'

function actionsText({ actions, node }: SelectionRequest): string {
  const engaged = node.state?.engaged ?? []
  return actions
    .map((text, index) => `${index}. ${oneLine(text)}${engaged.includes(index) ? ' (done here)' : ''}`)
    .join('\n')
}

function exitsText(exits: readonly string[], { scene }: TaskMatter): string {
  const isSafety = (text: string) => scene.safetyExits.includes(text)
  return exits
    .map((text, index) => `${index}. ${oneLine(text)}${isSafety(text) ? ' (a way out, for emergencies)' : ''}`)
    .join('\n')
}

function form(actions: number, exits: number): string {
  const forAction = exits === 0 ? '{"action": 0}' : '{"action": 0, "exit": null}'
  const forExit = actions === 0 ? '{"exit": 0}' : '{"action": null, "exit": 0}'
  const forms = [
    ...(actions === 0 ? [] : [`${forAction} for an action`]),
    ...(exits === 0 ? [] : [`${forExit} for an exit`]),
  ]
  return `${forms.join(', or ')}; in place of 0 the number in front of it.`
}

function schema(actions: number, exits: number): AnswerSchema {
  if (actions === 0) return answerSchema('selection', { exit: indexBelow(exits) })
  if (exits === 0) return answerSchema('selection', { action: indexBelow(actions) })
  return answerSchema('selection', { action: orNull(indexBelow(actions)), exit: orNull(indexBelow(exits)) })
}
