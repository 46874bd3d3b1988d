import * as z from 'zod'
import type { TargetDocument } from '../../worker/core/graph/document/document.ts'

/** Schemas that scenarios and context graphs share. */

export function itemsOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly()
}

export function some<Item extends z.ZodType>(item: Item) {
  return itemsOf(item).check(z.minLength(1))
}

/** A text that is not empty. White space around the text is removed. */
export function text() {
  return z.string().check(z.trim(), z.minLength(1, 'is empty'))
}

export function slug() {
  return z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'ids are lower case words joined by hyphens, like ship-as-is')
}

/** The language of a text, as BCP 47 names it: en, es, de-AT. */
export function language() {
  return z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'is no language: en, es, pt-BR')
}

/** The tier of a simulation. */
export function tier() {
  return z.enum(['TECHNICAL', 'ACADEMIC', 'EXPERT'])
}

/** How a colleague stands towards the learner, from worst to best. */
export function level() {
  return z.enum(['hostile', 'guarded', 'neutral', 'cooperative', 'trusting'])
}

/** The version of a graph or a backbone. */
export function version() {
  return z.int().min(1, 'versions count from 1')
}

/** A fork: a question and its answers. */
export function pivot() {
  const choice = z.strictObject({
    id: slug(),
    text: text(),
    means: some(text()).optional(),
    mood: z.int().min(-20).max(20),
    reaction: text(),
    effect: text(),
  })
  return z.strictObject({
    id: slug(),
    question: text(),
    choices: itemsOf(choice).check(
      z.minLength(2, 'a fork needs 2 to 4 choices'),
      z.maxLength(4, 'a fork needs 2 to 4 choices'),
    ),
  })
}

/**
 * The name of a state, a reference or a behavior. A lint judges whether the name is good. `abort` is for the union in
 * `target`, which accepts a name or a call. Without `abort`, the union would report a value that is neither only as a
 * bad name.
 */
export function nameText() {
  return z
    .string()
    .regex(NAME, { error: 'is no name: 1 to 64 letters, digits, underscores and hyphens', abort: true })
    .refine((value) => !(value in Object.prototype), {
      error: 'is a name that JavaScript keeps for itself',
      abort: true,
    })
}

/** A key of a graph's `content`. A state's `content_source` refers to the lines under this key. */
export function contentName() {
  return z.string().regex(/^[a-z_][a-z0-9_]{0,63}$/, 'is no name for content: lower case letters, digits, underscores')
}

/** A state of the same graph, or a call: `[reference.state, return_state]`. */
export function target(): z.ZodType<TargetDocument> {
  const call = z.string().refine(isCall)
  return z.union([nameText(), z.tuple([call, nameText()]).transform(([to, returnTo]) => ({ call: to, returnTo }))], {
    error: ({ input }) => complaint(input),
  })
}

/**
 * The `next_state` of a state without exits. Exactly one target is right. The schema also accepts no target and several
 * targets, so that a lint can report them.
 */
export function nextStates(): z.ZodType<readonly TargetDocument[]> {
  const several = z.array(nameText()).readonly()
  return z
    .union([z.null(), target().transform((only) => [only]), several], { error: ({ input }) => complaint(input) })
    .default([])
    .transform((next) => next ?? [])
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/

function isCall(value: string): boolean {
  const [reference, state, ...rest] = value.split('.')
  return (
    rest.length === 0 && [reference, state].every((part) => part !== undefined && nameText().safeParse(part).success)
  )
}

function complaint(input: unknown): string {
  if (typeof input === 'string' && isCall(input)) {
    return `is a state of another graph: say where to go on after it, [${input}, return_state]`
  }
  return 'is neither a state of this graph nor a call, [reference.state, return_state]'
}
