import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { npm } from './npm.mjs'
import { tail } from './run.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Installs exactly what package-lock.json names, unless that is what stands in node_modules already.
 *
 * @param {string} root
 */
export function installWhenStale(root) {
  const stampFile = path.join(root, 'node_modules', '.walkon-setup')
  const stamp = stampOf(root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  console.log('Installing the packages of package-lock.json …')
  const clean = npm(root, ['ci'])
  if (!clean.ok) installDespitePartialLock(root, clean.output)
  writeFileSync(stampFile, stamp)
}

/** Of the lock and of the machine, since some packages are binaries for one platform. @param {string} root */
function stampOf(root) {
  const lock = readFileSync(path.join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).update(`\0${process.platform}\0${process.arch}`).digest('hex')
}

/**
 * npm 11 refuses a lock that lacks the optional binaries of other platforms, which npm 10 takes. If package.json and
 * the lock agree, `npm install --no-save` installs the same versions and leaves the lock as it is.
 *
 * @param {string} root
 * @param {string} output what `npm ci` said
 */
function installDespitePartialLock(root, output) {
  if (!/code EUSAGE/.test(output) || !lockAgrees(root)) throw installFailed('npm ci', output)
  console.log('npm ci asks for binaries of other platforms that the lock does not name; installing what it does name …')
  const lenient = npm(root, ['install', '--no-save'])
  if (!lenient.ok) throw installFailed('npm install --no-save', lenient.output)
}

/** @param {string} root */
function lockAgrees(root) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const locked = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages?.[''] ?? {}
  return ['dependencies', 'devDependencies'].every((kind) => sameEntries(manifest[kind] ?? {}, locked[kind] ?? {}))
}

/** @param {Record<string, string>} a @param {Record<string, string>} b */
function sameEntries(a, b) {
  return (
    Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, value]) => b[name] === value)
  )
}

/** @param {string} command @param {string} output */
function installFailed(command, output) {
  return new SetupError(`\`${command}\` failed. Its last words:\n\n${tail(output)}`)
}
