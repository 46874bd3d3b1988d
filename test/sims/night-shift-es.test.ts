import { describe, expect, it } from 'vitest'
import { hearMessage, isLost } from '../../worker/actor/rehearsal/hear.ts'
import { nearestEntries } from '../../worker/actor/rehearsal/nearest.ts'
import { fromSpanish, readable } from '../../worker/actor/rehearsal/spanish.ts'
import { figuresIn } from '../../worker/core/text/words.ts'
import { fallbackLine } from '../../worker/session/turn-loop.ts'
import { decidingIn, simulationFile } from '../support/play-run.ts'
import { npcOf } from '../support/rehearsal-conversation.ts'
import { WalkedConversation } from '../support/walked-conversation.ts'

const scenario = simulationFile('night-shift-es')
const original = simulationFile('night-shift')
const COLLEAGUES = ['emyr', 'adaeze', 'ruth'] as const
type Colleague = (typeof COLLEAGUES)[number]

/** The messages of an attentive learner, by node. */
const ATTENTIVE: Readonly<Record<Colleague, Readonly<Record<string, readonly string[]>>>> = {
  emyr: {
    GROUND: ['¿Qué pasó esta noche con el cloro?'],
    SURFACE: ['¿Qué hay detrás de esa lectura?'],
    DEEPEN: ['Sigue.', 'Entonces la sonda tenía agua fresca delante, y las otras nueve veces no.'],
    CHALLENGE: ['Creo que fue real.', 'Porque en las nueve se perdió el caudal y esta noche estuvo estable.'],
    DECISIVE: ['Ya veo.', 'Entonces hay que cerrar la válvula 7 antes de que se abra a las cinco.'],
    RESOLVE: ['Te llamo para que la cierres.'],
  },
  adaeze: {
    GROUND: ['¿Qué tienes?'],
    SURFACE: ['¿Qué tan malo es eso?'],
    DEEPEN: ['Sigue.', 'Entonces Ridge es la que se quedó sin cloro.'],
    CHALLENGE: [
      'Creo que se detiene ahí.',
      'Porque Town y Estuary todavía tienen su cloro, así que no les ha llegado.',
    ],
    DECISIVE: ['Ya veo.', 'Entonces el resultado llega demasiado tarde para decidir.'],
    RESOLVE: ['Entonces avisamos antes de que se levanten.'],
  },
  ruth: {
    GROUND: ['¿Qué necesitas de mí?'],
    SURFACE: ['¿Por qué a las cuatro menos cuarto?'],
    DEEPEN: ['Sigue.', 'Entonces el hospital para por una zona que quizás está bien.'],
    CHALLENGE: ['Es demasiado.', 'Porque la gente deja de creernos si otra vez no es nada.'],
    DECISIVE: ['Ya veo.', 'Entonces puedo nombrar solo a Ridge cuando esté aislada.'],
    RESOLVE: ['La cerramos y avisamos solo a Ridge.'],
  },
}

describe('the night shift in Spanish', () => {
  it('[authoring-24] has the structure and the figures of the simulation that it translates', () => {
    expect(scenario).toMatchObject({ language: 'es', translates: original.id, tier: original.tier, run: original.run })
    expect(outline(scenario)).toEqual(outline(original))
    for (const [at, { rehearsal }] of original.npcs.entries()) {
      const own = scenario.npcs[at]?.rehearsal.answers.length ?? 0
      expect(own).toBeGreaterThan(0)
      expect(own).toBeLessThanOrEqual(rehearsal.answers.length)
    }
    const figures = ({ npcs }: typeof scenario) =>
      npcs.map(({ document }) => (document?.lines ?? []).map((line) => figuresIn(line).map(({ value }) => value)))
    expect(figures(scenario)).toEqual(figures(original))
  })

  it.each(COLLEAGUES)('[rehearsal-18] whoever listens to %s hears what it depends on, and earns it', (who) => {
    const { conversation, heard } = talk(who, ATTENTIVE[who])
    expect(heard).toEqual(expect.arrayContaining([...decidingIn('night-shift-es', who)]))
    expect(conversation.exchanges.filter(({ reason }) => reason === 'backstop')).toEqual([])
    expect(conversation.commands).toContain('AI_AdvanceObjective')
    expect(conversation.path).toContain('CONFIDE')
  })

  it.each(COLLEAGUES)('[rehearsal-5] whoever only nods at %s is told it all the same, and earns nothing', (who) => {
    const { conversation, heard } = talk(who, {}, { card: 'b' })
    expect(heard).toEqual(expect.arrayContaining([...decidingIn('night-shift-es', who)]))
    expect(conversation.commands).not.toContain('AI_AdvanceObjective')
  })

  it.each([
    ['emyr', '¿Cuánto bajó el cloro?', '0.08'],
    ['emyr', 'cuanto tarda en cerrarse la valvula', '12 minutos'],
    ['emyr', '¿Ya pasó algo a Town?', 'no te lo puedo decir desde aquí'],
    ['emyr', '¿No podemos parar toda la planta?', 'seca para el desayuno'],
    ['emyr', '¿Por qué volvió la lectura?', '30 minutos antes'],
    ['emyr', '¿Y si te equivocas?', 'un tubo tapado'],
    ['emyr', '¿Cuánto tarda el laboratorio?', 'de Adaeze'],
    ['emyr', '¿Qué nos obliga a hacer la ley?', 'Ruth'],
    ['emyr', '¿Cuánto cuesta cerrarla?', 'un hilo de agua de seis a nueve'],
    ['adaeze', '¿No hay una prueba más rápida?', 'cuentan las muertas'],
    ['adaeze', '¿Alcanza con dos grifos?', '2 grifos por zona'],
    ['adaeze', '¿Sirve hervir el agua?', 'hierva fuerte'],
    ['adaeze', '¿Y el hospital?', 'Ruth'],
    ['adaeze', '¿Puede la camioneta medir el tanque de Low Moor?', 'quince minutos'],
    ['ruth', '¿Puedo avisar solo a Ridge?', 'aislada'],
    ['ruth', '¿Por qué no avisar a todos?', 'más difícil de retirar'],
    ['ruth', '¿Se puede pedir más tiempo?', 'No hay a quién pedirle'],
    ['ruth', '¿Cuánto tarda el laboratorio?', 'Adaeze'],
    ['ruth', '¿A qué hora tiene que empezar Emyr?', 'antes de las tres y media'],
    ['otto', '¿Qué harías tú?', 'sostengo el marcador'],
    ['otto', '¿Con quién hablo primero?', 'Emyr'],
  ])('[rehearsal-7] [rehearsal-34] %s is asked "%s"', (who, learner, answer) => {
    const conversation = new WalkedConversation(scenario, npcOf(scenario, who))
    const before = who === 'otto' ? ['hola'] : ['vale', 'vale', 'vale', 'vale', 'vale']
    expect(conversation.play(before).say(learner).speech).toContain(answer)
  })

  it.each([
    ['emyr', 'Entonces la válvula 7 se abre a las cinco y tarda 12 minutos en cerrarse.', true],
    ['emyr', 'Cierra la válvula 7 antes de las cinco, por favor.', true],
    ['emyr', '¿Cuándo se abre la válvula?', false],
    ['emyr', 'No me importa cuándo se abre la válvula.', false],
    ['emyr', 'Entonces era el instrumento.', false],
    ['adaeze', 'Es demasiado tarde para esperar al laboratorio.', true],
    ['adaeze', '18 horas es mucho, decidimos sin el resultado.', true],
    ['adaeze', 'Voy a esperar al laboratorio.', false],
    ['ruth', 'Primero cerramos la válvula y después nombramos una zona.', true],
    ['ruth', 'Entonces nombro solo a Ridge.', false],
    ['ruth', '¿Qué quiere decir aislada, para una zona?', false],
  ] as const)('[rehearsal-18] [rehearsal-19] %s hears "%s": %s', (who, learner, registers) => {
    const { conversation } = talk(who, ATTENTIVE[who], { until: 'DECISIVE' })
    conversation.say('vale')
    expect(conversation.say(learner).report.node_satisfied).toBe(registers)
  })

  it.each([
    ['Hola', 'hello'],
    ['buenos días, Emyr', 'hello'],
    ['Muchas gracias', 'thanks'],
    ['Sí, de acuerdo.', 'grunt'],
    ['vale', 'grunt'],
    ['eres un inútil', 'insult'],
    ['¿Qué marcó el analizador esta noche?', 'plain'],
    ['What did the analyser read?', 'plain'],
    ['Das ist nicht mein Problem und ich habe keine Zeit', 'foreign'],
  ])('[rehearsal-34] hears "%s" as %s', (message, manner) => {
    expect(hearMessage(fromSpanish(message), new Set(['emyr'])).manner).toBe(manner)
  })

  it('[rehearsal-34] compares a message without the name of the colleague, whatever its ending', () => {
    const nearest = (learner: string) => {
      const scene = { scenario, npc: npcOf(scenario, 'adaeze'), learner, history: [], said: [] }
      return nearestEntries(readable(scene), null).own.map(({ entry, fit }) => ({ say: entry.say[0], fit }))
    }
    expect(nearest('Adaeze, ¿no hay una prueba más rápida?')).toEqual(nearest('¿no hay una prueba más rápida?'))
  })

  it('[rehearsal-15] [rehearsal-34] finds the terms of another colleague in the entries of the one who speaks', () => {
    const emyr = new WalkedConversation(scenario, npcOf(scenario, 'emyr')).play(['vale', 'vale', 'vale'])
    // "un aviso" is Ruth's subject, and Emyr has an entry about another one.
    expect(emyr.say('¿Hubo un aviso antes?').report.detour_detected).toBe(false)
  })

  it('[rehearsal-34] reads decimal commas, missing accents and "no entiendo"', () => {
    expect(figuresIn(fromSpanish('Fueron 0,08 durante 47 minutos')).map(({ value }) => value)).toEqual([0.08, 47])
    expect(fromSpanish('por que tarda')).toBe(fromSpanish('¿Por qué tarda').trim())
    expect(isLost(hearMessage(fromSpanish('Perdón, no entiendo')))).toBe(true)
  })

  it('[rehearsal-34] says in Spanish what it says in place of a reply', () => {
    for (const turn of [1, 2, 3, 4]) expect(fallbackLine(turn, { language: 'es' })).not.toBe(fallbackLine(turn))
  })
})

/** Everything of a simulation that a translation must leave as it is. */
function outline({ decision, objectives, simulation, npcs }: typeof scenario) {
  const { minutes, guide, endings } = simulation
  return {
    minutes,
    guide,
    options: decision.options.map(({ id, needs }) => [id, needs]),
    objectives: objectives.map(({ id }) => id),
    facts: simulation.facts.map(({ id, npc, deciding, heard }) => [id, npc, deciding, heard.length]),
    endings: endings.map(({ option, verdict, facts: named, after }) => [
      option,
      verdict,
      named,
      after.map((part) => (typeof part === 'string' ? null : [part.when, part.otherwise !== undefined])),
    ]),
    npcs: npcs.map(({ id, name, hue, walk, knowledge, pivots, document, goal, next, rehearsal }) => ({
      person: { id, name, hue, walk, objective: goal.objective, next: next?.npc },
      sizes: [knowledge.length, document?.lines.length, rehearsal.acknowledgements.length],
      pivots: pivots.map((pivot) => [pivot.id, pivot.choices.map(({ id: choice, mood }) => [choice, mood])]),
      nodes: Object.keys(rehearsal.nodes),
    })),
  }
}

/** Plays a conversation with a colleague. */
function talk(
  who: Colleague,
  lines: Readonly<Record<string, readonly string[]>>,
  how: { card?: string; until?: string } = {},
) {
  const conversation = new WalkedConversation(scenario, npcOf(scenario, who)).playThrough(lines, {
    nod: 'vale',
    ...how,
  })
  return { conversation, heard: conversation.factsSaid() }
}
