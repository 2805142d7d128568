import type { Hex } from 'viem'

/**
 * A signature to estimate gas with: 65 bytes, low s, and r the x coordinate of a point, so that `ecrecover` answers
 * some address and costs what it does for the operator's own. SmartBalance answers it with SIG_VALIDATION_FAILED
 * after all the rest of the validation.
 */
export const stubOperatorSignature: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`
