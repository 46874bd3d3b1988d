/**
 * The part of `@preact/signals` that the widget uses. The build of the widget puts this file in the package's place,
 * because the widget renders from one effect at its root and needs nothing else of the package.
 */

type Run = () => void

/** The effect that is running, which will run again when a signal that it reads changes. */
let running: Run | null = null
let batches = 0
const due = new Set<Run>()

/** Makes a signal: a value that effects read, and that makes them run again when it changes. */
export function signal<T>(value: T): { value: T; peek(): T } {
  const readers = new Set<Run>()
  return {
    get value() {
      if (running) readers.add(running)
      return value
    },
    set value(next) {
      if (next === value) return
      value = next
      batch(() => {
        for (const reader of readers) due.add(reader)
      })
    },
    peek: () => value,
  }
}

/**
 * Calls `action` now, and again whenever a signal has changed that `action` has read.
 *
 * @returns a function that ends this
 */
export function effect(action: Run): Run {
  let isOver = false
  const run = () => {
    if (isOver) return
    const outer = running
    running = run
    try {
      batch(action)
    } finally {
      running = outer
    }
  }
  run()
  return () => void (isOver = true)
}

/** Changes several signals at once: the effects run when the outermost batch has ended. */
export function batch(change: Run): void {
  batches += 1
  try {
    change()
  } finally {
    batches -= 1
    if (batches === 0)
      for (const run of due) {
        due.delete(run)
        run()
      }
  }
}
