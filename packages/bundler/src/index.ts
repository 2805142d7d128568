export { maxTransactionGas, transactionGas } from './bundle-gas.ts'
export type { Bundler, EstimateRequest, GasEstimate } from './bundler.ts'
export { type BundlerDependencies, createBundler } from './create-bundler.ts'
export { type DecodedRevert, decodeRevert } from './decode-revert.ts'
export { type Checkpoint, type CheckpointName, checkpoints } from './embedded/checkpoints.ts'
export { defaultRelayerSettings, type RelayerSettings } from './embedded/settings.ts'
export { toOperation, toSignedOperation, withAuthorization } from './operation-row.ts'
export {
  createRelayerRefill,
  type RefillDependencies,
  type RelayerRefill,
} from './refill/create-relayer-refill.ts'
export { finishRefills } from './refill/finish-refills.ts'
export { sumRefills } from './refill/refill-contents.ts'
export { type RefillEvent, type RefillOutcome, refillOutcomes } from './refill/refill-event.ts'
export { toRequest } from './remote/to-request.ts'
export {
  createTransactionSender,
  type PreparedTransaction,
  type SenderDependencies,
  type TransactionSender,
  type TransactionSource,
} from './sender/create-sender.ts'
export { sumOwnCosts } from './sender/loss-left.ts'
export type { SendOutcome } from './sender/node-rejections.ts'
export type { TransactionContents } from './sender/send-transaction.ts'
export {
  type SenderEvent,
  type SenderEventKind,
  type SenderReason,
  senderEvents,
} from './sender/sender-event.ts'
export { defaultSenderSettings, type SenderSettings } from './sender/settings.ts'
export { type SenderStep, senderSteps } from './sender/steps.ts'
export { raisedFees } from './sender/transaction-fees.ts'
