/** Prints why a command failed and sets the exit code. Returns undefined, for `return fail(…)`. */
export function fail(message: string): undefined {
  console.error(message)
  process.exitCode = 1
  return undefined
}
