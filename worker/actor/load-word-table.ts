import { readWordTable, type WordTable } from './rehearsal/word-table.ts'

/** The path of the word table among the static assets. */
export const WORD_TABLE_PATH = '/words/english.bin'

let loading: Promise<WordTable | null> | null = null

/**
 * Returns the table of words, which all conversations of an isolate share. The first conversation that needs it loads
 * it. Null if it cannot be loaded; the next call then tries again.
 *
 * @param assets the static assets of the deployment; null if there are none
 * @param fail gets the name of the error, for the log
 */
export function loadWordTable(
  assets: Pick<Fetcher, 'fetch'> | null,
  fail: (error: string) => void,
): Promise<WordTable | null> {
  if (assets === null) return Promise.resolve(null)
  loading ??= fetchTable(assets).catch((error: unknown) => {
    loading = null
    fail(error instanceof Error ? error.name : 'Error')
    return null
  })
  return loading
}

async function fetchTable(assets: Pick<Fetcher, 'fetch'>): Promise<WordTable> {
  const answer = await assets.fetch(new Request(new URL(WORD_TABLE_PATH, 'https://assets.invalid')))
  if (!answer.ok) throw new Error(`the assets answer ${answer.status}`)
  return readWordTable(await answer.arrayBuffer())
}
