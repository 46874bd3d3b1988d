import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { ActorError } from '../../worker/actor/actor.ts'
import { askModel, type OpenAiActorOptions } from '../../worker/actor/openai-actor.ts'
import { keysOf } from '../../worker/core/graph/finding.ts'
import { graphFor, type GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import { speaks } from '../../worker/core/graph/graph.ts'
import { objectIn } from '../../worker/core/reply/read-answer.ts'
import { hasLines, type Npc, type Scenario } from '../../worker/core/scenario/scenario.ts'
import {
  acceptDrafts,
  joinDrafts,
  type LineDraft,
  type LineDrafts,
  readDrafts,
  splitDrafts,
  withDrafts,
  writeDrafts,
} from '../../sims/authoring/drafts.ts'
import { amountOf } from '../../sims/authoring/finding.ts'
import { replaceFile } from '../../sims/authoring/fix-file.ts'
import { readYaml } from '../../sims/authoring/read-yaml.ts'
import { hasKeys, partAt } from '../../sims/authoring/plain-data.ts'
import { findingsInDrafts } from '../../sims/authoring/read-scenario.ts'
import { checkData } from '../../sims/authoring/check-data.ts'
import { scenarioSchema } from '../../sims/authoring/scenario-schema.ts'
import { linesSpoken } from '../../sims/authoring/texts.ts'
import { type MissingLines, ANSWER, askedOf, promptFor, SYSTEM } from './draft-prompt.ts'

/** What became of a file: the lines to print, and whether everything went well. */
interface Drafted {
  readonly ok: boolean
  readonly lines: readonly string[]
}

/** A scenario's file that can be drafted for: its data has the right shape, apart from what is missing. */
interface DraftFile {
  readonly text: string
  readonly data: unknown
  readonly drafts: LineDrafts
  readonly scenario: Scenario
}

/**
 * Asks a model for the rehearsal lines that a scenario lacks, one request for each colleague, and writes them into the
 * file as drafts ([authoring-14]). A line that breaks a rule of `check` is left out. A colleague for whom no readable
 * answer comes gets no draft. The file changes only in its drafts.
 *
 * @param only the colleague to draft for; undefined for all
 */
export async function draftLines(
  file: string,
  {
    library,
    model,
    only,
    tell,
  }: {
    readonly library: GraphLibrary
    readonly model: OpenAiActorOptions
    readonly only: string | undefined
    /** Prints a line while the command waits for the model. */
    readonly tell: (line: string) => void
  },
): Promise<Drafted> {
  const opened = await openDrafts(file, only)
  if (!opened.ok) return opened
  const { data, scenario } = opened.file
  let drafts = opened.file.drafts
  const lines: string[] = []
  let ok = true
  let isNew = false
  for (const npc of scenario.npcs.filter(({ id }) => id === (only ?? id))) {
    const asked = missingFor(data, drafts, npc, library)
    if (asked === null) continue
    if (asked === 'no-graph') {
      ok = false
      lines.push(`${npc.id}: the walk cannot be made. First correct what this finds: npm run sim -- check ${file}`)
      continue
    }
    if (asked === 'context-graph') {
      lines.push(`${npc.id}: walks a context graph. Write the lines of its states yourself: docs/reference/graphs.md`)
      continue
    }
    tell(`${npc.id}: asking ${model.model} …`)
    const answer = await askFor(npc, scenario, asked, model)
    if (typeof answer === 'string') {
      ok = false
      lines.push(`${npc.id}: ${answer}`)
      continue
    }
    const { draft, refused } = sound(data, drafts, npc.id, answer, library)
    drafts = draft === null ? drafts : { ...drafts, [npc.id]: joinDrafts(drafts[npc.id] ?? {}, draft) }
    isNew ||= draft !== null
    const left = missingFor(data, drafts, npc, library)
    lines.push(
      `${npc.id}: ${countOf(draft)} proposed, ${refused.length} left out`,
      ...refused.map(({ text, message }) => `    left out "${text}": it ${message}`),
      ...(left === null || typeof left === 'string' ? [] : [`    still missing: ${namesOf(left)}`]),
    )
  }
  if (lines.length === 0) return { ok: true, lines: ['Nothing is missing.'] }
  if (!isNew) return { ok, lines: [...lines, `${file} is as it was.`] }
  // The author may have changed the file while the model wrote. So the drafts go into the file as it is now.
  const now = await readFile(file, 'utf8')
  const written = writeDrafts(now, drafts)
  if (written === null)
    return {
      ok: false,
      lines: [...lines, `${file} can't be read any more, and is as it was. Correct it, and draft again.`],
    }
  await replaceFile(file, written)
  const next = `The proposals are in ${file}, under drafts. Nobody speaks them. Correct them, then: npm run sim -- draft ${scenario.id} --accept`
  return { ok, lines: [...lines, next] }
}

function unknownNpc(id: string, { npcs }: Scenario): Drafted & { readonly ok: false } {
  return { ok: false, lines: [`Nobody is called "${id}". There are ${npcs.map((npc) => npc.id).join(', ')}.`] }
}

/**
 * Moves drafts to their places, for each colleague whose lines are then complete. The drafts of any other colleague stay
 * drafts, with the reason.
 */
export async function acceptLines(
  file: string,
  { library, only }: { readonly library: GraphLibrary; readonly only: string | undefined },
): Promise<Drafted> {
  const opened = await openDrafts(file, only)
  if (!opened.ok) return opened
  let { text, drafts } = opened.file
  const before = new Set(findingsIn(text, library))
  const lines: string[] = []
  let ok = true
  for (const id of Object.keys(drafts).filter((each) => each === (only ?? each))) {
    const written = acceptDrafts(text, drafts, id)
    const wrong = written === null ? ['could not be moved by itself'] : findingsIn(written, library)
    const fresh = wrong.filter((finding) => !before.has(finding))
    if (written === null || fresh.length > 0) {
      ok = false
      lines.push(`${id}: still a draft`, ...fresh.map((finding) => `    ${finding}`))
      continue
    }
    const { [id]: _, ...others } = drafts
    drafts = others
    text = written
    lines.push(`${id}: accepted`)
  }
  if (lines.length === 0)
    return { ok: false, lines: [`${file} has no drafts${only === undefined ? '' : ` for ${only}`}.`] }
  if (text !== opened.file.text) await replaceFile(file, text)
  return { ok, lines }
}

/** Returns the findings of a file's text, without the findings in its drafts, each as its place and its message. */
function findingsIn(text: string, library: GraphLibrary): readonly string[] {
  const source = readYaml(text, '')
  if (!source.ok) return ['cannot be read']
  const { findings } = checkData(splitDrafts(source.value).data, library)
  return findings.map(({ at, message }) => `${at}  ${message}`)
}

async function openDrafts(
  file: string,
  only: string | undefined,
): Promise<{ readonly ok: true; readonly file: DraftFile } | (Drafted & { readonly ok: false })> {
  const text = await readFile(file, 'utf8')
  const source = readYaml(text, file)
  const { data, drafts } = splitDrafts(source.ok ? source.value : null)
  const read = readDrafts(drafts)
  const scenario = scenarioSchema.safeParse(data).data
  if (scenario === undefined || !read.ok) {
    return { ok: false, lines: [`${file} has findings that come first: npm run sim -- check ${file}`] }
  }
  if (only !== undefined && !scenario.npcs.some(({ id }) => id === only)) return unknownNpc(only, scenario)
  return { ok: true, file: { text, data, drafts: read.drafts, scenario } }
}

/**
 * Returns the lines that a colleague lacks, when the drafts count as the colleague's lines. Returns null if the colleague
 * lacks nothing, `no-graph` if the colleague's walk cannot be made, and `context-graph` if the colleague walks a context
 * graph and has no lines, because the command drafts none for its states.
 */
function missingFor(
  data: unknown,
  drafts: LineDrafts,
  npc: Npc,
  library: GraphLibrary,
): MissingLines | 'context-graph' | 'no-graph' | null {
  const scenario = scenarioSchema.safeParse(withDrafts(data, drafts).merged).data
  const now = scenario?.npcs.find(({ id }) => id === npc.id)
  const made = scenario && now ? graphFor(scenario, now, library) : null
  if (!scenario || !now || !made) return null
  if (!made.ok) return 'no-graph'
  if (typeof npc.walk === 'object') return hasLines(now) ? null : 'context-graph'
  const nodes = made.graph.order.flatMap((id) => {
    const node = made.graph.nodes[id]
    return node && speaks(node) ? [node] : []
  })
  return askedOf(scenario, now, nodes)
}

const PATIENCE = { idleTimeoutMs: 120_000, overallTimeoutMs: 600_000, maxOutputCharacters: 60_000 }
const FEWEST_TOKENS = 12_000

/** Asks the model. Returns its answer as a draft, or the reason why there is none. */
async function askFor(
  npc: Npc,
  scenario: Scenario,
  asked: MissingLines,
  model: OpenAiActorOptions,
): Promise<LineDraft | string> {
  const options = { ...model, ...PATIENCE, maxOutputTokens: Math.max(model.maxOutputTokens, FEWEST_TOKENS) }
  const question = { system: SYSTEM, user: promptFor(npc, scenario, asked), answer: ANSWER }
  try {
    const text = await askModel(options, question, new AbortController().signal)
    return readAnswer(text, asked) ?? 'the model’s answer is not the JSON that it was asked for'
  } catch (error) {
    if (error instanceof ActorError) return `the model gave no whole answer: ${error.message}`
    throw error
  }
}

const line = z
  .string()
  .transform((text) => text.replaceAll(/\s+/g, ' ').trim())
  .pipe(z.string().min(1).max(400))
const someLines = z.array(line).min(1)
const node = z.object({
  node: z.string(),
  open: z.array(line).catch([]),
  stay: z.array(line).catch([]),
  escalated: z.array(line).catch([]),
  satisfied: z.array(line).catch([]),
})

/**
 * Reads the model's answer: what was asked for and has the right form. Everything else in it is ignored. Returns null
 * if there is no such part.
 */
function readAnswer(text: string, asked: MissingLines): LineDraft | null {
  const answer = objectIn(text)
  if (answer === null) return null
  const read = <T>(key: string, schema: z.ZodType<T>): readonly (T | undefined)[] => {
    const list = answer[key]
    return Array.isArray(list) ? list.map((item: unknown) => schema.safeParse(item).data) : []
  }
  const items = <T>(key: string, schema: z.ZodType<T>): readonly T[] =>
    read(key, schema).filter((item) => item !== undefined)
  const nodes = items('nodes', node).filter((each) => asked.nodes.some(({ id }) => id === each.node))
  const asides = items('asides', z.object({ name: z.string(), say: someLines }))
  const acknowledgements = read('acknowledgements', z.object({ groups: z.array(someLines).min(1) }))
  const draft = {
    nodes: Object.fromEntries(nodes.map(({ node: id, ...lists }) => [id, lists])),
    answers: items('answers', z.object({ asks: someLines, say: someLines })).filter(
      ({ asks }) =>
        asked.answers + asked.facts.length > 0 || asked.paraphrases.some((answer) => answer.asks[0] === asks[0]),
    ),
    // An entry belongs to a decision fact by its position. So the list ends at the first entry that can't be read.
    acknowledgements: acknowledgements
      .slice(0, asked.acknowledgements.length)
      .filter((_, at, all) => !all.slice(0, at + 1).includes(undefined)),
    redirects: items('redirects', z.object({ npc: z.string(), say: someLines })).filter(({ npc }) =>
      asked.redirects.some(({ id }) => id === npc),
    ),
    asides: Object.fromEntries(
      asides.filter(({ name }) => asked.asides.some((each) => each === name)).map(({ name, say }) => [name, say]),
    ),
  }
  return pruned(draft) as LineDraft | null
}

interface Refused {
  readonly text: string
  readonly message: string
}

/**
 * Removes from a draft every line with a finding, until the checks find nothing in it. An acknowledgement belongs to a
 * decision fact by its position. So with an acknowledgement, those after it are removed too.
 */
function sound(
  data: unknown,
  drafts: LineDrafts,
  id: string,
  answer: LineDraft,
  library: GraphLibrary,
): { readonly draft: LineDraft | null; readonly refused: readonly Refused[] } {
  const { merged: base } = withDrafts(data, drafts)
  const refused: Refused[] = []
  let draft: LineDraft | null = answer
  while (draft !== null) {
    const wrong = new Map(findingsInDrafts(base, { [id]: draft }, library).map(({ at, message }) => [at, message]))
    if (wrong.size === 0) break
    const parts = [...wrong.keys()].map((place) => keysOf(place).slice(2))
    for (const [i, message] of [...wrong.values()].entries()) {
      const part = partAt(draft, parts[i] ?? [])
      refused.push({ text: typeof part === 'string' ? part : JSON.stringify(part), message })
    }
    draft = pruned(without(draft, [...parts, ...factsFrom(parts, draft)])) as LineDraft | null
  }
  return { draft, refused }
}

/** Returns the paths of a draft's acknowledgements, from the first one on that these parts touch. */
function factsFrom(parts: readonly (readonly string[])[], { acknowledgements }: LineDraft) {
  const first = Math.min(...parts.flatMap(([key, index]) => (key === 'acknowledgements' ? [Number(index)] : [])))
  const all = Array.isArray(acknowledgements) ? [...acknowledgements.keys()] : []
  return all.filter((index) => index >= first).map((index) => ['acknowledgements', String(index)])
}

/** Returns a copy of the value without these parts. */
function without(value: unknown, parts: readonly (readonly string[])[]): unknown {
  const gone = (key: string) => parts.some((part) => part.length === 1 && part[0] === key)
  const within = (key: string) =>
    parts.filter((part) => part.length > 1 && part[0] === key).map((part) => part.slice(1))
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, i) => (gone(String(i)) ? [] : [without(item, within(String(i)))]))
  }
  if (!hasKeys(value)) return value
  const kept = Object.entries(value).filter(([key]) => !gone(key))
  return Object.fromEntries(kept.map(([key, item]) => [key, without(item, within(key))]))
}

/** Returns the value without empty parts; null if nothing is left. A list item that lacks one of its parts is empty. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown) => {
      const left = pruned(item)
      const isBroken = hasKeys(item) && hasKeys(left) && Object.keys(left).length < Object.keys(item).length
      return left === null || isBroken ? [] : [left]
    })
    return items.length === 0 ? null : items
  }
  if (!hasKeys(value)) return value
  const parts = Object.entries(value).flatMap(([key, item]) => {
    const left = pruned(item)
    return left === null ? [] : [[key, left] as const]
  })
  return parts.length === 0 ? null : Object.fromEntries(parts)
}

function countOf(draft: LineDraft | null): string {
  return amountOf(linesSpoken({ rehearsal: draft }, []).length, 'line')
}

function namesOf({ nodes, answers, paraphrases, facts, acknowledgements, redirects, asides }: MissingLines): string {
  return [
    ...nodes.map(({ id }) => id),
    ...(answers > 0 ? ['answers'] : []),
    ...paraphrases.map(({ asks }) => `other ways to ask "${asks[0]}"`),
    ...facts.map(({ id }) => `a line that tells ${id}`),
    ...(acknowledgements.length > 0 ? ['acknowledgements'] : []),
    ...redirects.map(({ id }) => `a redirect to ${id}`),
    ...asides.map((name) => `the aside ${name}`),
  ].join(', ')
}
