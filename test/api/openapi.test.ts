import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { examples } from '../../worker/chain/api/examples.ts'
import { apiDocument, type DocumentOperation, type Json } from '../../worker/chain/api/openapi.ts'
import { type Operation } from '../../worker/chain/api/operation.ts'
import { type OperationName, operations } from '../../worker/chain/api/operations.ts'
import { CHAIN_ERRORS } from '../../worker/chain/chain-error.ts'
import { docsPage } from '../../worker/http/chain/docs-page.ts'
import { follow, schemaProblems } from '../support/json-schema.ts'

const document = apiDocument()
const plain = JSON.parse(JSON.stringify(document)) as Json
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)
const names = Object.keys(operations) as OperationName[]
/** The names of request fields that must have a description in the OpenAPI document. */
const NEED_WORDS = new Set([
  'id',
  'autoComplete',
  'underTerminal',
  'by',
  'expectedVersion',
  'inherited',
  'children',
  'history',
  'leaf',
  'createdAfter',
  'completedBefore',
  'limit',
  'cursor',
  'mode',
  'importance',
  'dryRun',
  'at',
  'confidence',
])
const operationOf = (name: string) => described.find(({ operation }) => operation.operationId === name)

describe("the API's document", () => {
  it('[api-11] has every operation once, at its method and path', () => {
    expect(
      described.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`).toSorted(),
    ).toEqual(
      names.map((name) => `${name} ${operations[name].method.toLowerCase()} ${operations[name].path}`).toSorted(),
    )
  })

  it('[api-11] resolves every reference, and describes every path parameter', () => {
    const references = [...JSON.stringify(plain).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to)
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references))
      expect([reference, follow(plain, reference)]).toEqual([reference, expect.any(Object)])
    for (const { path, operation } of described) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(new Set(operation.parameters.map((each) => `${each.in} ${each.name}`)).size).toBe(
        operation.parameters.length,
      )
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0])
    }
    expect(JSON.stringify(plain)).not.toMatch(/readOnly|"\$schema"|answer-/)
  })

  it.each(names)('[api-11] %s has every field, every error and a valid example', (name) => {
    const { operation } = operationOf(name) as { operation: DocumentOperation }
    const { params, query, body, errors, status }: Operation = operations[name]
    const fields = (schema: Operation['params']) => Object.keys(schema?.shape ?? {})
    expect(operation.parameters.map((each) => each.name)).toEqual([...fields(params), ...fields(query)])
    const media = operation.requestBody?.content['application/json'] as { schema: Json; example: unknown } | undefined
    expect(Object.keys((media?.schema['properties'] ?? {}) as Json)).toEqual(fields(body))

    const told = Object.entries(operation.responses)
    expect(told.map(([code]) => Number(code)).filter((code) => code < 400)).toEqual([status])
    for (const code of errors.filter((each) => CHAIN_ERRORS[each][0] !== 400))
      expect(JSON.stringify(operation.responses[CHAIN_ERRORS[code][0]])).toContain(`\`${code}\``)
    for (const general of ['400', '401', '403', '413', '415', '429', '500', '503'])
      expect(operation.responses[general]).toBeDefined()

    const example: { readonly [part: string]: unknown } = examples[name]
    expect(params?.safeParse(example['params']).error).toBeUndefined()
    expect(query?.safeParse(example['query']).error).toBeUndefined()
    expect(body?.safeParse(example['body']).error).toBeUndefined()
    expect(media === undefined ? [] : schemaProblems(plain, media.schema, media.example)).toEqual([])
    for (const { schema, example: given } of operation.parameters.filter((each) => 'example' in each))
      expect(schemaProblems(plain, schema, given)).toEqual([])
    // An empty schema would accept every example, so the test also checks that the schema rejects a wrong value.
    if (media) expect(schemaProblems(plain, media.schema, { nonsense: 1 })).not.toEqual([])
  })

  it('[api-11] describes the error', () => {
    const error = {
      error: {
        code: 'X',
        next: 'give-up',
        message: 'No.',
        pointer: null,
        issues: [{ code: 'X', pointer: null, message: 'No.' }],
      },
    }
    expect(schemaProblems(plain, { $ref: '#/components/schemas/Error' }, error)).toEqual([])
    expect(schemaProblems(plain, { $ref: '#/components/schemas/Error' }, { error: {} })).not.toEqual([])
  })

  it('[api-12] the page shows all of it and loads nothing from elsewhere', () => {
    const page = docsPage(document)
    for (const name of names) expect(page).toContain(`id="${name}"`)
    for (const [, anchor = ''] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${anchor}"`)
    expect(page).not.toMatch(/<script|<img|<link|url\(|https?:\/\/(?!walkon\.dev\/schema)/i)
    expect([...page.matchAll(/ (?:style|on\w+)="/g)]).toEqual([])
  })

  it('[api-11] [api-12] describes each field whose name does not say enough, also on the page', () => {
    const page = docsPage(document)
    const seen = new Set<string>()
    for (const { operation } of described) {
      const media = operation.requestBody?.content['application/json'] as { schema: Json } | undefined
      const inBody = Object.entries((media?.schema['properties'] ?? {}) as Record<string, Json>)
      const all = [...inBody, ...operation.parameters.map(({ name, schema }) => [name, schema] as const)]
      for (const [name, { description }] of all.filter(([each]) => NEED_WORDS.has(each))) {
        expect([operation.operationId, name, description]).toEqual([
          operation.operationId,
          name,
          expect.stringMatching(/\.$/),
        ])
        expect(page).toContain(String(description).replaceAll(/`([^`]+)`/g, '<code>$1</code>'))
        seen.add(name)
      }
    }
    expect(seen).toEqual(NEED_WORDS)
  })

  it('[api-12] the page shows every field of every answer, and the shared refusals', () => {
    const page = docsPage(document)
    const articleOf = (id: string) => page.split(`<article id="${id}"`)[1]?.split('</article>')[0] ?? ''
    for (const { operation } of described) {
      const [answer] = Object.values(operation.responses) as { content: Record<string, { schema: Json }> }[]
      const { schema } = Object.values(answer?.content ?? {})[0] ?? { schema: {} }
      for (const name of Object.keys((schema['properties'] ?? {}) as Json))
        expect(articleOf(operation.operationId)).toContain(`<code>${name}</code>`)
    }
    expect(articleOf('updateContexts')).toContain('<code>skipped[].code</code>')
    const errors = page.split('id="part-errors"')[1]?.split('</section>')[0]
    for (const [code, [status]] of Object.entries(CHAIN_ERRORS))
      if (status === 400) expect(errors).toContain(`<code>${code}</code>`)
  })

  it('[api-12] the page escapes every text of the document', () => {
    const [path = ''] = Object.keys(document.paths)
    const hostile = JSON.parse(
      JSON.stringify(document).replaceAll('Approve the refund', '<img src=x onerror=alert(1)>&'),
    ) as typeof document
    const page = docsPage({ ...hostile, paths: { [path]: hostile.paths[path] ?? {} } })
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;')
    expect(page).not.toContain('<img')
  })

  it('[api-11] docs/reference/api.md lists exactly the existing codes', () => {
    const text = readFileSync(new URL('../../docs/reference/api.md', import.meta.url), 'utf8')
    const listed = [...text.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code = '']) => code)
    expect(listed.toSorted()).toEqual(Object.keys(CHAIN_ERRORS).toSorted())
  })
})
