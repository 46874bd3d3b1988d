import { describe, expect, it } from 'vitest'
import { acknowledges } from '../../worker/actor/rehearsal/acknowledge.ts'
import { hearMessage } from '../../worker/actor/rehearsal/hear.ts'
import { registersNow } from '../../worker/actor/rehearsal/judge.ts'
import { ownLines } from '../../worker/actor/rehearsal/own-lines.ts'
import { withoutPreamble } from '../../worker/actor/rehearsal/preamble.ts'
import type { BriefingScene } from '../../worker/core/briefing/briefing.ts'
import { rehearse } from '../support/rehearse-with-table.ts'
import forks from '../fixtures/heard/forks.json' with { type: 'json' }
import summaries from '../fixtures/heard/summaries.json' with { type: 'json' }
import gate from '../fixtures/decisive-gate.json' with { type: 'json' }
import { simulationFile } from '../support/play-run.ts'
import { briefAfter } from '../../worker/core/walk/brief-node.ts'
import { readHints } from '../../worker/core/text/hints.ts'
import { oneIn } from '../support/runs.ts'
import { Conversation, inside, launchDecision, npcOf } from '../support/rehearsal-conversation.ts'

const scenario = launchDecision()

describe('the gate, for Maya', () => {
  it.each(gate.cases)('[rehearsal-18] [rehearsal-19] "$learner" is $verdict', ({ learner, verdict }) => {
    const before = atTheGate('maya')
    expect(acknowledges(hearMessage(learner), fact('maya'), [gate.told])).toBe(verdict)
    expect(rehearse(before.scene(learner)).report.node_satisfied).toBe(verdict === 'registered')
  })

  it.each(gate.cases)('[rehearsal-19] "$learner" registers nothing before the fact is told', ({ learner }) => {
    expect(acknowledges(hearMessage(learner), fact('maya'), ['Run 47 came out at 8.1%.'])).toBe('not-told-yet')
  })

  it('[rehearsal-18] a fact told earlier, in answer to a question, can be registered on arrival', () => {
    const conversation = upTo('maya', 'PIVOT_1')
    conversation.say('What is the limit in the contract?')
    conversation.choose('a')
    expect(conversation.say('So 23% against a 2% bar, that is the blocker.').report.node_satisfied).toBe(true)
  })

  it('[rehearsal-18] is registered in the message at hand, and in one before if the graph looks ahead', () => {
    const conversation = atTheGate('maya')
    conversation.history.push({ who: 'learner', text: 'So 23% against 2%.' }, { who: 'npc', text: 'Hm.' })
    const scene = conversation.scene('ok')
    expect(rehearse(scene).report.node_satisfied).toBe(false)
    const ahead = { ...scene, node: { ...scene.node, landsOn: 'learner' as const } }
    expect(rehearse(ahead).report.node_satisfied).toBe(true)
    expect(rehearse({ ...ahead, learner: 'Nobody reads contracts.' }).report.node_satisfied).toBe(false)
    const untold = { ...ahead, history: ahead.history.filter(({ who }) => who === 'learner') }
    expect(rehearse(untold).report.node_satisfied).toBe(false)
  })

  it('[rehearsal-11] a typed answer at a fork gets the card’s reaction, and is not asked for again', () => {
    const conversation = upTo('maya', 'PIVOT_1')
    conversation.say('Go on.')
    const scene = conversation.scene('Well, what you actually think. The slide can wait.')
    const hints = { goodbye: false, question: false }
    const free = { ...scene, node: { ...scene.node, leaving: { hints, unsaid: null } } } as typeof scene
    const { speech, report } = rehearse(free)
    expect(report.pivot_choice).toBe('a')
    expect(speech).toBe(scenario.npcs[0]?.pivots[0]?.choices[0]?.reaction)
    // A sentence that is the card's words picks it, whatever is asked beside it.
    const beside = rehearse({ ...free, learner: 'What you actually think. How big was the sample?' })
    expect(beside.report.pivot_choice).toBe('a')
    expect(beside.speech).toContain('2,500 prompts')
    // So does a sentence that only means the card.
    const meant = rehearse({ ...free, learner: "I'd like what you actually think. How big was the sample?" })
    expect(meant.report.pivot_choice).toBe('a')
    expect(meant.speech).toContain('2,500 prompts')
    // A doubt beside a card is answered too, and the card's own words are not.
    const doubted = rehearse({ ...free, learner: 'What you actually think. But 188 is a bit thin, no?' })
    expect(doubted.speech.split('\n\n')).toEqual([
      expect.anything(),
      expect.stringContaining('188 medical prompts is thin'),
    ])
    const own = rehearse({ ...free, learner: 'My mind is made up about Larkfield anyway.' })
    expect(own.report.pivot_choice).toBe('own')
    expect(own.speech).not.toContain('?')
  })
})

describe('a typed answer at a fork', () => {
  const asked = { armed: true }
  const ahead = { armed: false }

  it.each([
    ['maya', 'PIVOT_1', asked, 'Forget the slide, tell me what you really think', 'a'],
    ['maya', 'PIVOT_1', asked, 'I just said: what you think!', 'a'],
    ['maya', 'PIVOT_1', asked, 'I want what you actually think.', 'a'],
    ['maya', 'PIVOT_1', asked, 'both of them', 'c'],
    ['maya', 'PIVOT_1', asked, 'What does 8.1% mean?', null],
    ['maya', 'PIVOT_1', asked, 'the weather is nice today', null],
    ['maya', 'PIVOT_1', asked, 'We should not launch on Thursday', 'own'],
    ['maya', 'PIVOT_1', asked, 'And if we launch without it, does that count?', null],
    ['marcus', 'PIVOT_1', asked, 'If I hold back only medical advice, will you support me?', null],
    ['maya', 'PIVOT_2', asked, 'No', 'a'],
    ['maya', 'PIVOT_2', asked, 'Would you sign it?', null],
    ['maya', 'PIVOT_2', asked, 'no i guess. but who put that box there?', 'a'],
    ['maya', 'PIVOT_2', asked, 'No, even if they shout at me. Who checks it?', 'a'],
    ['maya', 'PIVOT_2', asked, 'Right. Then who checks it?', null],
    ['marcus', 'PIVOT_2', asked, 'I dont know', 'c'],
    ['ines', 'PIVOT_2', asked, 'Thanks, that helps a lot', null],
    ['maya', 'PIVOT_1', ahead, 'I want to hear your honest opinion', 'a'],
    ['maya', 'PIVOT_1', ahead, 'How many prompts did you test?', null],
    ['maya', 'PIVOT_2', ahead, 'I would not sign that', 'a'],
    ['maya', 'PIVOT_2', ahead, 'Would you sign it?', null],
    ['maya', 'PIVOT_2', ahead, 'No', null],
  ] as const)('[rehearsal-11] %s, %s, %o: "%s" is %s', (npc, node, { armed }, learner, choice) => {
    const { report, speech } = rehearse(atFork(npc, node, armed, learner))
    expect(report.pivot_choice).toBe(choice)
    const question = npcOf(scenario, npc).pivots[node === 'PIVOT_1' ? 0 : 1]?.question ?? ''
    if (choice !== null) expect(speech).not.toContain(question)
    if (choice !== null && choice !== 'own') expect(report.engagement_score).toBe(0)
  })

  it('[rehearsal-11] is the card that people mean, in their own words', () => {
    const scenes = new Map<string, BriefingScene>()
    const heard = oneIn(8, forks).map(({ colleague, fork, types, means }) => {
      const [id = '', npc = ''] = colleague.split('.')
      const key = `${colleague}.${fork}`
      const asked = scenes.get(key) ?? atFork(npc, fork, true, '', id)
      scenes.set(key, asked)
      const scene = { ...asked, learner: types, node: { ...asked.node, leaving: leavingWith(types) } }
      const choice = rehearse(scene).report.pivot_choice ?? 'none'
      const isCard = choice !== 'own' && choice !== 'none'
      return { isRight: means.includes(choice), isWrong: isCard && !means.includes(choice) }
    })
    // Of 432 answers that two people typed, who read no other text for the cards: 48 % right before, 77 % now.
    expect(heard.filter(({ isRight }) => isRight).length / heard.length).toBeGreaterThan(0.72)
    expect(heard.filter(({ isWrong }) => isWrong).length / heard.length).toBeLessThan(0.09)
  })

  it.each([
    ["That's not what I meant.", null, 'Then I had you wrong'],
    ['you got me wrong there', null, 'Then I had you wrong'],
    ['no wait, i meant what you really think, not just the number', 'a', 'shut the laptop'],
    ['sorry, i meant both of them', 'c', 'the second half'],
    // A question is answered, and takes nothing back.
    ["that's not what i meant but ok, how big was the sample?", null, ''],
  ])('[rehearsal-45] that was misread is taken back by "%s"', (learner, choice, speech) => {
    const misread = misreadAs('b', learner)
    const reply = rehearse(misread)
    expect([reply.report.pivot_choice, reply.report.engagement_score]).toEqual([choice, 0])
    expect(reply.speech).toContain(speech)
    const isAsked = speech.startsWith('Then')
    expect(reply.offers.length).toBe(isAsked ? 2 : 0)
    if (!isAsked) return
    // The learner is asked for one of the other answers, and may press it.
    const history = [...misread.history, { who: 'learner', text: learner }, { who: 'npc', text: reply.speech }] as const
    const after = (text: string) => rehearse({ ...misread, history, learner: text }).report.pivot_choice
    expect(reply.offers.map(after)).toEqual(['a', 'c'])
    expect(after('How big was the sample?')).toBe(null)
  })

  it('[rehearsal-45] can be taken back by a button, unless it plainly means the card', () => {
    const offers = (learner: string) => rehearse(atFork('maya', 'PIVOT_1', true, learner)).offers
    expect(offers('the number. im in a rush, meeting in 30')).toEqual(["That's not what I meant."])
    expect(offers('just give me the number thanks')).toEqual([])
    expect(offers('What you actually think. The slide can wait.')).toEqual([])
  })

  it('[rehearsal-39] before the last exchange the colleague says that they must go, and what is wanted', () => {
    const conversation = inside('maya', 'DECISIVE')
    const { node, ...scene } = conversation.scene('How big was the sample?')
    const stay = ['once', 'twice', 'three times', 'close']
    const speech = (turns: number, learner = scene.learner) =>
      rehearse({ ...scene, learner, node: { ...node, turns, stay, leaving: leavingWith(learner) } }).speech
    const [warning = ''] = npcOf(scenario, 'maya').rehearsal.phrases?.lastCall ?? []
    expect(speech(1)).not.toContain(warning)
    expect(speech(2, 'I see.').endsWith(warning)).toBe(true)
    // A learner who asks hears it once.
    expect(speech(2)).not.toContain(warning)
    expect(speech(3).endsWith(warning)).toBe(true)
    expect(speech(2, 'Bye')).not.toContain(warning)
  })

  it('[rehearsal-39] a colleague who answers questions asks what the learner takes from them', () => {
    const conversation = inside('kofi', 'ASK', simulationFile('third-figure'))
    const { node, ...scene } = conversation.scene('Who measured it?')
    const speech = (mayStay: boolean, learner: string) =>
      rehearse({ ...scene, learner, node: { ...node, turns: 4, leaving: { ...leavingWith(learner), mayStay } } }).speech
    expect(speech(true, 'I see.')).not.toContain('I have to go in a minute')
    expect(speech(false, 'I see.')).toContain('I have to go in a minute. What do you take from this')
    // Whoever asks may go on asking.
    expect(speech(false, scene.learner)).not.toContain('I have to go in a minute')
  })

  it('[rehearsal-31] [walk-49] the deciding fact can still be registered after the end', () => {
    const told = 'Put the two side by side. The promise says 2.0%, the run says 23.4%.'
    const scene = inside('maya', 'DECISIVE').scene('So medical advice at 23.4% breaks the 2.0% ceiling.')
    const after = (satisfyWhen: string | null, learner = scene.learner) =>
      rehearse({ ...scene, learner, history: [{ who: 'npc', text: told }], node: briefAfter(satisfyWhen) }).report
    expect(after('it is taken in').node_satisfied).toBe(true)
    expect(after(null).node_satisfied).toBe(false)
    expect(after('it is taken in', 'Is 23.4% more than 2.0%?').node_satisfied).toBe(false)
  })

  it('[rehearsal-40] a summary gets a plain yes only if the deciding fact is in it', () => {
    const history = [
      { who: 'npc' as const, text: 'Medical is at 23.4%, the promise says 2.0%, and the average is 8.1%.' },
    ]
    const speech = (learner: string) => {
      const scene = inside('maya', 'PIVOT_1').scene(learner)
      const leaving = { ...leavingWith(learner), isSettled: false }
      return rehearse({ ...scene, history, node: { ...scene.node, leaving } }).speech
    }
    const { halfOfIt } = ownLines({ scenario, npc: npcOf(scenario, 'maya') })
    const isHalf = (text: string) => halfOfIt.some((line) => text.startsWith(line))
    expect(isHalf(speech('In my own words, everything together is at 8.1%.'))).toBe(true)
    expect(speech('In my own words, medical at 23.4% breaks the 2.0% we promised.')).toMatch(/^Yes, that's right\./)
    expect(speech("Medical at 23.4% breaks the 2.0% we promised, doesn't it? Did I get that right?")).toMatch(
      /^Yes, that's /,
    )
    // A long statement that does not say so sums nothing up.
    expect(isHalf(speech('ok, so the slide shows an average of 8.1% and medical is nowhere on it, right?'))).toBe(false)
  })

  it('[rehearsal-40] a summary is asked for the part that it lacks, and the answer completes it', () => {
    const told = { who: 'npc' as const, text: 'Medical is at 23.4%, and the promise says 2.0%.' }
    const half = 'In my own words, medical is at 23.4%.'
    const reply = (learner: string, history: BriefingScene['history']) => {
      const scene = inside('maya', 'PIVOT_1').scene(learner)
      const leaving = { ...leavingWith(learner), isSettled: false }
      return rehearse({ ...scene, history, node: { ...scene.node, leaving, landsOn: 'learner' } })
    }
    const [, question = 'no question'] = fact('maya').questions ?? []
    const asked = reply(half, [told])
    expect(asked.speech).toContain(`That much is right. ${question}`)
    expect(asked.report.fact_registered).toBe(false)
    const before: BriefingScene['history'] = [told, { who: 'learner', text: half }, { who: 'npc', text: asked.speech }]
    expect(reply('two percent at most', before).report.fact_registered).toBe(true)
    expect(reply('whatever they want', before).report.fact_registered).toBe(false)
    // The same words in answer to nothing, or without the other part, are no summary.
    expect(reply('two percent at most', [told]).report.fact_registered).toBe(false)
    expect(reply('two percent at most', [told, { who: 'npc', text: question }]).report.fact_registered).toBe(false)
    const later = [...before, { who: 'learner', text: 'two percent at most' }, { who: 'npc', text: 'Yes.' }] as const
    expect(reply('ok', later).report.fact_registered).toBe(true)
  })

  it('[rehearsal-40] what is confirmed is the fact of the sentence that asks, and no figure alone', () => {
    const scene = inside('maya', 'DEEPEN').scene('')
    const { confirmed } = ownLines(scene)
    const isConfirmed = (learner: string) => {
      const { speech } = rehearse({ ...scene, learner, node: { ...scene.node, leaving: leavingWith(learner) } })
      return confirmed.some((line) => speech.startsWith(line))
    }
    expect(isConfirmed('So 8.1% of all the answers in run 47 were made up, is that right?')).toBe(true)
    expect(isConfirmed('So 8.1% of the noodles were cold, is that right?')).toBe(false)
    expect(isConfirmed('8.1% of all the answers in run 47 were made up?? So the coffee is on you, right?')).toBe(false)
  })

  it('[rehearsal-40] whoever passed the gate and asks whether they got it right gets a yes', () => {
    const scene = inside('maya', 'PIVOT_1').scene('so did I get it right?')
    const speech = (isSettled: boolean) =>
      rehearse({ ...scene, node: { ...scene.node, leaving: { ...leavingWith(scene.learner), isSettled } } }).speech
    const { confirmed, soFar } = ownLines(scene)
    expect(confirmed.some((line) => speech(true).startsWith(`${line}\n`))).toBe(true)
    expect(soFar.some((line) => speech(false).startsWith(`${line}\n`))).toBe(true)
  })

  it('[rehearsal-18] a percentage beside a span of time is no wrong figure for it', () => {
    const told = ['One category may be left out for 30 days, in writing, 24 hours before.']
    const fact30 = { groups: [['30 days'], ['24 hours', '24h'], ['leave out', 'hold back']] }
    const stated = hearMessage('They leave if we break the 2%, but we can hold back medical 30 days, 24 hours ahead.')
    const told30 = [...told, 'hold back']
    expect(acknowledges(stated, fact30, told30)).toBe('registered')
    const wrong = hearMessage('They leave if we break the 2%, but we can hold back medical 10 days, 24 hours ahead.')
    expect(acknowledges(wrong, fact30, told30)).toBe('not-the-fact')
  })

  it('[rehearsal-46] a kind word gets thanks, and no point and no judgement', () => {
    const scene = inside('maya', 'DEEPEN').scene('I hope your cat gets better, poor thing.')
    const { sympathy } = ownLines(scene)
    const leaving = leavingWith(scene.learner)
    const speech = (learner: string) => rehearse({ ...scene, learner, node: { ...scene.node, leaving } }).speech
    expect(sympathy).toContain(speech(scene.learner))
    expect(sympathy).not.toContain(speech('That must have been awful. How big was the sample?'))
    expect(sympathy).not.toContain(speech('That sounds like a slide problem to me.'))
  })

  it('[rehearsal-11] an answer of one’s own to a fork is taken, and not checked against the facts', () => {
    const { speech, report } = rehearse(
      atFork('marcus', 'PIVOT_1', true, 'I would land it without the bit about two painkillers being fine together'),
    )
    expect(speech).not.toMatch(/^That fits/)
    expect(report.pivot_choice).not.toBeNull()
  })

  it('[rehearsal-41] an order beside a goodbye gets its answer before it', () => {
    const bye = (learner: string) => {
      const conversation = inside('adaeze', 'CLOSE', simulationFile('night-shift'))
      const scene = conversation.scene(learner)
      return rehearse({ ...scene, node: { ...scene.node, leaving: leavingWith(learner) } }).speech
    }
    const plain = bye('thanks Adaeze, bye').split('\n\n').length
    expect(bye('right, send the van to Low Moor please! thanks Adaeze, bye').split('\n\n').length).toBeGreaterThan(
      plain,
    )
  })

  it('[rehearsal-27] an answer that says yes does not say it to a figure that nobody holds', () => {
    const speech = (learner: string) => rehearse(inside('maya', 'DECISIVE').scene(learner)).speech
    expect(speech('So is the four percent average misleading?')).toMatch(/^That figure isn't one I know\. Medical/)
    expect(speech('So is the 8.1% average misleading?')).not.toContain("isn't one I know")
  })

  it('[rehearsal-41] a goodbye names the question that is missing, and not the answer', () => {
    const bye = (isSettled: boolean, said: readonly string[]) => {
      const scene = inside('maya', 'SURFACE').scene("Thanks Maya, that's all for now.")
      const leaving = { ...leavingWith(scene.learner), isSettled, unsaid: 'Medical fails at 23.4%.' }
      const history = said.map((text, at) => ({ who: at % 2 === 0 ? ('npc' as const) : ('learner' as const), text }))
      return rehearse({ ...scene, history, node: { ...scene.node, leaving, landsOn: 'speaker' } })
    }
    const open = bye(false, [])
    expect(open.report).toMatchObject({ learner_leaving: true, fact_registered: false, information_revealed: [] })
    expect(open.speech).toMatch(/: what's the failure rate on medical questions\?/)
    expect(open.speech).not.toContain('23.4%')
    expect(bye(false, ['23.4% on medical, where we promised 2.0%.']).speech).toContain(
      'Before you go, tell it back to me in your own words: ',
    )
    const registered = bye(false, [
      '23.4% on medical, where we promised 2.0%.',
      'So 23.4% breaks the 2.0% we promised.',
    ])
    expect(registered.report.fact_registered).toBe(true)
    expect(registered.speech).not.toContain("You're leaving")
    expect(bye(true, []).speech).not.toContain("You're leaving")
    // Whoever takes a goodbye back gets no second handover.
    expect(npcOf(scenario, 'maya').rehearsal.phrases?.bye).toContain(bye(false, [open.speech]).speech)
  })

  it('[rehearsal-7] whoever insists, or was told to ask, gets an answer to the question alone', () => {
    const scene = inside('maya', 'DEEPEN').scene('How big was the sample?')
    const sample = rehearse(scene).speech
    const heard: BriefingScene['history'] = [
      { who: 'learner', text: scene.learner },
      { who: 'npc', text: sample },
    ]
    const after = (learner: string) => rehearse({ ...scene, learner, history: heard }).speech
    expect(sample).toContain('2,500 prompts')
    const insisting = [
      "I didn't ask how big it was, I asked who marked them.",
      'I meant: who marked the answers?',
      'no, i meant: who marked the answers',
    ]
    for (const insists of insisting) expect(after(insists)).toBe(after('Who marked the answers?'))
    expect(after("That's not what I asked. How big was the sample?")).not.toContain(sample)
    // Who says only that gets another answer to the same question, or is asked for other words.
    const bare = ["That's not what I asked.", 'no thats not what i asked', "you didn't answer my question"].map(after)
    for (const again of bare) expect(again).not.toContain(sample.split('.')[0])
    expect(new Set(bare).size).toBe(1)
    expect(after('Marcus says I should ask you: who marked the answers?')).toBe(after('Who marked the answers?'))
    expect(after('Forget the coffee. Who marked the answers?')).toBe(after('Who marked the answers?'))
    const recalled = withoutPreamble({ ...scene, learner: "You asked what's wrong with it: it stops the hospital." })
    expect(recalled.text).toBe("what's wrong with it is it stops the hospital.")
    const asked = ['thanks for waiting, who marked the answers?', 'hang on, who marked the answers?', 'sorry, what?']
    expect(asked.map((learner) => withoutPreamble({ ...scene, learner }).text)).toEqual([
      'who marked the answers?',
      'who marked the answers?',
      'sorry, what?',
    ])
    // Of somebody who is not in the scenario it may be the subject.
    expect(withoutPreamble({ ...scene, learner: 'Zoltan says to ask you that: why?' }).text).toContain('Zoltan')
  })

  it('[rehearsal-7] a question that got its answer is answered and no more, and the point waits', () => {
    const scene = inside('maya', 'DEEPEN').scene('How big was the sample?')
    const speech = (learner: string) =>
      rehearse({ ...scene, learner, node: { ...scene.node, leaving: leavingWith(learner) } }).speech
    expect(speech('How big was the sample?')).toMatch(/^2,500 prompts[^\n]+$/)
    expect(speech('Thanks for telling me about the slide.')).not.toContain('spread evenly')
    expect(speech('ok')).toContain("It isn't spread evenly")
  })

  it('[rehearsal-42] a goodbye sends nobody to a colleague whom they have met', () => {
    const bye = (npc: string, talked: readonly string[]) => {
      const scene = inside(npc, 'CLOSE').scene('Bye!')
      return rehearse({ ...scene, brought: { talked, papers: [], facts: [], remembered: [] } }).speech
    }
    expect(bye('otto', [])).toContain('Maya')
    expect(bye('otto', ['maya'])).toBe("You haven't talked with Marcus and Ines yet.")
    expect(bye('otto', ['maya', 'marcus', 'ines'])).toContain("it's yours to decide")
    expect(bye('marcus', ['otto', 'maya', 'ines'])).not.toMatch(/go and find Ines/i)
  })

  it('[rehearsal-44] a guide says what the others have not told yet, and whom to ask', () => {
    const scene = inside('otto', 'CLOSE').scene('')
    const others = ['maya', 'marcus', 'ines']
    const facts = scene.scenario.simulation?.facts.map(({ id }) => id) ?? []
    const asking = (learner: string, talked: readonly string[], but: string | null) => {
      const brought = { talked, papers: [], facts: facts.filter((id) => id !== but), remembered: [] }
      return rehearse({ ...scene, learner, brought: talked.length === 0 ? null : brought }).speech
    }
    for (const learner of [
      'Am I missing anything?',
      'ok i ship the rest on thursday and nurses take medical, anything i forgot?',
    ]) {
      expect(asking(learner, others, 'pager')).toMatch(/Ask Ines, who picks up .*\?/)
      expect(asking(learner, ['maya', 'ines'], 'pager')).toContain("You haven't talked with Marcus yet.")
    }
    expect(asking('what now?', others, 'credit')).toContain('Ask Marcus, ')
    expect(asking("who's left?", others, null)).toContain("it's yours to decide")
    expect(asking('Am I missing anything?', [], 'pager')).not.toContain('Ines, who')
  })

  it('[rehearsal-7] the point is left out if its facts were told and the answer is sure', () => {
    const scene = inside('maya', 'DEEPEN').scene('How big was the sample?')
    const node = { ...scene.node, landsOn: 'speaker' as const, turns: 1 }
    const after = (text: string) => rehearse({ ...scene, node, history: [{ who: 'npc', text }] }).speech
    const point = "It isn't spread evenly"
    expect(after('Hello.')).toContain(point)
    expect(after('Medical advice came out at 23.4%.')).not.toContain(point)
  })

  it('[rehearsal-18] a question behind a condition states nothing', () => {
    const asked = 'If 23.4% breaks the 2.0% we promised, what have I cost the company?'
    expect(acknowledges(hearMessage(asked), fact('maya'), [gate.told])).toBe('no-statement')
    const stated = 'If we ship it, 23.4% breaks the 2.0% we promised.'
    expect(acknowledges(hearMessage(stated), fact('maya'), [gate.told])).toBe('registered')
  })

  it('[rehearsal-11] a goodbye may answer in the same breath, in words that mean a card', () => {
    const both = rehearse(atFork('ines', 'PIVOT_2', true, 'Put my name on it. Thanks Ines, goodbye.'))
    expect([both.report.pivot_choice, both.report.learner_leaving]).toEqual(['a', true])
    const { choices = [] } = npcOf(scenario, 'ines').pivots[1] ?? {}
    expect(both.speech).toContain(choices[0]?.reaction)
  })

  it('[rehearsal-11] a goodbye is no answer', () => {
    const bye = 'Great, thanks for your time and enjoy the noodles'
    const { report } = rehearse(atFork('ines', 'PIVOT_2', true, bye))
    expect([report.pivot_choice, report.learner_leaving]).toEqual([null, true])
  })

  it('[rehearsal-13] a learner who passed the gate is not sent off with half of it', () => {
    const half = npcOf(scenario, 'ines').rehearsal.nodes['CLOSE']?.escalated[0] ?? ''
    const conversation = inside('ines', 'CLOSE')
    const { node, ...scene } = conversation.scene('ok')
    const leaving = (isSettled: boolean) => ({ ...leavingWith('ok'), isSettled })
    const speech = (isSettled: boolean) => rehearse({ ...scene, node: { ...node, leaving: leaving(isSettled) } }).speech
    expect(half).not.toBe('')
    expect(speech(false)).toContain(half)
    expect(speech(true)).not.toContain(half)
  })
})

/** Returns a scene at a fork whose graph takes typed answers and lets the learner leave. */
describe('what it comes to, in the words of two people who read no term', () => {
  it('[rehearsal-18] is taken if it is right, and mostly only then', () => {
    const taken = summaries.map(({ colleague, text, right }) => {
      const [id = '', npc = ''] = colleague.split('.')
      return { right, isTaken: registersNow(askedToSumUp(id, npc, text)) }
    })
    const share = (isRight: boolean) => {
      const those = taken.filter(({ right }) => right === isRight)
      return those.filter(({ isTaken }) => isTaken).length / those.length
    }
    // Of 288 right ones 90 % before, 98 % now; of 90 that are not enough 17 % before, 6 % now.
    expect(share(true)).toBeGreaterThan(0.95)
    expect(share(false)).toBeLessThan(0.1)
  })
})

/** Returns the scene of a message to a colleague who has told all and has asked what it comes to. */
function askedToSumUp(id: string, npc: string, learner: string): BriefingScene {
  const of = simulationFile(id)
  const colleague = npcOf(of, npc)
  const told = [...colleague.decisionFacts, ...(of.simulation?.facts ?? []).map(({ text }) => text)].join(' ')
  const scene = new Conversation(of, npc).scene(learner)
  const [lastCall = ''] = ownLines(scene).lastCall
  const history = [
    { who: 'npc', text: told },
    { who: 'learner', text: 'ok' },
    { who: 'npc', text: lastCall },
  ] as const
  return { ...scene, history }
}

/** Returns the scene of a message to Maya after her first fork, whose answer was taken for a card. */
function misreadAs(taken: string, learner: string): BriefingScene {
  const scene = inside('maya', 'DECISIVE').scene(learner)
  const [content] = npcOf(scenario, 'maya').pivots
  if (!content) throw new Error('Maya asks nothing')
  return { ...scene, node: { ...scene.node, leaving: leavingWith(learner), lateFork: { content, taken } } }
}

function atFork(npc: string, node: string, armed: boolean, learner: string, id = 'launch-decision') {
  const conversation = inside(npc, node, simulationFile(id))
  if (armed) conversation.say('Go on.')
  const scene = conversation.scene(learner)
  return { ...scene, node: { ...scene.node, leaving: leavingWith(learner) } }
}

function leavingWith(learner: string) {
  return { hints: readHints(learner), next: null, isSettled: null, mayStay: true, unsaid: null }
}

describe('the gate, for the others', () => {
  it.each([
    ['marcus', 'So we can hold one category back if they have it in writing by tomorrow.', true],
    ['marcus', 'Then medical waits 30 days and the notice goes out 24 hours before.', true],
    ['marcus', 'Can we hold one category back with 24 hours notice?', false],
    ['marcus', 'I do not care about the notice, hold it back anyway.', false],
    ['marcus', 'So there is a clause.', false],
    ['marcus', 'We owe them $40,000.', false],
    ['marcus', 'So one category, in writing, an hour before launch.', false],
    ['marcus', 'One category for 60 days, with written notice.', false],
    ['marcus', 'Hold one back for 30 days, and the letter goes out within the hour.', true],
    ['ines', 'So medical goes to the nurse line in 20 minutes, but not all of them get caught.', true],
    ['ines', '20 minutes to switch it, and 98.6% caught.', true],
    ['ines', 'So it can be switched off.', false],
    ['ines', 'How many get through if you switch it?', false],
    ['ines', 'Switching it is fine, the leak is nothing.', false],
    ['ines', 'So we switch medical off and nothing gets through.', false],
    ['ines', 'It is a switch, 20 minutes, and it does not leak.', false],
    ['ines', 'nurse line, 20 min, but 98.6% only', true],
  ])('[rehearsal-18] %s hears "%s": %s', (npc, learner, registers) => {
    expect(rehearse(atTheGate(npc).scene(learner)).report.node_satisfied).toBe(registers)
  })
})

function fact(npc: string) {
  const [first] = npcOf(scenario, npc).rehearsal.acknowledgements
  if (!first) throw new Error('no fact')
  return first
}

/** Returns a conversation in the node DECISIVE, in which the colleague has stated the gate's fact. */
function atTheGate(npc: string): Conversation {
  const conversation = upTo(npc, 'PIVOT_1')
  conversation.say('Go on.')
  conversation.choose('a')
  conversation.say('So how bad is it?')
  expect(conversation.node).toBe('DECISIVE')
  return conversation
}

function upTo(npc: string, node: string): Conversation {
  const conversation = new Conversation(scenario, npc)
  while (conversation.node !== node) conversation.say('ok')
  return conversation
}
