import { parse } from 'yaml'
import type { FrontmatterValue, PageContext } from '../../core/assistant/page-context.ts'
import { frontmatterOf } from '../../core/assistant/page-context.ts'
import { clean } from '../../core/text/clean.ts'
import type { Acknowledgement, Lock, PageUpdate, PageView } from '../../wire/messages.ts'
import { refuse } from '../refuse.ts'
import type { TurnDeps } from '../turn-deps.ts'
import { newAssistantRecord } from './assistant-record.ts'

/**
 * Stores what the page around an assistant's chat shows. A conversation that is no assistant's has no use for it, and
 * refuses it.
 */
export function takePage({ store, info, now }: TurnDeps, { hash, page }: PageUpdate): Acknowledgement {
  if (!info.scenario.assistant) return refuse('unknown-event')
  store.assistant.putPage(hash, contextOf(page), now(), store.lastTurn()?.context)
  return accepted(store)
}

/** Locks an assistant's conversation to one agent, or takes the lock back. */
export function takeLock({ store, info }: TurnDeps, { agent }: Lock): Acknowledgement {
  const { assistant } = info.scenario
  if (!assistant) return refuse('unknown-event')
  if (agent !== null && !assistant.agents.some(({ id }) => id === agent)) return refuse('unknown-agent')
  const record = store.assistant.read() ?? newAssistantRecord(info)
  const { locked_agent: _, ...memory } = record.state.shared_memory
  const shared_memory = agent === null ? memory : { ...memory, locked_agent: agent }
  store.assistant.write({ ...record, state: { ...record.state, shared_memory } })
  return accepted(store)
}

function accepted(store: TurnDeps['store']): Acknowledgement {
  return { ok: true, turn: store.lastTurn()?.id ?? 0, seq: store.head() }
}

function contextOf({ editor, pipeline, text = '', results, tools }: PageView): PageContext {
  const found = {
    ...(results && { search_results: { local: results.local ?? [], web: results.web ?? [] } }),
    ...(tools && { tools }),
  }
  if (editor) {
    const { filename, language = 'markdown', content, start = 0, editable = true } = editor
    return {
      kind: 'editor',
      editor: {
        is_editable: editable,
        filename: clean(filename),
        language: clean(language),
        content,
        content_start: start,
        content_length: Math.max(editor.length ?? 0, start + content.length),
        frontmatter: start === 0 ? readFrontmatter(content) : {},
      },
      ...found,
    }
  }
  if (pipeline) return { kind: 'pipeline', pipeline: { preference: 'prefer', ...pipeline }, ...found }
  return { kind: 'text', text: clean(text), ...found }
}

/** The most fields of a frontmatter, and the most UTF-16 code units of one of its texts. */
const MOST_FIELDS = 20
const LONGEST_FIELD = 300

/** Reads the fields of a text's frontmatter. Fields that are no texts, numbers, booleans or lists of texts are left out. */
function readFrontmatter(content: string): Readonly<Record<string, FrontmatterValue>> {
  const lines = frontmatterOf(content)
  if (lines === null) return {}
  try {
    const data: unknown = parse(lines, { maxAliasCount: 0, schema: 'core' })
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return {}
    const fields = Object.entries(data as Record<string, unknown>).flatMap(([key, value]) => {
      const field = fieldOf(value)
      return field === undefined ? [] : [[clean(key).slice(0, 60), field] as const]
    })
    return Object.fromEntries(fields.slice(0, MOST_FIELDS))
  } catch {
    // The text between the lines is no YAML yet, because somebody is still writing it.
    return {}
  }
}

function fieldOf(value: unknown): FrontmatterValue | undefined {
  if (typeof value === 'string') return clean(value).slice(0, LONGEST_FIELD)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return Array.isArray(value) && value.every((item): item is string => typeof item === 'string')
    ? value.slice(0, MOST_FIELDS).map((item) => clean(item).slice(0, LONGEST_FIELD))
    : undefined
}
