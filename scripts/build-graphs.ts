import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '../sims/problem.ts'
import type { GraphReading } from '../sims/read-graph.ts'
import { readGraph } from '../sims/read-graph.ts'
import type { GraphDocument } from '../worker/core/graph/document/document.ts'
import { link } from '../worker/core/graph/document/link.ts'
import { verify } from '../worker/core/graph/proof/verify.ts'
import { keysOf } from '../worker/core/graph/document/pointer.ts'

export interface GraphFiles {
  readonly documents: readonly GraphDocument[]
  readonly findings: readonly Finding[]
}

/**
 * Reads every `sims/graphs/<id>@<version>.yaml` under `root`, links each with the others and walks it in every way, to see
 * that it holds.
 * Findings are errors alone: what a lint only warns of is the author's choice.
 *
 * @throws when a file can not be read.
 */
export async function readGraphFiles(root: string): Promise<GraphFiles> {
  const files = await graphFiles(root)
  const readings = await Promise.all(
    files.map(async (file) => ({ file, reading: readGraph(await readFile(join(root, file), 'utf8'), file) })),
  )
  const documents = readings.flatMap(({ reading }) => (reading.ok ? [reading.document] : []))
  // With a file missing from the library, whatever refers to it would be told off for it.
  const isWhole = documents.length === files.length
  const findings = readings.flatMap(({ file, reading }) => {
    if (!reading.ok) return reading.findings
    return [...misnamed(reading.document, file), ...(isWhole ? errorsIn(reading, file, documents) : [])]
  })
  return { documents, findings }
}

async function graphFiles(root: string): Promise<readonly string[]> {
  const folder = join(root, 'sims', 'graphs')
  if (!existsSync(folder)) return []
  const names = await readdir(folder)
  return names
    .filter((name) => /\.ya?ml$|\.json$/.test(name))
    .map((name) => `sims/graphs/${name}`)
    .toSorted()
}

/** A file is found by what it is called, so that two of one graph and version cannot be there. */
function misnamed({ id, version }: GraphDocument, file: string): readonly Finding[] {
  const expected = `sims/graphs/${id}@${version}.yaml`
  return file === expected ? [] : [{ file, line: 1, column: 1, path: [], message: `has to be called ${expected}` }]
}

function errorsIn(
  { document, placeOf }: Extract<GraphReading, { ok: true }>,
  file: string,
  library: readonly GraphDocument[],
): readonly Finding[] {
  const linked = link(document, { library, scenario: null, npc: null })
  const findings = linked.ok ? [...linked.findings, ...verify(linked.graph).findings] : linked.findings
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at, message }) => ({ file, ...placeOf(at), path: keysOf(at), message: `${code}: ${message}` }))
}
