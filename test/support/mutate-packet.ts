type Draw = (below: number) => number

/** Valid packets that a client might send, also rare ones. None of them changes anything for another client. */
const SEEDS: readonly string[] = [
  '40',
  '40{"v":1,"clientId":"someone"}',
  '40{"admit":"later"}',
  '40{"pid":"AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","offset":"o1"}',
  '40/custom,{"v":1}',
  '41',
  '42["echo",{"text":"Grüße 👋","list":[1,2.5,null,true]}]',
  '420["echo","x"]',
  '422147483647["args",1,"2",{"3":[true]}]',
  '42["hb"]',
  '4217["ack-twice"]',
  '4218["renew",{}]',
  '430[{"ok":true}]',
  '44{"message":"no"}',
  '451-["echo",{"_placeholder":true,"num":0}]',
  '462-7[{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]',
  '2',
  '2probe',
  '3',
  '3probe',
  '5',
  '6',
  '1',
  '0{"sid":"x","upgrades":[],"pingInterval":1,"pingTimeout":1,"maxPayload":1}',
  'bAQIDBA==',
]

const SCRAPS: readonly string[] = [
  '\x1e',
  '\0',
  '__proto__',
  '"constructor":{"prototype":{"ready":true}},',
  '\\u005f',
  '[',
  '{',
  ']'.repeat(40),
  '['.repeat(40),
  '9'.repeat(20),
  '-1',
  '1e9',
  '/',
  '/admin,',
  ',',
  '"',
  '\ud800',
  '\u202e',
  '\ufeff',
  '44',
  '42["echo",',
  ' ',
  'x'.repeat(70_000),
]

/**
 * Returns a packet as a broken or hostile client might send it. It is a valid packet with one to four changes,
 * sometimes as bytes instead of a text.
 */
export function mutatedPacket(draw: Draw): string | Uint8Array<ArrayBuffer> {
  let packet = pick(draw, SEEDS)
  for (let changes = 1 + draw(4); changes > 0; changes--) packet = change(draw, packet)
  return draw(20) === 0 ? new TextEncoder().encode(packet) : packet
}

function change(draw: Draw, packet: string): string {
  const at = draw(packet.length + 1)
  const rest = packet.slice(at)
  switch (draw(8)) {
    case 0:
      return packet.slice(0, at)
    case 1:
      return rest
    case 2:
      return packet.slice(0, at) + pick(draw, SCRAPS) + rest
    case 3:
      return packet.slice(0, at) + String.fromCharCode(draw(65_536)) + rest.slice(1)
    case 4:
      return packet.slice(0, at) + rest.slice(1)
    case 5:
      return packet.slice(0, at) + String(draw(10)) + rest.slice(1)
    case 6:
      return packet + pick(draw, SEEDS)
    default:
      return packet.slice(0, at) + packet.slice(0, draw(packet.length + 1)) + rest
  }
}

function pick(draw: Draw, from: readonly string[]): string {
  return from[draw(from.length)] ?? ''
}
