import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { calledName } from '../people.ts'
import type { People } from '../people.ts'
import { hrefOf } from '../route.ts'
import { format, t } from '../texts/texts.ts'

/**
 * Names the colleagues with whom the learner hasn't finished a conversation, with links to those conversations. The
 * learner may decide without finishing them.
 */
export function LeftOutNote({ run, card, people }: { run: RunView; card: SimulationCard; people: People }) {
  const { never, open } = leftOut(run, card.guide)
  if (never.length + open.length === 0) return null
  const named = (npcs: readonly string[]) => npcs.map((npc) => calledName(people(npc)))
  return (
    <div class="left-out">
      {never.length > 0 && <p>{t.decide.never(format.either(named(never)))}</p>}
      {open.length > 0 && <p>{t.decide.unfinished(format.list(named(open)))}</p>}
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

/** The colleagues with whom the learner hasn't finished a conversation, in the order of the simulation. */
export interface LeftOut {
  readonly never: readonly string[]
  readonly open: readonly string[]
}

/**
 * Returns the colleagues whose conversations the learner hasn't finished, because these colleagues may know more than
 * they have told. The result never contains the guide, because the guide knows no deciding fact.
 */
export function leftOut({ people }: Pick<RunView, 'people'>, guide: string | null): LeftOut {
  const colleagues = people.filter(({ npc }) => npc !== guide)
  return {
    never: colleagues.filter(({ status }) => status === 'new').map(({ npc }) => npc),
    open: colleagues.filter(({ status }) => status === 'talking').map(({ npc }) => npc),
  }
}
