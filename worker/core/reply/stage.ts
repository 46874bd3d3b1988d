/**
 * One step of the reply's machine. It takes one code point at a time and hands what is decided to the next step,
 * so what has left the machine after any prefix of a reply never depends on how the prefix was cut into chunks.
 */
export interface Stage {
  /** Takes one code point: a string of one or two UTF-16 code units. */
  push(point: string): void
  /** No more will come: hands on what was held back. */
  end(): void
}

/** Pushes every code point of `text`. */
export function pushAll(stage: Stage, text: string): void {
  for (const point of text) stage.push(point)
}
