import type { AgentSpec } from '../../core/assistant/assistant-spec.ts'
import type { AgentWork } from '../../core/assistant/read-work.ts'
import type { ToolTask } from '../../core/assistant/tools.ts'
import type { Told } from '../../core/assistant/projection.ts'
import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { EMPTY_REPORT } from '../../core/reply/report.ts'
import { proofread } from './proofread.ts'

/** A reply of an agent without a model, and its report. */
export interface AgentReply {
  readonly speech: string
  readonly report: object
}

/** Answers for an agent without a model, from nothing but what the agent is told. */
export function speakAsAgent({ scenario, npc, told, learner, history }: BriefingScene): AgentReply {
  const agents = scenario.assistant?.agents ?? []
  const agent = agents.find(({ id }) => id === npc.id)
  const said = told && agent ? SKILLS[agent.offline](told, learner, { agents, agent }) : NOTHING
  // The same sentence a second time would look as if nobody listened.
  const isAgain = history.some((line) => line.who === 'npc' && line.text === said.speech)
  const speech = isAgain ? `As I said: ${said.speech}` : said.speech
  return { speech, report: { ...EMPTY_REPORT, topics: [], hand_over: null, edits: [], ...said.work } }
}

interface Said {
  readonly speech: string
  readonly work?: Partial<AgentWork>
}

const NOTHING: Said = { speech: 'I have nothing to go by here.' }

type Skill = (told: Told, question: string, about: { agents: readonly AgentSpec[]; agent: AgentSpec }) => Said

const SKILLS: Readonly<Record<AgentSpec['offline'], Skill>> = { answer, research, proofread: edit }

function answer({ shared_memory: memory }: Told, question: string, { agents, agent }: Parameters<Skill>[2]): Said {
  const editor = memory.active_editor
  const facts = editor ?? memory.editor_facts
  if (/\bwho are you\b|\bwhat can you\b|\bhelp\b|^(?:hi|hello|hey)\b/i.test(question))
    return { speech: introduction(agents, agent) }
  if (facts) {
    const { frontmatter, filename, content_length: length } = facts
    const field = Object.keys(frontmatter).find((key) =>
      new RegExp(`\\b${key.replace(/\W/g, '.')}\\b`, 'i').test(question),
    )
    if (field !== undefined)
      return { speech: `The ${field} is ${String(frontmatter[field])}.`, work: { topics: [field] } }
    if (/\b(?:which|what) (?:file|text|page)|file ?name\b/i.test(question))
      return { speech: `The editor has ${filename}, with ${amount(length)} characters.`, work: { topics: [filename] } }
    if (/\bhow (?:long|many (?:words|characters))\b/i.test(question))
      return {
        speech: editor
          ? `${filename} has ${amount(wordsOf(editor.content).length)} words and ${amount(length)} characters.`
          : `${filename} has ${amount(length)} characters.`,
      }
  }
  const found = editor ? nearest(editor.content, question, 2) : []
  if (found.length > 0)
    return { speech: `The page says: ${found.join(' ')}`, work: { topics: wordsOf(question).slice(0, 2) } }
  const pipeline = memory.active_pipeline
  if (pipeline)
    return {
      speech: `You are in the pipeline "${pipeline.title}". ${pipeline.summary}`.trim(),
      work: { topics: [pipeline.title] },
    }
  return { speech: `I don't find that on this page. ${others(agents, agent)}`.trim() }
}

function research({ shared_memory: memory }: Told, question: string): Said {
  const { local = [], web = [] } = memory.search_results ?? {}
  const ranked = [...local, ...web]
    .map((result) => ({ result, score: shared(question, `${result.title} ${result.text}`) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 2)
  const cited = ranked.map(
    ({ result: { title, url, text } }) => `${nearest(text, question, 1)[0] ?? text.slice(0, 200)} (${title}, ${url})`,
  )
  if (cited.length > 0) return { speech: cited.join(' '), work: { topics: wordsOf(question).slice(0, 2) } }
  const found = Object.values(memory.research_findings ?? {})
    .map((text) => ({ text, score: shared(question, text) }))
    .toSorted((a, b) => b.score - a.score)[0]
  if (found && found.score > 0)
    return {
      speech: `I found: ${(nearest(found.text, question, 2).join(' ') || found.text).slice(0, 600)}`,
      work: { topics: wordsOf(question).slice(0, 2) },
    }
  const earlier = memory.intelligence?.[0]
  if (earlier) return { speech: `From before: ${earlier.content}`, work: { topics: [...earlier.topics] } }
  return { speech: 'The page has handed me no search results for that, so I have nothing to cite.' }
}

/**
 * Decides without a model whether a tool is needed: the first tool that only reads, if nothing that the agent has been
 * told answers the question.
 */
export function pickTool({ told, tools, calls }: ToolTask['request']): { tool: string | null; input: string | null } {
  const tool = tools.find(({ effect }) => effect === 'reads')
  const { search_results: results, research_findings: findings = {} } = told.shared_memory
  const known = [...(results?.local ?? []), ...(results?.web ?? [])].map(({ title, text }) => `${title} ${text}`)
  const question = told.current_query
  const isKnown = [...known, ...Object.values(findings)].some((text) => shared(question, text) > 0)
  return !tool || isKnown || calls.length > 0 ? { tool: null, input: null } : { tool: tool.name, input: question }
}

function edit({ shared_memory: memory }: Told): Said {
  const editor = memory.active_editor
  if (!editor) return { speech: 'There is no text in an editor on this page.' }
  const left = (memory.edits ?? []).filter(({ verdict }) => verdict === 'left')
  const edits = proofread(editor.content).filter(
    ({ quote, text }) => !left.some((each) => each.expected === quote && each.text === text),
  )
  if (edits.length === 0)
    return { speech: `I have read ${editor.filename} and would change nothing.`, work: { topics: ['proofreading'] } }
  if (!editor.is_editable)
    return { speech: `I see ${amount(edits.length)} slips in ${editor.filename}, but it may not be changed here.` }
  const whys = [...new Set(edits.flatMap(({ why }) => why.split(', ')))].join(', ')
  return {
    speech:
      edits.length === 1
        ? `One change to ${editor.filename}: ${whys}. Take it or leave it below.`
        : `${amount(edits.length)} changes to ${editor.filename}: ${whys}. Take or leave each below.`,
    work: { topics: ['proofreading'], edits },
  }
}

function introduction(agents: readonly AgentSpec[], agent: AgentSpec): string {
  return `I know this page. ${agent.does} ${others(agents, agent)}`.trim()
}

function others(agents: readonly AgentSpec[], agent: AgentSpec): string {
  const rest = agents.filter(({ id }) => id !== agent.id)
  return rest.length === 0 ? '' : `You can also write ${rest.map(({ id, does }) => `@${id}: ${does}`).join(' Or ')}`
}

/** Returns the sentences of a text that share the most words with a question, the best first. */
function nearest(content: string, question: string, most: number): readonly string[] {
  const prose = content.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').replace(/^#+ .*$/gm, '')
  return (prose.match(/[^.!?\n]+[.!?]?/g) ?? [])
    .map((sentence) => ({ sentence: sentence.trim(), score: shared(question, sentence) }))
    .filter(({ sentence, score }) => score > 0 && sentence.length > 10)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ sentence }) => sentence)
}

const COMMON = new Set(
  'the a an and or of to in on is are was it this that what who how why when does do did with for you your can about page text say says tell me'.split(
    ' ',
  ),
)

function shared(question: string, text: string): number {
  const held = new Set(wordsOf(text).map(stem))
  const asked = [
    ...new Set(
      wordsOf(question)
        .filter((word) => !COMMON.has(word))
        .map(stem),
    ),
  ]
  return asked.length === 0 ? 0 : asked.filter((word) => held.has(word)).length / asked.length
}

function stem(word: string): string {
  return word.replace(/(?:ing|ed|es|s)$/, '')
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function amount(count: number): string {
  return count.toLocaleString('en')
}
