import type { DebriefView, SimulationCard } from '../../../worker/wire/run.ts'
import type { LateTexts } from '../texts/texts.ts'
import type { Cast } from './cast.ts'
import { markdownLine, markdownText } from './markdown-text.ts'
import { placeMessages } from './transcript.ts'

/** What a transcript is made of besides what was said. */
export interface Paper {
  readonly debrief: DebriefView
  readonly card: SimulationCard
  readonly cast: Cast
  readonly words: LateTexts['debrief']
  /** A point in time, for a reader. */
  readonly when: (time: number) => string
}

/** Everything that was said, as Markdown. Whatever somebody said stays text in it. */
export function transcriptMarkdown(paper: Paper): string {
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

function headOf({ debrief: { run }, card, words, when }: Paper): string {
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

function evidenceOf({ debrief: { run }, cast, words }: Paper): readonly string[] {
  const cited = run.facts.filter(({ id }) => run.decision?.evidence.includes(id))
  const lines = cited.map(({ npc, said }) => `- ${bold(`${cast.person(npc).name}:`)} ${markdownLine(said)}`)
  return [`### ${markdownLine(words.paper.evidence)}`, lines.join('\n') || markdownLine(words.paper.noEvidence)]
}

function talkOf({ npc, transcript }: DebriefView['talks'][number], { cast, words }: Paper): readonly string[] {
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
