export { maxTransactionGas, transactionGas } from './bundle-gas.ts'
export type { Bundler, EstimateRequest, GasEstimate } from './bundler.ts'
export { type BundlerDependencies, createBundler } from './create-bundler.ts'
export { type DecodedRevert, decodeRevert } from './decode-revert.ts'
export {
  type Checkpoint,
  type CheckpointName,
  checkpoints,
  defaultRelayerSettings,
  type RelayerSettings,
} from './embedded/context.ts'
export { toOperation, toSignedOperation, withAuthorization } from './operation-row.ts'
export { isTokenPaymaster, ownPaymasters, paymasterOf, tokenPaymasters } from './own-paymasters.ts'
export {
  createRelayerRefill,
  type RefillDependencies,
  type RelayerRefill,
} from './refill/create-relayer-refill.ts'
export { type RefillEvent, type RefillOutcome, refillOutcomes } from './refill/refill-event.ts'
export { createTreasury, idleInterval, minPart, sumTransfers, type Transfer } from './refill/treasury.ts'
export { toRequest } from './remote/remote-bundler.ts'
export { defaultSenderSettings, type SenderSettings, type SenderStep, senderSteps } from './sender/context.ts'
export {
  createTransactionSender,
  type PreparedTransaction,
  type SenderDependencies,
  type TransactionSender,
  type TransactionSource,
} from './sender/create-sender.ts'
export { sumOwnCosts } from './sender/loss-left.ts'
export type { SendOutcome } from './sender/send-raw-transaction.ts'
export type { TransactionContents } from './sender/send-transaction.ts'
export {
  type SenderEvent,
  type SenderEventKind,
  type SenderReason,
  senderEvents,
} from './sender/sender-event.ts'
export { raisedFees } from './sender/transaction-fees.ts'
export { type AssetChange, simulateChanges } from './simulation/simulate-changes.ts'
export { type ChargeSimulation, simulateCharge } from './simulation/simulate-charge.ts'
export { isRefusedUnrun } from './simulation/simulate-operation.ts'
