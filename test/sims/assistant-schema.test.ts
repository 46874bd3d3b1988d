import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readAssistant } from '../../sims/authoring/assistant-schema.ts'
import { libraryOf } from '../../sims/authoring/open-file.ts'
import type { GraphLibrary } from '../../worker/core/graph/graph-for.ts'

const PATH = 'sims/page-assistant/assistant.yaml'
const FILE = parse(readFileSync(PATH, 'utf8')) as { readonly agents: readonly object[] }
const TOOL = { name: 'save', does: 'Saves.', takes: 'what to save', effect: 'writes' }

let library: GraphLibrary
beforeAll(async () => {
  const read = await libraryOf(PATH)
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  library = read.library
})

const withTool = (tool: object) => ({
  ...FILE,
  agents: FILE.agents.map((agent, index) => (index === 0 ? { ...agent, tools: [tool] } : agent)),
})
const findings = (data: object) => readAssistant(data, library).findings.map(({ at, message }) => `${at} ${message}`)

it('[assistant-17] a tool that changes something and needs no permission is a finding', () => {
  expect(findings(FILE)).toEqual([])
  expect(findings(withTool(TOOL))).toEqual([])
  expect(findings(withTool({ ...TOOL, effect: 'reads', permission: false }))).toEqual([])
  expect(findings(withTool({ ...TOOL, permission: false }))).toEqual([
    '/agents/0/tools/0 changes something, so it needs permission',
  ])
})

it('[assistant-1] an agent for safety that is not there, or has no words, is a finding', () => {
  expect(findings({ ...FILE, safety: { agent: 'chat', words: ['in danger'] } })).toEqual([])
  expect(findings({ ...FILE, safety: { agent: 'nobody', words: ['in danger'] } })).toEqual([
    '/safety/agent there is no agent "nobody"',
  ])
  expect(findings({ ...FILE, safety: { agent: 'chat', words: [] } })).toHaveLength(1)
})
