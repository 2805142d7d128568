import type { Address } from 'viem'
import { keepLease, type Lease, LeaseLost, releaseLease, takeLease } from '../sender/lease.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import type { EmbeddedContext, Turn } from './context.ts'

/**
 * A relayer in this process: one pass at a time, under a lease that is kept for a moment after each, so that the next
 * bundle need not take it again nor ask the chain for its nonce. The rows stay the truth: whoever takes the lease anew
 * reads them, and each write renews it or is refused.
 */
export class RelayerTurn implements Turn {
  /** Where the nonces stand as of this lease; undefined: to be read. */
  state: NonceState | undefined
  readonly #context: EmbeddedContext
  readonly #relayer: Address
  readonly #released: () => Promise<void>
  #held: { readonly lease: Lease; readonly since: number } | undefined
  #last: Promise<unknown> = Promise.resolve()
  #running = 0
  /** The last pass has sent all that it could see. */
  #isDrained = false
  #lingering: NodeJS.Timeout | undefined

  /** @param released - called when the lease was given back after a pass that answered true */
  constructor(context: EmbeddedContext, relayer: Address, released: () => Promise<void>) {
    this.#context = context
    this.#relayer = relayer
    this.#released = released
  }

  /** @returns undefined when another process has the relayer, or took it over meanwhile */
  run<T>(pass: (lease: Lease) => Promise<T>): Promise<T | undefined> {
    return this.#serially(async () => {
      const lease = await this.#hold()
      if (!lease) return undefined
      const stopRenewing = keepLease(this.#context, lease)
      this.#isDrained = false
      try {
        const result = await pass(lease)
        this.#isDrained = result === true
        return result
      } catch (error) {
        this.state = undefined
        if (!(error instanceof LeaseLost)) throw error
        this.#held = undefined
        return undefined
      } finally {
        stopRenewing()
        await this.#linger()
      }
    })
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#lingering)
    this.#running++
    const mine = this.#last.then(work).finally(() => {
      this.#running--
    })
    this.#last = mine.catch(() => {})
    return mine
  }

  async #hold(): Promise<Lease | undefined> {
    const context = this.#context
    const now = context.now().getTime()
    if (this.#held && now < this.#held.since + context.settings.leaseDuration / 2) return this.#held.lease
    const before = this.#held?.lease
    const lease = (await takeLease(context, this.#relayer)) ?? undefined
    this.#held = lease && { lease, since: now }
    // A larger step: somebody else has sent meanwhile.
    if (!before || lease?.fence !== before.fence + 1) this.state = undefined
    if (lease && !before) await context.checkpoint('lease-taken')
    return lease
  }

  /** Gives the relayer back soon, unless another pass comes first. */
  async #linger(): Promise<void> {
    if (this.#running > 1) return
    const { linger } = this.#context.settings
    if (linger === 0) return this.#release()
    this.#lingering = setTimeout(() => {
      this.#serially(() => this.#release()).catch(() => {}) // it expires by itself
    }, linger)
    this.#lingering.unref()
  }

  async #release(): Promise<void> {
    const held = this.#held
    if (!held) return
    this.#held = undefined
    this.state = undefined
    await releaseLease(this.#context, held.lease)
    await this.#context.checkpoint('lease-released')
    if (this.#isDrained) void this.#released().catch(() => {}) // the worker looks again, too
  }
}
