import type { Debrief } from '../../worker/core/run/debrief.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import type { EndingView, TalkView } from '../../worker/wire/run.ts'

/** The debrief as text: what became of it, what was known and what was not, how each conversation went, the other ways. */
export function debriefText({ run, ending, others, facts, talks }: Debrief, { npcs, decision }: Scenario): string {
  const name = (id: string) => npcs.find((npc) => npc.id === id)?.name ?? id
  const states = facts.map(({ npc, text, state }) => `  ${STATES[state].padEnd(16)}  ${text} (${name(npc)})\n`)
  return [
    `\n${'═'.repeat(60)}\n`,
    `${decision.question}\n`,
    `You chose: ${ending.title}. ${VERDICTS[ending.verdict]}\nYour reason: ${run.decision.reason}\n\n`,
    paragraphs(ending),
    '\nWhat it should have rested on\n',
    ...states,
    '\nThe conversations\n',
    ...talks.map((talk) => talkLines(talk, name(talk.npc))),
    '\nHow it would have gone otherwise\n',
    ...others.map((other) => `  ${other.title}. ${VERDICTS[other.verdict]}\n${paragraphs(other)}`),
  ].join('')
}

const VERDICTS = { right: 'That was right.', defensible: 'That can be defended.', wrong: 'That was wrong.' } as const
const STATES = { cited: 'heard and used', ignored: 'heard, not used', missed: 'never heard' } as const

function paragraphs({ after }: EndingView): string {
  return after.map((text) => `    ${text}\n`).join('')
}

function talkLines(talk: TalkView, name: string): string {
  const { completion, walk, relationship, engagement, accepts, opinion } = talk
  const end = completion === null ? 'left in the middle' : completion === 'earned' ? 'completed' : 'cut short'
  const steps = walk.map(({ node, reason }) => (reason === null ? node : `${node} (${reason})`)).join(' > ')
  const levels = relationship.map(({ level }) => level)
  const worth = engagement.map(({ score }) => (score > 0 ? `+${score}` : String(score))).join(' ')
  return [
    `  ${name}: ${end}\n`,
    `      walk          ${steps}\n`,
    `      relationship  ${levels.filter((level, place) => level !== levels[place - 1]).join(' > ')}\n`,
    `      engagement    ${worth}\n`,
    ...accepts.map((text) => `      would accept  ${text}\n`),
    ...(opinion ? [`      their call    ${opinion.rightCall}. ${opinion.argument}\n`] : []),
  ].join('')
}
