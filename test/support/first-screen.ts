import type { WatchedPage } from './browser.ts'

/**
 * Waits until a page of the game shows a screen instead of the skeleton. @throws Error with the page's HTML and its
 * errors when no screen appears
 */
export async function firstScreen({ page, complaints }: WatchedPage): Promise<void> {
  try {
    await page.locator('main h1:not(.skeleton h1)').waitFor()
  } catch (error) {
    const shown = await page.evaluate(() => document.body.innerHTML.slice(0, 1_000)).catch(String)
    throw new Error(`no screen came: ${shown}\n${complaints.join('\n')}`, { cause: error })
  }
}
