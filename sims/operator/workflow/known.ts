import type { Output } from '../../../worker/chain/api/operations.ts'

/** A context with everything it has been, as the export with history gives it. */
export type Known = Output<'exportContexts'>['items'][number]

/** What a context was, from one change to the next. */
export type State = Output<'getVersion'>
export type Status = State['status']
export type Data = State['data']

/** What does not fit together, as the service found it. */
export type Finding = Output<'verifyIntegrity'>['items'][number]
