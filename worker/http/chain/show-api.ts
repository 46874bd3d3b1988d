import { createFactory } from 'hono/factory'
import { type ApiDocument, apiDocument } from '../../chain/api/openapi.ts'
import { personExportSchema } from '../../chain/people/export-person.ts'
import { base64Of } from '../../bytes.ts'
import { once } from '../../core/once.ts'
import { limited } from '../doors.ts'
import type { DoorEnv } from '../bindings.ts'
import { docsPage } from './docs-page.ts'
import { DOCS_STYLE } from './docs-style.ts'

const factory = createFactory<DoorEnv>()

/** `GET /api/openapi.json`: returns the API's OpenAPI document, which is public. */
export const showOpenApi = factory.createHandlers(limited('LIMIT_REQUESTS'), (c) => c.json(documentOnce()))

/** `GET /api/docs`: returns the OpenAPI document as an HTML page. */
export const showDocs = factory.createHandlers(limited('LIMIT_REQUESTS'), async (c) => {
  c.header('Content-Security-Policy', await policyOnce())
  return c.html(pageOnce())
})

/** `GET /api/schema/person-export-1.json`: returns the JSON Schema of a person's export. */
export const showExportSchema = factory.createHandlers(limited('LIMIT_REQUESTS'), (c) => c.json(schemaOnce()))

/** The first request for one of these values makes it, and later requests use the same value. */
const documentOnce = once((): ApiDocument => apiDocument())
const schemaOnce = once(() => personExportSchema())
const pageOnce = once(() => docsPage(documentOnce()))
const policyOnce = once(async () => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(DOCS_STYLE))
  return `default-src 'none'; style-src 'sha256-${base64Of(new Uint8Array(hash))}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
})
