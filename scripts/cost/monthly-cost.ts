/**
 * What one run of a simulation uses, from its beginning to its debrief. `npm run usage --prefix bench` measures the
 * counts on the launch decision, with 34 messages to four colleagues.
 */
export interface RunUsage {
  readonly messages: number
  readonly requests: number
  /** Calls of Durable Objects: sockets that open, RPC calls and alarms. */
  readonly objectCalls: number
  /** Frames that clients send, heartbeats included. */
  readonly frames: number
  readonly objectRowsRead: number
  readonly objectRowsWritten: number
  readonly d1RowsRead: number
  readonly d1RowsWritten: number
  /** The transactions that write into D1: each is a batch. */
  readonly d1Batches: number
  /** How long an object is awake for one message, in seconds: about as long as the model speaks. */
  readonly secondsAMessage: number
  /** What a run leaves behind, in bytes: in its conversations' objects, and in D1. */
  readonly objectBytes: number
  readonly d1Bytes: number
}

/** The prices of one month in US dollars, beyond what the paid plan includes. */
export interface Prices {
  readonly base: number
  /** Each: how many units are included, and what a million more cost. */
  readonly requests: Price
  readonly objectCalls: Price
  readonly gigabyteSeconds: Price
  readonly rowsRead: Price
  readonly rowsWritten: Price
  readonly d1RowsRead: Price
  readonly d1RowsWritten: Price
  /** Gigabytes stored: how many are included, and what one more costs. */
  readonly objectGigabytes: Price
  readonly d1Gigabytes: Price
}

interface Price {
  readonly included: number
  readonly more: number
}

/** One line of a bill. */
export interface CostLine {
  readonly what: string
  readonly units: number
  readonly dollars: number
}

/** Incoming frames are billed as one call for twenty. */
const FRAMES_A_CALL = 20
/** An awake object is billed for 128 MB, whatever it uses. */
const GIGABYTES_AWAKE = 0.128
const DAYS = 30

/**
 * Returns the bill of one month. The model's tokens are not in it.
 *
 * @param runsADay the runs that learners play in a day
 * @param keptDays for how many days the data of a run is kept
 */
export function monthlyCost(runsADay: number, usage: RunUsage, prices: Prices, keptDays = 90): readonly CostLine[] {
  const runs = runsADay * DAYS
  const line = (what: string, units: number, { included, more }: Price, per = 1_000_000): CostLine => ({
    what,
    units,
    dollars: (Math.max(0, units - included) / per) * more,
  })
  const stored = (bytes: number) => (runsADay * keptDays * bytes) / 1e9
  return [
    { what: 'the paid plan', units: 1, dollars: prices.base },
    line('requests', runs * usage.requests, prices.requests),
    line('object calls', runs * (usage.objectCalls + usage.frames / FRAMES_A_CALL), prices.objectCalls),
    line('object GB-seconds', runs * usage.messages * usage.secondsAMessage * GIGABYTES_AWAKE, prices.gigabyteSeconds),
    line('object rows read', runs * usage.objectRowsRead, prices.rowsRead),
    line('object rows written', runs * usage.objectRowsWritten, prices.rowsWritten),
    line('D1 rows read', runs * usage.d1RowsRead, prices.d1RowsRead),
    line('D1 rows written', runs * usage.d1RowsWritten, prices.d1RowsWritten),
    line('object GB stored', stored(usage.objectBytes), prices.objectGigabytes, 1),
    line('D1 GB stored', stored(usage.d1Bytes), prices.d1Gigabytes, 1),
  ]
}

/**
 * Returns how many runs a day one D1 database takes, if its busiest hour has `peak` times the average.
 *
 * @param batchesASecond how many writing batches the database takes in a second
 */
export function runsForOneDatabase(usage: RunUsage, batchesASecond: number, peak: number): number {
  return Math.floor((batchesASecond * 86_400) / peak / usage.d1Batches)
}
