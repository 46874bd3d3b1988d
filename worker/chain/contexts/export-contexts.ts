import type { OperationInput, OperationOutput } from '../api/operations.ts'
import type { Context, ContextVersion } from '../context.ts'
import type { Scope } from '../scope.ts'
import { csvOf } from './csv.ts'
import { filteredList } from './list-contexts.ts'
import { pastPage } from './past.ts'

/** The columns of the CSV export. Lists and data are JSON, times are ISO 8601, missing values are empty. */
const COLUMNS = [
  'id',
  'version',
  'latest',
  'status',
  'purpose',
  'description',
  'data',
  'updatedAt',
  'updatedBy',
  'parentId',
  'rootId',
  'depth',
  'childCount',
  'memorySpaceId',
  'userId',
  'participants',
  'conversationId',
  'messageIds',
  'autoComplete',
  'createdAt',
  'completedAt',
] as const

/**
 * Returns a page of the contexts that match a filter as CSV, with a line for each context. With `history`, a context's
 * earlier states come before its own line, each on a line of its own. Only the first page has a header line, so that
 * all pages joined together are one table.
 *
 * @throws ChainError INVALID_CURSOR
 */
export async function exportContexts(
  scope: Scope,
  { history, limit, cursor, ...filter }: OperationInput<'exportContexts'>,
): Promise<OperationOutput<'exportContexts'>> {
  const { items, next } = await pastPage(scope, filteredList(scope, filter, { list: 'export', limit, cursor }), {
    history,
  })
  const names = cursor === undefined ? [COLUMNS] : []
  return { csv: csvOf([...names, ...items.flatMap(linesOf)]), next }
}

function linesOf({
  previousVersions = [],
  ...context
}: Context & { previousVersions?: readonly ContextVersion[] | undefined }) {
  const latest = { ...context, timestamp: context.updatedAt }
  return [...previousVersions.map((each) => lineOf(context, each, false)), lineOf(context, latest, true)]
}

function lineOf(context: Context, state: ContextVersion, isLatest: boolean): readonly string[] {
  const line: Readonly<Record<(typeof COLUMNS)[number], string>> = {
    id: context.id,
    version: String(state.version),
    latest: String(isLatest),
    status: state.status,
    purpose: state.purpose,
    description: state.description ?? '',
    data: JSON.stringify(state.data),
    updatedAt: timeOf(state.timestamp),
    updatedBy: state.updatedBy,
    parentId: context.parentId ?? '',
    rootId: context.rootId,
    depth: String(context.depth),
    childCount: String(context.childCount),
    memorySpaceId: context.memorySpaceId,
    userId: context.userId ?? '',
    participants: JSON.stringify(context.participants),
    conversationId: context.conversationRef?.conversationId ?? '',
    messageIds: JSON.stringify(context.conversationRef?.messageIds ?? []),
    autoComplete: context.autoComplete,
    createdAt: timeOf(context.createdAt),
    completedAt: context.completedAt === null ? '' : timeOf(context.completedAt),
  }
  return COLUMNS.map((column) => line[column])
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
