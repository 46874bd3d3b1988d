import * as z from 'zod'
import type {
  ActionDocument,
  AnnotationDocument,
  DecisionDocument,
  DwellDocument,
  RecallDocument,
  ReflectionDocument,
  SideEffectDocument,
  ExitDocument,
} from '../../worker/core/graph/document/document.ts'
import type { Guard } from '../../worker/core/graph/graph.ts'
import { boundaries, guidelines } from './graph-schema.ts'
import { level, nameText, nextStates, itemsOf, pivot, some, text, target } from './shapes.ts'

/** A condition as an author writes it: `relationship: cooperative`, `satisfied: state`, `all`, `any`, `not`. */
export const guardSchema: z.ZodType<Guard> = z
  .strictObject({
    relationship: level().optional(),
    satisfied: nameText().optional(),
    all: z.lazy(() => itemsOf(guardSchema)).optional(),
    any: z.lazy(() => itemsOf(guardSchema)).optional(),
    not: z.lazy(() => guardSchema).optional(),
  })
  .transform((written, context): Guard => {
    const guards = guardsIn(written)
    const [only] = guards
    if (only && guards.length === 1) return only
    context.addIssue('is no condition: give exactly one of relationship, satisfied, all, any and not')
    return z.NEVER
  })

interface Written {
  readonly relationship?: Extract<Guard, { relationship: unknown }>['relationship']['atLeast'] | undefined
  readonly satisfied?: string | undefined
  readonly all?: readonly Guard[] | undefined
  readonly any?: readonly Guard[] | undefined
  readonly not?: Guard | undefined
}

function guardsIn({ relationship, satisfied, all, any, not }: Written): readonly Guard[] {
  return [
    ...(relationship === undefined ? [] : [{ relationship: { atLeast: relationship } }]),
    ...(satisfied === undefined ? [] : [{ satisfied }]),
    ...(all === undefined ? [] : [{ all }]),
    ...(any === undefined ? [] : [{ any }]),
    ...(not === undefined ? [] : [{ not }]),
  ]
}

/**
 * A state of one of the six types. The schema omits the state's name, which is the state's key or its field `name`. Two
 * types of newer documents are read as one of the six: `data-collection` as an action, and `tool-call` as a side
 * effect.
 */
export const stateSchema = z.discriminatedUnion(
  'type',
  [action(), decision(), recall(), reflection(), annotation(), sideEffect(), toolCall()],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'is no type of state: action, decision, recall, reflection, annotation or side-effect'
        : undefined,
  },
)

/**
 * A speaking state. Its `dwell` says how many exchanges the conversation may spend in the state, and whether the state
 * is a gate.
 */
function action() {
  return z
    .strictObject({
      type: z.enum(['action', 'data-collection']),
      objective: text(),
      actions: itemsOf(text()).default([]),
      intra_state_navigation_guidelines: guidelines(),
      action_guidelines: guidelines(),
      boundary_constraints: boundaries(),
      exit_conditions: exits(),
      included_contexts: itemsOf(text()).default([]),
      message_metadata: itemsOf(text()).default([]),
      tools: itemsOf(text()).optional(),
      dwell: dwell().nullable().default(null),
      satisfy_when: text().nullable().default(null),
      content_source: text().nullable().default(null),
      overlay: overlay().nullable().default(null),
      pivot: pivot().nullable().default(null),
    })
    .transform((written): Omit<ActionDocument, 'name'> => ({
      type: 'action',
      objective: written.objective,
      actions: written.actions,
      navigationGuidelines: written.intra_state_navigation_guidelines,
      actionGuidelines: written.action_guidelines,
      boundaryConstraints: written.boundary_constraints,
      exits: written.exit_conditions,
      includedContexts: written.included_contexts,
      messageMetadata: written.message_metadata,
      ...(written.tools && { tools: written.tools }),
      dwell: written.dwell,
      satisfyWhen: written.satisfy_when,
      contentSource: written.content_source,
      overlay: written.overlay,
      pivot: written.pivot,
    }))
}

/** A state in which the actor chooses an exit without speaking. */
function decision() {
  return z
    .strictObject({
      type: z.literal('decision'),
      objective: text(),
      decision_guidelines: guidelines(),
      exit_conditions: exits(),
    })
    .transform(({ type, objective, decision_guidelines, exit_conditions }): Omit<DecisionDocument, 'name'> => ({
      type,
      objective,
      guidelines: decision_guidelines,
      exits: exit_conditions,
    }))
}

/** A state that looks up what was said in the learner's earlier conversations. */
function recall() {
  return z
    .strictObject({
      type: z.literal('recall'),
      queries: some(text()).nullable().default(null),
      requested_information: text().nullable().default(null),
      next_state: nextStates(),
    })
    .transform(({ type, queries, requested_information, next_state }): Omit<RecallDocument, 'name'> => ({
      type,
      queries,
      requestedInformation: requested_information,
      nextStates: next_state,
    }))
}

/** A state in which the actor thinks about a problem, without speaking. A lint checks the word limit. */
function reflection() {
  return z
    .strictObject({ type: z.literal('reflection'), problem: text(), word_limit: z.int(), next_state: nextStates() })
    .transform(({ type, problem, word_limit, next_state }): Omit<ReflectionDocument, 'name'> => ({
      type,
      problem,
      wordLimit: word_limit,
      nextStates: next_state,
    }))
}

/** A state that notes a thought of the colleague, which the author wrote. */
function annotation() {
  return z
    .strictObject({ type: z.literal('annotation'), inner_thought: text(), next_state: nextStates() })
    .transform(({ type, inner_thought, next_state }): Omit<AnnotationDocument, 'name'> => ({
      type,
      innerThought: inner_thought,
      nextStates: next_state,
    }))
}

/** A state that sends an event or an email. */
function sideEffect() {
  const event = z.strictObject({
    type: z.literal('emit-event'),
    event: text(),
    data: z.record(text(), z.string()).readonly().default({}),
  })
  const email = z.strictObject({ type: z.literal('send-email'), subject: text(), text: text() })
  const effect = z.discriminatedUnion('type', [event, email], {
    error: ({ code }) => (code === 'invalid_union' ? 'is no side effect: emit-event or send-email' : undefined),
  })
  return z
    .strictObject({ type: z.literal('side-effect'), side_effect: effect, next_state: nextStates() })
    .transform(({ type, side_effect, next_state }): Omit<SideEffectDocument, 'name'> => ({
      type,
      sideEffect: side_effect,
      nextStates: next_state,
    }))
}

/** A state that sends an event to a tool. Its answer never reaches the conversation; that of an action state's `tools` does. */
function toolCall() {
  return z
    .strictObject({
      type: z.literal('tool-call'),
      tool: text(),
      data: z.record(text(), z.string()).readonly().default({}),
      next_state: nextStates(),
    })
    .transform(({ tool, data, next_state }): Omit<SideEffectDocument, 'name'> => ({
      type: 'side-effect',
      sideEffect: { type: 'emit-event', event: `tool.${tool}`, data },
      nextStates: next_state,
    }))
}

function dwell() {
  return z
    .strictObject({
      min: z.int().min(0).default(0),
      max: z.int().min(1).nullable().default(null),
      gate: z.boolean().default(false),
      self_loop: z.boolean().default(true),
    })
    .transform(({ min, max, gate, self_loop }): DwellDocument => ({
      minTurns: min,
      maxTurns: max,
      isGate: gate,
      selfLoop: self_loop,
    }))
}

/** The content that a node gets in addition under a condition. */
export function overlay() {
  return z
    .strictObject({ id: nameText(), content_source: text(), when: guardSchema })
    .transform(({ id, content_source, when }) => ({ id, contentSource: content_source, when }))
}

/**
 * The exits of an action state or a decision. The walker takes an exit with a condition or with `guarded: true` by
 * itself. The actor chooses among the other exits.
 */
function exits() {
  const exit = z
    .strictObject({
      description: text(),
      next_state: target(),
      safety: z.boolean().default(false),
      when: guardSchema.nullable().default(null),
      guarded: z.boolean().optional(),
    })
    .transform((written, context): ExitDocument => {
      const { description, next_state, safety, when, guarded } = written
      if (when !== null && guarded === false) {
        context.addIssue({
          code: 'custom',
          path: ['guarded'],
          message: 'is false, but an exit with a condition is guarded',
        })
      }
      const isGuarded = guarded ?? when !== null
      if (isGuarded && safety) {
        context.addIssue({
          code: 'custom',
          path: ['safety'],
          message: 'is for an exit that is chosen, not for a guarded one',
        })
      }
      return { description, nextState: next_state, isSafety: safety, when, isGuarded }
    })
  return itemsOf(exit).default([])
}
