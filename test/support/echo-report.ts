/** What the echo object of `test/worker/socket` tells of itself. */
export interface EchoReport {
  /** How often the constructor ran, over the object's whole life. */
  constructions: number
  /** The records of the connected peers. */
  peers: EchoPeer[]
  /** The ids of the peers whose CONNECT the handler saw. */
  connects: string[]
  /** The ids of the peers whose end the engine told of. */
  disconnects: string[]
  log: { what: string; incident: string; sid: string | null; error: string }[]
  /** When the alarm runs next (milliseconds since 1970). */
  alarm: number | null
  /** What the engine keeps in memory, counted. */
  kept: { polling: number; probes: number; awake: number; readers: number }
}

export interface EchoPeer {
  sid: string
  clientId: string | null
  namespace: string
  ready: boolean
  hb: boolean
  transport: 'websocket' | 'polling'
  origin: string | null
  admission: { why?: string } | null
  connectedAt: number
  lastPingAt: number
  pongDue: boolean
}
