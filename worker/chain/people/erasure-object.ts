import { DurableObject } from 'cloudflare:workers'
import { readConfig } from '../../env.ts'
import { log, nameOf } from '../../log.ts'
import { migrateChain } from '../migrate.ts'
import { openScope } from '../open-scope.ts'
import type { Scope } from '../scope.ts'
import { beginErasure } from './begin-erasure.ts'
import type { ErasureStep } from './erasure.ts'
import type { ErasureStart, ErasureJob } from './erasing.ts'
import { erasingIn } from './erasing-objects.ts'
import { nextPiece } from './next-piece.ts'

/** Pieces that are done before the alarm is asked for anew, so that no run of it is long. */
const PIECES = 20
/** When it is tried again after it failed, or after somebody died in it, in milliseconds; twice as long each time. */
const AGAIN_MS = 1_000
const LONGEST_MS = 600_000

const JOB = 'job'
const MISSES = 'misses'

/**
 * Carries out one erasure, piece by piece, from its alarm: named by the erasure, and until it is done the only place that
 * knows whom it is about. How far it has come stands in the database, written with what was done; so whatever dies, the
 * alarm brings it back to exactly there. When all is done nothing of it is left here.
 */
export class ErasureObject extends DurableObject<object> {
  /** Takes an erasure over. Once this has answered `begun`, it is carried out. */
  async begin(job: ErasureJob): Promise<ErasureStart> {
    // The alarm is a row of the same storage: whoever dies from here on has begun or has not.
    this.ctx.storage.kv.put(JOB, job)
    await this.ctx.storage.setAlarm(Date.now())
    const begun = await this.#begin(job)
    if (begun.type !== 'begun') await this.ctx.storage.deleteAll()
    return begun
  }

  override async alarm(): Promise<void> {
    const job = this.ctx.storage.kv.get<ErasureJob>(JOB)
    if (job === undefined) return
    // Before anything is done: the platform gives an alarm up whose handler has died a few times.
    const misses = this.ctx.storage.kv.get<number>(MISSES) ?? 0
    this.ctx.storage.kv.put(MISSES, misses + 1)
    await this.ctx.storage.setAlarm(Date.now() + Math.min(AGAIN_MS * 2 ** misses, LONGEST_MS))
    try {
      const begun = await this.#begin(job)
      const isLeft = begun.type === 'begun' && (await this.#erase(job))
      await (isLeft ? this.ctx.storage.setAlarm(Date.now()) : this.ctx.storage.deleteAll())
    } catch (error) {
      log('erasure-failed', { erasure: job.id, misses, error: nameOf(error) })
    }
  }

  /** Called before and after every piece. Nothing here; a build for tests dies at it. */
  protected probe(_piece: ErasureStep | 'begin', _when: 'before' | 'after'): void | Promise<void> {}

  async #begin(job: ErasureJob): Promise<ErasureStart> {
    await this.probe('begin', 'before')
    const begun = await beginErasure(await this.#scope(job), job)
    await this.probe('begin', 'after')
    return begun
  }

  /** @returns whether anything is left to be done */
  async #erase(job: ErasureJob): Promise<boolean> {
    const scope = await this.#scope(job)
    for (let pieces = 0; pieces < PIECES; pieces += 1) {
      const piece = await nextPiece(scope, job)
      if (piece === null) {
        log('erasure-done', { erasure: job.id })
        return false
      }
      // Whoever reads that it is done may rely on nobody knowing any more whom it was about.
      if (piece.step === 'close') this.ctx.storage.kv.put(JOB, { ...job, person: { ...job.person, ids: [] } })
      await this.probe(piece.step, 'before')
      await piece.act()
      this.ctx.storage.kv.delete(MISSES)
      await this.probe(piece.step, 'after')
    }
    return true
  }

  async #scope({ tenant }: ErasureJob): Promise<Scope> {
    const { env } = this
    const { DB: db } = env as { readonly DB: D1Database }
    const { learnerSecret: secret, signing } = readConfig({ ...env }).trust
    await migrateChain(db)
    const conversations = { transcript: () => Promise.resolve(null) }
    return openScope({
      db,
      tenant,
      by: 'walkon',
      secret,
      conversations,
      erasing: erasingIn(env, tenant === signing.deployment),
    })
  }
}
