import type { DebriefView, SimulationCard, TalkView } from '../../../worker/wire/run.ts'
import type { LateTexts } from '../texts/texts.ts'
import type { Cast } from '../people.ts'

export type TalkMessage = TalkView['transcript'][number]

/** A message with its turn. An answer to a pivot has the number of the turn before the pivot. */
export interface PlacedMessage extends TalkMessage {
  readonly turn: number | null
}

/**
 * Adds to each message its turn, which is part of the message's id (`say-3`, `reply-3`). A message without a turn in
 * its id belongs to the turn of the message before it.
 */
export function placeMessages(transcript: readonly TalkMessage[]): readonly PlacedMessage[] {
  let turn: number | null = null
  return transcript.map((message) => {
    turn = turnOf(message.id) ?? turn
    return { ...message, turn }
  })
}

function turnOf(id: string): number | null {
  const found = /^(?:say|reply)-(\d+)$/.exec(id)
  return found ? Number(found[1]) : null
}

/** Returns the id of the HTML element that shows a message. */
export function anchorOf(npc: string, message: string): string {
  return `said-${npc}-${message}`
}

/**
 * Returns the id of the HTML element that shows a turn's reply, or else the learner's message of the turn. Returns null
 * if the transcript contains neither.
 */
export function anchorOfTurn({ npc, transcript }: Pick<TalkView, 'npc' | 'transcript'>, turn: number): string | null {
  const found = [`reply-${turn}`, `say-${turn}`].find((id) => transcript.some((message) => message.id === id))
  return found === undefined ? null : anchorOf(npc, found)
}

/**
 * Returns the transcript as JSON for other programs, in version 1 of the format `docs/transcript.schema.json`. Times
 * are in UTC, such as `2026-03-09T10:30:00.000Z`.
 */
export function transcriptJson(debrief: DebriefView, card: SimulationCard, cast: Cast): string {
  const { run, ending, talks } = debrief
  const told = {
    schema: 'walkon-transcript',
    version: 1,
    simulation: { id: run.scenario, version: run.version, title: card.title, role: card.role, question: card.question },
    run: {
      startedAt: timeOf(run.startedAt),
      nickname: run.nickname,
      class: run.class?.title ?? null,
      again: run.again,
    },
    decision: run.decision && {
      option: ending.option,
      title: ending.title,
      verdict: ending.verdict,
      reason: run.decision.reason,
      evidence: run.decision.evidence.flatMap((id) => run.facts.filter((fact) => fact.id === id).map(citedOf)),
      at: timeOf(run.decision.at),
    },
    talks: talks.map(({ npc, completion, transcript }) => ({
      npc,
      name: cast.person(npc).name,
      role: cast.person(npc).role,
      completion,
      messages: placeMessages(transcript).map(({ id, turn, who, text, at }) => ({
        id,
        turn,
        who,
        text,
        at: timeOf(at),
      })),
    })),
  }
  return `${JSON.stringify(told, null, 2)}\n`
}

function citedOf({ id, npc, said, turn }: DebriefView['run']['facts'][number]) {
  return { fact: id, npc, said, turn }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

/** The content of a transcript that is saved or printed. */
export interface TranscriptContent {
  readonly debrief: DebriefView
  readonly card: SimulationCard
  readonly cast: Cast
  readonly words: LateTexts['debrief']
  readonly when: (time: number) => string
}

/** Returns the transcript as Markdown. Everything that people said is escaped, so that it is shown as plain text. */
export function transcriptMarkdown(paper: TranscriptContent): string {
  const { debrief, card, words } = paper
  const parts = [
    `# ${markdownLine(card.title)}`,
    headOf(paper),
    `## ${markdownLine(words.paper.decision)}`,
    `${bold(debrief.ending.title)}`,
    ...(debrief.run.decision?.reason ? [quote(markdownText(debrief.run.decision.reason))] : []),
    ...evidenceOf(paper),
    ...debrief.talks.flatMap((talk) => talkOf(talk, paper)),
    `---`,
    markdownLine(words.paper.made(debrief.run.version)),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function headOf({ debrief: { run }, card, words, when }: TranscriptContent): string {
  const entries: readonly (readonly [string, string | null | undefined])[] = [
    [words.paper.by, run.nickname],
    [words.paper.inClass, run.class?.title],
    [words.paper.role, card.role],
    [words.paper.question, card.question],
  ]
  const lines = entries.flatMap(([name, value]) => (value ? [`- ${bold(`${name}:`)} ${markdownLine(value)}`] : []))
  const decided = run.decision === null ? [] : [`- ${markdownLine(words.paper.decided(when(run.decision.at)))}`]
  return [...lines, ...decided].join('\n')
}

function evidenceOf({ debrief: { run }, cast, words }: TranscriptContent): readonly string[] {
  const cited = run.facts.filter(({ id }) => run.decision?.evidence.includes(id))
  const lines = cited.map(({ npc, said }) => `- ${bold(`${cast.person(npc).name}:`)} ${markdownLine(said)}`)
  return [`### ${markdownLine(words.paper.evidence)}`, lines.join('\n') || markdownLine(words.paper.noEvidence)]
}

function talkOf(
  { npc, transcript }: DebriefView['talks'][number],
  { cast, words }: TranscriptContent,
): readonly string[] {
  const { name, role } = cast.person(npc)
  const lines = placeMessages(transcript).map(({ who, text }) => {
    const speaker = who === 'learner' ? words.you : name
    return `${bold(`${speaker}:`)} ${markdownText(text)}`
  })
  return [
    `## ${markdownLine(words.paper.conversation(name, role))}`,
    ...(lines.length > 0 ? lines : [words.nothingSaid]),
  ]
}

function bold(text: string): string {
  return `**${markdownLine(text)}**`
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

/**
 * Writes a text as Markdown that shows exactly that text. Escapes everything that CommonMark and GitHub would read as
 * markup, keeps line breaks, and removes invisible characters.
 */
export function markdownText(text: string): string {
  return linesOf(text).map(escapeLine).join('\\\n')
}

/** Writes a text as Markdown like `markdownText`, but in one line, for a heading or a list item. */
export function markdownLine(text: string): string {
  return escapeLine(linesOf(text).join(' ').replaceAll(/\s+/g, ' ').trim())
}

/**
 * Splits a text into its lines and drops empty lines, because an empty line would begin a paragraph without a speaker.
 */
function linesOf(text: string): readonly string[] {
  return text
    .toWellFormed()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll(UNSEEN, '').replaceAll('\t', ' ').trim())
    .filter((line) => line !== '')
}

/**
 * Control characters and characters that change the text's direction. The pattern excludes joiners, because names and
 * emoji need joiners.
 */
const UNSEEN = /(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu

function escapeLine(line: string): string {
  return line
    .replaceAll(ANYWHERE, '\\$&')
    .replace(NUMBERED, '$1\\$2')
    .replace(AT_THE_START, '\\$&')
    .replaceAll(ADDRESS, '\\$&')
}

/**
 * Characters that are markup anywhere in a line: emphasis, code, links, images, tags, entities, tables, headings,
 * mathematics.
 */
const ANYWHERE = /[\\`*_[\]<>&~|#$^{}@]/g
/** Characters that are markup at the start of a line: list items, underlines of headings, definitions of terms. */
const NUMBERED = /^(\d+)([.)])/
const AT_THE_START = /^[-+=:]/
/** Addresses that become links without brackets, some of them in the middle of a word. */
const ADDRESS = /(?<=https?|ftp|mailto|xmpp):|(?<=www)\./gi
