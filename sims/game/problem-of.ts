import { RunApiError } from './run-api.ts'

/** What to do about whatever was thrown; a defect of this page is not for the reader to mend either. */
export function problemOf(error: unknown): RunApiError {
  return error instanceof RunApiError ? error : new RunApiError('unavailable', 'retry-after')
}
