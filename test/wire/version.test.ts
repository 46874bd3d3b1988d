import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { fingerprint } from '../../worker/core/graph/hash.ts'
import { connectAuthSchema, upSchemas } from '../../worker/wire/schema.ts'
import { WIRE_VERSION } from '../../worker/wire/version.ts'

it('[message-3] a message that changed asks for a new version', async () => {
  const up = Object.values({ ...upSchemas, connect: connectAuthSchema }).map((schema) => z.toJSONSchema(schema))
  const source = await readFile('worker/wire/messages.ts', 'utf8')
  const types = source.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '').replaceAll(/[\s;]+/g, '')
  // If this fails, a message changed. Would an older widget, or an older server, still understand? If not, raise
  // WIRE_VERSION and say in version.ts what is new. Then put the new value here.
  expect([WIRE_VERSION, fingerprint({ up, types })]).toEqual([3, '28dda411a449943c'])
})
