import * as z from 'zod'
import { personExport } from '../api/people-operations.ts'

/** Names the form that an export has. A form that differs has another number. */
export const PERSON_EXPORT_SCHEMA = 'https://walkon.dev/schema/person-export-1.json'

/** That form as JSON Schema (2020-12), made of what the export is declared as. */
export function personExportSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(personExport, { io: 'output' })
  return { $schema, $id: PERSON_EXPORT_SCHEMA, title: 'Everything that is known of a person', ...schema }
}
