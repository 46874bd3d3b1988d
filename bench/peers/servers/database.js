import { DurableObject } from 'cloudflare:workers'

// D1 for Walkon: workerd has only D1's client. This Durable Object answers the client's requests from its own SQLite.

export class Database extends DurableObject {
  async fetch(request) {
    const asked = await request.json()
    const format = new URL(request.url).searchParams.get('resultsFormat')
    const queries = Array.isArray(asked) ? asked : [asked]
    try {
      return Response.json(this.ctx.storage.transactionSync(() => queries.map((query) => this.#run(query, format))))
    } catch (error) {
      return Response.json({ success: false, error: error.message })
    }
  }

  #run({ sql, params }, format) {
    const { sql: database } = this.ctx.storage
    const cursor = database.exec(sql, ...(params ?? []).map(fromWire))
    const columns = cursor.columnNames
    const rows = [...cursor.raw()].map((row) => row.map(toWire))
    const [, changes, last] = [...database.exec('SELECT 0, changes(), last_insert_rowid()').raw()][0]
    const results =
      format === 'ROWS_AND_COLUMNS'
        ? { columns, rows }
        : rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
    const { rowsRead, rowsWritten, databaseSize = database.databaseSize } = cursor
    const isChanged = rowsWritten > 0
    return {
      success: true,
      results,
      meta: {
        served_by: 'bench',
        duration: 0,
        changes: isChanged ? changes : 0,
        last_row_id: last,
        changed_db: isChanged,
        size_after: databaseSize,
        rows_read: rowsRead,
        rows_written: rowsWritten,
      },
    }
  }
}

const fromWire = (value) => (Array.isArray(value) ? new Uint8Array(value).buffer : value)
const toWire = (value) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value)

export default {
  fetch: (request, env) => env.DATABASES.get(env.DATABASES.idFromName('walkon')).fetch(request),
}
