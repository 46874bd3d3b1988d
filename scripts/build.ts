import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { formatFinding } from '../sims/problem.ts'
import { buildScenarios } from './build-scenarios.ts'
import { buildWidget } from './build-widget.ts'

const root = path.resolve(import.meta.dirname, '..')
const publicFolder = path.join(root, 'build', 'public')

const scenarios = await buildScenarios({ root, out: path.join(root, 'build', 'scenarios.ts') })
if (scenarios.ok) {
  await buildWidget({ outdir: publicFolder, minify: true })
  await copyDemo()
} else {
  console.error(scenarios.findings.map(formatFinding).join('\n'))
  process.exitCode = 1
}

/** The page that `npm start` serves, as any website would embed the widget. */
async function copyDemo(): Promise<void> {
  const demo = path.join(root, 'widget', 'demo')
  if (existsSync(demo)) await cp(demo, publicFolder, { recursive: true })
}
