import { LanyardError } from '@lanyard/contracts'
import type { Hex } from 'viem'

/** A cloud's key service. Every request ends within its time-out, all attempts together. */
export interface Kms {
  /** @returns `0x04`, x and y, not verified yet. @throws SIGNER_UNAVAILABLE, SIGNER_FAILED */
  readonly publicKey: (id: string) => Promise<Hex>
  /**
   * Signs a digest of 32 bytes.
   *
   * @returns r ‖ s, not verified yet
   * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED
   */
  readonly sign: (id: string, digest: Hex) => Promise<Hex>
}

export interface KmsSettings {
  /** Milliseconds. */
  readonly timeout: number
  /** Another address of the service's API, such as a private endpoint. Default: the public one. */
  readonly endpoint?: string | undefined
}

/** The libraries of credentials have time-outs of their own, which are longer, and do not stop at a signal. */
export const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])

/** A busy or broken service may succeed later; a rejection is permanent. */
export const failedWith = (status: number | undefined, cause: unknown): LanyardError =>
  new LanyardError(
    status === undefined || status >= 500 || status === 429 ? 'SIGNER_UNAVAILABLE' : 'SIGNER_FAILED',
    { cause },
  )

export const unusable = (cause: string): LanyardError => new LanyardError('SIGNER_FAILED', { cause })
