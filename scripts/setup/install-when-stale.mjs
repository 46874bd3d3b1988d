import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { npm, tail, SetupError } from './run.mjs'

/**
 * Installs the packages of package-lock.json, unless node_modules already matches that file.
 *
 * @param {string} root
 */
export function installWhenStale(root) {
  const stampFile = path.join(root, 'node_modules', '.walkon-setup')
  const stamp = stampOf(root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  console.log('Installing the packages of package-lock.json …')
  const clean = npm(root, ['ci', '--no-audit', '--no-fund'])
  if (!clean.ok) throw new SetupError(`\`npm ci\` failed. Its last words:\n\n${tail(clean.output)}`)
  writeFileSync(stampFile, stamp)
}

/**
 * Returns a hash of the lock file and the platform. The platform matters, because some packages are binaries for one
 * platform.
 *
 * @param {string} root
 */
function stampOf(root) {
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(`\0${process.platform}\0${process.arch}`).digest('hex')
}
