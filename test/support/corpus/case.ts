import { readFileSync } from 'node:fs'
import type { Migration } from '../../../worker/core/graph/graph.ts'
import type { Report, ReportQuality } from '../../../worker/core/reply/report.ts'
import type { Pick, WalkEvent } from '../../../worker/core/walk/event.ts'
import type { Walk } from '../../../worker/core/walk/walk.ts'
import type { Change } from '../graph-document.ts'

/** One case of the corpus of test cases. `docs/reference/corpus.md` explains the fields of a case. */
export type CorpusCase = WalkCase | GraphCase | DocumentCase | TakeOverCase | GuidelinesCase | PromptCase | ReportCase

interface CaseBase {
  /**
   * The id of the contradiction in the source documents that this case is about (`docs/reference/corpus.md`), such as
   * `walker-7`. A letter is added if several cases are about this contradiction.
   */
  readonly id: string
  readonly about: string
}

/**
 * A case that begins with a graph: one of `graphs.json`, or `technical.json`. The case may change the graph's data
 * first.
 */
interface OfGraph extends CaseBase {
  readonly graph: string
  readonly change?: readonly Change[]
}

export interface WalkCase extends OfGraph {
  readonly kind: 'walk'
  readonly from?: From
  readonly acts: readonly Act[]
}

export interface From {
  readonly person?: 'new' | 'returning'
  readonly score?: number
  readonly engine?: Walk['engine']
}

/** One step of a case: exactly one of `turn`, `choose` and `event`. */
export interface Act {
  readonly turn?: TurnAct
  readonly choose?: string
  readonly event?: WalkEvent
  readonly times?: number
  readonly then?: Then
}

export interface TurnAct {
  readonly satisfied?: boolean
  readonly detour?: boolean
  readonly engagement?: number
  readonly report?: Partial<Report>
  readonly quality?: ReportQuality
  readonly answers?: readonly Answer[]
}

export type Answer =
  | { readonly pick: Pick | null }
  | { readonly behavior: string | null }
  | { readonly found: readonly string[]; readonly queries?: readonly string[] }
  | { readonly text: string }

/**
 * What a case expects after an act. The test compares only the fields that are present here. Their values must be
 * exactly equal.
 */
export interface Then {
  readonly walk?: Partial<Walk>
  readonly decisions?: readonly (readonly [string, string | null, string])[]
  readonly moves?: readonly (readonly [string, string, string])[]
  /** The ids of the commands to the page that the act must cause. */
  readonly given?: readonly string[]
  /** The states whose side effects the act must send. */
  readonly sent?: readonly string[]
  readonly asked?: readonly string[]
  readonly offered?: readonly { readonly actions: readonly string[]; readonly exits: readonly string[] }[]
  readonly recalls?: readonly { readonly queries: readonly string[] | null; readonly performed: readonly string[] }[]
  readonly told?: readonly Told[]
  readonly ignored?: readonly string[]
  readonly traced?: readonly string[]
  readonly untraced?: readonly string[]
}

export interface Told {
  readonly node: string
  readonly action: number | null
  readonly overlay: readonly string[] | null
  readonly escalated: boolean
}

export interface GraphCase extends OfGraph {
  readonly kind: 'graph'
  readonly then: {
    readonly ok: boolean
    /** Findings that the check of the graph must report. Each has a code, a severity and a position. */
    readonly findings?: readonly (readonly [string, string, string])[]
    readonly without?: readonly string[]
    readonly order?: readonly string[]
    readonly nodes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    /**
     * The exits of each node. Each exit is a pair: the node to which it leads, and the node to which a call returns.
     * The second is null if the exit is no call.
     */
    readonly exits?: Readonly<Record<string, readonly (readonly [string | null, string | null])[]>>
    readonly maps?: Readonly<Record<string, readonly string[]>>
  }
}

export interface DocumentCase extends OfGraph {
  readonly kind: 'document'
  readonly then: { readonly same: readonly Change[] } | { readonly problems: readonly (readonly (string | number)[])[] }
}

export interface TakeOverCase extends OfGraph {
  readonly kind: 'take-over'
  readonly acts: readonly Act[]
  /** How the newer graph differs from the older graph. */
  readonly newer: readonly Change[]
  /**
   * The migration by which version 2 of the graph takes over a walk of the older graph. Without a migration, the newer
   * graph has the older graph's version.
   */
  readonly migration?: Omit<Migration, 'from'>
  readonly then: {
    readonly outcome: string
    readonly why?: string
    readonly error?: object
    readonly trace?: readonly object[]
    readonly isPinnedTo: 'older' | 'newer'
  }
}

export interface GuidelinesCase extends OfGraph {
  readonly kind: 'guidelines'
  readonly node: string
  readonly behavior: string | null
  readonly then: {
    readonly navigation: readonly string[]
    readonly action: readonly string[]
    readonly boundary: readonly string[]
  }
}

export interface PromptCase extends OfGraph {
  readonly kind: 'prompt'
  readonly from?: From
  /** The acts to play. The case is about the prompts of the last act. */
  readonly acts: readonly Act[]
  readonly then: {
    /**
     * For each text, the number of times that it must occur in the system prompt. `user` says this for the user prompt.
     */
    readonly system?: Readonly<Record<string, number>>
    readonly user?: Readonly<Record<string, number>>
    /**
     * The lists that the prompt must contain. A key is the beginning of a heading; the value has the items of the list
     * under this heading.
     */
    readonly listed?: Readonly<Record<string, readonly string[]>>
  }
}

export interface ReportCase extends CaseBase {
  readonly kind: 'report'
  readonly text: string | null
  readonly then: { readonly quality: ReportQuality; readonly report: Partial<Report> }
}

/** Returns the parsed data of a corpus file, by the file's name. */
export function corpusFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/corpus/${name}.json`, import.meta.url), 'utf8'))
}

/** All cases. The cases of the tier graphs come first. */
export const corpusCases: readonly CorpusCase[] = ['walker', 'state-machine'].flatMap(
  (name) => (corpusFile(name) as { readonly cases: readonly CorpusCase[] }).cases,
)

/**
 * Returns the id of the contradiction that a case is about. For the cases `walker-7` and `walker-7b`, this is
 * `walker-7`.
 */
export function rowOf({ id }: { readonly id: string }): string {
  return id.replace(/[a-z]+$/, '')
}
