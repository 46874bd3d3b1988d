import { chromium as playwright } from 'playwright-core'
import type { Chromium } from './strategy.ts'

/**
 * A page with three texts. A browser without fonts starts and runs scripts but draws no text. The only sign is that a
 * text is about 0 pixels wide.
 */
const PAGE =
  '<b style="font:20px sans-serif">Maya</b><b style="font:20px serif">Maya</b><b style="font:20px monospace">Maya</b>'
const LEAST_WIDTH_PX = 20
const TIMEOUT_MS = 30_000

/**
 * Starts a browser in the same way as the tests, and measures the width of texts in the browser.
 *
 * @returns the problem, or undefined if the browser runs and renders text
 */
export async function proveRenders(found: Chromium, outer: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    return await drawsText(found, outer)
  } catch (error) {
    return error instanceof Error ? firstLines(error.message) : String(error)
  }
}

async function drawsText({ path, args, env }: Chromium, outer: NodeJS.ProcessEnv): Promise<string | undefined> {
  const browser = await playwright.launch({
    executablePath: path,
    args: [...args],
    env: { ...outer, ...env },
    timeout: TIMEOUT_MS,
  })
  try {
    const page = await browser.newPage()
    await page.setContent(PAGE, { timeout: TIMEOUT_MS })
    const widths = await page
      .locator('b')
      .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().width))
    return widths.every((width) => width > LEAST_WIDTH_PX)
      ? undefined
      : 'it starts but draws no text (are there fonts?)'
  } finally {
    await browser.close()
  }
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, 3).join(' / ')
}
