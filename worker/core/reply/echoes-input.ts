import { clean } from './characters.ts'
import { findReport } from './find-report.ts'

/**
 * Whether the report in `metadata` was copied from something the model was given this turn: its object occurs in one of
 * `inputs`, letter case, white space and the width of characters aside. Such a report is somebody else's and is refused.
 */
export function echoesInput(metadata: string, inputs: readonly string[]): boolean {
  const report = findReport(metadata)
  if (report === null) return false
  const echo = fold(report.text)
  return inputs.some((input) => fold(input).includes(echo))
}

/** The same of an answer to inner work: the object in it, whatever stands around. */
export function echoesAnswer(answer: string, inputs: readonly string[]): boolean {
  const object = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  return object !== '' && inputs.some((input) => fold(input).includes(fold(object)))
}

function fold(text: string): string {
  return clean(text).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '')
}
