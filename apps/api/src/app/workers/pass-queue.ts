import { setTimeout as delay } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Seconds until the next pass over a network: soon while something is unfinished, else now and then. */
const pauseBusy = 1
const pauseIdle = 3

/** Seconds after which a pass has lost its process. */
const passTimeout = 60

/** Milliseconds after which every process sees to it that a job waits. */
const renewal = 5_000

/** Milliseconds that the start waits for the first pass: a network that does not answer must not hold it up. */
const firstPassBound = 2_000

export interface PassQueue {
  /** What the passes do: with the chain id, the name of the queue. */
  readonly name: string
  /** Absent: they are not about one network. */
  readonly network?: number
  /** Whether something is unfinished; asks the database only. */
  readonly hasWork: () => Promise<boolean>
  /** Can be repeated, and run at once with another. What it throws is logged, and the next pass goes on. */
  readonly pass: () => Promise<unknown>
}

/**
 * Repeats a pass, for most over one network, for as long as the service runs: a durable job that leaves the next one behind before
 * it begins, and that is renewed where a process or the database failed in between. Each network has a queue of its own,
 * so that one that does not answer slows no other. Any number of replicas share the work, and when one dies another
 * takes up the next job.
 */
export async function startPassQueue(
  boss: PgBoss,
  log: Logger,
  { name, network, hasWork, pass }: PassQueue,
): Promise<void> {
  const queue = network === undefined ? name : `${name}-${network}`
  const passIfNeeded = async () => {
    if (await hasWork()) await pass()
  }
  const tryPass = async (once: () => Promise<unknown>) => {
    try {
      await once()
    } catch (error) {
      log.warn({ err: error, network, queue: name }, 'a pass failed; the next one goes on')
    }
  }

  // `short`: one job waits at most, while another may still run.
  await boss.createQueue(queue, {
    policy: 'short',
    retryLimit: 0,
    expireInSeconds: passTimeout,
    deleteAfterSeconds: passTimeout,
  })
  await boss.work(queue, { batchSize: 1, pollingIntervalSeconds: 0.5 }, async () => {
    const busy = await hasWork()
    await boss.send(queue, {}, { startAfter: busy ? pauseBusy : pauseIdle })
    if (busy) await tryPass(pass)
  })
  await boss.send(queue, {}, { startAfter: pauseBusy })
  const renew = () =>
    boss.send(queue, {}, { startAfter: pauseBusy }).catch((error) => {
      log.warn({ err: error, network, queue: name }, 'the next pass could not be arranged')
    })
  const renewing = setInterval(renew, renewal)
  boss.once('stopped', () => clearInterval(renewing))
  // What an earlier process left behind does not wait for its turn.
  await Promise.race([tryPass(passIfNeeded), delay(firstPassBound)])
}
