import { styleText } from 'node:util'
import type { Actor } from '../../worker/actor/actor.ts'
import type { Npc, Scenario } from '../../worker/core/scenario/scenario.ts'
import type { Effect } from '../../worker/core/walk/event.ts'
import type { Talked } from './talk.ts'

type Write = (text: string) => void

/** Says where one is, with whom, and who speaks for them. */
export function showOpening(scenario: Scenario, npc: Npc, actor: Actor, write: Write): void {
  write(`${scenario.title}\n${scenario.situation.where}. ${scenario.situation.what}\nYou are ${scenario.role}.\n\n`)
  write(`${npc.name}, ${npc.role}. ${npc.scene}\n`)
  write(
    dim(
      `${actor.kind === 'rehearsal' ? 'Rehearsal actor: scripted lines, no language model.' : `Spoken by ${actor.label}.`}\n`,
    ),
  )
}

/** What the walker made of a line: node, decision with its reason, report and commands. */
export function showTurn(talked: Talked, write: Write): void {
  if (talked.heard && !talked.heard.ok) return write(dim(`     no reply: ${talked.heard.failure}. Say it again.\n`))
  for (const line of [...decisionLines(talked), ...reportLines(talked), ...commandLines(talked)])
    write(dim(`     ${line}\n`))
}

function decisionLines({ before, after, step, choice }: Talked): readonly string[] {
  const decision = step?.trace.find(({ type }) => type === 'decision')
  if (decision?.type !== 'decision') return []
  const { from, to, reason } = decision.decision
  const { score, level } = after.relationship
  const moved = score - before.relationship.score
  const where = to === null ? 'the end' : to === from ? 'stays' : to
  return [
    `node      ${from}${choice ? '' : ` (turn ${(before.visits.at(-1)?.exchanges ?? 0) + 1})`}`,
    `decision  ${where}, because ${reason}`,
    `mood      ${level} ${signed(score)}${moved === 0 ? '' : ` (${signed(moved)})`}`,
  ]
}

function reportLines({ heard, step }: Talked): readonly string[] {
  if (!heard?.ok) return []
  const { report, quality } = heard
  const flags = [report.node_satisfied && 'satisfied', report.detour_detected && 'detour'].filter(
    (flag) => flag !== false,
  )
  const remarks = step?.trace.map(({ type }) => type).filter((type) => type !== 'decision') ?? []
  return [
    `report    ${quality}; ${flags.join(', ') || 'not satisfied'}; engagement ${signed(report.engagement_score)}`,
    ...(report.information_revealed.length > 0 ? [`told      ${report.information_revealed.join(' · ')}`] : []),
    ...(remarks.length > 0 ? [`traced    ${remarks.join(', ')}`] : []),
  ]
}

function commandLines({ step }: Talked): readonly string[] {
  return (step?.effects ?? []).flatMap((effect) => (effect.type === 'command' ? told(effect) : []))
}

function told({ id, command }: Extract<Effect, { type: 'command' }>): readonly string[] {
  switch (command.name) {
    case 'AI_PivotMoment':
      return [`command   ${id}`, ...command.choices.map(({ text }, i) => `  ${i + 1}       ${text}`)]
    case 'AI_AdvanceObjective':
      return [`command   ${id} (${command.title})`]
    case 'AI_EndConversation':
      return [
        `command   ${id}, ${command.completion}`,
        ...(command.document ? [`  takes   ${command.document.title}`] : []),
        ...(command.next ? [`  next    ${command.next.name}: ${command.next.why}`] : []),
      ]
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}

function dim(text: string): string {
  return styleText('dim', text)
}
