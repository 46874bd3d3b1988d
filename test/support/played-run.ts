import { vi } from 'vitest'
import type { RunStarted, RunView } from '../../worker/wire/run.ts'
import { askGame, runOf, startGame, talkWith } from './game-client.ts'
import type { GamePlayer } from './game-player.ts'
import { decidingIn, linesOf, PLAYS } from './play-run.ts'
import { newCid } from './player.ts'
import type { Player } from './player.ts'
import type { WorkerServer } from './worker-server.ts'

type Reached = Pick<WorkerServer, 'url' | 'fetch'>

/**
 * Talks with a colleague as an attentive learner does, but without a page. Stops after the line `until`. Without this
 * line, stops at the end of the conversation.
 */
export async function talkThrough(
  server: Reached,
  { key, scenario, npc, until }: { key: string; scenario: string; npc: string; until?: string },
): Promise<void> {
  const player = await talkWith(server, key, npc)
  try {
    for (const line of linesOf(scenario, npc)) {
      if (line.startsWith('#')) await choose(player, Number(line.slice(1)) - 1)
      else await player.say(line)
      if (line === until) return
    }
  } finally {
    player.leave()
  }
  await vi.waitFor(async () => {
    const { people } = await runOf(server, key)
    if (people.find((person) => person.npc === npc)?.status !== 'over') throw new Error(`${npc} is not done`)
  }, 60_000)
}

/** Plays a run in which the learner talks with every colleague until the conversation ends. */
export async function playedRun(server: Reached, scenario = 'launch-decision'): Promise<RunStarted['run']> {
  const run = await startGame(server, { scenario })
  for (const { npc } of PLAYS[scenario]?.talks ?? []) await talkThrough(server, { key: run.key, scenario, npc })
  return run
}

/** Plays a run until the learner has made the right decision. @throws when the server refuses the decision */
export async function decidedRun(server: Reached, scenario = 'launch-decision'): Promise<RunStarted['run']> {
  const run = await playedRun(server, scenario)
  const { option, reason } = PLAYS[scenario]?.decision ?? { option: '', reason: '' }
  const body = { option, reason, evidence: decidingIn(scenario) }
  const { status } = await askGame<RunView>(server, 'api/run/decision', { key: run.key, body })
  if (status !== 200) throw new Error(`not decided: ${status}`)
  return run
}

/**
 * Opens the link of a run, as a learner does on a second device. Waits for the desk, which is the main screen of a run.
 */
export async function openLink(player: GamePlayer, { id, key }: RunStarted['run'], query = ''): Promise<void> {
  await player.goTo(`${query}#/link/${key}`)
  await player.page.waitForURL((url) => url.hash === `#/run/${id}/desk`)
  await player.page.locator('.desk').waitFor()
}

async function choose(player: Player, index: number): Promise<void> {
  const asked = await player.until(() => {
    const answered = player.events.findLastIndex(({ type }) => type === 'pivot-end')
    for (const event of player.events.slice(answered + 1))
      if (event.type === 'command' && event.command.name === 'AI_PivotMoment') return event.command
    return undefined
  })
  const choice = asked.choices[index]?.id
  const before = player.events.length
  await player.emit('choose', { cid: newCid(), pivot: asked.pivot, choice })
  await player.until(() => player.events.slice(before).find(({ type }) => type === 'pivot-end'))
}
