import { useEffect, useState } from 'preact/hooks'
import type { RunView, SimulationCard } from '../../../worker/wire/run.ts'
import { CaseHeading } from '../components/case-heading.tsx'
import type { Game } from '../game.ts'
import { firstNameOf } from '../people-of.ts'
import { hrefOf } from '../route.ts'
import { TalkPlace } from '../talk/talk-place.tsx'
import { t } from '../texts/texts.ts'

import { ScenePaper } from './scene-paper.tsx'

/** The scene is set: the case on paper, and whoever guides the learner beside it, to be asked about it. */
export function BriefingScreen({ game, card, run }: { game: Game; card: SimulationCard; run: RunView }) {
  const isWide = useIsWide()
  const guide = firstNameOf(card.people.find(({ id }) => id === card.guide))
  return (
    <div class="briefing">
      <div class="brief">
        <CaseHeading card={card} />
        <ScenePaper card={card} />
        <p class="measure">{t.shell.briefingLead(guide)}</p>
        <p class="doings">
          {!isWide && (
            <a class="button main" href={hrefOf({ screen: 'talk', run: run.id, npc: card.guide })}>
              {t.shell.talkItThrough(guide)}
            </a>
          )}
          <a class="button" href={hrefOf({ screen: 'desk', run: run.id })}>
            {t.shell.skipBriefing}
          </a>
        </p>
      </div>
      {isWide && <TalkPlace game={game} run={run.id} npc={card.guide} />}
    </div>
  )
}

/** Whether both stand side by side; on a phone the conversation is a screen of its own. */
function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const media = matchMedia(WIDE)
    const changed = () => setIsWide(media.matches)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }, [])
  return isWide
}

const WIDE = '(min-width: 60em)'
