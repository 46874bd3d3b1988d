import path from 'node:path'
import { existsSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { parseEnv } from 'node:util'
import type { Config } from '../../worker/env.ts'
import type { SimulationCard } from '../../worker/wire/run.ts'

function readDevVars(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  return Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )
}

/**
 * Returns the settings of a file. The environment's `OPENAI_*` and `WALKON_*` variables replace settings of the same
 * name.
 */
export function settingsOf(file: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const ours = Object.entries(env).filter(([name]) => /^(OPENAI|WALKON)_/.test(name))
  return { ...readDevVars(file), ...Object.fromEntries(ours.map(([name, value]) => [name, value ?? ''])) }
}

export interface EnvFile {
  readonly path: string
  remove(): void
}

/**
 * Writes settings to a file for wrangler that only this user can read. `--var` would be unsafe, because every user of
 * the machine can see a command line. With this file, wrangler doesn't read .dev.vars.
 */
export function writeEnvFile(settings: Readonly<Record<string, string>>): EnvFile {
  const folder = mkdtempSync(path.join(tmpdir(), 'walkon-start-'))
  const file = path.join(folder, 'settings.env')
  writeFileSync(file, Object.entries(settings).map(lineOf).join(''), { mode: 0o600 })
  return { path: file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Formats a setting as a line. wrangler expands an unescaped `$NAME` in a value even between single quotes. */
function lineOf([name, value]: [string, string]): string {
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'"
  return `${name}=${quote}${value.replaceAll('$', String.raw`\$`)}${quote}\n`
}

const HIGHEST_PORT = 65_535

/**
 * Reads a port from a setting. Returns 8787 if the setting is empty.
 *
 * @throws RangeError if the port is not a whole number from 1 to 65535
 */
export function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return 8787
  const port = /^\d+$/.test(text) ? Number(text) : 0
  if (port < 1 || port > HIGHEST_PORT) throw new RangeError(`PORT must be a whole number from 1 to ${HIGHEST_PORT}.`)
  return port
}

/**
 * Returns true if the port is free on IPv4 and IPv6, because a browser may connect to `localhost` on either. On a
 * machine without IPv6, the port counts as free on IPv6.
 */
export async function isPortFree(port: number): Promise<boolean> {
  const taken = await Promise.all(['127.0.0.1', '::1'].map((host) => isTaken(port, host)))
  return !taken.includes(true)
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' || error.code === 'EACCES'),
    )
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)))
  })
}

/** What to do about a simulation that only a model can play, if no model is configured. */
export const NO_MODEL =
  'Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL, in .dev.vars; docs/try-it.md says how.'

/** Returns the message that a colleague or a simulation needs a model, and what to do about it. */
export function noLinesMessage(who: string): string {
  return `${who} has no rehearsal lines and needs a language model. ${NO_MODEL}`
}

/**
 * Describes in one line for the terminal what speaks for the colleagues: the rehearsal actor, or a model and its host.
 * The line never contains a key.
 */
export function speakerLine({ speaker }: Config): string {
  if (speaker.kind === 'rehearsal') return 'Spoken by the rehearsal actor: scripted lines, no language model'
  return `Spoken by ${speaker.model} at ${new URL(speaker.baseURL).host}`
}

/**
 * Returns a line for each built simulation that only a model can play. `npm start` prints these lines if no model is
 * configured.
 *
 * @param publicFolder the folder with `scenarios.json`
 */
export function modelLines(publicFolder: string): readonly string[] {
  const file = path.join(publicFolder, 'scenarios.json')
  const cards = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly SimulationCard[]) : []
  const lines = cards.filter((card) => card.needsModel).map(({ id }) => `${id} needs a language model`)
  return lines.length === 0 ? [] : [...lines, NO_MODEL]
}
