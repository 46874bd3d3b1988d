import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'
import { hrefOf } from '../route.ts'
import { locale, t } from '../texts/texts.ts'

/** Names the colleagues the learner has not heard out, with links to them. The learner may still decide. */
export function LeftOutNote({ run, card, people }: { run: RunView; card: SimulationCard; people: People }) {
  const { never, open } = leftOut(run, card.guide)
  if (never.length + open.length === 0) return null
  const listed = (npcs: readonly string[]) =>
    new Intl.ListFormat(locale === 'ar-XB' ? 'en' : locale).format(npcs.map((npc) => calledName(people(npc))))
  return (
    <div class="left-out">
      {never.length > 0 && <p>{t.decide.never(listed(never))}</p>}
      {open.length > 0 && <p>{t.decide.unfinished(listed(open))}</p>}
      <p class="small">{t.decide.allTheSame}</p>
      <p class="ways-there">
        {[...open, ...never].map((npc) => (
          <a key={npc} href={hrefOf({ screen: 'talk', run: run.id, npc })}>
            {t.notebook.talkTo(calledName(people(npc)))}
          </a>
        ))}
      </p>
    </div>
  )
}

/** The colleagues that the learner has not heard out, in the order of the simulation. */
export interface LeftOut {
  /** They were never talked with. */
  readonly never: readonly string[]
  /** Their conversation is still open. */
  readonly open: readonly string[]
}

/** The colleagues who may know something that the learner does not. The guide knows nothing that decides. */
export function leftOut({ people }: Pick<RunView, 'people'>, guide: string | null): LeftOut {
  const colleagues = people.filter(({ npc }) => npc !== guide)
  return {
    never: colleagues.filter(({ status }) => status === 'new').map(({ npc }) => npc),
    open: colleagues.filter(({ status }) => status === 'talking').map(({ npc }) => npc),
  }
}
