import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'

const SCRIPT = '<script type="module" src="/watch/reload.js"></script>'

/**
 * Makes the game's page reload after each build that changed the page or the scenarios. Writes two files, the build's
 * id and a script that requests this id again and again, and adds the script to the page. wrangler begins to serve the
 * Worker and the files of a build at the same moment, so a page that sees the new id also gets the new Worker.
 *
 * @returns true if the page or the scenarios differ from the previous build; false if there was no previous build
 */
export function watchPage(root: string, publicFolder: string): boolean {
  const page = path.join(publicFolder, 'index.html')
  const html = readFileSync(page, 'utf8')
  const build = createHash('sha256')
    .update(html)
    .update(readFileSync(path.join(root, 'build', 'scenarios.ts')))
    .digest('hex')
  const folder = path.join(publicFolder, 'watch')
  const name = path.join(folder, 'build.txt')
  const before = existsSync(name) ? readFileSync(name, 'utf8') : null
  mkdirSync(folder, { recursive: true })
  buildSync({
    absWorkingDir: root,
    entryPoints: ['sims/game/watch/reload.ts'],
    outfile: path.join(folder, 'reload.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
  writeFileSync(page, html.replace('</body>', `  ${SCRIPT}\n  </body>`))
  writeFileSync(name, build)
  return before !== null && before !== build
}

/**
 * Returns the line to print after a build of `npm start`; null if there is nothing to print. After a broken build, the
 * next good build always gets a line, so that "Not built" is not the last message.
 *
 * @param mark a file that exists while the last build was broken
 */
export function lineAfter({ isBuilt, isNews }: { isBuilt: boolean; isNews: boolean }, mark: string): string | null {
  const wasBroken = existsSync(mark)
  if (!isBuilt) {
    writeFileSync(mark, '')
    return 'Not built. The last good build is still served; correct the mistake, and it is built again.'
  }
  rmSync(mark, { force: true })
  if (isNews) return 'Built again.'
  return wasBroken ? 'Nothing is wrong any more. What is served is what you have.' : null
}

/** Removes the reload script from the page. */
export function unwatchPage(publicFolder: string): void {
  rmSync(path.join(publicFolder, 'watch'), { recursive: true, force: true })
  const page = path.join(publicFolder, 'index.html')
  const html = existsSync(page) ? readFileSync(page, 'utf8') : ''
  if (html.includes(SCRIPT)) writeFileSync(page, html.replace(`  ${SCRIPT}\n  `, ''))
}
