import { PassThrough } from 'node:stream'

/** A run of a script: the script, its arguments and its input. */
export interface ScriptRun {
  /** The path from the project's root, such as `scripts/sim.ts`. */
  readonly script: string
  readonly args: readonly string[]
  readonly input: string
}

export interface ScriptResult {
  readonly out: string
  readonly err: string
  readonly code: number
}

// This process runs one script after another. To load a script's modules usually takes longer than the script itself,
// and they are loaded only once.
const said = { out: '', err: '' }
process.stdout.write = (text) => ((said.out += String(text)), true)
process.stderr.write = (text) => ((said.err += String(text)), true)
let runs = 0

process.on('message', (asked: ScriptRun) => {
  void run(asked).then((result) => process.send?.(result))
})

async function run({ script, args, input }: ScriptRun): Promise<ScriptResult> {
  Object.assign(said, { out: '', err: '' })
  process.argv = [process.execPath, script, ...args]
  process.exitCode = undefined
  Object.defineProperty(process, 'stdin', { value: new PassThrough().end(input), configurable: true })
  // Node runs a module only once for each address. So every run loads the script from a new address.
  await import(new URL(`../../${script}?run=${(runs += 1)}`, import.meta.url).href).catch((error: unknown) => {
    said.err += String(error)
    process.exitCode = 1
  })
  process.removeAllListeners('SIGINT')
  return { ...said, code: Number(process.exitCode ?? 0) }
}
