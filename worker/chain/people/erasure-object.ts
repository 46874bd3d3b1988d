import { DurableObject } from 'cloudflare:workers'
import { readConfig } from '../../env.ts'
import { log, nameOf } from '../../log.ts'
import { databaseOf } from '../database-of.ts'
import { migrateChain } from '../migrate.ts'
import { openScope } from '../open-scope.ts'
import type { Scope } from '../scope.ts'
import { beginErasure } from './begin-erasure.ts'
import type { ErasureStep } from './erasure.ts'
import type { ErasureStart, ErasureJob } from './erasing.ts'
import { erasingIn } from './erasing-objects.ts'
import { nextPiece } from './next-piece.ts'

/** The most pieces of an erasure that one alarm carries out, so that no alarm runs long. */
const PIECES = 20
/** The delay before the next attempt after a failure, in milliseconds. The delay doubles with each failure. */
const AGAIN_MS = 1_000
const LONGEST_MS = 600_000

const JOB = 'job'
const MISSES = 'misses'

/**
 * Carries out one erasure, piece by piece, from its alarm. Of all records about the erasure, only this object's job
 * names the person. The progress is stored in a database row, in the same transaction as each piece. So after a crash,
 * the next alarm continues with the piece that was not finished. When the erasure is done, the object deletes its own
 * data.
 */
export class ErasureObject extends DurableObject<object> {
  /** Accepts an erasure. If the result is `begun`, the erasure will be carried out. */
  async begin(job: ErasureJob): Promise<ErasureStart> {
    // The alarm is a row of the same storage, so the job and the alarm are written together or not at all.
    this.ctx.storage.kv.put(JOB, job)
    await this.ctx.storage.setAlarm(Date.now())
    const begun = await this.#begin(job)
    if (begun.type !== 'begun') await this.ctx.storage.deleteAll()
    return begun
  }

  override async alarm(): Promise<void> {
    const job = this.ctx.storage.kv.get<ErasureJob>(JOB)
    if (job === undefined) return
    // The next alarm is set before the work, because the platform drops an alarm whose handler has died a few times.
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

  /**
   * Does nothing. The object calls this method before and after every piece, so that a test build can crash the object
   * at any piece.
   */
  protected probe(_piece: ErasureStep | 'begin', _when: 'before' | 'after'): void | Promise<void> {}

  async #begin(job: ErasureJob): Promise<ErasureStart> {
    await this.probe('begin', 'before')
    const begun = await beginErasure(await this.#scope(job), job)
    await this.probe('begin', 'after')
    return begun
  }

  /**
   * Works on the erasure, up to the most pieces of one alarm.
   *
   * @returns true if there may be pieces left
   */
  async #erase(job: ErasureJob): Promise<boolean> {
    const scope = await this.#scope(job)
    for (let pieces = 0; pieces < PIECES; pieces += 1) {
      const piece = await nextPiece(scope, job)
      if (piece === null) {
        log('erasure-done', { erasure: job.id })
        return false
      }
      // The names are deleted from the job first, because nothing may name the person once the database row says
      // `done`.
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
    const db = databaseOf(env, tenant)
    if (!db) throw new Error('there is no database to erase from')
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
