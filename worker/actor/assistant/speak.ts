import type { AgentSpec } from '../../core/assistant/assistant-spec.ts'
import { listenFor } from '../../core/assistant/classify.ts'
import { isSameQuestion } from '../../core/assistant/intelligence.ts'
import type { AgentWork } from '../../core/assistant/read-work.ts'
import type { SearchResult } from '../../core/assistant/conversation-state.ts'
import type { ActiveEditor, FrontmatterValue } from '../../core/assistant/page-context.ts'
import { OUTCOMES, sourcesIn, type ToolTask } from '../../core/assistant/tools.ts'
import { locate, type ProposedOperation } from '../../core/assistant/editor-operations.ts'
import type { Told, ToldEdit } from '../../core/assistant/projection.ts'
import { withoutMention } from '../../core/assistant/routing.ts'
import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { EMPTY_REPORT } from '../../core/reply/report.ts'
import { readWords } from '../../core/text/words.ts'
import type { WordTable } from '../rehearsal/word-table.ts'
import { ANSWERS, passagesFor, plainForms, scoresOf, sentencesIn, tellingWords } from './passages.ts'
import { proofread, type Slip } from './proofread.ts'
import { smallTalk } from './small-talk.ts'

/** A reply of an agent without a model, and its report. */
export interface AgentReply {
  readonly speech: string
  readonly report: object
}

/**
 * Answers for an agent without a model, from nothing but what the agent is told.
 *
 * @param table the meanings of words; without it only words of the same root are alike
 */
export function speakAsAgent(
  { scenario, npc, told, learner, history }: BriefingScene,
  table: WordTable | null = null,
): AgentReply {
  const agents = scenario.assistant?.agents ?? []
  const agent = agents.find(({ id }) => id === npc.id)
  const said = told && agent ? reply(told, learner, { agents, agent, table }) : NOTHING
  // The same sentence a second time would look as if nobody listened.
  const at = history.findLastIndex((line) => line.who === 'npc' && withoutPrefixes(line.text) === said.speech)
  const asked = history.slice(0, Math.max(0, at)).findLast(({ who }) => who === 'learner')
  const isSame = asked === undefined || isSameQuestion(learner, withoutMention(asked.text))
  const isAgain = said.isFound && at >= 0 && isSame
  const speech = isAgain ? `${AGAIN}${said.speech}` : said.speech
  return { speech, report: { ...EMPTY_REPORT, topics: [], hand_over: null, edits: [], ...said.work } }
}

interface Said {
  readonly speech: string
  readonly work?: Partial<AgentWork>
  /** True if the speech is what somebody asked for, and not that it was not found. */
  readonly isFound?: boolean
}

const NOTHING: Said = { speech: 'I have nothing to go by here.' }
const AGAIN = 'As I said: '
const EARLIER = 'From before: '
const NOT_FOUND = "I don't find that"

interface About {
  readonly agents: readonly AgentSpec[]
  readonly agent: AgentSpec
  readonly table: WordTable | null
}

type Skill = (told: Told, question: string, about: About) => Said

const SKILLS: Readonly<Record<AgentSpec['offline'], Skill>> = { answer, research, proofread: edit }

const GREETINGS: Readonly<Record<AgentSpec['offline'], string>> = {
  answer: 'Hello. What would you like to know about this page?',
  research: 'Hello. What should I look up?',
  proofread: 'Hello. I can proofread the text on this page.',
}

function reply(told: Told, question: string, about: About): Said {
  const { offline } = about.agent
  const line = smallTalk(question, GREETINGS[offline])
  return line === null ? SKILLS[offline](told, question, about) : { speech: line }
}

/** Returns what was said without what only says that it was said before. */
function withoutPrefixes(speech: string): string {
  let text = speech
  while (text.startsWith(AGAIN) || text.startsWith(EARLIER))
    text = text.slice(text.startsWith(AGAIN) ? AGAIN.length : EARLIER.length)
  return text
}

function answer(told: Told, question: string, about: About): Said {
  const { shared_memory: memory } = told
  if (ASKS_WHO.test(question)) return { speech: introduction(about) }
  const editor = memory.active_editor
  const facts = editor ?? memory.editor_facts
  const ofFacts = facts ? answerFromFacts(question, facts, editor?.content ?? null) : null
  if (ofFacts) return ofFacts
  const pipeline = memory.active_pipeline
  const text = [editor?.content ?? '', memory.conversation_context?.['page'] ?? ''].filter(Boolean).join('\n\n')
  const content = text === '' && pipeline ? `# Pipeline: ${pipeline.title}\n\n${pipeline.summary}` : text
  const topics = tellingWords(question).slice(0, 2)
  const found = passagesFor(question, content, about.table)
  if (found.length > 0)
    return {
      speech: `The page says: ${quotation(found)}`,
      work: { topics },
      isFound: true,
    }
  if (pipeline && ASKS_ALL.test(question))
    return {
      speech: `You are in the pipeline "${pipeline.title}". ${pipeline.summary}`.trim(),
      work: { topics: [pipeline.title] },
      isFound: true,
    }
  const first = ASKS_ALL.test(question) ? sentencesIn(content).slice(0, 2) : []
  if (first.length > 0) return { speech: `The page begins: ${quotation(first)}`, work: { topics }, isFound: true }
  return fromTools(told, question, about) ?? { speech: `${NOT_FOUND} on this page. ${others(about)}`.trim() }
}

function quotation(passages: readonly { readonly text: string }[]): string {
  return `“${passages.map(({ text }) => text).join(' ')}”`
}

const ASKS_WHO = /\bwho are you\b|\bwhat (?:can|do) you (?:do|know)\b|^\W*help\W*$|^\W*(?:hi|hello|hey)\b(?!.*\?)/i
/** Asks for the page as a whole. */
const ASKS_ALL =
  /\bwhat(?: (?:is|does|are)|'s) (?:this|the|it|that)\b.*\b(?:about|say|says|show|shows)\b|\bsumm(?:ary|ari[sz]e)\b|\bwhat is (?:this|here|on (?:this|the) page)\b|\bwhere am i\b|\bwhat(?:'s| is) going on\b|\bwhat should i know\b/i

/** Answers what is asked about the file itself: its fields, its name, its length. */
function answerFromFacts(
  question: string,
  { frontmatter, filename, content_length: length }: Pick<ActiveEditor, 'frontmatter' | 'filename' | 'content_length'>,
  content: string | null,
): Said | null {
  const asked = tellingWords(question).filter((word) => !OF_PAGE.has(word))
  const field = Object.keys(frontmatter).find((key) => {
    const names = namesOf(key)
    return asked.length > 0 && asked.every((word) => names.has(singular(word)))
  })
  if (field !== undefined)
    return { speech: fieldSpeech(field, frontmatter[field] ?? null), work: { topics: [field] }, isFound: true }
  if (/\b(?:which|what) (?:file|text|page)\b(?! (?:say|tell|show)s?)|\bfile ?name\b/i.test(question))
    return {
      speech: `The editor has ${filename}, with ${amount(length)} characters.`,
      work: { topics: [filename] },
      isFound: true,
    }
  const isLength = /\bhow long (?:is|are)\b/i.test(question) && asked.every((word) => word === 'long')
  if (isLength || /\bhow many (?:words|characters)\b/i.test(question))
    return {
      speech:
        content === null
          ? `${filename} has ${amount(length)} characters.`
          : `${filename} has ${amount(wordsOf(content).length)} words and ${amount(length)} characters.`,
      isFound: true,
    }
  return null
}

/** Words by which somebody means the page itself. */
const OF_PAGE = new Set('page text article document file post entry essay piece story note'.split(' '))

/** Other words by which somebody asks for a field of a text's frontmatter. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  author: 'author writer write wrote written by',
  date: 'date published publish written when day',
  title: 'title called name heading',
  tags: 'tag tagged label keyword topic category',
  status: 'status finished ready state',
  draft: 'draft finished ready published',
  description: 'description described',
  language: 'language written',
}

function namesOf(key: string): ReadonlySet<string> {
  const words = tellingWords(key.replace(/[_-]/g, ' ')).map(singular)
  const known = Object.entries(FIELD_NAMES).find(([name]) => words.includes(singular(name)))
  return new Set([...words, ...(known?.[1].split(' ') ?? [])])
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}

function fieldSpeech(field: string, value: FrontmatterValue): string {
  const name = field.replace(/[_-]/g, ' ')
  if (Array.isArray(value))
    return value.length === 0 ? `There are no ${name}.` : `${capital(name)}: ${value.join(', ')}.`
  if (value === null || value === '') return `The ${name} is empty.`
  if (typeof value === 'boolean') return `${capital(name)}: ${value ? 'yes' : 'no'}.`
  return `The ${name} is ${String(value)}.`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function research(told: Told, question: string, about: About): Said {
  const { shared_memory: memory } = told
  const { local = [], web = [] } = memory.search_results ?? {}
  const topics = tellingWords(question).slice(0, 2)
  const cited = citations(question, [...local, ...web], about.table)
  if (cited !== '') return { speech: cited, work: { topics }, isFound: true }
  const ofTools = fromTools(told, question, about)
  if (ofTools) return ofTools
  const earlier = (memory.intelligence ?? [])
    .filter(({ query = '' }) => isSameQuestion(question, query))
    .map(({ content, topics: known }) => ({ content: withoutPrefixes(content), known }))
    .find(({ content }) => content.startsWith(FOUND))
  if (earlier) return { speech: `${EARLIER}${earlier.content}`, work: { topics: [...earlier.known] }, isFound: true }
  return { speech: 'I have found nothing on that, so I have nothing to cite.' }
}

/** Returns the sentences of sources that answer a question, each with its source; '' if none does. */
function citations(question: string, hits: readonly SearchResult[], table: WordTable | null): string {
  return hits
    .filter(({ title, text }) => covers(question, `${title} ${text}`))
    .flatMap(({ title, url, text }) => {
      const [best] = passagesFor(question, text, table, 1)
      const ofTitle = best ? 0 : (scoresOf(question, [title], table)[0] ?? 0)
      if (best) return [{ score: best.score, text: best.text, title, url }]
      return ofTitle >= ANSWERS ? [{ score: ofTitle, text: sentencesIn(text)[0]?.text ?? title, title, url }] : []
    })
    .toSorted((a, b) => b.score - a.score)
    .filter(({ score }, index, [best]) => index === 0 || score > (best?.score ?? 0) * RELEVANT)
    .slice(0, 2)
    .map((hit) => withSource(hit.text, hit))
    .join('\n\n')
}

/** Returns true if a text has nearly all words of a question that have a subject. One shared word proves nothing. */
function covers(question: string, text: string): boolean {
  const [asked = [], held = []] = [question, text].map((each) => stemsOf(tellingWords(plainForms(each)).join(' ')))
  const wanted = asked.filter((stem) => !OF_SEARCH.has(stem))
  return wanted.filter((stem) => held.includes(stem)).length >= COVERED * wanted.length
}

function stemsOf(text: string): readonly string[] {
  return readWords(text).map(({ stem }) => stem)
}

/** Words by which somebody means the search itself. */
const OF_SEARCH = new Set(stemsOf('source say tell find search look research evidence cite web page text article know'))

const COVERED = 0.7

/** A second source is cited only if it answers nearly as well as the first one. */
const RELEVANT = 0.75

/** Returns a sentence with a link to its source in Markdown; a source without a secure address is named with it. */
function withSource(sentence: string, { title, url }: Omit<SearchResult, 'text'>): string {
  const name = title.replace(/[[\]\\]/g, ' ').trim() || url
  const isSecure = /^https:\/\/\S+$/.test(url)
  const link = `[${name}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`
  return `${sentence} Source: ${isSecure ? link : `${name}, ${url}`}`
}

const FOUND = 'I found: '

/**
 * Returns what the tools of this turn gave, or why they gave nothing; otherwise what an earlier call found, if it answers
 * the same question; null if there is neither.
 */
function fromTools({ messages, shared_memory: memory }: Told, question: string, { agent, table }: About): Said | null {
  const topics = tellingWords(question).slice(0, 2)
  const foundIn = (result: string) => {
    const { hits, text } = sourcesIn(result)
    const [hit] = text === '' ? hits : []
    const near = passagesFor(question, text, table)
    const found =
      citations(question, hits, table) ||
      (hit
        ? withSource(sentencesIn(hit.text)[0]?.text ?? hit.text, hit)
        : (near.length > 0 ? near : sentencesIn(text).slice(0, 2))
            .map((each) => each.text)
            .join(' ')
            .slice(0, 600))
    return { speech: `${FOUND}${found}`, work: { topics }, isFound: true }
  }
  // The exchanges of this turn stand last; those of earlier turns stand before their answers.
  const [call, last] = messages.slice(-2)
  if (call?.role === 'call' && last?.role === 'result') {
    const { failed, denied, expired, late } = OUTCOMES
    const title = agent.tools.find(({ name }) => name === call.tool)?.title
    const tool = title === undefined ? call.tool : `“${title}”`
    if (last.text === denied) return { speech: `You did not allow ${tool}, so I have nothing to cite.` }
    if (last.text === expired) return { speech: `Nobody allowed ${tool} in time, so I have nothing to cite.` }
    if (last.text === late) return { speech: `The page did not answer ${tool} in time. Ask again, if you like.` }
    if (last.text.startsWith(failed)) {
      const why = last.text.slice(failed.length).trim()
      return { speech: `${tool} failed${why === '' ? '.' : `: ${why}`}` }
    }
    if (last.text.trim() === '') return { speech: `${tool} gave no result for “${call.text}”.` }
    return foundIn(last.text)
  }
  const known = findingsFor(question, memory.research_findings).at(-1)
  return known === undefined ? null : foundIn(known)
}

/**
 * Returns what tools have found for the same question before. What was found for another question is not used again,
 * because the two may share most of their words.
 */
function findingsFor(question: string, findings: Told['shared_memory']['research_findings'] = {}): readonly string[] {
  return Object.entries(findings)
    .filter(([key, text]) => text.trim() !== '' && isSameQuestion(question, key.slice(key.indexOf(': ') + 2)))
    .map(([, text]) => text)
}

/**
 * Decides without a model whether a tool is needed. In a state of a context graph: the tool whose cues are in the message.
 * For an agent of an assistant: the first tool that only reads, if nothing that the agent has been told answers the question.
 */
export function pickTool(
  { told, tools, calls, cues }: ToolTask['request'],
  table: WordTable | null = null,
): { tool: string | null; input: string | null } {
  if (cues) {
    const heard = listenFor(
      told.current_query,
      tools.flatMap(({ name, fields }) => (fields || calls.length > 0 ? [] : [{ id: name, cues: cues[name] ?? [] }])),
    )
    return { tool: heard?.agent ?? null, input: heard && told.current_query }
  }
  const tool = tools.find(({ effect }) => effect === 'reads')
  const { search_results: results, research_findings: findings, ...memory } = told.shared_memory
  const known = [
    ...[...(results?.local ?? []), ...(results?.web ?? [])]
      .map(({ title, text }) => `${text}\n\n${title}`)
      .filter((text) => covers(told.current_query, text)),
    memory.active_editor?.content ?? '',
    memory.conversation_context?.['page'] ?? '',
  ]
  const question = told.current_query
  // Nobody searches for thanks.
  if (smallTalk(question, '') !== null || findingsFor(question, findings).length > 0) return { tool: null, input: null }
  if (!tool || calls.length > 0 || scoresOf(question, known, table).some((score) => score >= ANSWERS))
    return { tool: null, input: null }
  return { tool: tool.name, input: question }
}

function edit({ shared_memory: memory }: Told, question: string, { agents }: About): Said {
  const editor = memory.active_editor
  if (!editor) return { speech: 'There is no text in an editor on this page.' }
  const { filename } = editor
  const wanted = wantedIn(question)
  if (wanted === null && ![ASKS_FOR_EDIT, ASKS_MORE, GOES_AHEAD].some((asks) => asks.test(question)))
    return { speech: onlyEdits(agents) }
  const isMore = ASKS_MORE.test(question)
  if (wanted === null && isMore && !ASKS_TO_PROOFREAD.test(question)) return { speech: ONLY_PROOFREADS }
  if (wanted === null && ASKS_FOR_PART.test(question)) return { speech: ONLY_WORDS }
  if (editor.content.trim() === '') return { speech: `There is no text in ${filename} yet.` }
  const told = (memory.edits ?? []).map((each) => ({ each, places: placesOf(editor.content, each) }))
  const kinds = wanted === null ? kindsIn(question) : null
  const slips = proofread(editor.content, wanted, kinds)
  const { operations } = locate(editor.content, slips, String)
  const starts = new Map(operations.map(({ id, start }) => [slips[Number(id)], start]))
  const isTold = (verdict: ToldEdit['verdict'], slip: ProposedOperation) => {
    const at = starts.get(slip) ?? -1
    return told.some(({ each, places }) => each.verdict === verdict && each.text === slip.text && places.includes(at))
  }
  // Who names a word, or asks for what they left, gets it again.
  const isAsked = wanted !== null || ASKS_FOR_LEFT.test(question)
  const edits = slips.filter((slip) => isAsked || !isTold('left', slip))
  if (edits.length === 0)
    return {
      speech: wanted
        ? `I see no slip in ${wanted.map((word) => `“${word}”`).join(' or ')}.`
        : slips.length > 0
          ? `I have read ${filename}, and would change only what you have left as it was.`
          : `I have read ${filename} and see none of the common slips of English${kinds === null ? '' : ' of that kind'}.`,
      work: { topics: ['proofreading'] },
    }
  if (!editor.is_editable) {
    const seen = edits.length === 1 ? 'one slip' : `${amount(edits.length)} slips`
    return { speech: `I see ${seen} in ${filename}, but it may not be changed here.` }
  }
  if (edits.every((slip) => isTold('open', slip))) {
    const speech = edits.length === 1 ? 'That change' : `Those ${amount(edits.length)} changes`
    return {
      speech: `${speech} to ${filename} ${edits.length === 1 ? 'is' : 'are'} open above: take or leave what you like.`,
    }
  }
  const speech =
    edits.length === 1
      ? `One change to ${filename}: take it or leave it below.`
      : `${amount(edits.length)} changes to ${filename}: take or leave each below.`
  return {
    speech: wanted === null && isMore ? `${speech} More than proofreading needs a language model.` : speech,
    work: { topics: ['proofreading'], edits },
  }
}

/**
 * Returns where a change that was proposed before would be made now: where its text stands between what stood around it,
 * or else beside a part of that.
 */
function placesOf(content: string, { expected, before, after }: ToldEdit): readonly number[] {
  const [near, next] = [before.slice(-NEAR), after.slice(0, NEAR)]
  const [between, beside]: [number[], number[]] = [[], []]
  for (let at = content.indexOf(expected); at >= 0 && expected !== ''; at = content.indexOf(expected, at + 1)) {
    const isAfter = content.slice(0, at).endsWith(near)
    const isBefore = content.startsWith(next, at + expected.length)
    if (isAfter && isBefore) between.push(at)
    else if ((near !== '' && isAfter) || (next !== '' && isBefore)) beside.push(at)
  }
  return between.length > 0 ? between : beside
}

/** So much of the text beside a place tells it from another one. In UTF-16 code units. */
const NEAR = 8

const ONLY_PROOFREADS =
  'Without a language model I can only proofread: spelling, repeated words, extra spaces, "a" and "an", and capitals. I propose no change.'
const ONLY_WORDS =
  'Without a language model I can proofread the whole text, or only words that you name, but not a part of it. I propose no change.'
/** What somebody says who means the whole text, or nothing in particular. */
const GOES_AHEAD =
  /^\W*(?:(?:yes|yeah|ok|okay|please|again|once more|go|go on|go ahead|do it|do so|start|read(?: it| this| the (?:text|page|whole text))?|now|all of it|everything|this(?: one| text)?|it|the (?:text|page|whole text))\W*)+$/i
const ASKS_FOR_EDIT =
  /\b(?:proof-?read\w*|typos?|spell\w*|spelt|grammar|punctuation|comma|mistakes?|errors?|slips?|wrong|right|correct\w*|fix\w*|check\w*|edit\w*|chang\w+|better|polish|tidy|look|good|ok(?:ay)?|fine|clear|once more)\b/i

function onlyEdits(agents: About['agents']): string {
  const isAlone = agents.length < 2
  return `I only edit the text${isAlone ? '.' : ', and answer no questions. Begin your message with @auto, and whoever fits answers.'}`
}

const ASKS_TO_PROOFREAD =
  /\b(?:proof-?read|typos?|spell(?:ing|s|ed)?|grammar|mistakes?|errors?|slips?|correct|fix|check|look)\b/i
/** Asks for changes that the person left before. */
const ASKS_FOR_LEFT = /\b(?:what|which|that|those|ones?|changes?) i(?: have|'ve|’ve)? left\b|\beverything again\b/i
/** Asks for more than proofreading. */
const ASKS_MORE =
  /\b(?:shorter|shorten|longer|lengthen|re-?write|re-?phrase|rework|translate|summar(?:y|i[sz]e)|expand|simplify|improve|clearer|simpler|formal|friendlier|tone|style|add|insert|write|delete|remove|cut|move|replace|rename|merge|split)\b/i
const ASKS_FOR_PART =
  /\b(?:only|just)\b[^.?!]*\b(?:paragraph|sentence|line|section|heading|title|part|half|beginning|end)\b/i

/** Words by which somebody asks for slips of one kind only, and what such slips are called. */
const KINDS: readonly (readonly [asks: RegExp, why: readonly Slip['why'][]])[] = [
  [/\bspell\w*|\bmisspel\w*/i, ['spelling']],
  [/\b(?:repeated|doubled?|double) words?\b|\brepetitions?\b/i, ['a repeated word']],
  [/\bspac(?:es?|ing)\b|\bblanks?\b/i, ['an extra space']],
  [/\bcapitals?\b|\bcapitali[sz]\w*/i, ['a sentence begins with a capital']],
  [/\barticles?\b/i, ['"a" before a consonant', '"an" before a vowel']],
  [/\bgrammar\b/i, ['a repeated word', '"a" before a consonant', '"an" before a vowel']],
  [/\bpunctuation\b/i, ['an extra space', 'a sentence begins with a capital']],
]

/** Returns the kinds of slips for which somebody asks: "fix the spelling"; null for all. */
function kindsIn(question: string): readonly Slip['why'][] | null {
  const kinds = KINDS.flatMap(([asks, why]) => (asks.test(question) ? why : []))
  return kinds.length === 0 || ALL_KINDS.test(question) ? null : kinds
}

const ALL_KINDS = /\b(?:proof-?read\w*|typos?|mistakes?|errors?|slips?|everything|all|whole)\b/i

/** Returns the words to which somebody restricts the proofreading: only the word "untill"; null if they do not. */
function wantedIn(question: string): readonly string[] | null {
  const only =
    /\b(?:only|just|nothing but)\b[^.?!]*?\b(?:words?|spelling of)\s+(.+)$/i.exec(question)?.[1] ??
    /\b(?:the|this) words?\s+(["“'‘`].+)$/i.exec(question)?.[1] ??
    /\b(?:only|just)\b[^.?!]*?(["“‘`].+)$/i.exec(question)?.[1]
  if (only === undefined) return null
  const quoted = [...only.matchAll(/["“‘'`]([^"”’'`]+)["”’'`]/g)].map((found) => found[1] ?? '')
  const words = quoted.length > 0 ? quoted : (only.split(/[,;.?!]|\bplease\b/i)[0] ?? '').split(/\s+(?:and|or)\s+|\s+/)
  const named = words.map((word) => word.trim()).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return named.length === 0 ? null : named
}

function introduction(about: About): string {
  return `I know this page, and answer from it. ${others(about)}`.trim()
}

/** Says in one sentence what the other agents are for: "You can also ask @research, which looks things up." */
function others({ agents, agent }: About): string {
  const rest = agents
    .filter(({ id }) => id !== agent.id)
    .map(({ id, does }) => {
      const plain = does.replace(/[.!]+\s*$/, '')
      // "Proofreads the text", but not "The text's proofreader".
      return /^\p{Lu}\p{Ll}+s /u.test(plain)
        ? `@${id}, which ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`
        : `@${id} (${plain})`
    })
  return rest.length === 0 ? '' : `You can also ask ${rest.join('; or ')}.`
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function amount(count: number): string {
  return count.toLocaleString('en')
}
