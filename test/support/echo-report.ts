/** What the echo object of `test/worker/socket` reports about itself. */
export interface EchoReport {
  /** How often the constructor ran, over the object's whole life. */
  constructions: number
  /** The records of the connected clients ("peers"). */
  peers: EchoPeer[]
  /** The ids of the peers whose CONNECT the handler saw. */
  connects: string[]
  /** The ids of the peers whose disconnect the engine reported. */
  disconnects: string[]
  log: { what: string; incident: string; sid: string | null; error: string }[]
  /** Time of the next alarm (milliseconds since 1970). */
  alarm: number | null
  /** How many entries of each kind the socket engine keeps in memory. */
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
