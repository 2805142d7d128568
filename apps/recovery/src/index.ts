/** Exports for custom scripts. The complete script is `cli.ts`. */
export { connectToAny } from './connect.ts'
export { type RecoveryKit, recoveryKitOf } from './kit/recovery-kit.ts'
export { type FileNetwork, readNetworks } from './networks-file.ts'
export { keyPayer } from './payer/payer.ts'
export { describeMoves, moveOut, previewMoves } from './recover-network.ts'
export { describeError, RecoveryError } from './recovery-error.ts'
export { eoaSigner } from './signers/eoa.ts'
