import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { parseGraph } from '../../sims/authoring/parse-graph.ts'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'

/**
 * A change at one place in plain data. A JSON pointer says which place. The value there is replaced or removed. If the
 * pointer ends with `-`, the value is appended to the list at this place.
 */
export type Change = { readonly at: string; readonly value: unknown } | { readonly at: string; readonly remove: true }

/** A defect of a graph: the changes that put it into a valid graph, and what the check must then report. */
export interface Defect {
  readonly code: string
  readonly severity?: string
  readonly defect: string
  /** Whether the parser already rejects the graph. An author then cannot write this graph; only code can make it. */
  readonly isRefusedAtReading?: boolean
  readonly at: readonly string[]
  readonly change: readonly Change[]
}

/** Returns the valid graph that the defects change, as plain data. */
export function baseData(): unknown {
  return parse(fixture('base.yaml'))
}

export function defects(): readonly Defect[] {
  return parse(fixture('defects.yaml'), { merge: true }) as readonly Defect[]
}

/** Returns the graphs that the valid graph calls. The broken graphs call them too. */
export function defectLibrary(): readonly GraphDocument[] {
  return (parse(fixture('library.yaml'), { merge: true }) as readonly unknown[]).map(documentFrom)
}

/** Parses plain data into a document. @throws Error when the parser has findings */
export function documentFrom(data: unknown): GraphDocument {
  const parsed = parseGraph(data)
  if (!parsed.ok) throw new Error(parsed.findings.map(({ at, message }) => `${at} ${message}`).join('\n'))
  return parsed.document
}

/** Returns a copy of the data with all changes, made in order. */
export function edited(data: unknown, changes: readonly Change[]): unknown {
  const copy: unknown = structuredClone(data)
  for (const change of changes) {
    const keys = change.at.slice(1).split('/')
    const last = keys.pop() ?? ''
    const parent = keys.reduce<unknown>((value, key) => Reflect.get(Object(value), key), copy)
    if (typeof parent !== 'object' || parent === null) throw new Error(`there is nothing at ${change.at}`)
    if (Array.isArray(parent) && last === '-' && 'value' in change) parent.push(change.value)
    else if (Array.isArray(parent) && 'remove' in change) parent.splice(Number(last), 1)
    else if ('remove' in change) Reflect.deleteProperty(parent, last)
    else Reflect.set(parent, last, change.value)
  }
  return copy
}

function fixture(file: string): string {
  return readFileSync(new URL(`../fixtures/defects/${file}`, import.meta.url), 'utf8')
}
