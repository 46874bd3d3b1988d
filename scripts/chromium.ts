import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { argsForThisUser, type Chromium, type Strategy } from './chromium/strategy.ts'
import { debianChromium, installedChromium } from './chromium/installed.ts'
import { packagedChromium } from './chromium/packaged.ts'
import { proveRenders } from './chromium/prove-renders.ts'

export const namedChromium: Strategy = {
  name: 'CHROMIUM_PATH',
  isOrder: true,
  async offer({ env }) {
    const path = env['CHROMIUM_PATH'] ?? ''
    const candidates = path === '' ? [] : [{ path, args: argsForThisUser(), env: {}, source: 'CHROMIUM_PATH' }]
    return { candidates, otherwise: 'not set' }
  },
}

export interface FindChromiumOptions {
  readonly root?: string
  readonly env?: NodeJS.ProcessEnv
  readonly strategies?: readonly Strategy[]
}

/** Thrown if no Chromium runs on this machine and none could be installed. The message lists every attempt. */
export class NoChromiumError extends Error {
  override readonly name = 'NoChromiumError'
}

/**
 * Finds a Chromium that renders text. Tries in this order: the program that `CHROMIUM_PATH` names, installed browsers,
 * a browser from an npm package, Debian's package. Starts each candidate to test it, and stores the result in
 * `.cache/chromium.json`.
 *
 * @throws NoChromiumError if no candidate runs
 */
export async function findChromium({
  root = path.resolve(import.meta.dirname, '..'),
  env = process.env,
  strategies = [namedChromium, installedChromium, packagedChromium, debianChromium],
}: FindChromiumOptions = {}): Promise<Chromium> {
  const cacheFile = path.join(root, '.cache', 'chromium.json')
  const known = await readKnown(cacheFile, env)
  if (known !== undefined) return known

  const tried: string[] = []
  for (const strategy of strategies) {
    const found = await firstThatRuns(strategy, { root, env }, tried)
    if (found === undefined) continue
    await remember(cacheFile, found, env)
    return found
  }
  throw new NoChromiumError(
    ['No Chromium was found that runs. Tried:', ...tried.map((line) => `  ${line}`), '', HOW_TO_GIVE_ONE].join('\n'),
  )
}

const HOW_TO_GIVE_ONE = 'Install Chromium or Chrome, or set CHROMIUM_PATH to the program.'

async function firstThatRuns(
  strategy: Strategy,
  context: { root: string; env: NodeJS.ProcessEnv },
  tried: string[],
): Promise<Chromium | undefined> {
  const offer = await strategy.offer(context)
  if (offer.candidates.length === 0) tried.push(`${strategy.name}: ${offer.otherwise}`)
  for (const candidate of offer.candidates) {
    const trouble = await proveRenders(candidate, context.env)
    if (trouble === undefined) return candidate
    tried.push(`${strategy.name}: ${candidate.path}: ${trouble}`)
    // A user who sets `CHROMIUM_PATH` wants exactly that program, so an error is better than another browser.
    if (strategy.isOrder) throw new NoChromiumError(`${strategy.name} names ${candidate.path}: ${trouble}`)
  }
  return undefined
}

/**
 * Reads the result of an earlier search from the cache. The result is valid while the browser that it names exists and
 * `CHROMIUM_PATH` is unchanged.
 */
async function readKnown(cacheFile: string, env: NodeJS.ProcessEnv): Promise<Chromium | undefined> {
  if (!existsSync(cacheFile)) return undefined
  const known = parseKnown(await readFile(cacheFile, 'utf8'))
  if (
    known !== undefined &&
    known.asked === (env['CHROMIUM_PATH'] ?? '') &&
    (await fingerprint(known.chromium.path)) === known.fingerprint
  ) {
    return known.chromium
  }
  await rm(cacheFile, { force: true })
  return undefined
}

interface Known {
  readonly asked: string
  readonly fingerprint: string
  readonly chromium: Chromium
}

function parseKnown(text: string): Known | undefined {
  try {
    const { asked, fingerprint: print, chromium }: Partial<Known> = JSON.parse(text)
    if (typeof asked !== 'string' || typeof print !== 'string' || typeof chromium?.path !== 'string') return undefined
    return { asked, fingerprint: print, chromium }
  } catch {
    return undefined
  }
}

async function remember(cacheFile: string, chromium: Chromium, env: NodeJS.ProcessEnv): Promise<void> {
  const known: Known = {
    asked: env['CHROMIUM_PATH'] ?? '',
    fingerprint: (await fingerprint(chromium.path)) ?? '',
    chromium,
  }
  await mkdir(path.dirname(cacheFile), { recursive: true })
  await writeFile(cacheFile, `${JSON.stringify(known, null, 2)}\n`)
}

async function fingerprint(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found === undefined ? undefined : `${found.size}:${found.mtimeMs}`
}

if (import.meta.main) {
  try {
    const { path: program, source } = await findChromium()
    console.log(`Chromium for the tests: ${program} (${source})`)
  } catch (error) {
    if (!(error instanceof NoChromiumError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
