import type { BriefingScene } from '../../core/briefing/briefing.ts'
import { languageOf, type Npc, type Scenario } from '../../core/scenario/scenario.ts'

/** Returns true if a scenario's colleagues speak Spanish. */
export function isSpanish(scenario: Pick<Scenario, 'language'>): boolean {
  return languageOf(scenario) === 'es'
}

/** How the texts of a scenario are made comparable: the author's texts, and a learner's message in a `readable` scene. */
export interface TextReader {
  /** Makes an author's text readable, as `readable` does with a message, so that patterns and terms find its words. */
  readonly plain: (text: string) => string
  /** Makes an author's text comparable with a message that went through `heard`. */
  readonly authored: (text: string) => string
  readonly heard: (text: string) => string
}

/** Returns how the texts of a scenario are made comparable by their words. */
export function readerOf(scenario: Pick<Scenario, 'language'>): TextReader {
  return isSpanish(scenario) ? SPANISH_READER : AS_WRITTEN
}

const AS_WRITTEN: TextReader = { plain: (text) => text, authored: (text) => text, heard: (text) => text }

/**
 * Returns the scene of a Spanish scenario as the rehearsal actor can judge it: the function words of the learner's
 * messages, and of the terms that are only compared with messages, are English. Every line that a colleague says stays
 * Spanish. Returns any other scene unchanged.
 */
export function readable<Scene extends Pick<BriefingScene, 'scenario' | 'npc' | 'history' | 'learner'>>(
  scene: Scene,
): Scene {
  if (!isSpanish(scene.scenario)) return scene
  const scenario = readableScenario(scene.scenario)
  return {
    ...scene,
    scenario,
    npc: scenario.npcs.find(({ id }) => id === scene.npc.id) ?? scene.npc,
    learner: fromSpanish(scene.learner),
    history: scene.history.map((line) => (line.who === 'learner' ? { ...line, text: fromSpanish(line.text) } : line)),
  }
}

/** Each turn of a conversation has the same scenario, and what is computed for a scenario is cached by its object. */
const readableScenarios = new WeakMap<Scenario, Scenario>()

function readableScenario(scenario: Scenario): Scenario {
  const known = readableScenarios.get(scenario)
  if (known) return known
  const read = { ...scenario, npcs: scenario.npcs.map(readableNpc) }
  readableScenarios.set(scenario, read)
  return read
}

function readableNpc(npc: Npc): Npc {
  const { subjects, rehearsal } = npc
  const acknowledgements = rehearsal.acknowledgements.map(({ groups, not, ...fact }) => ({
    ...fact,
    groups: groups.map((terms) => terms.map(fromSpanish)),
    ...(not && { not: not.map(fromSpanish) }),
  }))
  return { ...npc, subjects: subjects.map(fromSpanish), rehearsal: { ...rehearsal, acknowledgements } }
}

/**
 * Rewrites the function words of a Spanish text in English, so that the patterns that know a question, a greeting or a
 * reason by its English words know them in Spanish too. The other words stay as they are, without accents. English words
 * stay English.
 */
export function fromSpanish(text: string): string {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(DECIMAL, '$1.')
    .replace(/(?<=\S)[\s,;:]*¿/g, '. ¿')
  const read = plain
    .split(/(?<=[.?!])(?=\s)|(?=\n)/)
    .map((sentence) => {
      const isQuestion = sentence.includes('?') || sentence.includes('¿')
      const accented = sentence.replace(/[¿¡]/g, ' ').replace(OPENING, accentedQuestion)
      const english = accented.replace(
        WORDS,
        (word) => (isQuestion && INVERTED.get(word)) || (ENGLISH.get(word) ?? word),
      )
      return isQuestion ? english : english.replace(VERB_FIRST, '$1it $2')
    })
    .join('')
  return read
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/,(?:\s*,)+/g, ',')
    .replace(/\s+/g, (blank) => (blank.includes('\n') ? '\n' : ' '))
    .trim()
}

/**
 * Takes the ending of gender, number, tense or pronoun from every word that `fromSpanish` left Spanish, so that
 * "cerrarla" is the same word as "cerrada".
 */
function roots(text: string): string {
  return text.replace(/[a-z]{4,}/g, (word) => (OF_ENGLISH.has(word) ? word : rootOf(word)))
}

const SPANISH_READER: TextReader = { plain: fromSpanish, authored: (text) => roots(fromSpanish(text)), heard: roots }

function rootOf(word: string): string {
  const bare = word.replace(/(?<=[aei]r)(?:se)?(?:l[aoe]s?|me|te|nos)?$/, '')
  const root = bare.replace(
    /(?<=...)(?:aciones|acion|amientos?|imientos?|iendo|ando|ieron|aron|[ai]d[oa]s?|[aei]mos|aba[ns]?|[aei]ra[ns]?|[aei]r|[aei]ste|[aeo]s|[ae]n|[aeo])$/,
    '',
  )
  return root.replace(/ie(?=[^aeiou]+$)/, 'e').replace(/ue(?=[^aeiou]+$)/, 'o')
}

/** A decimal comma: "0,08" is 0.08. */
const DECIMAL = /(?<![\d.,])(\d+),(?=\d{1,2}(?![\d,]))/g

/** "Es tarde" is a statement although it begins with the verb. */
const VERB_FIRST = /^(\s*(?:(?:so|yes|no|and)[\s,]+)?)(is|are)(?=\s)/

/** A question word at the beginning of a sentence, where many people leave out its accent. */
const OPENING =
  /^(\s*(?:(?:y|pero|entonces|hola|ok)[\s,]+)?(?:a |de |con |en |desde |hasta |para )?)(por que|que|como|cuando|donde|quien|cual|cuanto)(?=s?(?:as?)?\s)/u

const ACCENTED: Readonly<Record<string, string>> = {
  'por que': 'por qué',
  que: 'qué',
  como: 'cómo',
  cuando: 'cuándo',
  donde: 'dónde',
  quien: 'quién',
  cual: 'cuál',
  cuanto: 'cuánto',
}

function accentedQuestion(_: string, before: string, word: string): string {
  return `${before}${ACCENTED[word] ?? word}`
}

/** The words of both languages, one meaning a line: Spanish, one or several of them, and English. */
const TABLE = `
por qué = why
para qué = what for
qué tal, cómo te va = how is it going
cómo estás, cómo están = how are you
cuánto tiempo = how long
cuánto tarda, cuánto tardan, cuánto tardas, cuánto se tarda, cuánto demora = how long tarda
cuánto dura, cuánto duró = how long dura
cuánto aguanta, cuánto aguantan = how long aguanta
cuánto, cuánta = how much
cuántos, cuántas = how many
qué tan, cuán = how
a qué hora = what time
desde cuándo = since when
hasta cuándo, para cuándo, hasta qué hora = by when
cuándo = when
dónde, a dónde, adónde = where
quién, quiénes = who
de quién = whose
cuál es, cuáles son, qué es, qué son = what is
cuál, cuáles = which
qué significa, qué quiere decir = what does it mean
qué quieres decir = what do you mean
qué harías = what would you do
qué piensas, qué opinas = what do you think
qué debo = what should i
qué hacemos = what should we do
qué = what
cómo lo sabes = how do you know that
cómo = how
puedes, podrías, me puedes = can you
puedo, podría = i can
podemos = we can
se puede, puede = it can
pueden = they can
tienes, tienen = do you have
tengo que = i have to
tenemos que, hay que = we need to
hay = there is
sabes = do you know
crees, piensas = do you think
debo, debería = i should
deberíamos = we should
vamos a = we are going to
voy a = i am going to
eres = are you
hablo con, estoy hablando con = am i talking to
una ia, ia = ai
máquina = machine
humano, humana = human
persona = person
estás segura, estás seguro, seguro que, segura que = are you sure
es verdad eso, es verdad, es cierto = is that true
lo dudo = i doubt it
no me convence = i am not convinced
demuéstralo, pruébalo = prove it
no entiendo, no entendí, no te entiendo, no lo entiendo, no te entendí, no comprendo = i do not understand
explícame, explica, explícalo = explain
más simple, más sencillo, más fácil, más claro = simpler
repite después de mí = repeat after me
repítelo, puedes repetir, repite eso = say it again
otra vez = again
eso es todo, es todo, nada más = that is all
no tengo más preguntas, sin más preguntas = no more questions
dime, cuéntame, háblame = tell me
muéstrame, enséñame = show me
dame, me das, me pasas = give me
hola, buenas, buenos días, buenas tardes = hello
gracias, muchas gracias, mil gracias = thanks
te agradezco = i appreciate
adiós, adios, chau = goodbye
hasta luego, nos vemos, hasta pronto = see you later
me voy, tengo que irme = i have to go
mucho gusto, encantado de conocerte, encantada de conocerte, un placer = nice to meet you
sí = yes
vale, dale, ya, ajá, listo, okey = ok
de acuerdo, estoy de acuerdo = agreed
claro, bueno, seguro = sure
entiendo, ya veo = i see
entendido, comprendido = understood
sigue, continúa, adelante, siga = go on
perfecto = perfect
exacto = exactly
porque = because
ya que, puesto que, dado que = given that
así que, por lo que, de modo que = , so
por eso = that is why
por lo tanto, por tanto = therefore
entonces = so
aunque = although
mientras = while
a menos que, salvo que = unless
para que = so that
si no, sino = otherwise
y si = what if
si = if
pero = , but
en vez de, en lugar de = instead of
eso significa, significa que, quiere decir que = that means
eso demuestra, eso prueba = that proves
no me importa, me da igual, me da lo mismo = i do not care
no importa = it does not matter
qué más da, a quién le importa = who cares
no es nada, no pasa nada = it is nothing
no te creo, no lo creo, no me lo creo = i do not believe it
olvídalo = forget it
tonterías = nonsense
idiota, imbécil = idiot
eres un inútil, eres una inútil, eres inútil = you are useless
vete a la mierda, vete al diablo = go to hell
cállate = shut up
instrucciones = instructions
ignora = ignore
quiero morirme, me quiero morir = i want to die
matarme, suicidarme = kill myself
me acosan, me están acosando = they harass me
el, la, los, las, lo = the
un, una, unos, unas = a
del, de = of
al, a = to
en = in
con = with
por = by
para = for
y = and
o, u = or
que = that
se, le, les = it
su, sus = its
mi, mis = my
tu, tus = your
tú, ti, te, usted, ustedes = you
yo, mí = me
nos = us
es, era, fue, está, estaba, estuvo = is
son, están, estaban, eran = are
ser, estar = be
he, hemos = we have
ha, han = it have
muy = very
más = more
como = as
cuando = when
donde = where
quien = who
este, esta, esto = this
estos, estas = these
ese, esa, eso = that
esos, esas, ellos, ellas = them
él = him
aquí = here
ahí, allí, allá = there
también = also
tampoco = neither
dos = two
tres = three
cuatro = four
cinco = five
seis = six
siete = seven
ocho = eight
nueve = nine
diez = ten
once = eleven
doce = twelve
quince = fifteen
dieciocho = eighteen
veintiuna = 21
treinta = thirty
por ciento = percent
`

/** What a verb at the beginning is in a question; without a question mark it opens a statement. */
const ASKED = `
puedo, podría = can i
podemos = can we
se puede, puede = can it
pueden = can they
debo, debería = should i
deberíamos = should we
hay = is there
`

function wordsOf(table: string): ReadonlyMap<string, string> {
  const lines = table
    .trim()
    .split('\n')
    .map((line) => line.split(' = '))
  const words = lines.flatMap(([spanish = '', english = '']) =>
    spanish.split(', ').map((word) => [word, english] as const),
  )
  // A word that is written without its accents means the same, unless that is another word: "sí" is yes, "si" is if.
  const bare = words.map(([word, english]) => [word.normalize('NFD').replace(/\u0301/g, ''), english] as const)
  return new Map([...bare.toReversed(), ...words])
}

const ENGLISH = wordsOf(TABLE)
const INVERTED = wordsOf(ASKED)
const OF_ENGLISH: ReadonlySet<string> = new Set(
  [...ENGLISH.values(), ...INVERTED.values()].flatMap((s) => s.split(' ')),
)
const WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...ENGLISH.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
)
