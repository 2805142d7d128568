import type { Hex } from 'viem'

/**
 * A signature for gas estimation: 65 bytes, low s, and r the x coordinate of a point, so that `ecrecover`
 * returns some address and costs as much as for the operator's own signature. SmartBalance returns
 * SIG_VALIDATION_FAILED for it after the rest of the validation.
 */
export const stubOperatorSignature: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`
