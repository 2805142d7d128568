import { currentMeter } from '../../platform/log/current-request.ts'

/** Bytes of a row of what owners or guardians signed, and of its progress on a network, with indexes. */
const rowBytes = 1_024
const progressBytes = 384

/**
 * Charges what owners and guardians sign to who hands it in, because it is kept forever, whether a network gets it or not.
 *
 * @param texts - hex that the row holds
 * @param networks - those that it waits for
 * @throws RATE_LIMITED when too much was handed in from the caller's address or network today
 */
export function reserveSigned(texts: readonly string[], networks: number): void {
  const bytes = texts.reduce((sum, text) => sum + text.length, rowBytes + networks * progressBytes)
  currentMeter()?.reserveSpace('signed', bytes).charge(bytes)
}
