/** The folder of the static files in which the build writes its scenarios. Only the Worker may read it ([publish-10]). */
export const BODIES_PATH = '/worker-only/'

/** The static files of the deployment, as the binding `ASSETS` gives them. */
export type StaticFiles = Pick<Fetcher, 'fetch'>

/**
 * Reads the text of a scenario of this build from the static files.
 *
 * @throws Error if the files do not answer, or do not have the scenario
 */
export async function readBuiltBody(files: StaticFiles, hash: string): Promise<string> {
  const answer = await files.fetch(new Request(new URL(`${BODIES_PATH}${hash}.json`, 'https://assets.invalid')))
  if (!answer.ok) throw new Error(`the assets answer ${answer.status}`)
  return answer.text()
}
