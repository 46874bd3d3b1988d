import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { GamePlayer } from '../support/game-player.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/**
 * The files that `npm start` needs. The test changes a copy of these files. The copy is in a folder inside the project,
 * so that Node finds the packages.
 */
const PARTS = ['worker', 'widget', 'sims', 'scripts', 'wrangler.toml', 'package.json', 'package-lock.json']
/** Timeout of a build and the steps after it, in milliseconds, for a busy machine. */
const LONG = { timeout: 120_000 }

const house = mkdtempSync(path.join(ROOT, 'build', 'watched-'))
const scenario = path.join(house, 'sims/launch-decision/scenario.yaml')
let server: ChildProcess | undefined
let said = ''
let browser: Browser | undefined
let player: GamePlayer
let page: Page
let address = ''

beforeAll(async () => {
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(house, part), { recursive: true })
  for (const file of ['tsconfig.base.json', 'tsconfig.json']) cpSync(path.join(ROOT, file), path.join(house, file))
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(house, 'node_modules'), 'dir')
  const port = await freePort()
  address = `http://localhost:${port}/`
  const started = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: house,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  server = started
  await new Promise<void>((resolve, reject) => {
    const hear = (text: unknown) => {
      said += String(text)
      if (said.includes(address.slice(0, -1))) resolve()
    }
    started.stdout.on('data', hear)
    started.stderr.on('data', hear)
    started.once('exit', () => reject(new Error(said)))
  })
  browser = await connectBrowser()
  player = await GamePlayer.open({ browser, server: { url: new URL(address) } })
  page = player.page
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await stop()
  // Processes of the stopped server may still be writing files.
  rmSync(house, { recursive: true, force: true, maxRetries: 10 })
})

/** The tests depend on each other: each test continues with the files that the previous test has left. */
describe('a change while npm start runs', { timeout: 300_000 }, () => {
  it('[authoring-20] of a scenario is built, reaches the Worker, and appears on the open page', async () => {
    await title('The launch decision').waitFor()
    change('id: ship-as-is, title', 'id: ship-it, title')
    // The change above puts an error into the scenario, so the scenario is not built. The change below mends the error.
    change('option: ship-as-is', 'option: ship-it')
    // The test changes the title last. A page with the new title therefore has all changes, even if a build ran in
    // between.
    change('title: The launch decision', 'title: The Thursday decision')
    await title('The Thursday decision').waitFor(LONG)
    expect(await served('/scenarios.json')).toContain('The Thursday decision')
    expect([await canDecide('ship-it'), await canDecide('ship-as-is')]).toEqual([true, false])
  })

  it('[authoring-21] that breaks the scenario is reported with its position, and the last good one stays playable', async () => {
    change('tier: TECHNICAL', 'tier: TEKNICAL')
    await expect
      .poll(() => said, LONG)
      .toMatch(/sims\/launch-decision\/scenario\.yaml:\d+:\d+ \/tier {2}is none of TECHNICAL/)
    await expect.poll(() => said, LONG).toContain('is still served')
    expect(said).not.toMatch(/\.js:\d+|\[custom build\]|ERROR/)
    expect([await canDecide('ship-it'), await canDecide('ship-as-is')]).toEqual([true, false])
    await page.reload(LONG)
    await title('The Thursday decision').waitFor(LONG)
  })

  it('[authoring-21] that is taken back is reported, and the next one is built again', async () => {
    change('tier: TEKNICAL', 'tier: TECHNICAL')
    await expect.poll(() => said, LONG).toContain('Nothing is wrong any more')
    change('title: The Thursday decision', 'title: The Friday decision')
    await title('The Friday decision').waitFor(LONG)
  })

  it('[authoring-20] of the page’s source appears as well, and a broken one loses nothing', async () => {
    const texts = path.join(house, 'sims/game/texts/en.ts')
    const before = readFileSync(texts, 'utf8')
    writeFileSync(texts, `${before}\nexport const oops = (\n`)
    await expect.poll(() => said, LONG).toMatch(/en\.ts:\d+/)
    await title('The Friday decision').waitFor(LONG)
    writeFileSync(texts, before)
    const styles = path.join(house, 'sims/game/styles/base.css')
    writeFileSync(styles, `${readFileSync(styles, 'utf8')}\n.house { letter-spacing: 7px; }\n`)
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector('.house') ?? document.body).letterSpacing === '7px',
      null,
      LONG,
    )
  })

  it('[authoring-22] keeps a message that is being written', async () => {
    await player.begin('The Friday decision')
    await player.field.fill('Half a sen')
    await page.evaluate(() => (document.title = 'before'))
    change('title: The Friday decision', 'title: The Saturday decision')
    await page.waitForFunction(() => document.title !== 'before', null, LONG)
    await player.field.waitFor(LONG)
    await expect.poll(() => player.field.inputValue(), LONG).toBe('Half a sen')
  })

  it('[authoring-22] waits while the page has text that is not stored', async () => {
    await page.evaluate(() => {
      const field = document.createElement('input')
      field.type = 'text'
      field.id = 'a-name'
      field.value = 'Ada'
      document.body.append(field)
    })
    change('title: The Saturday decision', 'title: The Sunday decision')
    await expect.poll(() => served('/scenarios.json'), LONG).toContain('The Sunday decision')
    const asked = questions()
    await expect.poll(questions, LONG).toBeGreaterThan(asked + 2)
    expect(await page.locator('#a-name').inputValue()).toBe('Ada')
    await page.locator('#a-name').fill('')
    await page.locator('#a-name').waitFor({ state: 'detached', ...LONG })
  })

  it('[authoring-23] works under the strict policy, and leaves no trace once the server has stopped', async () => {
    const csp = (await fetch(address)).headers.get('content-security-policy')
    expect(csp).toContain("script-src 'self'")
    expect(player.watched.complaints.filter((each) => /Content.Security|Trusted/i.test(each))).toEqual([])
    expect(await served('/')).toContain('/watch/reload.js')
    await stop()
    expect(readFileSync(path.join(house, 'build/public/index.html'), 'utf8')).not.toContain('watch')
    expect(existsSync(path.join(house, 'build/public/watch'))).toBe(false)
  })
})

function questions(): number {
  return player.watched.requests.filter((each) => each === '/watch/build.txt').length
}

function title(text: string) {
  return page.getByText(text).first()
}

function change(from: string, to: string): void {
  const before = readFileSync(scenario, 'utf8')
  expect(before).toContain(from)
  writeFileSync(scenario, before.replace(from, to))
}

async function served(file: string): Promise<string> {
  return (await fetch(new URL(file, address))).text()
}

/** Returns whether the worker accepts a decision with this option. The worker refuses an unknown option. */
async function canDecide(option: string): Promise<boolean> {
  const started = await post('/api/runs', { scenario: 'launch-decision' })
  const { run } = (await started.json()) as { run: { key: string } }
  return (await post('/api/run/decision', { option, reason: 'because', evidence: [] }, run.key)).ok
}

/**
 * Sends a POST to the worker, and sends it again after a 503: while the worker restarts, wrangler answers requests with
 * 503.
 */
function post(file: string, body: object, key = ''): Promise<Response> {
  return vi.waitFor(async () => {
    const headers = { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) }
    const answer = await fetch(new URL(file, address), { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status === 503) throw new Error(await answer.text())
    return answer
  }, LONG)
}

async function stop(): Promise<void> {
  if (server === undefined || server.exitCode !== null) return
  const ended = new Promise((resolve) => server?.once('exit', resolve))
  server.kill('SIGINT')
  await ended
}
