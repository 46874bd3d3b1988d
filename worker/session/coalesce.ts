/** Gathers text so that clients get a frame every `ms` milliseconds or `limit` characters, not one per token. */
export interface Coalescer {
  add(text: string): void
  /** Sends what is left, now. */
  flush(): void
}

/**
 * @param options.after runs a task later and returns how to call it off
 * @param options.send gets the gathered text; never called with an empty one
 */
export function createCoalescer(options: {
  ms: number
  limit: number
  after: (ms: number, task: () => void) => () => void
  send: (text: string) => void
}): Coalescer {
  let gathered = ''
  let cancel: (() => void) | null = null

  const flush = () => {
    cancel?.()
    cancel = null
    if (gathered === '') return
    const text = gathered
    gathered = ''
    options.send(text)
  }
  const add = (text: string) => {
    gathered += text
    if (gathered.length >= options.limit) flush()
    else if (gathered !== '') cancel ??= options.after(options.ms, flush)
  }
  return { add, flush }
}
