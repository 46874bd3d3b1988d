/** Says why a command ends without having done what it was asked to, and lets it end so. Returns nothing, to be returned. */
export function fail(message: string): undefined {
  console.error(message)
  process.exitCode = 1
  return undefined
}
