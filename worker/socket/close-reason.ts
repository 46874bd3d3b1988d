/**
 * Why the server closes a socket, with the code of the close frame. 1000 to 1013 have their meaning from RFC 6455
 * and the IANA registry; from 4000 on they are ours. 1005 and 1006 may never be sent and make `close()` throw.
 */
export const CLOSE_CODES = {
  'client-left': 1000,
  malformed: 1002,
  binary: 1003,
  'not-connected': 1008,
  flood: 1008,
  'too-large': 1009,
  failed: 1011,
  'made-room': 1013,
  replaced: 4001,
  'ping-timeout': 4002,
  'connect-timeout': 4003,
  expired: 4004,
  'too-slow': 4005,
} as const

export type CloseReason = keyof typeof CLOSE_CODES
