/** What the rehearsal actor needs to speak for one colleague. */
export interface RehearsalLines {
  readonly nodes: Readonly<Record<string, readonly string[]>>
}
