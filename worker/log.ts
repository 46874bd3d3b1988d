/** Writes one structured line. Ids and names of errors only: never what anyone said, never a key. */
export function log(event: string, ids: Readonly<Record<string, string | number | null>>): void {
  console.log(JSON.stringify({ event, ...ids }))
}
