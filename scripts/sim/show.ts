import { amountOf } from '../../sims/authoring/finding.ts'
import { openOptions } from '../../worker/core/run/options.ts'
import type { Debrief } from '../../worker/core/run/debrief.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { RunView, EndingView, TalkView } from '../../worker/wire/run.ts'

const DESK_KEYS =
  'A number or a name talks, Enter goes to whoever is next, "notebook" opens it, "decide" decides, "quit" leaves.'

export function showScene({ title, role, situation, decision, simulation }: Scenario): string {
  const due = simulation ? `Decide ${simulation.deadline}: ` : ''
  const options = openOptions(decision, [])
    .map((option) => `  · ${option.title}\n`)
    .join('')
  return `${title}\n\n${capital(situation.where)}. ${situation.what}\nYou are ${role}.\n\n${due}${decision.question}\n${options}`
}

/**
 * Returns the desk as text: every colleague with the state of the conversation, and the numbers of objectives, facts
 * and documents.
 */
export function showDesk({ people, objectives, facts, documents }: RunView, scenario: Scenario, next?: Npc): string {
  const rows = scenario.npcs.map((npc, place) => {
    const state = people.find((person) => person.npc === npc.id)
    const is = state === undefined || state.status === 'new' ? '' : `, ${STATUS[state.status]}, ${state.level}`
    return `  ${place + 1}  ${npc.name}, ${npc.role}${is}${npc === next ? '   <- next' : ''}\n`
  })
  const met = objectives.filter(({ state }) => state === 'met').length
  const noted = `${met} of ${objectives.length} objectives, ${amountOf(facts.length, 'fact')}, ${amountOf(documents.length, 'document')}`
  return `\n${rows.join('')}     ${noted}\n${DESK_KEYS}\n`
}

const STATUS = { talking: 'in the middle of it', over: 'talked with' } as const

/** Returns the notebook as text: the objectives, the facts word for word, and the whole documents. */
export function showNotebook({ objectives, facts, documents }: RunView, { npcs }: Scenario): string {
  const name = (id: string) => npcs.find((npc) => npc.id === id)?.name ?? id
  const parts = [
    ['Objectives', objectives.map(({ title, state }) => `  ${state.padEnd(6)}  ${title}\n`)],
    [
      'Heard',
      facts.map(
        ({ said, npc, turn }) => `  "${said}" (${name(npc)}${turn === null ? ', in writing' : `, turn ${turn}`})\n`,
      ),
    ],
    [
      'Documents',
      documents.map(
        ({ title, kind, npc, lines }) =>
          `  ${title} (${kind}, from ${name(npc)})\n${lines.map((line) => `      ${line}\n`).join('')}`,
      ),
    ],
  ] as const
  return parts.map(([heading, rows]) => `\n${heading}\n${rows.length > 0 ? rows.join('') : '  nothing yet\n'}`).join('')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Returns the debrief as text: the ending, the facts that were heard and missed, each conversation, and the other
 * endings.
 */
export function debriefText({ run, ending, others, facts, talks }: Debrief, { npcs, decision }: Scenario): string {
  const name = (id: string) => npcs.find((npc) => npc.id === id)?.name ?? id
  const states = facts.map(
    ({ npc, text, state }) => `  ${STATES[state].padEnd(16)}  ${text ?? 'Still to be found out'} (${name(npc)})\n`,
  )
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
