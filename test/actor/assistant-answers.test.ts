import { describe, expect, it } from 'vitest'
import { wordTable } from '../../scripts/word-table-file.ts'
import { pickTool, speakAsAgent } from '../../worker/actor/assistant/speak.ts'
import type { AgentSpec } from '../../worker/core/assistant/assistant-spec.ts'
import type { ChatMessage } from '../../worker/core/assistant/conversation-state.ts'
import type { Told, ToldMemory } from '../../worker/core/assistant/projection.ts'
import { callMessages, type ToolCall, type ToolSpec } from '../../worker/core/assistant/tools.ts'
import type { BriefingScene } from '../../worker/core/briefing/briefing.ts'

const table = await wordTable()

const agentOf = (id: string, offline: AgentSpec['offline'], tools: readonly ToolSpec[] = []): AgentSpec => ({
  id,
  does: `Does ${id}.`,
  needs: [],
  cues: [],
  offline,
  tools,
})
const SEARCH: ToolSpec = {
  name: 'web_search',
  does: 'Searches the web.',
  takes: 'what to search for',
  effect: 'reads',
  cost: null,
  needsPermission: true,
  safety: 'low',
  runs: 'page',
}
const AGENTS = [agentOf('chat', 'answer'), agentOf('research', 'research', [SEARCH]), agentOf('edit', 'proofread')]

const toldOf = (question: string, memory: ToldMemory, messages: readonly ChatMessage[] = []): Told => ({
  messages,
  user_id: 'u',
  current_query: question,
  persona: { ai_name: 'Quill', persona_style: 'professional', political_bias: 'neutral' },
  active_agent: null,
  conversation_topic: null,
  shared_memory: memory,
})

/** Asks an agent, and returns what it says. */
function ask(
  agent: string,
  question: string,
  memory: ToldMemory,
  { messages = [], before = [] }: { messages?: readonly ChatMessage[]; before?: readonly string[] } = {},
) {
  const history = before.map((text) => ({ who: 'npc', text }))
  const scene = {
    scenario: { assistant: { agents: AGENTS } },
    npc: { id: agent },
    told: toldOf(question, memory, messages),
    learner: question,
    history,
  } as unknown as BriefingScene
  return speakAsAgent(scene, table)
}

const LANTERNS = `---
title: Lanterns
author: Noor Haddad
tags: [light, city]
draft: true
---

# Lanterns

In the winter of 1820 the first street lantern was lit on Mill Street. It was
an oil lamp, and a boy climbed a ladder to it every evening.

Nobody paid for it. The shops took turns, and the list of whose turn it was
hung in the bakery until 1861, when the town took over.
`

const SOUP = `# Lentil soup

Rinse the lentils. Boil them for twenty minutes.
The salt comes last.

## Allergens

| dish | contains |
|---|---|
| lentil soup | celery |
| bread | gluten, milk |

## Opening hours

- Monday to Friday: 11 to 15
- Saturday: closed

The price of a bowl is five euros. Order at the counter; Mr. Okafor takes your name.
`

const editor = (filename: string, content: string, frontmatter = {}): ToldMemory => ({
  active_editor: {
    is_editable: true,
    filename,
    language: 'markdown',
    content,
    content_start: 0,
    content_length: content.length,
    frontmatter,
  },
})
const ONE = editor('lanterns.md', LANTERNS, {
  title: 'Lanterns',
  author: 'Noor Haddad',
  tags: ['light', 'city'],
  draft: true,
})
const TWO: ToldMemory = { conversation_context: { page: SOUP } }

describe('an agent that answers from the page without a model', () => {
  it.each([
    [
      'When was the first lantern lit?',
      /^The page says: “In the winter of 1820 the first street lantern was lit on Mill Street\.”$/,
    ],
    ['On which street was the first lantern?', /Mill Street/],
    ['Who climbed the ladder?', /It was an oil lamp, and a boy climbed a ladder to it every evening\./],
    ['What kind of lamp was it?', /oil lamp/],
    ['How often did the boy climb?', /every evening/],
    ['Who paid for the lantern?', /Nobody paid/],
    ['Did anybody pay?', /Nobody paid/],
    ['Where did the list hang?', /bakery/],
    ['When did the town take over?', /1861/],
    ['Who wrote this page?', /^The author is Noor Haddad\.$/],
    ['Who is the author?', /^The author is Noor Haddad\.$/],
    ['What are the tags?', /^Tags: light, city\.$/],
    ['Which tags does this text have?', /^Tags: light, city\.$/],
    ['What is the title of this article?', /^The title is Lanterns\.$/],
    ['Is this a draft?', /^Draft: yes\.$/],
    ['How long is this text?', /^lanterns\.md has \d+ words and \d+ characters\.$/],
    ['Which file is open?', /lanterns\.md/],
    ['What is this page about?', /1820/],
    ['What should I know?', /1820/],
    ['What colour was the ladder?', /^I don't find that/],
    ['Who pays for the trams?', /^I don't find that/],
    ['Where does the heron stand?', /^I don't find that/],
    ['What is the capital of France?', /^I don't find that/],
  ])('[assistant-12] of lanterns: %s', (question, expected) => {
    expect(ask('chat', question, ONE).speech).toMatch(expected)
  })

  it.each([
    ['What is the price of a bowl?', /^The page says: “The price of a bowl is five euros\.”$/],
    ['What does a bowl cost?', /five euros/],
    ['How long do I boil the lentils?', /^The page says: “Boil them for twenty minutes\.”$/],
    ['Which allergens are in lentils?', /celery/],
    ['Is there gluten in the bread?', /gluten/],
    ['When does the salt go in?', /last/],
    ['What are the opening hours?', /Monday to Friday: 11 to 15/],
    ['Are you open on Saturday?', /closed/],
    ['Who takes my name?', /Mr\. Okafor/],
    ['What does the page say?', /^The page begins: “Rinse the lentils\./],
    ['Do you deliver wine?', /^I don't find that/],
    ['Why do birds sing?', /^I don't find that/],
    ['Who wrote down the name?', /Mr\. Okafor/],
  ])('[assistant-12] of a page that is a text: %s', (question, expected) => {
    expect(ask('chat', question, TWO).speech).toMatch(expected)
  })

  it('[assistant-12] finds a verb by its other forms', () => {
    const page = 'Emma was written by Jane Austen. It was published in 1815 in London.'
    const memory: ToldMemory = { conversation_context: { page } }
    for (const question of ['Who wrote it?', 'Who wrote this book?', 'Who is it written by?'])
      expect(ask('chat', question, memory).speech).toContain('Jane Austen')
  })

  it('[assistant-12] of a pipeline answers only what it says', () => {
    const pipeline = { id: 'p', title: 'Publish the spring issue', summary: 'Two of six texts are signed off.' }
    const memory: ToldMemory = { active_pipeline: { ...pipeline, preference: 'prefer' } }
    expect(ask('chat', 'How many texts are signed off?', memory).speech).toContain('Two of six')
    expect(ask('chat', 'What is this about?', memory).speech).toContain('spring issue')
    const summary = 'Draft, review, layout, print. It stands at the review; two of six texts are signed off.'
    const standing: ToldMemory = { active_pipeline: { ...pipeline, summary, preference: 'prefer' } }
    expect(ask('chat', 'Where does the pipeline stand?', standing).speech).toContain('at the review')
    expect(ask('chat', 'When was the first lantern lit?', memory).speech).toMatch(/^I don't find that/)
  })

  it('[assistant-12] says once that it said something before, and not of what it did not find', () => {
    const first = ask('chat', 'Who paid?', ONE).speech
    const second = ask('chat', 'Who paid?', ONE, { before: [first] }).speech
    expect(second).toBe(`As I said: ${first}`)
    expect(ask('chat', 'Who paid?', ONE, { before: [first, second] }).speech).toBe(second)
    const lost = ask('chat', 'Why do birds sing?', ONE).speech
    expect(ask('chat', 'Why do birds sing?', ONE, { before: [lost] }).speech).toBe(lost)
  })
})

describe('an agent that looks things up without a model', () => {
  const hit = { title: 'Lamps (a list)', url: 'https://lamps.example/oil_(whale)', text: 'Early lamps burn whale oil.' }
  const earlier = (content: string, query = 'Why do moths gather at lamps?'): ToldMemory => ({
    intelligence: [
      {
        content,
        query,
        result_type: 'answer',
        source_agent: 'research',
        timestamp: 1,
        confidence_score: 0.8,
        topics: ['moths'],
        citations: [],
        score: 0.3,
      },
    ],
  })
  const done = (status: ToolCall['status'], result = '') =>
    callMessages('research', [{ id: '1.0', tool: 'web_search', input: 'Why do birds sing?', status, result, until: 0 }])

  it('[assistant-12] cites a source with a link that ends with its address', () => {
    const memory: ToldMemory = { search_results: { local: [], web: [hit] } }
    expect(ask('research', 'What do early lamps burn?', memory).speech).toBe(
      'Early lamps burn whale oil. Source: [Lamps (a list)](https://lamps.example/oil_%28whale%29)',
    )
    expect(ask('research', 'Why do birds sing?', memory).speech).toContain('have found nothing on that')
    // One shared word is no answer.
    for (const other of ['How were gas lamps invented?', 'Who sold the first lamps?', 'What do whales eat?'])
      expect(ask('research', other, memory).speech).toContain('have found nothing on that')
    expect(ask('research', 'Which oil did early lamps burn?', memory).speech).toContain('whale oil')
  })

  it.each([
    ['denied', '', 'You did not allow web_search'],
    ['expired', '', 'Nobody allowed web_search in time'],
    ['late', '', 'did not answer web_search in time'],
    ['failed', 'the index is down', 'web_search failed: the index is down'],
    ['failed', '', 'web_search failed.'],
    ['done', '', 'web_search gave no result for “Why do birds sing?”.'],
    ['done', 'Birds sing to find a mate. Moths gather at lamps.', 'I found: Birds sing to find a mate.'],
  ] as const)('[assistant-18] says that a tool was %s (%j)', (status, result, expected) => {
    const known = earlier('I found: Moths gather at lamps because they hold a light at a fixed angle.')
    const { speech } = ask('research', 'Why do birds sing?', known, { messages: done(status, result) })
    expect(speech).toContain(expected)
    expect(speech).not.toContain('Moths')
  })

  it('[assistant-12] uses an earlier find only for the same question, and marks it once', () => {
    const content = 'From before: As I said: I found: Moths gather at lamps because they hold a light at a fixed angle.'
    const again = ask('research', 'Why do moths gather at lamps?', earlier(content)).speech
    expect(again).toBe('From before: I found: Moths gather at lamps because they hold a light at a fixed angle.')
    for (const other of ['Why do owls gather at lamps?', 'Why do moths gather?'])
      expect(ask('research', other, earlier(content)).speech).toContain('have found nothing')
    const failed = earlier('web_search gave no result for “Why do birds sing?”.', 'Why do birds sing?')
    expect(ask('research', 'Why do birds sing?', failed).speech).toContain('have found nothing')
  })

  it.each([
    ['Why do birds sing?', 'I found: Birds sing to find a mate. Source: [Birds](https://birds.example/song)'],
    ['Why do owls hoot?', 'I found: Birds sing to find a mate. Source: [Birds](https://birds.example/song)'],
  ])('[assistant-12] names the source that a tool gives: %s', (question, expected) => {
    const result = 'Birds sing to find a mate. So it is said.\nSource: Birds, https://birds.example/song'
    expect(ask('research', question, {}, { messages: done('done', result) }).speech).toBe(expected)
  })

  it('[assistant-17] asks for a tool only if nothing that it was told answers', () => {
    const pick = (question: string, memory: ToldMemory, calls: readonly ToolCall[] = []) =>
      pickTool({ type: 'tool-request', told: toldOf(question, memory), tools: [SEARCH], calls }, table).tool
    const known: ToldMemory = {
      research_findings: { 'web_search: Why do moths gather?': 'Moths gather at lamps at night.' },
    }
    expect(pick('Why do the moths gather?', known)).toBe(null)
    expect(ask('research', 'Why do the moths gather?', known).speech).toContain('at night')
    expect(pick('Why do owls gather?', known)).toBe('web_search')
    expect(ask('research', 'Why do owls gather?', known).speech).not.toContain('Moths')
    expect(pick('Why do birds sing?', known)).toBe('web_search')
    expect(pick('What do early lamps burn?', { search_results: { local: [hit], web: [] } })).toBe(null)
  })
})

describe('small talk', () => {
  it.each([
    ['chat', 'Thanks', "You're welcome."],
    ['edit', 'Thank you very much!', "You're welcome."],
    ['chat', 'Hello!', 'Hello. What would you like to know about this page?'],
    ['research', 'hi', 'Hello. What should I look up?'],
    ['chat', 'Ok, thanks.', "You're welcome."],
    ['chat', '', 'Hello. What would you like to know about this page?'],
    [
      'chat',
      'What can you do?',
      /^I know this page, and answer from it\. You can also ask @research, .*; or @edit, .*\.$/,
    ],
    ['chat', 'Good bread?', /^I don't find that/],
  ])('[assistant-32] to %s: %s', (agent, message, expected) => {
    expect(ask(agent, message, ONE).speech).toMatch(expected)
  })

  it('[assistant-32] is no reason to search', () => {
    const request = { type: 'tool-request', told: toldOf('Thanks!', {}), tools: [SEARCH], calls: [] } as const
    expect(pickTool(request, table).tool).toBe(null)
  })
})

describe('an agent that proofreads without a model', () => {
  const text = editor('a.md', 'Teh list hung in teh bakery untill 1861 .\n\nNobody paid.')
  const edits = (question: string) => {
    const { speech, report } = ask('edit', question, text)
    return { speech, quotes: (report as { edits: { quote: string }[] }).edits.map(({ quote }) => quote) }
  }

  it.each([
    ['Please proofread this.', ['Teh', 'teh', 'untill', '1861 .'], /^4 changes/],
    ['Please fix only the word untill', ['untill'], /^One change/],
    ['Fix just the word "teh", please', ['Teh', 'teh'], /^2 changes/],
    ['Correct only the spelling of “untill” and “bakery”.', ['untill'], /^One change/],
    ['Fix only the word lantern.', [], /^I see no slip in “lantern”/],
    ['When was the first lantern lit?', [], /only edit the text, and answer no questions.*@auto/],
    ['Who paid', [], /only edit the text/],
    ['Is this right?', ['Teh', 'teh', 'untill', '1861 .'], /^4 changes/],
    ['make the second paragraph shorter', [], /can only proofread.*no change/],
    ['Translate it into Spanish', [], /can only proofread/],
    ['Please fix only the first paragraph', [], /not a part of it/],
    ['the lamp', [], /only edit the text/],
    ['1861', [], /only edit the text/],
    ['', [], /can proofread/],
    ['Yes please, go ahead.', ['Teh', 'teh', 'untill', '1861 .'], /^4 changes/],
    ['fix the spelling please', ['Teh', 'teh', 'untill'], /^3 changes/],
    ['Check the spacing', ['1861 .'], /^One change/],
    ['fix the capitals', [], /none of the common slips of English of that kind/],
    ['Please check spelling, typos and everything else', ['Teh', 'teh', 'untill', '1861 .'], /^4 changes/],
    ['Proofread it and make it shorter', ['Teh', 'teh', 'untill', '1861 .'], /needs a language model/],
  ])('[assistant-12] %s', (question, quotes, expected) => {
    const said = edits(question)
    expect(said.quotes).toEqual(quotes)
    expect(said.speech).toMatch(expected)
  })

  it('[assistant-23] says so if it would change only what was left', () => {
    const at = { before: 'It hung ', after: ' 1861.' }
    const left = [{ expected: 'untill', text: 'until', verdict: 'left', ...at }] as const
    const proofreadOf = (content: string) =>
      ask('edit', 'Please proofread this.', { ...editor('a.md', content), edits: left }).speech
    expect(proofreadOf('It hung untill 1861.')).toMatch(/only what you have left as it was/)
    // What was left counts for its place, also if the text before it has changed.
    expect(proofreadOf('One lamp. It hung untill 1861.')).toMatch(/only what you have left as it was/)
    expect(proofreadOf('It hung untill 1861. Nobody paid untill then.')).toMatch(/^One change/)
    const twice = 'Then we wait untill noon. Then we wait untill dark.'
    const later = [
      { expected: 'untill', text: 'until', verdict: 'left', before: 'Then we wait ', after: ' dark.' },
    ] as const
    const { report } = ask('edit', 'Please proofread this.', { ...editor('a.md', twice), edits: later })
    expect(report).toMatchObject({ edits: [{ quote: 'untill', after: expect.stringContaining('noon') }] })
    const memory = { ...editor('a.md', 'It hung untill 1861.'), edits: left }
    for (const asked of ['Fix only the word untill', 'Proofread it again, also what I left.'])
      expect(ask('edit', asked, memory).speech).toMatch(/^One change/)
  })
})
