import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run, tail, SetupError } from './run.mjs'

/** The inputs of the build. An unnecessary input is harmless, but a missing input would keep an outdated build. */
const INPUTS = [
  'widget',
  'sims',
  'worker/wire',
  'worker/core',
  'worker/actor',
  'worker/chain/client',
  'worker/chain/scenarios',
  'scripts',
  'package-lock.json',
]
const OUTPUTS = [
  'scenarios.ts',
  'catalogue.ts',
  'public/embed.js',
  'public/widget.js',
  'public/polling.js',
  'public/operator/index.html',
  'public/index.html',
  'public/scenarios.json',
  'public/embed/index.html',
].map((file) => `build/${file}`)

/**
 * Builds the widget, the pages and the scenarios, unless the inputs are unchanged and all outputs exist.
 *
 * @param {string} root
 * @param {string} node the path of the pinned Node
 */
export function buildWhenStale(root, node) {
  const stampFile = path.join(root, 'build', '.stamp')
  const stamp = stampOf(root)
  const isWhole = OUTPUTS.every((output) => existsSync(path.join(root, output)))
  if (isWhole && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  const built = run(node, [path.join('scripts', 'build.ts')], { cwd: root })
  if (!built.ok) throw new SetupError(`the build failed:\n\n${tail(built.output)}`)
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

/** @param {string} root */
function stampOf(root) {
  const hash = createHash('sha256')
  for (const file of INPUTS.flatMap((input) => filesIn(path.join(root, input)))) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${path.relative(root, file)}\0${size}\0${mtimeMs}\0`)
  }
  return hash.digest('hex')
}

/** @param {string} place @returns {string[]} */
function filesIn(place) {
  if (!existsSync(place)) return []
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place)
    .toSorted()
    .flatMap((name) => filesIn(path.join(place, name)))
}
