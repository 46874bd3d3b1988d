import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { splitDrafts } from '../../sims/authoring/drafts.ts'
import { linesWithAdvice } from '../../sims/authoring/finding.ts'
import { openFile } from '../../sims/authoring/open-file.ts'
import { hasKeys } from '../../sims/authoring/plain-data.ts'
import type { PublicationData } from '../../sims/authoring/publication.ts'
import { readYaml } from '../../sims/authoring/read-yaml.ts'
import { walkedIn } from '../../worker/chain/scenarios/stored-scenario.ts'

type Published = { readonly ok: boolean; readonly lines: readonly string[] }

const NO_SECRET =
  "Publishing needs the deployment's admin secret: set WALKON_ADMIN_SECRET in the environment or in .dev.vars."

/**
 * Sends a simulation, with the graphs that its colleagues walk, to a running server. The files are checked here first,
 * and the server checks them again.
 *
 * @param to the server's address, such as `https://walkon.example`
 */
export async function publish(
  file: string,
  { to, secret, ask = fetch }: { to: string; secret: string | undefined; ask?: typeof fetch },
): Promise<Published> {
  const url = URL.parse('/api/admin/scenarios', to)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return failed(`"${to}" is no address. It is like https://walkon.example.`)
  if (secret === undefined || secret === '') return failed(NO_SECRET)
  const source = await openFile(file)
  if (source.kind === 'graph')
    return failed(`${file} is a context graph. It is published with a scenario that walks it.`)
  if (source.kind === 'unreadable')
    return failed(...source.findings.flatMap(linesWithAdvice), '\nNothing was published.')

  const answer = await ask(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(await publicationOf(source)),
  }).catch(() => null)
  if (answer === null) return failed(`${url.origin} does not answer.`)
  const told: unknown = await answer.json().catch(() => null)
  if (answer.status !== 201) return failed(...refusal(answer.status, told), '\nNothing was published.')
  const { id, version, title } = source.scenario
  return {
    ok: true,
    lines: [`${title}: ${id}, version ${version}, is published at ${url.origin}.`, `On a page: data-scenario="${id}"`],
  }
}

type Source = Extract<Awaited<ReturnType<typeof openFile>>, { kind: 'scenario' }>

/** Returns the data of a scenario's file, and of each file with a graph that its colleagues walk. */
async function publicationOf({ file, scenario, library }: Source): Promise<PublicationData> {
  const walked = walkedIn(scenario, library)
  const shipped = new URL('../../sims/backbones', import.meta.url).pathname
  const [own, built, ...graphs] = await Promise.all(
    [join(dirname(file), '..', 'backbones'), shipped, dirname(file), join(dirname(file), '..', 'graphs')].map(dataIn),
  )
  const isWalked = (values: readonly { id?: unknown; version?: unknown }[]) => (data: unknown) =>
    values.some(({ id, version }) => id === idOf(data) && version === versionOf(data))
  return {
    scenario: splitDrafts(await dataOf(file)).data,
    backbones: (own && own.length > 0 ? own : (built ?? [])).filter(isWalked(walked.backbones)),
    graphs: graphs.flat().filter(isWalked(walked.documents)),
  }
}

async function dataIn(folder: string): Promise<readonly unknown[]> {
  const names = await readdir(folder).catch(() => [])
  return Promise.all(names.filter((name) => /\.(?:ya?ml|json)$/.test(name)).map((name) => dataOf(join(folder, name))))
}

async function dataOf(file: string): Promise<unknown> {
  const source = readYaml(await readFile(file, 'utf8'), file)
  return source.ok ? source.value : null
}

function idOf(data: unknown): unknown {
  return hasKeys(data) ? (data['service_hierarchical_state_machine_id'] ?? data['id']) : undefined
}

function versionOf(data: unknown): unknown {
  return hasKeys(data) ? data['version'] : undefined
}

function refusal(status: number, told: unknown): readonly string[] {
  const error = hasKeys(told) && hasKeys(told['error']) ? told['error'] : {}
  const found: readonly unknown[] = hasKeys(told) && Array.isArray(told['findings']) ? told['findings'] : []
  const findings = found.flatMap((each) => (hasKeys(each) ? `  ${String(each['at'])}  ${String(each['message'])}` : []))
  if (status === 401) return ['The server does not know this admin secret.']
  if (status === 404) return ['The server takes no scenarios: it has no WALKON_ADMIN_SECRET, or no database.']
  return [typeof error['message'] === 'string' ? error['message'] : `The server answered with ${status}.`, ...findings]
}

function failed(...lines: readonly string[]): Published {
  return { ok: false, lines }
}
