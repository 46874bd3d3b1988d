import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { argsForThisUser, type Strategy } from './strategy.ts'
import { runQuietly } from './run-quietly.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']

export const installedChromium: Strategy = {
  name: 'an installed browser',
  async offer({ env }) {
    const places = [...onPath(env), ...usualPlaces(env), ...(await playwrightPlaces(env))]
    const candidates = [...new Set(places)]
      .filter((place) => existsSync(place))
      .map((place) => ({ path: place, args: argsForThisUser(), env: {}, source: 'installed' }))
    return {
      candidates,
      otherwise: `none of ${NAMES.join(', ')} on the PATH, in the usual places or in Playwright's cache`,
    }
  },
}

function onPath(env: NodeJS.ProcessEnv): string[] {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const ending = process.platform === 'win32' ? '.exe' : ''
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, `${name}${ending}`)))
}

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin') {
    return ['Chromium', 'Google Chrome', 'Microsoft Edge'].flatMap((app) =>
      ['/Applications', path.join(homedir(), 'Applications')].map(
        (folder) => `${folder}/${app}.app/Contents/MacOS/${app}`,
      ),
    )
  }
  if (process.platform !== 'win32') return []
  return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => {
    const folder = env[name]
    if (folder === undefined) return []
    return ['Google/Chrome', 'Chromium', 'Microsoft/Edge'].map((app) =>
      path.join(folder, app, 'Application', app === 'Microsoft/Edge' ? 'msedge.exe' : 'chrome.exe'),
    )
  })
}

/**
 * Returns the programs in Playwright's cache, newest first. Playwright keeps one folder for each build of a browser,
 * and the build with the highest number is the newest.
 */
async function playwrightPlaces(env: NodeJS.ProcessEnv): Promise<string[]> {
  const cache = env['PLAYWRIGHT_BROWSERS_PATH'] ?? playwrightCache(env)
  const folders = await readdir(cache).catch(() => [])
  return folders
    .filter((folder) => /^chromium(_headless_shell)?-\d+$/.test(folder))
    .toSorted((a, b) => buildOf(b) - buildOf(a))
    .flatMap((folder) => PLAYWRIGHT_PROGRAMS.map((program) => path.join(cache, folder, program)))
}

const PLAYWRIGHT_PROGRAMS = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-win/chrome.exe',
  'chrome-win64/chrome.exe',
]

function playwrightCache(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return path.join(homedir(), 'Library/Caches/ms-playwright')
  if (process.platform === 'win32') return path.join(env['LOCALAPPDATA'] ?? homedir(), 'ms-playwright')
  return path.join(env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'ms-playwright')
}

function buildOf(folder: string): number {
  return Number(folder.split('-').at(-1))
}

const PROGRAM = '/usr/bin/chromium'

/** The Chromium of Debian's package, which only root may install. */
export const debianChromium: Strategy = {
  name: "Debian's chromium",
  async offer({ env }) {
    if (process.getuid?.() !== 0) return { candidates: [], otherwise: 'only root may install it' }
    if (!existsSync('/usr/bin/apt-get')) return { candidates: [], otherwise: 'there is no apt-get' }
    const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 600_000 }
    const updated = await runQuietly('apt-get', ['update'], quiet)
    if (!updated.ok) return { candidates: [], otherwise: `apt-get update failed: ${updated.trouble}` }
    const installed = await runQuietly('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet)
    if (!installed.ok) return { candidates: [], otherwise: `apt-get install chromium failed: ${installed.trouble}` }
    return { candidates: [{ path: PROGRAM, args: argsForThisUser(), env: {}, source: 'Debian' }], otherwise: '' }
  },
}
