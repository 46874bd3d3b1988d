import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'

const SCRIPT = '<script type="module" src="/watch/reload.js"></script>'

/**
 * Makes the game's page come anew by itself after each build that changed something: beside the page stands what the build
 * is known by, and a script that asks for it. The Worker of a build and its files begin to be served in one moment, so
 * whoever sees the new name has the new Worker.
 *
 * @returns whether there is something new to be seen, the first build being nothing new
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
 * Says the last line of a watched build, so that "Not built" is never the last one once the mistake is gone; null where
 * there is nothing to say.
 *
 * @param mark a file that is there while the last build was broken
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

/** Leaves the page as any other build makes it. */
export function unwatchPage(publicFolder: string): void {
  rmSync(path.join(publicFolder, 'watch'), { recursive: true, force: true })
  const page = path.join(publicFolder, 'index.html')
  const html = existsSync(page) ? readFileSync(page, 'utf8') : ''
  if (html.includes(SCRIPT)) writeFileSync(page, html.replace(`  ${SCRIPT}\n  `, ''))
}
