import type { DebriefView, SimulationCard } from '../../../worker/wire/run.ts'
import type { Cast } from './cast.ts'
import { placeMessages } from './transcript.ts'

/**
 * Everything that was said, for programs: `docs/transcript.schema.json`, version 1. Times are UTC, as in
 * `2026-03-09T10:30:00.000Z`.
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
