import * as z from 'zod'
import type { Backbone } from '../../worker/core/graph/backbones/backbone.ts'
import type { Finding } from '../../worker/core/graph/finding.ts'
import { DEFAULT_POLICY } from '../../worker/core/graph/policy.ts'
import { formError } from './finding.ts'
import { checkPlainData } from './plain-data.ts'
import { schemaErrors, wordsForAuthors } from './schema-errors.ts'
import { itemsOf, language, level, nameText, slug, some, text, tier, version } from './shapes.ts'
import { guardSchema, overlay } from './state-schema.ts'

const nodeSchema = z
  .strictObject({
    id: nameText(),
    kind: z.enum(['speak', 'pivot']).default('speak'),
    intent: text(),
    content_source: text(),
    satisfy_when: text(),
    lands_on: z.enum(['learner', 'speaker']).optional(),
    stay: itemsOf(text()).default([]),
    min_turns: z.int().min(1).default(1),
    max_turns: z.int().min(1).default(1),
    turn_per_item: z.boolean().default(false),
    gate: z.boolean().default(false),
    when_empty: z.enum(['splice', 'refuse']).default('splice'),
    advance: nameText().nullable().default(null),
    overlay: overlay().optional(),
    branch: z.strictObject({ to: nameText(), when: guardSchema }).optional(),
  })
  .refine((node) => !node.overlay || !node.branch, { error: 'has an overlay and a branch: give one of them' })
  .transform(({ overlay: opened, branch, ...node }) => ({
    id: node.id,
    kind: node.kind,
    intent: node.intent,
    contentSource: node.content_source,
    satisfyWhen: node.satisfy_when,
    landsOn: node.lands_on ?? (node.gate || node.kind === 'pivot' ? ('learner' as const) : ('speaker' as const)),
    stay: node.stay,
    minTurns: node.min_turns,
    maxTurns: node.max_turns,
    turnPerItem: node.turn_per_item,
    isGate: node.gate,
    whenEmpty: node.when_empty,
    exits: {
      advance: node.advance,
      selfLoop: node.max_turns > 1,
      conditional: opened
        ? { overlay: opened.id, contentSource: opened.contentSource, when: opened.when }
        : (branch ?? null),
    },
  }))

const policy = DEFAULT_POLICY

/** The schema of a backbone's file. Unknown keys are findings, so that a misspelt key does not go unnoticed. */
const backboneSchema = z.strictObject({
  id: slug(),
  version: version(),
  tier: tier().nullable(),
  language: language().default('en'),
  opening: z.literal('spoken').optional(),
  entry: nameText(),
  terminal: nameText(),
  limits: z
    .strictObject({
      stall: z.int().min(1).default(policy.stallBackstop),
      detour_grace: z.int().min(0).default(policy.detourGrace),
      exchanges: z.int().min(1).max(100).optional(),
    })
    .prefault({}),
  forks: z.strictObject({ asks: z.int().min(1).max(3), exchanges: z.int().min(1).max(6) }).optional(),
  leaving: z.boolean().default(false),
  relationship: z
    .strictObject({
      start: z.int(),
      lowest: z.int(),
      highest: z.int(),
      levels: some(z.strictObject({ level: level(), from: z.int() })),
    })
    .default(policy.relationship),
  nodes: some(nodeSchema),
  framings: itemsOf(z.strictObject({ id: slug(), intents: z.record(nameText(), text()).readonly() })).default([]),
})

export type BackboneParsing =
  | { readonly ok: true; readonly backbone: Backbone }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Makes a backbone from plain data. Returns a backbone, or all findings of the schema and the checks across keys. */
export function parseBackbone(value: unknown): BackboneParsing {
  const strange = checkPlainData(value)
  if (strange.length > 0) return { ok: false, findings: strange }
  const parsed = backboneSchema.safeParse(value, { error: wordsForAuthors })
  if (!parsed.success) return { ok: false, findings: schemaErrors(parsed.error) }
  const findings = check(parsed.data)
  return findings.length > 0 ? { ok: false, findings } : { ok: true, backbone: toBackbone(parsed.data) }
}

type Written = z.output<typeof backboneSchema>

function toBackbone({ limits, forks, leaving, relationship, opening, ...rest }: Written): Backbone {
  return {
    ...rest,
    ...(opening && { opening }),
    policy: {
      ...policy,
      stallBackstop: limits.stall,
      detourGrace: limits.detour_grace,
      exchangeLimit: limits.exchanges ?? null,
      ...(forks && { forks }),
      ...(leaving && { leaving }),
      relationship,
    },
  }
}

/**
 * Checks that each name in a backbone refers to something in it. `instantiate` and the lint check the rest per
 * colleague.
 */
function check({ nodes, entry, terminal, framings, opening }: Written): readonly Finding[] {
  const ids = nodes.map(({ id }) => id)
  const unknown = (id: string | null, ...at: (string | number)[]) =>
    id === null || ids.includes(id) ? [] : [formError(at, `is none of the nodes: ${id}`)]
  return [
    ...ids.flatMap((id, at) =>
      ids.indexOf(id) < at ? [formError(['nodes', at, 'id'], 'is the id of another node')] : [],
    ),
    ...unknown(entry, 'entry'),
    ...unknown(terminal, 'terminal'),
    ...nodes.flatMap(({ exits }, at) => [
      ...unknown(exits.advance, 'nodes', at, 'advance'),
      ...(exits.conditional && 'to' in exits.conditional
        ? unknown(exits.conditional.to, 'nodes', at, 'branch', 'to')
        : []),
    ]),
    ...framings.flatMap(({ intents }, at) =>
      Object.keys(intents).flatMap((id) => unknown(id, 'framings', at, 'intents', id)),
    ),
    ...(opening && entry === terminal
      ? [formError(['opening'], 'leaves no turn: the entry is the terminal node')]
      : []),
  ]
}
