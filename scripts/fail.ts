/** Prints why a command failed and sets the exit code. Returns undefined, so that a caller can `return fail(…)`. */
export function fail(message: string): undefined {
  console.error(message)
  process.exitCode = 1
  return undefined
}
