import { quotesOf, spokenFirst } from '../../sims/game/quotes.ts'
import type { HeardFact } from '../../worker/wire/run.ts'
import type { Hands } from './game-hands.ts'
import type { GamePlayer } from './game-player.ts'

/** Ticks the quotations on the screen of the decision that tell one of these facts. Returns all facts that they tell. */
export async function tickEvidence(
  page: GamePlayer['page'],
  hands: Pick<Hands, 'press'>,
  facts: readonly HeardFact[],
  ids: readonly string[],
): Promise<readonly string[]> {
  // A colleague's later quotations are folded.
  await page.locator('.evidence details').evaluateAll((folds) => {
    for (const fold of folds) if (fold instanceof HTMLDetailsElement) fold.open = true
  })
  const rows = [...Map.groupBy(quotesOf(facts), ({ fact }) => fact.npc).values()].flatMap(spokenFirst)
  const told = rows.map(({ fact, others }) => [fact, ...others].map(({ id }) => id))
  const isMeant = (row: readonly string[]) => row.some((id) => ids.includes(id))
  for (const [index, row] of told.entries())
    if (isMeant(row)) await hands.press(page.locator('.ticked input').nth(index))
  return told.filter(isMeant).flat()
}
