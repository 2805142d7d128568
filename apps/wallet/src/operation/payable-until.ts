import type { PreparedPayment } from './prepare-operation.ts'

/** Seconds that a payment needs from signature to inclusion. */
const inclusionMargin = 20

/** The latest time to sign a payment, in milliseconds since 1970. */
export const payableUntil = ({ validUntil }: Pick<PreparedPayment, 'validUntil'>): number =>
  (validUntil - inclusionMargin) * 1_000
