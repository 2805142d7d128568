export { getAttestationHash } from './attestation/get-attestation-hash.ts'
export {
  type AttestationHashParameters,
  getAttestationTypedData,
} from './attestation/get-attestation-typed-data.ts'
export { type Outcome, outcomes } from './attestation/outcome.ts'
export { type AttestorSignature, packAttestations } from './attestation/pack-attestations.ts'
export { encodeClaim } from './calls/encode-claim.ts'
export { type EncodeDepositParameters, encodeDeposit } from './calls/encode-deposit.ts'
export { encodeOrderCalls } from './calls/encode-order-calls.ts'
export { type CosignedWithdrawal, encodeWithdraw } from './calls/encode-withdraw.ts'
export { encodeCancelExit, encodeFinalizeExit, encodeRequestExit } from './calls/exits.ts'
export { encodeAddSigner, encodeRemoveSigner } from './calls/signers.ts'
export {
  exitDelay,
  maxDebits,
  maxFlatFee,
  maxSettlementLead,
  maxSignatureLength,
  maxValidity,
  minimumPostOpGas,
  pauseBudget,
  pausePeriod,
  pinned,
  probeGas,
  proposalLifetime,
  proposalNotice,
  settlementWindow,
  signerRemovalDelay,
} from './constants.ts'
export { SmartBalanceError, type SmartBalanceErrorCode } from './errors.ts'
export { type CheckOrderBoundsResult, checkOrderBounds } from './order/check-order-bounds.ts'
export {
  type DecodePaymasterAndDataResult,
  decodePaymasterAndData,
} from './order/decode-paymaster-and-data.ts'
export { encodePaymasterAndData } from './order/encode-paymaster-and-data.ts'
export { getOrderHash } from './order/get-order-hash.ts'
export { getOrderTypedData, type OrderHashParameters } from './order/get-order-typed-data.ts'
export { isSponsorship } from './order/is-sponsorship.ts'
export type { Debit, Order, OrderSigner, UnsignedOrder } from './order/order.ts'
export { decodeOrderMarker, encodeOrderMarker, type OrderMarker } from './order/order-marker.ts'
export { type PackedOperation, packOperation } from './order/pack-operation.ts'
export { signerId } from './order/signer-id.ts'
export { stubOperatorSignature } from './order/stub-operator-signature.ts'
export { maximumSpendable } from './plan/maximum-spendable.ts'
export type {
  AvailableDeposit,
  OrderPlan,
  PlanInput,
  PlannedDebit,
  PlanProblem,
  PlanResult,
  PlanType,
  Terms,
} from './plan/plan.ts'
export { planOrder } from './plan/plan-order.ts'
export { toDebits } from './plan/to-debits.ts'
export type { Failure } from './result.ts'
export { encodeSettleBatch, type Settling } from './settlement/encode-settle-batch.ts'
export { type OrderRecord, readOrderRecord } from './settlement/read-order-record.ts'
export { type SettledOperation, toSettledOperation } from './settlement/to-settled-operation.ts'
export type { ExpectedOrder } from './verify/expected-order.ts'
export {
  type VerifyOrderCallsParameters,
  type VerifyOrderCallsResult,
  verifyOrderCalls,
} from './verify/verify-order-calls.ts'
export {
  type OrderField,
  type VerifyOrderOperationParameters,
  type VerifyOrderOperationResult,
  verifyOrderOperation,
} from './verify/verify-order-operation.ts'
export { getWithdrawalHash } from './withdrawal/get-withdrawal-hash.ts'
export {
  getWithdrawalTypedData,
  type WithdrawalHashParameters,
} from './withdrawal/get-withdrawal-typed-data.ts'
export type { Withdrawal } from './withdrawal/withdrawal.ts'
