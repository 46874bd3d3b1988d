import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { CastPortrait } from '../components/cast-portrait.tsx'
import { doingOf, placeOf } from '../next-step.ts'
import type { NextStep } from '../next-step.ts'
import { firstNameOf } from '../people-of.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'

/** The next step under the lamp: one sentence, and one button for it. */
export function NextCard({ card, run, next }: { card: SimulationCard; run: RunView; next: NextStep }) {
  const nameOf = (npc: string) => firstNameOf(card.people.find(({ id }) => id === npc))
  const person = 'npc' in next ? card.people.find(({ id }) => id === next.npc) : undefined
  const level = run.people.find(({ npc }) => npc === person?.id)?.level ?? 'neutral'
  return (
    <section class="next-card" aria-labelledby="next-title">
      {person && <CastPortrait person={person} level={level} size={72} />}
      <div>
        <h2 id="next-title" class="lamp-tag">
          {t.shell.nextStep}
        </h2>
        <p class="says">{sentence(next, nameOf)}</p>
        {next.kind === 'sent' && next.why !== '' && (
          <blockquote lang="en" dir="auto">
            {next.why}
          </blockquote>
        )}
        <a class="button main" href={hrefOf(placeOf(next, run.id))}>
          {doingOf(next, nameOf)}
        </a>
      </div>
    </section>
  )
}

function sentence(next: NextStep, nameOf: (npc: string) => string): string {
  switch (next.kind) {
    case 'guide':
      return t.shell.next.guide(nameOf(next.npc))
    case 'talking':
      return t.shell.next.talking(nameOf(next.npc))
    case 'sent':
      return t.shell.next.sent(nameOf(next.npc), nameOf(next.by))
    case 'new':
      return t.shell.next.new(nameOf(next.npc))
    case 'decide':
      return t.shell.next.decide
    case 'debrief':
      return t.shell.next.debrief
  }
}
