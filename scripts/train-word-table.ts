import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openFile, scenarioFiles } from '../sims/authoring/open-file.ts'
import { clausesOf, isGeneral, weightOf, comparedWords } from '../worker/actor/rehearsal/closeness.ts'
import { knownEntries } from '../worker/actor/rehearsal/entries.ts'
import { askedIn } from '../worker/actor/rehearsal/nearest.ts'
import { languageOf } from '../worker/core/scenario/scenario.ts'
import { dot, principalAxes } from './principal-axes.ts'
import { encodeTable, TABLE_FILE, wordTable } from './word-table-file.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const CORPUS = ['tuning', 'live', 'written'].map((name) => path.join(ROOT, `test/fixtures/heard/${name}.json`))

const STEPS = 4000
/** The number of dimensions that the table keeps: the principal ones of the questions, which tell as much as all. */
const DIMENSIONS = 40
/** How many entries of a colleague are compared in one step, and how many of the others in the same scenario. */
const OWN = 192
const OTHERS = 96
const TEMPERATURE = 0.07
/** How far a step moves the words at first. The steps grow smaller, down to a fiftieth of that. */
const RATE = 0.008
const LEAST_RATE = 0.02
/** How strongly a word is drawn back to the meaning with which it began. */
const PULL = 0.001
/** How often a question gets something said beside it, as people do. */
const BESIDE = 0.6
/** A general word says little at first. */
const GENERAL = 0.15

/** What a message of the corpus is and what answers it. */
interface Labelled {
  readonly colleague: string
  readonly asks: string
  readonly answers: readonly string[]
}

/**
 * Trains the table of questions and writes it behind the table of words in `sims/words/english.bin`:
 *
 *     node scripts/train-word-table.ts
 *
 * The texts are all English questions and answers of the simulations in `sims`, and the labelled messages of
 * `test/fixtures/heard`. A text's vector is the sum of its words' vectors. The training moves the words so that two
 * texts of one entry are closer to each other than to those of the colleague's other entries (the contrastive loss of
 * van den Oord and others, "Representation Learning with Contrastive Predictive Coding", 2018, minimised by the method
 * of Kingma and Ba, "Adam", 2015). The draws have a fixed seed, so the same texts make the same table.
 */
async function main(): Promise<void> {
  const general = await wordTable()
  const labelled = CORPUS.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as readonly Labelled[])
  const scenarios = (await textsOfScenarios(labelled)).map((colleagues) =>
    colleagues.map((entries) => entries.map((texts) => comparedWords(texts))),
  )
  const places = new Map<string, number>()
  for (const word of scenarios.flat(4)) if (!places.has(word)) places.set(word, places.size)
  const placesOf = (words: readonly string[]) => words.flatMap((word) => places.get(word) ?? [])
  const beside = comparedWords(
    labelled.flatMap(({ asks }) => clausesOf(asks).filter((clause) => askedIn(clause).length === 0)),
  )

  const training = new Training(
    [...places.keys()].map((word) => {
      const vector = new Float32Array(general.dimensions)
      general.add(word, vector)
      const weight = isGeneral(word) ? GENERAL : weightOf(word, general)
      return vector.map((value) => (value / 254) * weight)
    }),
    general.dimensions,
  )
  const drawn = scenarios.map((colleagues) =>
    colleagues.map((entries) =>
      entries.map((texts) => texts.map(placesOf).filter(({ length }) => length > 0)).filter(({ length }) => length > 1),
    ),
  )
  training.run(
    drawn,
    beside.map(placesOf).filter(({ length }) => length > 0),
  )
  const axes = principalAxes(training.vectorsOf(drawn.flat(3)), general.dimensions).slice(0, DIMENSIONS)
  const kept = training.words.map((word) => axes.map((axis) => dot(axis, word)))
  const table = encodeTable([...places.keys()], inBytes(kept))
  const file = readFileSync(TABLE_FILE)
  const behind = file.indexOf(0, startOfWords(file))
  writeFileSync(TABLE_FILE, Buffer.concat([behind < 0 ? file : file.subarray(0, behind), Buffer.of(0), table]))
}

/**
 * Returns the texts of each entry of each colleague of each scenario: its questions, its lines, and the messages that it
 * answers.
 */
async function textsOfScenarios(
  labelled: readonly Labelled[],
): Promise<readonly (readonly (readonly (readonly string[])[])[])[]> {
  const files = await Promise.all((await scenarioFiles(path.join(ROOT, 'sims'))).map(openFile))
  const scenarios = files.flatMap((file) => (file.kind === 'scenario' ? [file.scenario] : []))
  return scenarios
    .filter((scenario) => languageOf(scenario) === 'en')
    .map(({ id, npcs }) =>
      npcs.map((npc) => {
        const messages = labelled.filter(({ colleague }) => colleague === `${id}.${npc.id}`)
        return knownEntries(npc).map(({ asks, say, point }) => {
          const heard = messages.filter(({ answers }) => answers.some((answer) => say.includes(answer)))
          return [...asks, ...say, ...(point === null ? [] : [point]), ...heard.map((message) => message.asks)]
        })
      }),
    )
}

/** A text as the places of its words. */
type Text = readonly number[]

/** The words' vectors, and the training that moves them. */
class Training {
  readonly #words: Float32Array
  readonly #first: Float32Array
  readonly #dimensions: number
  readonly #slope: Float32Array
  readonly #mean: Float32Array
  readonly #square: Float32Array
  readonly #draw = random(1)

  constructor(vectors: readonly Float32Array[], dimensions: number) {
    // A word that the table lacks begins anywhere.
    const begun = vectors.map((vector) =>
      vector.some((value) => value !== 0) ? vector : vector.map(() => (this.#draw() - 0.5) * 0.4),
    )
    this.#words = Float32Array.from(begun.flatMap((vector) => [...vector]))
    this.#first = this.#words.slice()
    this.#dimensions = dimensions
    this.#slope = new Float32Array(this.#words.length)
    this.#mean = new Float32Array(this.#words.length)
    this.#square = new Float32Array(this.#words.length)
  }

  /** The vectors of all words. */
  get words(): readonly Float32Array[] {
    return Array.from({ length: this.#words.length / this.#dimensions }, (_, word) => this.#vectorOf(word))
  }

  /** Returns the vectors of texts, each of length one. */
  vectorsOf(texts: readonly Text[]): readonly Float32Array[] {
    return this.#vectorsOf(texts).units
  }

  /** Draws a colleague for each step, by the number of entries, and moves the words. */
  run(scenarios: readonly (readonly (readonly (readonly Text[])[])[])[], beside: readonly Text[]): void {
    const byEntries = scenarios.flatMap((colleagues) =>
      colleagues.flatMap((own) => own.map(() => ({ own, others: colleagues.filter((each) => each !== own).flat() }))),
    )
    let loss = 0
    for (let step = 1; step <= STEPS; step += 1) {
      const { own, others } = this.#pick(byEntries)
      const entries = [...this.#some(own, OWN), ...this.#some(others, OTHERS)]
      const pairs = entries.map((texts) => shuffled(texts, this.#draw))
      const asked = pairs.map(([text = []]) => (this.#draw() < BESIDE ? [...text, ...this.#pick(beside)] : text))
      loss += this.#step(
        asked,
        pairs.map(([, text = []]) => text),
        step,
      )
      if (step % 250 === 0) console.log(`${step} steps of ${STEPS}, loss ${(loss / 250).toFixed(3)}`)
      if (step % 250 === 0) loss = 0
    }
  }

  #some<T>(all: readonly T[], most: number): readonly T[] {
    return shuffled(all, this.#draw).slice(0, most)
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#draw() * all.length)]!
  }

  /** Moves the words so that each text is closer to the other one of its entry; returns the loss before. */
  #step(asked: readonly Text[], other: readonly Text[], step: number): number {
    const [x, y] = [this.#vectorsOf(asked), this.#vectorsOf(other)]
    const [toX, toY] = [zeros(x), zeros(y)]
    let loss = 0
    for (const [row, unit] of x.units.entries()) {
      const likes = y.units.map((each) => dot(unit, each) / TEMPERATURE)
      const most = Math.max(...likes)
      const whole = likes.reduce((sum, like) => sum + Math.exp(like - most), 0)
      loss -= (likes[row]! - most - Math.log(whole)) / x.units.length
      for (const [column, like] of likes.entries()) {
        const excess = Math.exp(like - most) / whole - (row === column ? 1 : 0)
        const slope = excess / (x.units.length * TEMPERATURE)
        addTo(toX[row]!, y.units[column]!, slope)
        addTo(toY[column]!, unit, slope)
      }
    }
    this.#slope.fill(0)
    this.#passOn(asked, x, toX)
    this.#passOn(other, y, toY)
    const rate = RATE * Math.max(LEAST_RATE, 1 - step / STEPS)
    for (let at = 0; at < this.#words.length; at += 1) {
      const slope = this.#slope[at]! + PULL * (this.#words[at]! - this.#first[at]!)
      this.#mean[at] = 0.9 * this.#mean[at]! + 0.1 * slope
      this.#square[at] = 0.99 * this.#square[at]! + 0.01 * slope * slope
      const speed = Math.sqrt(this.#square[at]! / (1 - 0.99 ** step)) + 1e-8
      this.#words[at] = this.#words[at]! - (rate * this.#mean[at]!) / (1 - 0.9 ** step) / speed
    }
    return loss
  }

  #vectorsOf(texts: readonly Text[]): Vectors {
    const sums = texts.map((text) => {
      const sum = new Float32Array(this.#dimensions)
      for (const word of text) addTo(sum, this.#vectorOf(word), 1)
      return sum
    })
    const lengths = sums.map((sum) => Math.sqrt(dot(sum, sum)) + 1e-6)
    return { units: sums.map((sum, at) => sum.map((value) => value / lengths[at]!)), lengths }
  }

  /** Passes the slopes of texts on to their words: a text's length does not count, so the slope along it is left out. */
  #passOn(texts: readonly Text[], { units, lengths }: Vectors, slopes: Rows): void {
    for (const [row, text] of texts.entries()) {
      const slope = slopes[row]!
      addTo(slope, units[row]!, -dot(slope, units[row]!))
      for (const word of text) {
        const own = this.#slope.subarray(word * this.#dimensions, (word + 1) * this.#dimensions)
        addTo(own, slope, 1 / lengths[row]!)
      }
    }
  }

  #vectorOf(word: number): Float32Array {
    return this.#words.subarray(word * this.#dimensions, (word + 1) * this.#dimensions)
  }
}

type Rows = readonly Float32Array[]

interface Vectors {
  readonly units: Rows
  readonly lengths: readonly number[]
}

function zeros({ units }: Vectors): Rows {
  return units.map(({ length }) => new Float32Array(length))
}

function addTo(sum: Float32Array, vector: Float32Array, times: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = sum[at]! + vector[at]! * times
}

function shuffled<T>(all: readonly T[], draw: () => number): readonly T[] {
  const left = [...all]
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = Math.floor(draw() * (at + 1))
    ;[left[at], left[other]] = [left[other]!, left[at]!]
  }
  return left
}

/** Returns a generator of numbers from 0 to 1 (mulberry32), the same ones for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Rounds vectors to bytes, the longest component to 127. */
function inBytes(rows: readonly (readonly number[])[]): Int8Array {
  const values = Float32Array.from(rows.flat())
  const most = values.reduce((longest, value) => Math.max(longest, Math.abs(value)), 0)
  return Int8Array.from(values, (value) => Math.round((value / most) * 127))
}

/** Returns where the words begin in a file of a table. */
function startOfWords(file: Buffer): number {
  return 8 + file.readUInt32LE(0) * file.readUInt32LE(4)
}

await main()
