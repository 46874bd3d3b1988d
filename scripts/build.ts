import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { linesWithAdvice } from '../sims/authoring/finding.ts'
import { buildCards, buildScenarios } from './build-scenarios.ts'
import { buildGame } from './build-game.ts'
import { buildOperator } from './build-operator.ts'
import { buildWidget } from './build-widget.ts'
import { WORD_TABLE_PATH } from '../worker/actor/load-word-table.ts'
import { lineAfter, unwatchPage, watchPage } from './start/watched-page.ts'
import { writeBuilt } from './write-built.ts'

const root = path.resolve(import.meta.dirname, '..')
const publicFolder = path.join(root, 'build', 'public')
const SITE_WIDE: ReadonlySet<string> = new Set(['_headers', 'icon.svg'])

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
  await buildWidget({ outdir: publicFolder, minify: true })
  await buildOperator({ outdir: path.join(publicFolder, 'operator'), minify: true })
  await buildGame({ outdir: publicFolder, minify: true })
  await copyDemo()
  await writeBuilt(path.join(publicFolder, WORD_TABLE_PATH), await readFile(path.join(root, 'sims/words/english.bin')))
  if (!isWatched) unwatchPage(publicFolder)
  else isNews = watchPage(root, publicFolder)
  return true
}

/**
 * Copies the demo pages with an embedded widget to `/embed`, and the site's icon and the file with its HTTP headers to
 * the root.
 */
async function copyDemo(): Promise<void> {
  const demo = path.join(root, 'widget', 'demo')
  const embed = path.join(publicFolder, 'embed')
  for (const name of await readdir(demo)) {
    await writeBuilt(path.join(SITE_WIDE.has(name) ? publicFolder : embed, name), await readFile(path.join(demo, name)))
  }
  // Builds of earlier versions wrote these files to the site's root.
  for (const name of ['one-to-one.html', 'week-three.html', 'page.css'])
    await rm(path.join(publicFolder, name), { force: true })
}
