import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { calledName } from '../notebook/people.ts'
import type { People } from '../notebook/people.ts'
import { hrefOf } from '../route.ts'
import { locale, t } from '../texts/texts.ts'
import { leftOut } from './left-out.ts'

/** Says plainly who was not heard out, and leads to them. It keeps nobody from deciding. */
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
