import type { BriefingScene } from '../../core/briefing/briefing.ts'
import type { Report } from '../../core/reply/report.ts'
import { waitsForQuestion } from '../../core/graph/graph.ts'
import { languageOf, type PivotChoice } from '../../core/scenario/scenario.ts'
import { once } from '../../core/once.ts'
import { readHints } from '../../core/text/hints.ts'
import { EMPTY_REPORT } from '../../core/reply/report.ts'
import {
  business,
  goodbye,
  hasSaidGoodbye,
  inStateOrder,
  stateBusiness,
  withResult,
  type Business,
} from './business.ts'
import { isGeneral } from './closeness.ts'
import { closenessOf } from './closeness-of.ts'
import { countsOut, type Entry, entryStating, hasFigure } from './entries.ts'
import type { Heading } from './detour.ts'
import { headingOf, settled } from './detour.ts'
import { scoreEngagement, isGrave, sayFirst } from './engagement.ts'
import type { HeardMessage } from './hear.ts'
import { dismisses } from './dismiss.ts'
import {
  asks,
  asksHowMany,
  doubted,
  hearMessage,
  isAside,
  isLost,
  onlyStates,
  suggests,
  wantsNothingMore,
} from './hear.ts'
import {
  decidingFactsOf,
  factsOf,
  factsTold,
  learnerLines,
  hasRegistered,
  isOpenQuestion,
  hasToldFact,
  registersNow,
  judge,
  judgeAfter,
  lackedPart,
  isOpening,
  purposeOf,
  type Judgement,
} from './judge.ts'
import {
  isOnlyLost,
  isSaidAlone,
  lead,
  type Lead,
  type LeadMatter,
  mayStay,
  openQuestions,
  saysMuchOf,
} from './lead.ts'
import { askedIn, isSure, LIKELY, type Near, type Nearest, nearestEntries, SURE } from './nearest.ts'
import { naming, ownLines } from './own-lines.ts'
import { broughtBy } from '../../core/run/brought-by.ts'
import { factsIn } from '../../core/run/facts-in.ts'
import { inTerms } from '../../core/run/stated-in.ts'
import { readable, readerOf } from './spanish.ts'
import type { SpokenSoFar, LineToSay } from './spoken.ts'
import { withoutPreamble } from './preamble.ts'
import { firstFresh, nextFresh, freshOrFirst, lastReplyIn, saidIn } from './spoken.ts'
import { synonymsOf } from '../../core/text/stems.ts'
import { figuresIn } from '../../core/text/words.ts'
import { readTakeBack } from './take-back.ts'
import { type Answering, bySentence, isCard, isPlainly, isVerbatim, lateChoice, typedChoice } from './typed-choice.ts'
import { firstNamesIn } from './vocabulary.ts'
import type { WordTable } from './word-table.ts'

/** One reply: the speech and its report. */
export interface Rehearsed {
  readonly speech: string
  readonly report: Report
  /** Texts that the learner may want to send next, because the reply may miss what they meant. */
  readonly offers: readonly string[]
}

/**
 * Makes a colleague's reply from the scene alone: parses and judges the learner's message, answers it (`lead`), and
 * adds the node's own lines (`business`). The function is pure: the same scene gives the same reply.
 */
export function rehearse(given: BriefingScene, words: WordTable | null = null): Rehearsed {
  const readableScene = readable(given)
  // The table has English words only. In another language, words of the same root count.
  const table = languageOf(given.scenario) === 'en' ? words : null
  const back = takeBack(readableScene, table)
  if (back !== null) return back
  const { text, insists, isBare = false } = withoutPreamble(readableScene)
  const scene = { ...readableScene, learner: text }
  const synonyms = synonymsOf(scene.scenario)
  const said = saidIn(scene)
  const listening = listen(scene, table, insists)
  const { heard, heading, near } = listening
  const answered = lateCard(scene, listening, table)
  // What the author foresaw as this message gets its own answer, and the card counts all the same.
  if (answered !== null && (near.own[0]?.fit ?? 0) < FORESEEN_AFTER)
    return late(scene, [{ say: answered.reaction, point: null }], answered.id, 'answers what was asked before')
  const alike = (questions: readonly string[]) => {
    return closenessOf(
      scene,
      table,
      questions.map((question) => ({ asks: [question], says: [] })),
    )
  }
  if (scene.node.isAfter) {
    const after = afterwards({ scene, ...listening, said, synonyms, alike, insists, isBare })
    return answered === null ? after : { ...after, report: { ...after.report, pivot_choice: answered.id } }
  }
  const judgement = heeded(judge(heard, heading, scene, synonyms), heard, scene, near)
  const matter = businessOf(scene, judgement, said)
  const grave = isGrave(heard, scene.node) ? sayFirst(scene, said) : null
  const [toPoint = 0] = matter.isPoint
    ? closenessOf(scene, table, [{ asks: [], says: matter.lines.map(({ say }) => say) }])
    : []
  const looked = grave ? null : withResult(scene)
  const led =
    (grave ?? looked)
      ? null
      : lead({ scene, ...listening, judgement, said, synonyms, matter, toPoint, alike, insists, isBare })
  const first = grave ?? looked ?? led
  const leaves = leavesNow(scene)
  // A last question is answered without a goodbye ([walk-48]), and one that the colleague asks is left open. A goodbye right
  // behind the reply to a kind word, a joke or a plan would show the learner the door.
  const goesOn = led !== null && (led.say.endsWith('?') || led.isEnough === true || isTakenUp(near, heard))
  const stays = led !== null && (isSaidAlone({ scene, heard, insists }) || (mayStay(scene) && goesOn))
  const closes = leaves || (isLastStay(scene) && !judgement.satisfied)
  const typed = typedChoice({ scene, heard, heading, near, table })
  // A goodbye may answer the fork in the same breath, but only in words that mean a card and ask nothing.
  const choice = leaves && (!isCard(typed) || asks(heard)) ? null : typed
  const isRegistered = hasRegistered(scene)
  // A learner who asks gets the answer. A point whose facts the colleague has told is not told once more.
  const isAllTold =
    first !== null && first === led && asks(heard) && tellsNothingNew(scene, matter, first, isSure(near.own[0]))
  const besideCard = (): Lead | null => {
    const meansCard = (sentence: string): boolean => {
      const said = { ...scene, learner: sentence }
      const listened = listen(said, table, false)
      if (isSure(listened.near.own[0])) return false
      return typedChoice({ scene: said, table, ...listened, near: { ...listened.near, own: [] } }) === choice
    }
    const asked = askedBeside(heard, scene, meansCard)
    if (asked === null) return null
    const alone = { ...scene, learner: asked }
    const listened = listen(alone, table, insists)
    return (listened.near.own[0]?.fit ?? 0) >= LIKELY
      ? lead({ scene: alone, ...listened, judgement, said, synonyms, matter, toPoint: 0, alike, insists })
      : null
  }
  const waits = once(() => canWait(scene, matter, judgement))
  const partsNow = (): readonly Lead[] => {
    if (closes) {
      const isOrder = ORDERS.test(scene.learner) && (near.own[0]?.fit ?? 0) >= LEAST_ORDERED
      const isAnswer = led !== null && (asks(heard) || isOrder || (!leaves && isSure(near.own[0])))
      const before = choice !== null ? reactionTo(choice, null, scene, said) : isAnswer ? [led] : []
      return [...before, parting(scene, isRegistered)]
    }
    if (grave && leavesRest(scene)) return [grave]
    if (choice !== null) {
      // What is stated in answer to the colleague's question is no statement to be confirmed.
      const stated = asks(heard) || isSure(near.own[0]) ? first : null
      return reactionTo(choice, isCard(choice) ? besideCard() : stated, scene, said)
    }
    if (stays) return [led]
    return isAllTold ? [first, ...matter.overlay] : inOrder(first, matter, heard, scene, near, waits)
  }
  const parts = partsNow()
  const warning = closes || stays || choice !== null || grave ? null : lastWarning(scene, heard, judgement, said)
  const unasked = waits() ? matter.lines.filter((line) => !matter.overlay.includes(line)) : []
  const spoken = atMostSix(warning === null ? parts : [...parts, warning], leadingOn(scene), unasked)
  const isSaid =
    scene.node.landsOn === 'speaker' &&
    purposeOf(scene) !== 'guide' &&
    matter.isPoint &&
    (isAllTold || matter.lines.some((line) => spoken.includes(line)))
  // A confession that has waited for a question is still to be told.
  const isKept = purposeOf(scene) === 'confide' && matter.isPoint && !matter.lines.some((line) => spoken.includes(line))
  const satisfied = !stays && !isKept && (judgement.satisfied || (isSaid && scene.node.satisfyWhen !== null))
  return {
    speech: inParagraphs(spoken, matter, heard, leadingOn(scene)),
    report: {
      emotional_state: scene.relationship.level,
      information_revealed: spoken.flatMap(({ point }) => point ?? []),
      internal_thought: judgement.why,
      objective_complete: scene.node.isTerminal ? scene.npc.goal.objective : null,
      is_conversation_complete: scene.node.isTerminal && !stays,
      hint_given: scene.node.escalated && !judgement.satisfied,
      agreement_signal: agreement(heard, judgement),
      // The card of an answer changes the relationship itself.
      engagement_score: isCard(choice) ? 0 : scoreEngagement(heard, heading, judgement, scene, synonyms),
      node_satisfied: satisfied,
      detour_detected: isDetour(heard, heading, scene),
      went_on: false,
      pivot_choice: choice ?? answered?.id ?? null,
      learner_leaving: leaves,
      document_given: leaves && scene.node.document !== null,
      fact_registered: isRegistered,
    },
    offers: isIdle(scene, heard, spoken)
      ? openQuestions(
          scene,
          spoken.map(({ say }) => say),
        )
      : offersOf({ scene, heard, heading, near, table }, choice, led !== null && spoken.includes(led) ? led : null),
  }
}

/** Returns true if an entry surely takes up what the learner states, who doesn't say that they have enough. */
function isTakenUp({ own }: Nearest, heard: HeardMessage): boolean {
  return heard.manner === 'plain' && isSure(own[0]) && !wantsNothingMore(heard)
}

/**
 * Returns true if the learner says a few words that ask nothing ("ok, I see") to a colleague who asks nothing either, so
 * that neither of them leads on.
 */
function isIdle(scene: BriefingScene, heard: HeardMessage, spoken: readonly LineToSay[]): boolean {
  const { node } = scene
  const isFree = node.kind === 'speak' && !node.isTerminal && !node.isGate && !isOpening(node) && !leavesNow(scene)
  const isShort = !asks(heard) && heard.tokens.length <= MOST_IDLE
  return isFree && isShort && spoken.at(-1)?.say.endsWith('?') === false
}

const MOST_IDLE = 4

/** Matches an order beside a goodbye: "send the van, please". */
const ORDERS =
  /(?:^|[.,!?;] |\b(?:and|so|then|please|right) )(?:please )?(?:send|start|shut|book|do it|go ahead|put|write|ring|call|run|print)\b/i
const LEAST_ORDERED = 0.7

/** Returns what the learner may send next: a typed answer that was read as a card can be taken back. */
function offersOf(typed: Answering, choice: string | null, led: Lead | null): readonly string[] {
  const { scene } = typed
  const fork = scene.node.pivot?.content
  if (!fork || choice === null || !isCard(choice)) return led?.offers ?? []
  const isSafe = isVerbatim(scene.learner, fork) || isPlainly(choice, typed) || leavesNow(scene)
  return isSafe ? [] : [ownLines(scene).notMeant]
}

/**
 * Replies to a learner who says that their answer to the fork before was misread, with the reaction to what they meant or
 * with the question what that was. Returns null for any other message.
 */
function takeBack(given: BriefingScene, table: WordTable | null): Rehearsed | null {
  const taken = leavesNow(given) ? null : readTakeBack(given)
  if (taken === null) return null
  const { scene, isBare } = taken
  const { whichThen } = ownLines(scene)
  const choice = isBare ? null : typedChoice({ scene, table, ...listen(scene, table, false) })
  if (choice === null && !isBare) return null
  const said = saidIn(scene)
  const spoken = choice === null ? [freshOrFirst(whichThen, said)] : reactionTo(choice, null, scene, said)
  return {
    ...late(given, spoken, choice, 'an answer was misread'),
    offers: choice === null ? (scene.node.pivot?.content.choices ?? []).map(({ text }) => text) : [],
  }
}

/** Returns the card of the fork that the walk has left unanswered, if the message means it. */
function lateCard(scene: BriefingScene, listening: Listening, table: WordTable | null): PivotChoice | null {
  const { node } = scene
  const isEnd = leavesNow(scene) || (node.isTerminal && !mayStay(scene))
  const choice = isEnd ? null : lateChoice({ scene, table, ...listening })
  return node.lateFork?.content.choices.find(({ id }) => id === choice) ?? null
}

/** Makes a reply about a fork that the walk has left, which does not count in this node. */
function late(scene: BriefingScene, spoken: readonly LineToSay[], choice: string | null, why: string): Rehearsed {
  return {
    speech: spoken.map(({ say }) => say).join(' '),
    report: {
      ...EMPTY_REPORT,
      emotional_state: scene.relationship.level,
      internal_thought: why,
      detour_detected: true,
      pivot_choice: choice,
      fact_registered: hasRegistered(scene),
    },
    offers: [],
  }
}

/** What was heard in a message: how it is meant, and what it is about. */
type Listening = Pick<LeadMatter, 'heard' | 'isGarbled' | 'heading' | 'near'>

function listen(scene: BriefingScene, table: WordTable | null, insists: boolean): Listening {
  const { npc, scenario } = scene
  const read = hearMessage(scene.learner, firstNamesIn(scenario))
  const heads = headingOf(read, npc, scenario, synonymsOf(scenario))
  const near = nearTo(scene, read, table, { isOthers: heads.to === 'colleague', insists })
  const isGarbled = isUnreadable(read, near, table)
  const heard: HeardMessage = isGarbled ? { ...read, manner: 'wordless' } : read
  return { heard, isGarbled, heading: settled(heads, heard, near, npc, readerOf(scenario)), near }
}

/**
 * Returns the entries that are closest to the message. If the learner doubts a figure, the entry that states it comes
 * first. Only a figure answers "how many"; if the closest entry surely is about the subject and has no figure, the
 * colleague has none.
 */
function nearTo(
  scene: BriefingScene,
  heard: HeardMessage,
  table: WordTable | null,
  asked: Parameters<typeof nearestEntries>[2],
): Nearest {
  const { npc } = scene
  const near = nearestEntries(scene, table, asked)
  const picked = askedBack(scene, near, table)
  if (picked !== null) return { ...near, own: [picked, ...near.own.filter(({ entry }) => entry !== picked.entry)] }
  const isForeseen = (near.own[0]?.fit ?? 0) >= DOUBT_FORESEEN
  const figures = isForeseen ? [] : figuresIn(doubted(heard) ?? '')
  const isAbout = ({ entry, fit }: Near) => fit >= SURE && figures.some((one) => hasFigure(entry, one))
  const meant = near.own.find(isAbout)?.entry ?? entryStating(npc, figures)
  if (meant !== null) return { ...near, own: [{ npc, entry: meant, fit: SURE }, ...near.own] }
  if (!asksHowMany(heard)) return near
  const counting = near.own.filter(({ entry, fit }) => fit >= FORESEEN || countsOut(entry, heard.tokens))
  const hasNone = near.own[0] !== counting[0] && isSure(near.own[0]) && !isSure(counting[0])
  return { ...near, own: hasNone ? [] : counting }
}

/**
 * Returns the entry that the learner means by a reply to the colleague's question back: "yes", "the second", or words of
 * one of the questions that the colleague named.
 */
function askedBack(scene: BriefingScene, near: Nearest, table: WordTable | null): Near | null {
  const { npc, learner } = scene
  const line = lastReplyIn(scene)
  const questions = [...line.matchAll(NAMED_QUESTIONS)].flatMap(([, quoted, spoken = '']) => {
    return quoted === undefined ? spoken.toLowerCase().split(/, or? /) : [quoted.toLowerCase()]
  })
  // A question that was spelt out ("whats" is asked as "what's") is no longer in the author's words.
  const named = questions.flatMap(
    (question) =>
      npc.rehearsal.answers.find(({ asks: own }) => own.some((text) => text.toLowerCase() === question)) ??
      nearestEntries({ ...scene, history: [], learner: question }, table).own[0]?.entry ??
      [],
  )
  if (named.length === 0) return null
  const texts = named.map((entry) => ({ asks: entry.asks, says: [] }))
  const fits = closenessOf(scene, table, texts)
  const best = Math.max(...fits)
  const isClose = best >= NAMED && best + NAMED_MARGIN > (near.own[0]?.fit ?? 0)
  const entry = pickedBy(learner, named) ?? (isClose ? named[fits.indexOf(best)] : undefined)
  return entry === undefined ? null : { npc, entry, fit: FORESEEN, isPicked: true }
}

function pickedBy(learner: string, named: readonly Entry[]): Entry | undefined {
  const plain = learner
    .toLowerCase()
    .replace(/[^a-z']+/g, ' ')
    .trim()
  if (/^(?:the |that )?(?:second|latter|last)(?: one)?$/.test(plain)) return named[1]
  return PICKS_FIRST.test(plain) ? named[0] : undefined
}

/** Matches "the first one" and every way to say yes: "yes that's what I'm asking". */
const PICKS_FIRST =
  /^(?:(?:the |that )?first(?: one)?|(?:ye[sp]|yeah|yup|sure|both|either|exactly|correct|right|precisely)(?: (?:please|that|that's|thats|this|it|is|precisely|exactly|right|correct|what|i|am|i'm|im|was|mean|meant|asking|asked|the|first|one|both|my|question|indeed|sure))*)$/

/** Matches the questions that `quoting` and `naming` put into a line. */
const NAMED_QUESTIONS = /“([^”]+)”|: ¿?([^?¿:]+)\?/g
/** A reply to a question back means one of the named questions from this closeness on. */
const NAMED = 0.4
/** The named question goes before an entry that is closer by less than this. */
const NAMED_MARGIN = 0.2

/** An entry this close answers a doubt better than the doubted figure does. */
const DOUBT_FORESEEN = 0.75

/** An entry this close answers "how many" even without a figure, because the author foresaw the question. */
const FORESEEN = 0.8

/**
 * Returns the lines of a reply one by one: each line, and beside it its answer to a second question, in the order of the
 * questions. If the reply would be longer than six sentences, the lines that nobody asked for and that can wait
 * (`unasked`) go before the second answer does. Then it does not say either that an answer comes again, or that something
 * else follows (`leading`).
 */
function atMostSix(
  lines: readonly Lead[],
  leading: readonly string[] = [],
  unasked: readonly LineToSay[] = [],
): readonly LineToSay[] {
  const all = lines.flatMap((line) => {
    if (line.also === undefined) return [line]
    return line.isAlsoBefore ? [line.also, line] : [line, line.also]
  })
  if (sentencesIn(all) <= MOST_SENTENCES) return all
  const answers = all.filter((line) => !unasked.includes(line) && !leading.includes(line.say))
  if (all.length > lines.length && sentencesIn(answers) <= MOST_SENTENCES) return answers
  if (sentencesIn(lines) <= MOST_SENTENCES) return lines
  const short = lines
    .filter(({ say }) => !leading.includes(say))
    .map((line) => (line.repeats ? { ...line, say: line.repeats } : line))
  return cutShort(short)
}

/** Takes sentences from the end of a reply's first line until the reply has six. */
function cutShort(lines: readonly LineToSay[]): readonly LineToSay[] {
  const [first, ...rest] = lines
  const over = sentencesIn(lines) - MOST_SENTENCES
  if (first === undefined || over <= 0) return lines
  const sentences = first.say.split(BETWEEN_SENTENCES)
  const kept = sentences.slice(0, Math.max(0, sentences.length - over))
  return kept.length === 0 ? rest : [{ ...first, say: kept.join(' ') }, ...rest]
}

/**
 * Writes a reply: the answer to the learner, the answer to a second question and what the colleague says by themselves
 * are each a paragraph, so that none reads like a part of the other. The lines of the node stay together, and a few words
 * that take a statement up lead in to them.
 */
function inParagraphs(
  spoken: readonly LineToSay[],
  { leadIn, lines }: Business,
  heard: HeardMessage,
  leading: readonly string[] = [],
): string {
  const isOwn = (line: LineToSay) => leadIn.includes(line) || lines.includes(line) || leading.includes(line.say)
  const leadsIn = (line: LineToSay) => (!asks(heard) || isLost(heard)) && line.say.split(' ').length <= MOST_LEADING_IN
  return spoken
    .map((line, at) => {
      const before = spoken[at - 1]
      if (before === undefined) return line.say
      return (isOwn(line) && (isOwn(before) || leadsIn(before)) ? ' ' : '\n\n') + line.say
    })
    .join('')
}

const MOST_LEADING_IN = 6

/** Returns the phrases that lead from an answer to a line of the colleague's own. */
function leadingOn(scene: BriefingScene): readonly string[] {
  const { besides, askingBack } = ownLines(scene)
  return [...besides, ...askingBack]
}

function sentencesIn(lines: readonly LineToSay[]): number {
  return lines.flatMap(({ say }) => say.split(BETWEEN_SENTENCES)).length
}

const MOST_SENTENCES = 6
const BETWEEN_SENTENCES = /(?<=[.?!]["”’']?)\s+/

/** After the end, an answer this close goes before a yes to a statement. */
const FORESEEN_AFTER = 0.85

/** Makes the reply to a question after the end of the conversation, from the colleague's lines alone. */
function afterwards(asked: Omit<LeadMatter, 'judgement' | 'matter' | 'toPoint'>): Rehearsed {
  const { scene, heard, said } = asked
  const { noIdea } = scene.npc.rehearsal.asides
  const judgement = judgeAfter(heard, scene)
  const grave = isGrave(heard, scene.node) ? sayFirst(scene, said) : null
  const led = grave ? null : lead({ ...asked, judgement, matter: NOTHING, toPoint: 0 })
  const bye = readHints(scene.learner).goodbye ? freshOrFirst(ownLines(scene).bye, said) : null
  const isRegistered = hasRegistered(scene)
  const taken = judgement.satisfied || registersNow(scene) ? nextFresh(ownLines(scene).confirmed, said) : null
  // A question wants an answer, and so does what the author foresaw nearly word for word: it may be the opposite of a fact.
  const isForEntry = asks(heard) || (asked.near.own[0]?.fit ?? 0) >= FORESEEN_AFTER
  const [first, second] = isForEntry ? [led, taken] : [taken, led]
  const answered = grave ?? bye ?? first ?? second ?? nextFresh(noIdea, said)
  // A summary that still lacks a part of what earns the objective is asked for it.
  const isOpen = scene.node.satisfyWhen !== null && !judgement.satisfied && !grave && !bye
  const lacked = isOpen && onlyStates(heard) ? lackedPart(scene) : null
  const isAsked = lacked?.hasOther === true && answered?.say.includes(lacked.question) !== true
  const asking = isAsked ? [{ say: `${ownLines(scene).notSaidYet} ${lacked.question}`, point: null }] : []
  const spoken = answered === null ? [] : atMostSix([answered, ...asking])
  const speech = inParagraphs(spoken, NOTHING, heard)
  return {
    speech: speech || (noIdea[0] ?? ownLines(scene).nothingMore),
    report: {
      ...EMPTY_REPORT,
      emotional_state: scene.relationship.level,
      information_revealed: spoken.flatMap(({ point }) => point ?? []),
      internal_thought: judgement.why,
      node_satisfied: judgement.satisfied,
      fact_registered: isRegistered,
    },
    offers: led?.offers ?? [],
  }
}

const NOTHING: Business = { leadIn: [], lines: [], overlay: [], isPoint: false, isFiller: true }

/**
 * Corrects a judgement. A node without `satisfyWhen` is never satisfied. Only a terminal node can be satisfied by a learner
 * who says that they are in danger, or who says yes to a question back: "yes, that's it" wants its answer.
 */
function heeded(judgement: Judgement, heard: HeardMessage, { node }: BriefingScene, { own }: Nearest): Judgement {
  if (!node.isTerminal && isGrave(heard, node))
    return { ...judgement, satisfied: false, why: 'something graver was said' }
  if (!node.isTerminal && own[0]?.isPicked)
    return { ...judgement, satisfied: false, why: 'says yes to a question back' }
  return node.satisfyWhen === null ? { ...judgement, satisfied: false, why: 'nothing is judged here' } : judgement
}

/** Returns true if the message is a plain goodbye, and the graph lets the learner go. */
function leavesNow({ node }: BriefingScene): boolean {
  return !node.isTerminal && node.leaving?.hints.goodbye === true
}

/**
 * Returns true if the gate's instructions for further turns (`stay`) are used up, so that this reply closes the
 * conversation. A question is answered first.
 */
function isLastStay({ node }: BriefingScene): boolean {
  const { isGate, leaving, stay, turns } = node
  if (!isGate || leaving === null || stay.length === 0 || turns < stay.length) return false
  return !waitsForQuestion(node, turns, leaving.hints.question)
}

/**
 * Returns the line that warns of the end if the learner's next message is the last one before it, and says what is still
 * wanted; null otherwise.
 */
function lastWarning(
  scene: BriefingScene,
  heard: HeardMessage,
  { satisfied }: Judgement,
  said: SpokenSoFar,
): LineToSay | null {
  const { node } = scene
  if (satisfied || node.leaving === null || node.isTerminal) return null
  const own = ownLines(scene)
  const left = node.stay.length - node.turns
  // The warning comes twice, because a learner may still have a question. A learner who asks hears it once, at the end.
  if (node.isGate && node.stay.length > 1 && (left === 1 || (left === 2 && !asks(heard))))
    return firstFresh(own.lastCall, said)
  // Whoever asks may go on asking at the end ([walk-48]).
  const isLastQuestion =
    node.kind === 'speak' && purposeOf(scene) === 'questions' && !node.leaving.mayStay && !asks(heard)
  return isLastQuestion ? firstFresh(own.lastQuestion, said) : null
}

/** Returns true if the table has none of a message's words, and nothing that the colleague can say is like them. */
function isUnreadable({ manner, tokens }: HeardMessage, { own }: Nearest, table: WordTable | null): boolean {
  if (manner !== 'plain' || table === null || (own[0]?.fit ?? 0) >= UNREADABLE) return false
  return tokens.every(({ word, figure }) => figure === null && !isGeneral(word) && table.rank(word) === null)
}

/** A message of unknown words may still be names that the colleague knows. */
const UNREADABLE = 0.4

/**
 * Returns the colleague's goodbye to a learner who leaves. If the objective is still open, the colleague says so at the
 * end, without the facts that decide it: what was not asked is not told. To a learner who was told the deciding fact, only
 * the conclusion is missing.
 */
function parting(scene: BriefingScene, isRegistered: boolean): LineToSay {
  const isOpen = scene.node.leaving?.isSettled === false && !isRegistered
  // Whoever takes a goodbye back knows what is missing.
  const named = isOpen ? whatIsMissing(scene) : whatIsUntold(scene)
  const isAgain = hasSaidGoodbye(scene)
  const open = isAgain ? null : named
  // A learner who is asked for one thing more gets no last words.
  const isSentOff = open === null && !isAgain && leavesNow(scene)
  const farewell = isSentOff ? freshOrFirst(ownLines(scene).farewell, saidIn(scene)).say : null
  // What is missing comes last, because the learner may still answer it.
  return { say: [goodbye(scene), open ?? farewell].filter((part) => part !== null).join(' '), point: null }
}

/** Says what a conversation still lacks: what the colleague told and the learner has not said, or what was never told. */
function whatIsMissing(scene: BriefingScene): string {
  const own = ownLines(scene)
  // A colleague who ends the talk asks nothing any more.
  if (!leavesNow(scene) && hasToldFact(scene)) return own.canStillSay
  const lacked = lackedPart(scene)
  if (lacked !== null) return `${own.beforeYouGo} ${lacked.question}`
  if (hasToldFact(scene)) return freshOrFirst(own.notSaidBack, saidIn(scene)).say
  return whatIsUntold(scene) ?? own.stillOpen
}

/**
 * Names the question about a deciding fact that the learner has neither heard nor stated, first about the one that earns
 * the objective; null if there is none.
 */
function whatIsUntold(scene: BriefingScene): string | null {
  const facts = decidingFactsOf(scene)
  // A learner who has said in their own words what a fact asks for has no question left about it.
  const stated = learnerLines(scene).flatMap((line) => inTerms(line, facts))
  const known = new Set([...factsTold(scene, facts), ...stated])
  const earning = new Set(factsIn(facts, scene.npc.decisionFacts[0] ?? '').map(({ fact }) => fact))
  const byWeight = facts.toSorted((a, b) => Number(earning.has(b.id)) - Number(earning.has(a.id)))
  const open = byWeight.find(({ id }) => !known.has(id))
  const question = open === undefined ? null : broughtBy(open, scene.scenario).question
  return question === null || !isOpenQuestion(question, scene)
    ? null
    : asking(question, ownLines(scene).notAsked, scene)
}

/** Returns the first phrase with the question that was not said before. */
function asking(question: string, phrases: readonly string[], scene: BriefingScene): string {
  return freshOrFirst(naming(phrases, [question], scene.scenario), saidIn(scene)).say
}

/**
 * Returns the reply to an answer that the learner typed at a fork: the reaction of the card that the answer means, and
 * the answer to a question beside it (`first`). If the answer means no card, the reply is the colleague's answer to the
 * message (`first`).
 */
function reactionTo(choice: string, first: Lead | null, scene: BriefingScene, said: SpokenSoFar): readonly Lead[] {
  const { node } = scene
  const card = node.pivot?.content.choices.find(({ id }) => id === choice)
  if (card) return [{ say: card.reaction, point: null }, ...besideReaction(card.reaction, first)]
  return [
    first ?? firstFresh(ownLines(scene).takenUp, said) ?? { say: node.pivot?.content.question ?? '', point: null },
  ]
}

/** Returns the answer to what was asked beside a card, without what the card's reaction says too. */
function besideReaction(reaction: string, answer: Lead | null): readonly Lead[] {
  if (answer === null) return []
  const { also, ...first } = answer
  const isNew = ({ say }: LineToSay) => !saysMuchOf(reaction, say)
  if (also !== undefined && isNew(also)) return isNew(first) ? [answer] : [also]
  return isNew(first) ? [first] : []
}

/**
 * Returns what a message asks beside its answer to a fork; null if nothing. A single sentence is the answer itself. A
 * sentence is asked as a whole: "but say I only warn Ridge, who gets hurt" asks little without its condition.
 *
 * @param meansCard tells whether a sentence alone is that answer: "so what do you really think?"
 */
function askedBeside(
  heard: HeardMessage,
  { scenario, learner, node }: BriefingScene,
  meansCard: (sentence: string) => boolean,
): string | null {
  if (heard.sentences.length < 2) return null
  const { heard: readable } = readerOf(scenario)
  const isOwn = (text: string) =>
    node.pivot === null || (bySentence(text, node.pivot.content) === null && !meansCard(text))
  const sentences = readable(learner).split(BETWEEN_SENTENCES)
  const asked = asks(heard)
    ? sentences.filter((text) => askedIn(text).length > 0 && !REQUEST.test(text) && isOwn(text))
    : []
  if (asked.length > 0) return asked.map((text) => text.replace(/[.!?]*$/, '?')).join(' ')
  // "188 is a bit thin, no?" asks in none of its clauses.
  const tagged = sentences.filter((text) => text.endsWith('?') && text.includes(' ') && isOwn(text))
  return tagged.join(' ') || null
}

/** Matches a request, which answers the fork: "Tell me what you think." */
const REQUEST = /^(?:(?:so|and|ok|okay|just|please|pls)\b[ ,]*)*(?:tell|give|show) me\b[^?]*$/i

/**
 * Returns true if the node's lines can wait after a grave message: one that says that the learner is harassed or in
 * danger. The colleague still asks a fork's question and still says goodbye.
 */
function leavesRest({ node }: BriefingScene): boolean {
  return node.kind !== 'pivot' && !node.isTerminal
}

/**
 * Returns the node's lines for this turn. In a context graph, a speaking node that is not a fork gets its lines from
 * `stateBusiness`. If `stateBusiness` returns null, and in any other node, the lines come from `business`.
 */
function businessOf(scene: BriefingScene, judgement: Judgement, said: SpokenSoFar): Business {
  return (isState(scene.node) ? stateBusiness(scene, said) : null) ?? business(scene, judgement, said)
}

function isState({ kind, state }: BriefingScene['node']): boolean {
  return kind === 'speak' && Boolean(state)
}

/**
 * Orders the answer to the learner (`first`) and the node's lines (`matter`). In the greeting node, the node's lines
 * come first. In every other node, the answer comes first. The answer replaces the lines, except those of an overlay,
 * in three cases: the lines are only filler, the message has no content, or the message is a question that has got its
 * answer. For such a question the node's point waits too, if it can (`waits`). Nothing is left out
 * in a terminal node. In a fork, only the question can be left out.
 */
function inOrder(
  first: Lead | null,
  matter: Business,
  heard: HeardMessage,
  scene: BriefingScene,
  near: Nearest,
  waits: () => boolean,
): readonly LineToSay[] {
  const { node } = scene
  if (isState(node)) return inStateOrder(first, matter, heard)
  if (first === null) return [...matter.leadIn, ...matter.lines]
  if (leavesQuestion(scene, heard)) return [first]
  if (isOpening(node) || (first.isAfterNode && !node.isTerminal)) return [...matter.lines, first]
  const [nearest] = near.own
  const isGiven = nearest !== undefined && nearest.entry.say.some((line) => first.say.includes(line))
  const least = suggests(heard) ? LIKELY : LEAST_TAKEN_UP
  // Whoever asks the same again hears what they have not heard, too.
  const isAnswer =
    (asks(heard) || (isGiven && nearest.fit >= least)) && !isOnlyLost(heard) && first.repeats === undefined
  if (waits() && first.isEnough) return [first]
  if (waits() && (matter.isFiller || isAside(heard) || isAnswer)) return [first, ...matter.overlay]
  // What is told may be the answer to a second question.
  const isUnasked =
    asks(heard) &&
    askedIn(scene.learner).length < 2 &&
    !isLost(heard) &&
    statesFact(scene, matter) &&
    !node.isTerminal &&
    !node.isGate
  const isTurned = node.pivot?.armed === false && isAnswer
  const leading = isTurned ? ownLines(scene).askingBack : isUnasked ? ownLines(scene).besides : []
  const leadsOn = nextFresh(leading, saidIn(scene))
  const isNew = ({ say }: LineToSay) => !(isToldAlready(scene, say, [first.say]) ?? saysMuchOf(first.say, say))
  const rest = isGiven && node.kind !== 'pivot' && !node.isTerminal ? matter.lines.filter(isNew) : matter.lines
  return leadsOn === null || rest.length === 0 ? [first, ...rest] : [first, leadsOn, ...rest]
}

/** A statement that an entry takes up this closely is answered like a question. */
const LEAST_TAKEN_UP = 0.7

/** Returns true if the node's point tells a fact, and is no objection. */
function statesFact(scene: BriefingScene, matter: Business): boolean {
  if (!matter.isPoint || purposeOf(scene) === 'challenge' || purposeOf(scene) === 'confide') return false
  return factsIn(factsOf(scene), textOf(matter)).length > 0
}

/**
 * Returns true if the node's point, in a node that the colleague satisfies by speaking, tells facts, and the colleague
 * has told all of them: earlier, or with the answer (`first`). A point without facts is told if a sure answer says much of it.
 */
function tellsNothingNew(scene: BriefingScene, matter: Business, first: LineToSay, isFirstSure: boolean): boolean {
  const { node } = scene
  if (!matter.isPoint || node.landsOn !== 'speaker' || node.isGate || node.isTerminal) return false
  const point = textOf(matter)
  return isToldAlready(scene, point, [first.say]) ?? (isFirstSure && saysMuchOf(first.say, point))
}

/** Returns true if the colleague has told all the facts in a text, earlier or with the lines `also`; null if it has none. */
function isToldAlready(scene: BriefingScene, text: string, also: readonly string[] = []): boolean | null {
  const facts = factsOf(scene)
  const inText = factsIn(facts, text)
  if (inText.length === 0) return null
  const told = factsTold(scene, facts, also)
  return inText.every(({ fact }) => told.has(fact))
}

/** Returns the node's lines as one text. */
function textOf({ lines }: Business): string {
  return lines.map(({ say }) => say).join(' ')
}

/** Returns true if the node's lines can wait for a later reply. */
function canWait(scene: BriefingScene, matter: Business, judgement: Judgement): boolean {
  const { node } = scene
  return (
    node.kind === 'speak' &&
    !node.isTerminal &&
    !isState(node) &&
    (!matter.isPoint || mayWait(scene, matter, judgement))
  )
}

/**
 * Returns true if the node's point can wait while the learner asks: who asks gets the answer, and no more. The point that
 * decides a gate waits for a few questions. A confession waits as long as the walk stays in the node, and so does a point
 * that tells a deciding fact, for a few questions. Every other point is one that a question brings too.
 */
function mayWait(scene: BriefingScene, matter: Business, { satisfied }: Judgement): boolean {
  const { node } = scene
  if (node.leaving === null) return false
  if (purposeOf(scene) === 'confide') return node.leaving.mayStay
  const isEarly = node.turns < QUESTIONS_FIRST
  if (node.isGate) return isEarly
  const decides = factsIn(decidingFactsOf(scene), textOf(matter)).length > 0
  return !decides || (!satisfied && isEarly && node.leaving.mayStay)
}

/** So many questions are answered in a node before the colleague puts a point unasked that decides. */
const QUESTIONS_FIRST = 3

/** Returns true if the colleague should not put an open fork's question again in this reply. */
function leavesQuestion({ node: { pivot, leaving } }: BriefingScene, heard: HeardMessage): boolean {
  return leaving !== null && pivot?.armed === true && (leaving.hints.question || asks(heard) || pivot.asked > 1)
}

/**
 * Returns true if a message is a detour: it leads away from this colleague's part of the scenario. A courtesy is no
 * detour. No message at a terminal node is a detour, because there is nothing to come back to.
 */
function isDetour(heard: HeardMessage, heading: Heading, { node }: BriefingScene): boolean {
  if (heard.manner !== 'plain' || node.isTerminal) return false
  if (isGrave(heard, node)) return true
  return heading.to === 'small-talk' ? heading.strays : heading.to !== 'own'
}

function agreement(heard: HeardMessage, judgement: Judgement): string {
  if (judgement.verdict === 'registered') return 'agrees'
  return heard.manner === 'plain' && dismisses(heard) ? 'disagrees' : 'neutral'
}
