import type { PivotContent } from '../scenario/scenario.ts'
import type { Density, LeavingBrief, NodeAhead, NodeBrief, StateBrief } from './briefing.ts'
import { type Boundary, waitsForQuestion } from '../graph/graph.ts'
import { oneLine, thoughtText } from './prompt-text.ts'

/**
 * Builds the CURRENT NODE block, which tells the actor the purpose of this one turn. Before the purpose, the block says
 * what to do if the learner takes their leave or asks something. In a gate that has used up its `maxTurns`, the wording
 * becomes blunter. The last lines say what to do if the learner goes off-topic, and how to fill in the report.
 */
export function nodeBlock(node: NodeBrief): string {
  if (node.isAfter) return [blockHead(node), ...AFTER, `REPORT (IN METADATA): ${afterRule(node)}`].join('\n')
  return [
    blockHead(node),
    ...beforeLines(node),
    purposeLine(node),
    ...contentLines(node),
    ...overlayLines(node),
    ...onwardLines(node),
    ...documentLines(node),
    `IF THE LEARNER GOES OFF-TOPIC: ${offTopic(node)}`,
    `REPORT (IN METADATA): ${reportRule(node)}`,
  ].join('\n')
}

const AFTER = [
  'THE CONVERSATION IS OVER. They came back with a question. Answer it from what you know, in one to three sentences.',
  'Open nothing new, hand nothing over, ask nothing. There is no need to say goodbye again.',
]

function afterRule({ satisfyWhen, lateFork }: NodeBrief): string {
  const choice = lateFork === null ? '' : `${choiceRule(lateFork.content, lateFork)} `
  const rest = `${choice}"detour_detected": false, "engagement_score": 0, since nothing else is judged here.`
  if (satisfyWhen === null) return `"node_satisfied": false, ${rest.replace(' else', '')}`
  return `"node_satisfied": true ONLY if ${satisfyWhen}, in this message; asking about it is not enough. ${rest}`
}

/** Returns the first line of a CURRENT NODE block. A prompt contains this line once. */
function blockHead(node: NodeBrief): string {
  return `━━━ CURRENT NODE: ${node.id} ━━━`
}

/**
 * Returns the line with the purpose of the turn. If the colleague has served the purpose in an earlier turn of this
 * visit (`isServed`), the line says that the learner has to respond now. The block's line `IF NOT` may then say what
 * else to do.
 */
function purposeLine(node: NodeBrief): string {
  const intent = oneLine(node.intent)
  if (node.leaving && node.pivot?.armed)
    return 'WHAT THIS TURN IS FOR: You have put your question, below. See whether they have answered it.'
  if (node.leaving && node.kind === 'pivot') return `WHAT THIS TURN IS FOR: ${intent} ${UNLESS_ANSWERED}`
  if (!isServed(node)) return `WHAT THIS TURN IS FOR: ${intent}`
  if (node.isGate)
    return 'WHAT THIS TURN IS FOR: They have heard the constraint below from you. See whether it has reached them.'
  return node.stay.length > 0
    ? 'WHAT THIS TURN IS FOR: It is their turn now. See whether it has happened; what to do otherwise stands under IF NOT.'
    : `WHAT THIS TURN IS FOR: It is their turn now. You have done this, so go on with it only where they ask: ${intent}`
}

const UNLESS_ANSWERED = 'But leave the question out if what they have said in this talk gives the answer.'

/** Tells whether the colleague has served the node's purpose in an earlier turn of this visit. */
function isServed({ turns, minTurns, landsOn, kind, state }: NodeBrief): boolean {
  return turns >= Math.max(1, minTurns) && landsOn === 'learner' && kind === 'speak' && state === null
}

function contentLines(node: NodeBrief): readonly string[] {
  const lines = node.content.flatMap((bound) => bound.lines)
  // In a fork the first line is the question. In a gate the first line is the constraint that the learner must
  // acknowledge.
  const [first, ...rest] = lines
  const head = first === undefined ? [] : [first]
  if (node.kind === 'pivot') return [...listed(contentHeading(node), head), ...listed(MATERIAL, rest)]
  if (!node.isGate) return listed(contentHeading(node), lines)
  return [...listed(contentHeading(node), head), ...listed(BESIDE_IT, rest)]
}

const MATERIAL = 'WHAT YOU HAVE FOR THIS (pick what is fresh)'
const BESIDE_IT = 'WHAT GOES WITH IT (only where it helps; it does not have to be acknowledged)'

function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${heading}:`, ...lines.map((line) => `  • ${line}`)]
}

function contentHeading(node: NodeBrief): string {
  if (node.leaving && node.pivot?.armed) return 'THE QUESTION (they have it from you)'
  if (node.kind === 'pivot') return 'THE QUESTION TO END ON (yours to phrase, the point stays)'
  if (node.isGate)
    return isServed(node) || node.isHeard
      ? 'THE CONSTRAINT (they have heard it; its figures only if they ask)'
      : 'THE CONSTRAINT YOU MUST SURFACE (in your own words, with any figures it has)'
  if (node.isTerminal) return 'WHAT THE TWO OF YOU SHOULD HAVE SETTLED'
  return MATERIAL
}

function overlayLines(node: NodeBrief): readonly string[] {
  if (!node.overlay) return []
  return [
    'WHAT YOU CAN TELL THEM NOW (they have earned it; say it in this turn, in one sentence if you part):',
    ...node.overlay.lines.map((line) => `  • ${line}`),
  ]
}

/**
 * Returns the lines on what to do if the learner takes their leave or asks something. The block has these lines before
 * its purpose line.
 */
function beforeLines({ leaving, document }: NodeBrief): readonly string[] {
  if (leaving === null) return []
  const parts = [
    leaving.hints.goodbye ? 'Their message reads like a goodbye.' : '',
    'Hold nobody and ask nothing more.',
    leaving.unsaid === null ? '' : `Say in one sentence what they must not leave without: ${oneLine(leaving.unsaid)}`,
    document === null ? '' : `Hand over ${documentName(document)}.`,
    leaving.next === null
      ? ''
      : `Name ${leaving.next} as the next person; if they go to somebody else first, name both, in order.`,
    'Then say goodbye.',
  ]
  return [
    `IF THEY ARE TAKING THEIR LEAVE (this goes before everything else): ${parts.filter((part) => part !== '').join(' ')}`,
    'IF THEY ASK SOMETHING: answer that first, with the fact, whichever part of the talk it belongs to. Then this turn.',
  ]
}

/** Returns the lines on when the conversation goes on, what to do then, and what to do otherwise. */
function onwardLines(node: NodeBrief): readonly string[] {
  if (node.leaving === null) return [`ADVANCE / STAY: ${advanceOrStay(node)}`]
  if (node.isTerminal) return [`HOW TO END: ${howToEnd(node.leaving)}`]
  const when = node.satisfyWhen ?? (node.kind === 'pivot' ? ANSWERED : null)
  if (when === null) return [`ADVANCE / STAY: ${NOT_JUDGED}`]
  if (node.landsOn !== 'learner' && node.kind !== 'pivot')
    return node.turns > 0 ? ['YOU ARE STILL HERE: you have not said it yet. Say it now, whatever else you say.'] : []
  const then = node.ahead
    ? 'Take it up in half a sentence and go on, in this same reply, to NEXT.'
    : 'Take it up, and leave it at that.'
  return [
    `IF THIS HAS HAPPENED (in this message or before, in any words): ${when}. Do not ask for it again. ${then}`,
    ...(node.ahead ? [`NEXT (only in that case): ${nextText(node.ahead)}`] : []),
    `IF NOT: ${ifNot(node)}`,
  ]
}

function howToEnd({ hints, mayStay, isSettled, next }: LeavingBrief): string {
  if (mayStay && hints.question) return CLOSE_ASKED
  const person =
    next === null ? '' : ` Name ${next} as the next person; if they need somebody else first, name both, in order.`
  const how = isSettled === null ? CLOSE_PLAIN : isSettled ? CLOSE_SETTLED : CLOSE_OPEN
  return `${how}${person}`
}

function nextText({ intent, item, isHeard, kind }: NodeAhead): string {
  if (item === null) return oneLine(intent)
  if (isHeard) return `${oneLine(intent)} They have had it from you, so leave its figures: ${oneLine(item)}`
  return `${oneLine(intent)} ${kind === 'pivot' ? 'The question' : 'To use'}: ${oneLine(item)}`
}

function ifNot(node: NodeBrief): string {
  if (node.pivot) return forkOpen(node.pivot, node.leaving?.hints.question ?? false)
  if (node.turns === 0)
    return node.isGate
      ? node.isHeard
        ? GATE_HEARD
        : GATE_FIRST
      : 'do what this turn is for, and leave them room to answer.'
  if (waitsForQuestion(node, node.turns, node.leaving?.hints.question ?? false)) return CLOSE_ASKED
  return node.stay[Math.min(node.turns, node.stay.length) - 1] ?? STAY
}

function forkOpen({ armed, asked }: NonNullable<NodeBrief['pivot']>, isQuestion: boolean): string {
  if (!armed) return 'end on the question and leave it open. They can pick a card or answer in their own words.'
  if (isQuestion)
    return 'they have asked something of their own. Answer it, and do not put your question again in this reply.'
  return asked < 2
    ? 'take up what they wrote, then put the question once more, shorter and in other words.'
    : 'let the question go. Take up what they wrote, and ask nothing.'
}

/** The condition of a fork whose author gave none. */
const ANSWERED = 'the learner has answered this question'
const GATE_FIRST = 'put it plainly, with its figures, and say what follows from it. Ask for no recital.'
const GATE_HEARD =
  'they have had it from you in passing. Say in a sentence what it decides here, and why nothing gets round it. Ask for no recital.'
const STAY = 'come at it from another side. Do not repeat what you have said.'
const CLOSE_ASKED =
  'unless they are leaving, answer what they ask and leave it there, without a goodbye: they will say when that was all.'
const CLOSE_SETTLED =
  'say in a line what is settled between you, and goodbye. Ask nothing. Don’t read out what is listed above: you judge by it.'
/** How to close a conversation in a graph without gates, where the learner had nothing to acknowledge. */
const CLOSE_PLAIN = 'answer them, and say goodbye. Ask nothing, and do not sum the talk up.'
const CLOSE_OPEN =
  'say plainly, in a line, what is still open between you, and goodbye. Ask nothing, and do not pretend that it is settled.'

function documentName({ title, kind }: NonNullable<NodeBrief['document']>): string {
  return `your ${kind} ("${title}"; call it as you would aloud)`
}

function documentLines({ document, isTerminal }: NodeBrief): readonly string[] {
  if (document === null) return []
  const name = documentName(document)
  if (isTerminal) return [`YOUR DOCUMENT: hand over ${name} in this reply.`]
  return [
    document.may
      ? `YOUR DOCUMENT: you may hand over ${name}, if it fits.`
      : `YOUR DOCUMENT: ${name} stays with you for now. If they ask for it, they will have it before they go.`,
  ]
}

/**
 * Returns the text that tells the actor when the conversation leaves this node, as far as that depends on the learner's
 * messages.
 */
function advanceOrStay(node: NodeBrief): string {
  if (node.kind === 'pivot') return node.pivot?.armed ? PIVOT_OPEN : PIVOT_ARRIVAL
  if (node.isGate) return node.escalated ? GATE_ESCALATED : node.turns > 0 ? GATE_AGAIN : GATE_ARRIVAL
  if (node.isTerminal) return 'This is the last turn. Say goodbye; leave nothing hanging.'
  if (node.satisfyWhen === null) return NOT_JUDGED
  return node.turns > 0
    ? 'You are still here because it has not quite landed. Come at it from another side; do not say it again.'
    : `The conversation moves on once this has happened: ${node.satisfyWhen}.`
}

/** The text for a node without `satisfyWhen`: the actor does not judge the learner's messages there. */
const NOT_JUDGED =
  'Where this goes next is settled once you have spoken. Neither announce it nor close the subject by yourself.'
const PIVOT_ARRIVAL =
  'End on the question and leave it open. The learner answers by picking from what the page shows them.'
const PIVOT_OPEN =
  'The question stands and has not been answered. Take up what they wrote in a line, then put the question again in other words.'
const GATE_ARRIVAL =
  'You move on once the learner has clearly taken this in and said so. Until then it is the only subject you have.'
const GATE_AGAIN =
  'They have not taken it in yet. Try a shorter way to say it, or show what comes of ignoring it. It stays the subject.'
const GATE_ESCALATED =
  'You have put this politely and it did not land. Be blunt: the figure, the limit it breaks and what follows, in two short sentences. Then ask them straight out whether they have understood.'

function offTopic(node: NodeBrief): string {
  if (node.leaving && node.pivot?.armed)
    return 'Take up their point in one line and answer it briefly, or say whose it is.'
  const back = node.isGate
    ? 'the constraint above'
    : node.kind === 'pivot'
      ? 'the question above'
      : 'what this turn is for'
  return `Take up their point in one line and answer it briefly, or say whose it is. Then come back to ${back}. Neither ignore it nor follow it.`
}

/** Returns the rules for the fields of this turn's report that the walker reads. */
function reportRule(node: NodeBrief): string {
  const rules = [
    satisfiedRule(node),
    '"detour_detected": true if their message was about something else.',
    ...(node.leaving === null ? [] : leavingRules(node)),
  ]
  return rules.join(' ')
}

function satisfiedRule({ satisfyWhen, isGate, leaving }: NodeBrief): string {
  if (satisfyWhen === null) return '"node_satisfied": false, since nothing is judged here.'
  if (!isGate) return `"node_satisfied": true if ${satisfyWhen}.`
  const when = leaving === null ? '' : ', at any time since you said it'
  return `"node_satisfied": true ONLY if ${satisfyWhen}${when}; asking about it is not enough.`
}

function leavingRules(node: NodeBrief): readonly string[] {
  const fork = node.pivot?.content ?? node.lateFork?.content
  return [
    ...(node.ahead ? ['"went_on": true if this reply also does what NEXT asks.'] : []),
    ...(fork ? [choiceRule(fork, node.pivot === null ? node.lateFork : null)] : []),
    ...(node.document && (node.document.may || node.isTerminal)
      ? ['"document_given": true if this reply hands it over.']
      : []),
    '"learner_leaving": true if they are taking their leave in this message.',
  ]
}

function choiceRule({ question, choices }: PivotContent, late: NodeBrief['lateFork']): string {
  const taken = late?.taken ?? null
  const comesTo = (id: string, text: string) => `"${id}" if their answer comes to "${oneLine(text)}"`
  const open = choices.filter(({ id }) => id !== taken).map(({ id, text }) => comesTo(id, text))
  const asked = late === null ? '' : `, for what you asked before ("${oneLine(question)}")`
  if (taken === null)
    return `"pivot_choice"${asked}: ${open.join(', ')}, "own" if they have answered it in another way, null if they have not.`
  const card = choices.find(({ id }) => id === taken)
  const as = card ? `as "${oneLine(card.text)}"` : 'as none of the cards'
  // Only who corrects that has answered again.
  return `"pivot_choice"${asked}, which was taken ${as}, ONLY if they now say what they meant instead: ${open.join(', ')}, "own" if it is something else again; null in every other case (if they only say that you had them wrong, ask what they meant).`
}

/**
 * Builds the CURRENT NODE block of a context graph's state. The block's order is: the selected action and how to do it,
 * the boundaries, how much is left to the actor, the active behavior, the style, then which actions are done.
 */
export function stateBlock(node: NodeBrief, state: StateBrief): string {
  return [
    blockHead(node),
    ...beforeLines(node),
    purposeLine(node),
    ...actionLines(state),
    ...listed('HOW YOU DO IT (this goes before your own manner)', state.guidelines.action.map(oneLine)),
    ...listed('BOUNDARIES (stay inside them, whatever else is asked)', state.guidelines.boundary.map(boundaryText)),
    ...contentLines(node),
    ...overlayLines(node),
    `AS YOURSELF: ${ROOM[state.density.band]}`,
    ...behaviorLines(state),
    'HOW YOU SOUND: your conversational style holds as far as all of the above leaves it open.',
    ...progressLines(state),
    ...listed(
      'WHAT YOU HAVE IN MIND (yours alone: go by it, never quote it; what was looked up asks nothing of you)',
      state.thoughts.map(thoughtText),
    ),
    ...onwardLines(node),
    ...documentLines(node),
    `IF THE LEARNER GOES OFF-TOPIC: ${offTopic(node)}`,
    `REPORT (IN METADATA): ${reportRule(node)}`,
  ].join('\n')
}

/** Returns a boundary as the actor is told it. A hard boundary is marked. */
export function boundaryText({ text, isHard }: Boundary): string {
  return isHard ? `${oneLine(text)} (HARD: nothing and nobody lifts this)` : oneLine(text)
}

/** For each band of density, the sentence that says how much of the turn is left to the actor. */
const ROOM: Readonly<Record<Density['band'], string>> = {
  minimal: 'Nearly everything here is yours: your character, your judgement and your experience lead.',
  moderate: 'You and what is asked of you meet halfway: use your own judgement inside it.',
  dense: 'What is asked of you leads. Your character shows in the wording, not in what you do.',
  override: 'This is a set procedure: carry it out as it is written and keep yourself out of it.',
}

function actionLines({ action }: StateBrief): readonly string[] {
  return action === null ? [] : [`WHAT YOU DO NOW (it comes first, and is all you do): ${oneLine(action.text)}`]
}

function behaviorLines({ behavior }: StateBrief): readonly string[] {
  if (behavior === null) return []
  const how =
    behavior.mode === 'merge'
      ? 'its instructions stand behind those of this state'
      : 'its instructions stand in for those of this state'
  return [`BEHAVIOR IN FORCE: ${behavior.id}; ${how}, above.`]
}

/**
 * Returns the lines that list the actions done and the actions still to come; no lines if the state has fewer than two
 * actions.
 */
function progressLines({ actions, engaged, action }: StateBrief): readonly string[] {
  if (actions.length < 2) return []
  const places = actions.map((text, index) => ({ text: oneLine(text), index }))
  const done = places.filter(({ index }) => engaged.includes(index))
  const left = places.filter(({ index }) => !engaged.includes(index) && index !== action?.index)
  return [
    ...listed(
      'DONE HERE ALREADY',
      done.map(({ text }) => text),
    ),
    ...listed(
      'STILL TO COME, NOT NOW',
      left.map(({ text }) => text),
    ),
  ]
}
