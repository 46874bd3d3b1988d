import type { Request, SelectionRequest } from '../walk/event.ts'
import {
  answerSchema,
  answerSection,
  behaviorSection,
  historySection,
  indexBelow,
  learnerSection,
  mindSection,
  oneOf,
  orNull,
  saidSection,
  standingSection,
  type TaskMatter,
  TEXT,
  TEXTS,
  whereSection,
} from './task-sections.ts'
import { includedContext, list, oneLine, quoted, section } from './prompt-text.ts'
import { boundaryText } from './node-block.ts'
import type { AnswerSchema } from './task.ts'
import { MAX_QUERIES, MAX_QUERY_CHARACTERS } from '../reply/read-answer.ts'

/**
 * Builds the task that selects an action or an exit of a state; in a decision, an exit. Actions and exits are each
 * numbered from 0, and the model answers with a number.
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

/**
 * Builds the task that matches the learner's message with a behavior, if any behavior applies. The message's meaning
 * counts, not its wording.
 */
export function behaviorTask(
  request: Extract<Request, { type: 'behavior-request' }>,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const ids = request.offered.map(({ id }) => id)
  const user = [
    section('WHAT TO DO', MATCH),
    whereSection(matter),
    section('BEHAVIORS', request.offered.map((offer) => offered(offer, request.active)).join('\n')),
    historySection(matter),
    mindSection(matter),
    learnerSection(matter),
    answerSection('{"behavior": "the id, as it is written above"}, or {"behavior": null} when none applies.'),
  ].join('\n\n')
  return { user, answer: answerSchema('behavior', { behavior: orNull(oneOf(ids)) }) }
}

const MATCH =
  'Say which behavior applies now. Each tells what a conversation is about when it does; go by the meaning of what they said, not by its words. At most one, and most often none. The one in force stays as long as they are still on its subject.'

function offered({ id, triggers }: { id: string; triggers: readonly string[] }, active: string | null): string {
  const head = `- "${id}"${id === active ? ' (in force)' : ''}, when it is about:`
  return [head, ...triggers.map((trigger) => `    • ${oneLine(trigger)}`)].join('\n')
}

/**
 * Builds the task that writes memory queries. If the author of a recall node wrote the queries, the walker does not
 * request this task.
 */
export function recallTask(
  request: Extract<Request, { type: 'recall-request' }>,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const user = [
    section('WHAT TO DO', WRITE),
    section('WHAT YOU WANT TO KNOW', oneLine(request.requested ?? ANYTHING)),
    section('ASKED BEFORE (asking again finds the same)', list(request.performed.map(quoted), '- (nothing)')),
    whereSection(matter),
    behaviorSection(matter),
    historySection(matter),
    mindSection(matter),
    learnerSection(matter),
    answerSection(
      `{"queries": ["…", "…"]}; at most ${MAX_QUERIES}, each a short phrase of at most ${MAX_QUERY_CHARACTERS} characters; {"queries": []} when there is nothing worth asking.`,
    ),
  ].join('\n\n')
  return { user, answer: answerSchema('queries', { queries: TEXTS }) }
}

const WRITE =
  'Write the queries by which to look through what is remembered of this person. Each is one thing, in the words in which it would have been said then. Name people and things; "it" finds nothing.'
const ANYTHING = 'Whatever from earlier conversations bears on what they are saying now.'

/** Builds the task that writes a note for the turns to come. The note has conclusions only, not the reasoning. */
export function reflectionTask(
  request: Extract<Request, { type: 'reflection-request' }>,
  matter: TaskMatter,
): { readonly user: string; readonly answer: AnswerSchema } {
  const { knowledge, document } = matter.scene.npc
  const user = [
    section('WHAT TO DO', CONCLUDE),
    section('THE QUESTION', oneLine(request.problem)),
    whereSection(matter),
    behaviorSection(matter),
    section('WHAT YOU KNOW', list(knowledge)),
    ...(document ? [section('YOUR DOCUMENT', `${document.title}\n${list(document.lines)}`)] : []),
    historySection(matter),
    saidSection(matter),
    mindSection(matter),
    standingSection(matter),
    learnerSection(matter),
    answerSection(`{"reflection": "…"}; at most ${request.wordLimit} words.`),
  ].join('\n\n')
  return { user, answer: answerSchema('reflection', { reflection: TEXT }) }
}

const CONCLUDE =
  'Take a note for yourself that will guide you from here. Write down what you conclude: what fits together and what does not, what they left out, what that means for your next step. Only conclusions, in whole sentences; no steps of reasoning, no retelling, no plan for the whole conversation.'
