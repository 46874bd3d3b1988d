import type { ApiDocument, DocumentOperation, DocumentParameter, Json } from '../../chain/api/openapi.ts'
import { DOCS_STYLE } from './docs-style.ts'

/** Makes one HTML page from the OpenAPI document, without scripts and without external resources. */
export function docsPage(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const parts = document.tags.map((tag) => ({
    tag,
    entries: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(document.info.title)}</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#start">To the operations</a>
<header>
<h1>${text(document.info.title)}</h1>
<p>${marked(document.info.description)}</p>
<p>As a document for machines: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<div class="columns">
<nav aria-label="Operations">
${parts.map(({ tag, entries }) => `<h2>${text(tag.name)}</h2>\n<ul>${entries.map(link).join('')}</ul>`).join('\n')}
<h2>more</h2>
<ul><li><a href="#part-errors">errors</a></li>${Object.keys(document.components.schemas)
    .map((name) => `<li><a href="#shape-${text(name)}">${text(name)}</a></li>`)
    .join('')}</ul>
</nav>
<main id="start">
${parts.map(({ tag, entries }) => `<section aria-labelledby="part-${tag.name}"><h2 id="part-${tag.name}">${text(tag.name)}</h2>\n<p>${text(tag.description)}</p>\n${entries.map(article).join('\n')}</section>`).join('\n')}
<section aria-labelledby="part-errors"><h2 id="part-errors">errors</h2>
<p>Besides its own, every operation may answer these, each with an <a href="#shape-Error">Error</a>.</p>
<dl>${Object.entries(document.components.responses).map(general).join('')}</dl>
</section>
<section aria-labelledby="part-shapes"><h2 id="part-shapes">shapes</h2>
${Object.entries(document.components.schemas).map(shape).join('\n')}
</section>
</main>
</div>
</body>
</html>
`
}

interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: DocumentOperation
}

function link({ operation: { operationId } }: Entry): string {
  return `<li><a href="#${text(operationId)}">${text(operationId)}</a></li>`
}

function article({ path, method, operation }: Entry): string {
  const { operationId: id, summary, description, parameters, requestBody, responses } = operation
  const body = contentOf(requestBody)
  return `<article id="${text(id)}" aria-labelledby="name-${text(id)}">
<h3 id="name-${text(id)}"><a href="#${text(id)}">${text(id)}</a></h3>
<p class="route"><code><b>${method}</b> ${text(path)}</code></p>
<p>${marked(summary)} ${marked(description)}</p>
${fields('In the address', parameters.map(rowOfParameter))}
${body ? fields('In the body', rowsOf(body.schema)) : ''}
<h4>For example</h4>
${block(curl(path, method, parameters, body?.example))}
<h4>Answers</h4>
<dl>${Object.entries(responses).map(answer).join('')}</dl>
${fields('In the answer', Object.values(responses).flatMap(rowsOfAnswer))}
</article>`
}

/** Returns HTML for a refusal that every operation may give. */
function general([name, { description }]: [string, Json]): string {
  return `<dt><code>${text(name.replace(/\D/g, ''))}</code></dt><dd>${marked(String(description))}</dd>`
}

interface Content {
  readonly schema: Json
  readonly example?: unknown
}

function contentOf(holder: Json | undefined): (Content & { readonly media: string }) | null {
  const [entry] = Object.entries((holder?.['content'] ?? {}) as Record<string, Content>)
  return entry === undefined ? null : { media: entry[0], ...entry[1] }
}

function answer([status, response]: [string, Json]): string {
  const { $ref: reference, description } = response as { $ref?: string; description?: string }
  // A reference stands for a refusal that every operation may give. The page shows such refusals only once, at its end.
  if (reference !== undefined) return ''
  const content = contentOf(response)
  const of = content === null || Number(status) >= 400 ? '' : `: ${typeOf(content.schema)}`
  return `<dt><code>${status}</code></dt><dd>${Number(status) < 400 ? `${text(content?.media ?? '')}${of}` : marked(description ?? '')}</dd>`
}

/** Returns the fields of an answer. A named schema gives no fields, because the page describes it elsewhere. */
function rowsOfAnswer(response: Json): readonly Row[] {
  const content = contentOf(response)
  return content === null ? [] : rowsOf(content.schema)
}

interface Row {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Json
}

function rowOfParameter({ name, required, schema }: DocumentParameter): Row {
  return { name, isRequired: required, schema }
}

function rowsOf(schema: Json, before = ''): Row[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).flatMap(([name, each]) => {
    const row = { name: `${before}${name}`, isRequired: required.includes(name), schema: each }
    const items = each['items'] as Json | undefined
    return [row, ...rowsOf(each, `${before}${name}.`), ...(items ? rowsOf(items, `${before}${name}[].`) : [])]
  })
}

function fields(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, isRequired, schema }) =>
      `<tr><th scope="row"><code>${text(name)}</code></th><td>${isRequired ? 'required' : 'optional'}</td><td>${typeOf(schema)}${noteOf(schema)}</td></tr>`,
  )
  return `<div class="scroll" role="group" aria-label="${title}" tabindex="0"><table><caption>${title}</caption><colgroup><col class="name"><col class="must"><col></colgroup><thead><tr><th scope="col">field</th><th scope="col">has to be there</th><th scope="col">is</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}

function noteOf({ description }: Json): string {
  return typeof description === 'string' ? `. ${marked(description)}` : ''
}

function shape([name, schema]: [string, Json]): string {
  return `<article id="shape-${text(name)}" aria-label="${text(name)}"><h3><a href="#shape-${text(name)}">${text(name)}</a></h3>${fields(name, rowsOf(schema))}</article>`
}

/** Returns HTML that describes the type of a value in a few words. */
function typeOf(schema: Json): string {
  const {
    $ref: reference,
    anyOf,
    enum: options,
    type,
    items,
    format,
    pattern,
  } = schema as {
    $ref?: string
    anyOf?: Json[]
    enum?: unknown[]
    type?: string | string[]
    items?: Json
    format?: string
    pattern?: string
  }
  if (reference !== undefined) {
    const name = reference.split('/').at(-1) ?? ''
    return `<a href="#shape-${text(name)}">${text(name)}</a>`
  }
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  const otherwise = 'default' in schema ? `; otherwise <code>${text(JSON.stringify(schema['default']))}</code>` : ''
  if (options) return `${options.map((option) => `<code>${text(String(option))}</code>`).join(', ')}${otherwise}`
  if (items) return `list of ${typeOf(items)}${limits(schema)}${otherwise}`
  const name = [type ?? 'anything'].flat().join(' or ')
  // A pattern with a negative lookahead is not shown, because it would not help a reader.
  const form = pattern === undefined || pattern.includes('(?!') ? '' : `, as <code>${text(pattern)}</code>`
  return `${text(format ?? name)}${limits(schema)}${form}${otherwise}`
}

function limits(schema: Json): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Readonly<Record<string, number>>
  const least = minimum ?? minLength ?? minItems
  const most = maximum ?? maxLength ?? maxItems
  const unit = maxLength === undefined ? '' : ' characters'
  if (most === undefined) return least === undefined ? '' : `, at least ${least}`
  return `, ${least ?? 0} to ${most}${unit}`
}

function curl(path: string, method: string, parameters: readonly DocumentParameter[], body: unknown): string {
  const given = parameters.filter(({ example }) => example !== undefined)
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.find((p) => p.name === name)?.example)),
  )
  const query = new URLSearchParams(
    given.flatMap((p) => (p.in === 'query' ? [[p.name, String(p.example)]] : [])),
  ).toString()
  const lines = [
    `curl -X ${method} "$WALKON${address}${query === '' ? '' : `?${query}`}"`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return lines.join(' \\\n  ')
}

function block(code: string): string {
  return `<pre class="scroll" tabindex="0"><code>${text(code)}</code></pre>`
}

/** Escapes a text and marks the parts in backticks as code. */
function marked(source: string): string {
  return text(source).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function text(source: string): string {
  return source.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
