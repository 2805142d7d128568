import type { PreparedPayment } from './prepare-operation.ts'

/** Seconds that a payment needs from the signature to its inclusion in a block. */
const inclusionMargin = 20

/** When it is too late to sign a payment, milliseconds since 1970. */
export const payableUntil = ({ validUntil }: Pick<PreparedPayment, 'validUntil'>): number =>
  (validUntil - inclusionMargin) * 1_000
