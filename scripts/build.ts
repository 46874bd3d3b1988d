import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { linesWithAdvice } from '../sims/authoring/finding.ts'
import { buildCards, buildScenarios } from './build-scenarios.ts'
import { buildGame } from './build-game.ts'
import { buildOperator } from './build-operator.ts'
import { widgetVersion } from './build-packages.ts'
import { buildWidget } from './build-widget.ts'
import { WORD_TABLE_PATH } from '../worker/actor/load-word-table.ts'
import { lineAfter, unwatchPage, watchPage } from './start/watched-page.ts'
import { writeBuilt } from './write-built.ts'

const root = path.resolve(import.meta.dirname, '..')
const publicFolder = path.join(root, 'build', 'public')
const SITE_WIDE: ReadonlySet<string> = new Set(['icon.svg'])
/** `writeVersions` writes this file. */
const HEADERS = '_headers'

const scenariosModule = path.join(root, 'build', 'scenarios.ts')
/** Whether `npm start` runs this build and repeats it after each change. */
const isWatched = process.env['WALKON_WATCHED'] === '1'

/** Whether the game's page or the scenarios differ from the last build. */
let isNews = false

const isBuilt = await build().catch((error: unknown) => {
  if (!isWatched) throw error
  // esbuild has already printed its own errors, which have the property `errors`.
  if (!(error instanceof Error && 'errors' in error)) console.error(String(error))
  return false
})
const line = lineAfter({ isBuilt, isNews }, path.join(root, 'build', 'broken'))
if (!isBuilt && (!isWatched || !existsSync(scenariosModule))) process.exitCode = 1
// wrangler serves nothing after a build that exits with an error. So a failed build of `npm start` exits with 0 if
// there was an earlier build, which wrangler goes on serving.
else if (isWatched && line !== null) console.log(line)

async function build(): Promise<boolean> {
  const scenarios = await buildScenarios({ root, out: scenariosModule })
  if (!scenarios.ok) {
    console.error(scenarios.findings.flatMap(linesWithAdvice).join('\n'))
    return false
  }
  await buildCards(scenarios.scenarios, path.join(publicFolder, 'scenarios.json'))
  const { integrity } = await buildWidget({ outdir: publicFolder, minify: true })
  await buildOperator({ outdir: path.join(publicFolder, 'operator'), minify: true })
  await buildGame({ outdir: publicFolder, minify: true })
  await copyDemo()
  await writeVersions(integrity)
  await writeBuilt(path.join(publicFolder, WORD_TABLE_PATH), await readFile(path.join(root, 'sims/words/english.bin')))
  if (!isWatched) unwatchPage(publicFolder)
  else isNews = watchPage(root, publicFolder)
  return true
}

/**
 * Writes the widget's files into a folder for this version (`/v1.0.0/`) and one for its major version (`/v1/`), and the
 * files of all released versions into folders of theirs. `integrity.json` has the hashes of a version's files. The files
 * of a version never change, so a browser may keep them.
 */
async function writeVersions(integrity: Readonly<Record<string, string>>): Promise<void> {
  const version = await widgetVersion()
  const releases = path.join(root, 'widget', 'releases')
  const released = existsSync(releases) ? await readdir(releases) : []
  const names = Object.keys(integrity)
  const hashes = `${JSON.stringify(integrity, null, 2)}\n`
  for (const folder of [`v${version.split('.')[0]}`, `v${version}`]) {
    for (const name of names)
      await writeBuilt(path.join(publicFolder, folder, name), await readFile(path.join(publicFolder, name)))
    await writeBuilt(path.join(publicFolder, folder, 'integrity.json'), hashes)
  }
  for (const old of released)
    for (const name of await readdir(path.join(releases, old)))
      await writeBuilt(path.join(publicFolder, old, name), await readFile(path.join(releases, old, name)))
  const lasting = [`v${version}`, ...released].map(
    (folder) => `\n/${folder}/*\n  ! Cache-Control\n  Cache-Control: public, max-age=31536000, immutable\n`,
  )
  const headers = await readFile(path.join(root, 'widget', 'demo', '_headers'), 'utf8')
  await writeBuilt(path.join(publicFolder, '_headers'), headers + lasting.join(''))
}

/**
 * Copies the demo pages with an embedded widget to `/embed`, and the site's icon to the root.
 */
async function copyDemo(): Promise<void> {
  const demo = path.join(root, 'widget', 'demo')
  const embed = path.join(publicFolder, 'embed')
  for (const name of await readdir(demo)) {
    if (name === HEADERS) continue
    await writeBuilt(path.join(SITE_WIDE.has(name) ? publicFolder : embed, name), await readFile(path.join(demo, name)))
  }
  // Builds of earlier versions wrote these files to the site's root.
  for (const name of ['one-to-one.html', 'week-three.html', 'page.css'])
    await rm(path.join(publicFolder, name), { force: true })
}
