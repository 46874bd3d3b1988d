import { expect, it } from 'vitest'
import { frontmatterOf } from '../../../worker/core/assistant/page-context.ts'

it('[assistant-11] a text has frontmatter between two lines of three hyphens at its beginning', () => {
  expect(frontmatterOf('---\ntitle: A\n---\nText')).toBe('title: A')
  expect(frontmatterOf('---\r\ntitle: A\r\n---\r\n')).toBe('title: A')
  expect(frontmatterOf('Text\n---\ntitle: A\n---\n')).toBe(null)
  expect(frontmatterOf('---\nno end')).toBe(null)
})
