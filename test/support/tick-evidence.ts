import type { Page } from 'playwright-core'
import { spokenFirst } from '../../sims/game/notebook/entries.ts'
import type { HeardFact } from '../../worker/wire/run.ts'
import type { Hands } from './game-hands.ts'
import type { GamePlayer } from './game-player.ts'

/** Opens what each colleague told. More than eight facts are folded. */
export async function unfoldEvidence(page: Page): Promise<void> {
  await page.locator('.evidence details').evaluateAll((folds) => {
    for (const fold of folds) if (fold instanceof HTMLDetailsElement) fold.open = true
  })
}

/**
 * Ticks these facts on the screen of the decision. What the reason names is ticked already. Returns those of the facts that
 * are there.
 */
export async function tickEvidence(
  page: GamePlayer['page'],
  hands: Pick<Hands, 'press'>,
  facts: readonly HeardFact[],
  ids: readonly string[],
): Promise<readonly string[]> {
  await unfoldEvidence(page)
  const isGiven = (await page.getByLabel('Your reason').inputValue()) !== ''
  if (isGiven) await page.locator('[role=status]', { hasText: /names/ }).waitFor()
  const rows = [...Map.groupBy(facts, ({ npc }) => npc).values()].flatMap(spokenFirst)
  for (const [index, { id }] of rows.entries())
    if (ids.includes(id) && !(await page.locator('.ticked input').nth(index).isChecked()))
      await hands.press(page.locator('.ticked input').nth(index))
  return rows.flatMap(({ id }) => (ids.includes(id) ? [id] : []))
}
