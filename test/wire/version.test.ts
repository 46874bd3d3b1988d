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
  // If this test fails, a message has changed. Check whether an older widget or an older server would still understand
  // the message. If not, raise WIRE_VERSION and describe the change in version.ts. Then put the new value here.
  expect([WIRE_VERSION, fingerprint({ up, types })]).toEqual([3, '58f765b94cc40070'])
})
