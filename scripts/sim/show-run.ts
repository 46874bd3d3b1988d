import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { RunView } from '../../worker/wire/run.ts'

/** What can be typed at the desk. */
const DESK_KEYS =
  'A number or a name talks, Enter goes to whoever is next, "notebook" opens it, "decide" decides, "quit" leaves.'

export function showScene({ title, role, situation, decision, simulation }: Scenario): string {
  const due = simulation ? `Decide ${simulation.deadline}: ` : ''
  const options = decision.options.map((option) => `  · ${option.title}\n`).join('')
  return `${title}\n\n${capital(situation.where)}. ${situation.what}\nYou are ${role}.\n\n${due}${decision.question}\n${options}`
}

/** Everybody, with where one stands with them. */
export function showDesk({ people, objectives, facts, documents }: RunView, scenario: Scenario, next?: Npc): string {
  const rows = scenario.npcs.map((npc, place) => {
    const state = people.find((person) => person.npc === npc.id)
    const is = state === undefined || state.status === 'new' ? '' : `, ${STATUS[state.status]}, ${state.level}`
    return `  ${place + 1}  ${npc.name}, ${npc.role}${is}${npc === next ? '   <- next' : ''}\n`
  })
  const met = objectives.filter(({ state }) => state === 'met').length
  const noted = `${met} of ${objectives.length} objectives, ${count(facts.length, 'fact')}, ${count(documents.length, 'document')}`
  return `\n${rows.join('')}     ${noted}\n${DESK_KEYS}\n`
}

const STATUS = { talking: 'in the middle of it', over: 'talked with' } as const

/** Objectives, what was heard in the words in which it was, and the documents, whole. */
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

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
