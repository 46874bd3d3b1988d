import { fetchModule } from './fetch-module.ts'

/** The hashes of the files that were built with this one; none in the game, whose page names its own files. */
declare const INTEGRITY: Record<string, string>

/**
 * Loads a file of the widget that most conversations don't need.
 *
 * @param tries how often loading has failed. A browser may remember that a module failed to load, so each attempt uses
 *   a different address.
 */
export async function loadFile(name: string, tries = 0): Promise<unknown> {
  return fetchModule(new URL(name + (tries ? `?${tries}` : ''), import.meta.url).href, INTEGRITY[name] ?? '')
}
