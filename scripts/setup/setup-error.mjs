/** A step of the set-up failed in a way a person can mend. The message says how. */
export class SetupError extends Error {
  name = 'SetupError'
}
