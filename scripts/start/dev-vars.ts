import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** What a .dev.vars file sets, name to value; nothing if there is no such file. */
function readDevVars(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  return Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )
}

/** The file's settings with those of the environment over them: `OPENAI_*` and `WALKON_*`, and nothing else of it. */
export function settingsOf(file: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const ours = Object.entries(env).filter(([name]) => /^(OPENAI|WALKON)_/.test(name))
  return { ...readDevVars(file), ...Object.fromEntries(ours.map(([name, value]) => [name, value ?? ''])) }
}
