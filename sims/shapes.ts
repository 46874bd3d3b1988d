import * as z from 'zod'

/** Shapes that scenarios and context graphs have in common. */

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly()
}

export function some<Item extends z.ZodType>(item: Item) {
  return list(item).check(z.minLength(1))
}

/** Something written. Blanks around it do not count. */
export function text() {
  return z.string().check(z.trim(), z.minLength(1, 'is empty'))
}

export function slug() {
  return z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'ids are lower case words joined by hyphens, like ship-as-is')
}

/** A fork: a question and what there is to answer. */
export function pivot() {
  const choice = z.strictObject({
    id: slug(),
    text: text(),
    mood: z.int().min(-20).max(20),
    reaction: text(),
    effect: text(),
  })
  return z.strictObject({
    id: slug(),
    question: text(),
    choices: list(choice).check(
      z.minLength(2, 'a fork needs 2 to 4 choices'),
      z.maxLength(4, 'a fork needs 2 to 4 choices'),
    ),
  })
}
