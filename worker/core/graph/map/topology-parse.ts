import { typeOfLetter, type StateType } from './map-words.ts'
import { readCondition } from './topology.ts'

/**
 * A topology, which is the map of a graph, parsed from a text. The text may be an excerpt of a map; a field that the
 * text leaves out is null.
 */
export interface Topology {
  readonly newUser: string | null
  readonly returningUser: string | null
  readonly terminal: string | null
  /** The described states in the order of the text, then the states that are only targets. */
  readonly states: readonly TopologyState[]
  /** True if the text leaves states out, by a line with only three dots. */
  readonly hasMore: boolean
}

export interface TopologyState {
  readonly name: string
  /** Null for `[?]`, which stands for a missing state. */
  readonly type: StateType | null
  readonly isDescribed: boolean
  readonly exits: readonly TopologyExit[]
  readonly hasMore: boolean
}

export interface TopologyExit {
  readonly condition: string | null
  readonly to: TopologyTarget
}

export type TopologyTarget =
  | { readonly state: string }
  | { readonly call: string; readonly type: StateType | null; readonly returnTo: string }

/** Returns a key that is equal for exits with the same target and the same return state. */
function targetKey(target: TopologyTarget): string {
  return 'state' in target ? target.state : `${target.call} ${target.returnTo}`
}

export interface TopologyProblem {
  readonly line: number
  readonly message: string
}

export type TopologyReading =
  | { readonly ok: true; readonly topology: Topology }
  | { readonly ok: false; readonly problems: readonly TopologyProblem[] }

/**
 * Parses a topology as `topologyOf` or a person writes it: `->` or `→`, chains on one line, three dots for omissions,
 * any indentation. Returns every problem with its line. Never throws.
 */
export function parseTopology(text: string): TopologyReading {
  const draft: Draft = { entries: {}, terminal: null, states: new Map(), current: null, hasMore: false, problems: [] }
  let isAfterBlank = true
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim()
    if (line !== '') readLine(draft, line, index + 1, isAfterBlank)
    isAfterBlank = line === ''
  }
  if (draft.problems.length > 0) return { ok: false, problems: draft.problems }
  return { ok: true, topology: finished(draft) }
}

interface Draft {
  entries: { newUser?: string; returningUser?: string }
  terminal: string | null
  readonly states: Map<string, StateDraft>
  /** The state that owns the exits on the next lines. */
  current: StateDraft | null
  hasMore: boolean
  readonly problems: TopologyProblem[]
}

interface StateDraft {
  readonly name: string
  type: StateType | null
  /** True if a line of the text begins with this state. */
  isHeaded: boolean
  isDescribed: boolean
  readonly exits: TopologyExit[]
  /** Exits read from a chain. An exit that the state's own lines repeat counts only once. */
  readonly chained: Map<string, TopologyExit>
  hasMore: boolean
}

function readLine(draft: Draft, line: string, at: number, isAfterBlank: boolean): void {
  if (line === '...' || line === '…') return readMore(draft, isAfterBlank)
  const start = START.exec(line)
  if (start) return readStart(draft, start[1] ?? null, line.slice(start[0].length), at)
  if (line.startsWith('(')) return readConditional(draft, line, at)
  if (startsWithArrow(line)) return readExits(draft, null, line, at)
  if (line.startsWith('[')) return readBlock(draft, line, at)
  fail(draft, at, 'is no line of a topology. A state is written "[A] name", an exit "(condition) -> [A] name".')
}

const START = /^START\s*(?:\(\s*(new|returning)\s+user\s*\))?\s*(?=->|→)/i

function readMore(draft: Draft, isAfterBlank: boolean): void {
  if (draft.current && !isAfterBlank) draft.current.hasMore = true
  else draft.hasMore = true
}

function readStart(draft: Draft, who: string | null, rest: string, at: number): void {
  const chain = readChain(rest)
  if ('problem' in chain) return fail(draft, at, chain.problem)
  const [first] = chain.steps
  if (!first || 'call' in first.target) {
    return fail(
      draft,
      at,
      'begins nowhere. A conversation begins at a state of this graph: "START(new user) -> [A] name".',
    )
  }
  for (const key of who === null ? BOTH : who.toLowerCase() === 'new' ? [BOTH[0]] : [BOTH[1]]) {
    const known = draft.entries[key]
    if (known !== undefined && known !== first.target.state)
      fail(draft, at, `says another beginning than before: "${known}".`)
    draft.entries[key] ??= first.target.state
  }
  draft.current = null
  takeChain(draft, chain, null, at)
}

const BOTH = ['newUser', 'returningUser'] as const

function readConditional(draft: Draft, line: string, at: number): void {
  const read = readCondition(line)
  if (!read)
    return fail(draft, at, 'opens a condition and does not close it. Put a backslash before a lone parenthesis.')
  readExits(draft, read.condition, read.rest.trimStart(), at)
}

function readExits(draft: Draft, condition: string | null, rest: string, at: number): void {
  const chain = readChain(rest)
  if ('problem' in chain) return fail(draft, at, chain.problem)
  const from = draft.current
  if (!from) return fail(draft, at, 'is an exit of no state. Write the state above its exits: "[A] name".')
  takeChain(draft, chain, { from, condition }, at)
}

function readBlock(draft: Draft, line: string, at: number): void {
  const head = readNode(line)
  if (!head)
    return fail(draft, at, 'names no state. Write its letter and its name: "[A] name", with A, D, C, N, R or S.')
  if ('call' in head.step.target) return fail(draft, at, 'describes a state of another graph. Only its own graph does.')
  const chain = head.rest === '' ? { steps: [], ends: false } : readChain(head.rest)
  if ('problem' in chain) return fail(draft, at, chain.problem)
  const state = mention(draft, head.step, at)
  if (!state) return
  if (state.isHeaded) fail(draft, at, `describes "${state.name}" a second time.`)
  describe(draft, state)
  state.isHeaded = true
  draft.current = state
  takeChain(draft, chain, { from: state, condition: null }, at)
}

interface ChainStart {
  readonly from: StateDraft
  readonly condition: string | null
}

/**
 * Adds a chain of states. The first arrow is an exit of the state at which the chain starts. Each further arrow is an
 * exit of the state before that arrow.
 */
function takeChain(draft: Draft, chain: Chain, start: ChainStart | null, at: number): void {
  let last = start?.from ?? null
  for (const [i, step] of chain.steps.entries()) {
    const isOwn = i === 0 && start !== null
    if (isOwn) start.from.exits.push({ condition: start.condition, to: step.target })
    else if (last && i > 0) {
      describe(draft, last)
      last.chained.set(targetKey(step.target), { condition: null, to: step.target })
    }
    last = mention(draft, step, at)
  }
  if (chain.ends) end(draft, last, at)
}

function end(draft: Draft, state: StateDraft | null, at: number): void {
  if (!state) return fail(draft, at, 'ends at no state of this graph. Write "[A] name -> END".')
  if (draft.terminal !== null && draft.terminal !== state.name) {
    return fail(
      draft,
      at,
      `ends at "${state.name}", and the graph has ended at "${draft.terminal}" already. All paths end in one state.`,
    )
  }
  draft.terminal = state.name
  describe(draft, state)
}

/**
 * Returns the state that a step names, and adds the state to the draft if it is new. Returns null for a state of
 * another graph.
 */
function mention(draft: Draft, { target, type }: ChainStep, at: number): StateDraft | null {
  if ('call' in target) return null
  const known = draft.states.get(target.state)
  if (!known) {
    const state = {
      name: target.state,
      type,
      isHeaded: false,
      isDescribed: false,
      exits: [],
      chained: new Map(),
      hasMore: false,
    }
    draft.states.set(target.state, state)
    return state
  }
  if (known.type !== null && type !== null && known.type !== type) {
    fail(
      draft,
      at,
      `has "${known.name}" as another kind of state than before: it was ${known.type}, and is ${type} here.`,
    )
  }
  known.type ??= type
  return known
}

/**
 * Marks a state as described, and moves it to the end of `draft.states`. The described states in `draft.states` are
 * thus in the order of their descriptions.
 */
function describe(draft: Draft, state: StateDraft): void {
  if (state.isDescribed) return
  state.isDescribed = true
  draft.states.delete(state.name)
  draft.states.set(state.name, state)
}

function finished(draft: Draft): Topology {
  const states = [...draft.states.values()]
  return {
    newUser: draft.entries.newUser ?? null,
    returningUser: draft.entries.returningUser ?? null,
    terminal: draft.terminal,
    states: [...states.filter((state) => state.isDescribed), ...states.filter((state) => !state.isDescribed)].map(
      finishedState,
    ),
    hasMore: draft.hasMore,
  }
}

function finishedState({ name, type, isDescribed, exits, chained, hasMore }: StateDraft): TopologyState {
  const own = new Set(exits.flatMap(({ condition, to }) => (condition === null ? [targetKey(to)] : [])))
  const added = [...chained].flatMap(([key, exit]) => (own.has(key) ? [] : [exit]))
  return { name, type, isDescribed, exits: [...exits, ...added], hasMore }
}

function fail(draft: Draft, line: number, message: string): void {
  draft.problems.push({ line, message })
}

/** A chain of states, joined by arrows on one line. */
export interface Chain {
  readonly steps: readonly ChainStep[]
  readonly ends: boolean
}

export interface ChainStep {
  readonly target: TopologyTarget
  readonly type: StateType | null
}

/**
 * Parses `-> [A] x -> [D] y -> END`, arrow first. For an invalid chain, returns the problem as a sentence without its
 * subject, such as "has no arrow".
 */
function readChain(text: string): Chain | { readonly problem: string } {
  const steps: ChainStep[] = []
  let rest = text.trim()
  let isAfterCall = false
  while (rest !== '') {
    if (!startsWithArrow(rest)) return { problem: 'goes on without an arrow. Write "->" between states.' }
    rest = rest.replace(ARROW, '')
    if (rest === 'END') return { steps, ends: true }
    const node = readNode(rest)
    if (!node) return { problem: 'has an arrow that leads to no state. Write "-> [A] name", or "-> END".' }
    const problem = problemOf(node.step, isAfterCall)
    if (problem !== null) return { problem }
    steps.push(node.step)
    isAfterCall = 'call' in node.step.target
    rest = node.rest
  }
  return steps.length > 0 ? { steps, ends: false } : { problem: 'has no arrow. Write where it leads: "-> [A] name".' }
}

/** Parses one state from the start of a text: `[A] name`, or `[A] reference.name [returns to name]`. */
function readNode(text: string): { readonly step: ChainStep; readonly rest: string } | null {
  const [whole, letter = '', name = '', returnTo] = NODE.exec(text) ?? []
  if (whole === undefined) return null
  const type = typeOfLetter(letter)
  const target = returnTo === undefined ? { state: name } : { call: name, type, returnTo }
  return { step: { target, type }, rest: text.slice(whole.length) }
}

function startsWithArrow(text: string): boolean {
  return ARROW.test(text)
}

const ARROW = /^(?:->|→)\s*/
// A name ends before an arrow, even without a space.
const NAME = String.raw`((?:(?!->)[\p{L}\p{M}\p{N}_.-])+)`
const NODE = new RegExp(String.raw`^\[([ADCNRS?])\]\s*${NAME}(?:\s*\[returns to ${NAME}\])?\s*`, 'u')

function problemOf({ target }: ChainStep, isAfterCall: boolean): string | null {
  if (isAfterCall) {
    return 'goes on after a call. What comes after the other graph is the state it returns to.'
  }
  if ('state' in target && target.state.includes('.')) {
    return `calls "${target.state}" and does not say where to go on. Write "[returns to name]" after it.`
  }
  if ('call' in target && !target.call.includes('.')) {
    return `returns from "${target.call}", which is no state of another graph. Such a one is written "reference.state".`
  }
  return null
}
