import type { SimulationCard, RunView } from '../../../worker/wire/run.ts'
import { nextStepOf } from '../next-step.ts'
import { hrefOf } from '../route.ts'
import { t } from '../texts/texts.ts'
import { calledName } from './people.ts'
import type { People } from './people.ts'

/** What the notebook is for, and whom to begin with. */
export function NothingHeard({ run, card, people }: { run: RunView; card: SimulationCard | null; people: People }) {
  const step = nextStepOf(run, card?.guide ?? '')
  const npc = 'npc' in step ? step.npc : null
  return (
    <div class="aside">
      <p>{t.notebook.nothingHeard}</p>
      <p>
        <a href={hrefOf(npc === null ? { screen: 'desk', run: run.id } : { screen: 'talk', run: run.id, npc })}>
          {npc === null ? t.notebook.toPeople : t.notebook.talkTo(calledName(people(npc)))}
        </a>
      </p>
    </div>
  )
}
