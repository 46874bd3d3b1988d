import type { ContextStatus, ContextVersion } from '../context.ts'
import { jsonOf } from './read-context.ts'

/** A state of a context, as `VERSION_COLUMNS` and `LATEST_COLUMNS` have it. */
export interface VersionRow {
  readonly version: number
  readonly status: ContextStatus
  readonly purpose: string
  readonly description: string | null
  readonly data: string
  readonly at: number
  readonly made_by: string
}

/** An earlier state, from `context_versions`. */
export const VERSION_COLUMNS = `context_versions.version, context_versions.status, context_versions.purpose,
  context_versions.description, context_versions.data, context_versions.at, context_versions.made_by`

/** The latest state, from `contexts`. */
export const LATEST_COLUMNS = `contexts.version, contexts.status, contexts.purpose, contexts.description, contexts.data,
  contexts.updated_at AS at, contexts.updated_by AS made_by`

export function versionOf(columns: object): ContextVersion {
  const row = columns as VersionRow
  return {
    version: row.version,
    status: row.status,
    purpose: row.purpose,
    description: row.description,
    data: jsonOf(row.data),
    timestamp: row.at,
    updatedBy: row.made_by,
  }
}
