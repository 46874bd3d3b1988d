import * as z from 'zod'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'
import type { Finding } from '../../worker/core/graph/finding.ts'
import { NEEDS } from '../../worker/core/assistant/projection.ts'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { checkWalks } from './check-walks.ts'
import { formError } from './finding.ts'
import { rehearsal } from './scenario-schema.ts'
import { schemaErrors, wordsForAuthors } from './schema-errors.ts'
import { itemsOf, language, nameText, slug, some, text, version } from './shapes.ts'
import { tools } from './tool-schema.ts'

/** The schema of an assistant's file. Unknown keys are findings. */
const assistantSchema = z.strictObject({
  id: slug(),
  version: version(),
  title: text(),
  language: language().optional(),
  about: text(),
  greeting: text(),
  starters: itemsOf(text()).optional(),
  persona: z.strictObject({
    name: text(),
    style: z.enum(['professional', 'casual', 'technical']).default('professional'),
    bias: z.enum(['neutral', 'liberal', 'conservative']).default('neutral'),
  }),
  safety: z.strictObject({ agent: nameText(), words: some(text()) }).optional(),
  agents: some(
    z.strictObject({
      id: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, 'is no name to mention: lower case letters, digits and hyphens'),
      name: text(),
      hue: z.number().min(0).max(360),
      does: text(),
      how: itemsOf(text()).default([]),
      needs: itemsOf(z.enum(NEEDS)).default([]),
      cues: itemsOf(text()).default([]),
      offline: z.enum(['answer', 'research', 'proofread']).default('answer'),
      tools: tools().default([]),
      graph: z.union([nameText(), z.strictObject({ graph: nameText(), version: version() })]).default('agent'),
    }),
  ),
})

type AssistantReading =
  | { readonly ok: true; readonly scenario: Scenario; readonly findings: readonly [] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * Makes the scenario of an assistant from its file's data. Each agent becomes a colleague who walks the graph that the
 * file names, by default the backbone `agent`. Returns all findings.
 */
export function readAssistant(data: unknown, library: GraphLibrary): AssistantReading {
  const parsed = assistantSchema.safeParse(data, { error: wordsForAuthors })
  if (!parsed.success) return { ok: false, findings: schemaErrors(parsed.error) }
  const { agents, safety } = parsed.data
  const unknown =
    safety && !agents.some(({ id }) => id === safety.agent)
      ? [formError(['safety', 'agent'], `there is no agent "${safety.agent}"`)]
      : []
  const twins = agents.flatMap(({ id }, index) =>
    id === 'auto'
      ? [formError(['agents', index, 'id'], 'is the word that takes a lock back')]
      : agents.findIndex((other) => other.id === id) < index
        ? [formError(['agents', index, 'id'], `there is another agent "${id}"`)]
        : [],
  )
  const scenario = scenarioOf(parsed.data)
  const findings = [
    ...twins,
    ...unknown,
    ...checkWalks(scenario, library).map((each) => ({ ...each, at: each.at.replace('/npcs', '/agents') })),
  ]
  return findings.length > 0 ? { ok: false, findings } : { ok: true, scenario, findings: [] }
}

type Written = z.output<typeof assistantSchema>

function scenarioOf({
  id,
  version: edition,
  title,
  language: spoken,
  about,
  greeting,
  starters,
  persona,
  safety,
  agents,
}: Written): Scenario {
  return {
    id,
    version: edition,
    title,
    tier: 'TECHNICAL',
    role: 'somebody who reads or writes this page',
    situation: { where: 'on a web page', what: about },
    decision: { question: '', options: [] },
    objectives: [],
    synonyms: [],
    ...(spoken && { language: spoken }),
    npcs: agents.map((agent) => ({
      id: agent.id,
      name: agent.name,
      // The role stands within sentences.
      role: agent.does.replace(/\.$/, ''),
      hue: agent.hue,
      scene: '',
      walk: agent.graph,
      greeting,
      beats: { beat1: [], beat6: [] },
      knowledge: agent.how,
      depth: [],
      challenges: [],
      concerns: [],
      goals: [],
      opinion: null,
      document: null,
      decisionFacts: [],
      pivots: [],
      keyReveal: null,
      goal: { objective: 'helped', endCondition: 'they have what they came for' },
      next: null,
      owns: agent.does,
      subjects: [],
      rehearsal: NO_LINES,
    })),
    assistant: {
      ...(safety && { safety }),
      ...(starters && { starters }),
      persona: { ai_name: persona.name, persona_style: persona.style, political_bias: persona.bias },
      agents: agents.map((agent) => ({
        id: agent.id,
        does: agent.does,
        needs: agent.needs,
        cues: agent.cues,
        offline: agent.offline,
        tools: agent.tools,
      })),
    },
  }
}

const NO_LINES = rehearsal().parse({})
