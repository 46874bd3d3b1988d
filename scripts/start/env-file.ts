import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface EnvFile {
  readonly path: string
  remove(): void
}

/**
 * Writes settings where wrangler reads them, for this user's eyes only. Not `--var`: a command line is for all to see.
 * Given a file, wrangler reads no .dev.vars, so what it gets is exactly this.
 */
export function writeEnvFile(settings: Readonly<Record<string, string>>): EnvFile {
  const folder = mkdtempSync(path.join(tmpdir(), 'walkon-start-'))
  const file = path.join(folder, 'settings.env')
  writeFileSync(file, Object.entries(settings).map(lineOf).join(''), { mode: 0o600 })
  return { path: file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** wrangler expands `$NAME` in a value even between single quotes, unless it is escaped. */
function lineOf([name, value]: [string, string]): string {
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'"
  return `${name}=${quote}${value.replaceAll('$', String.raw`\$`)}${quote}\n`
}
