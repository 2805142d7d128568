export { getAttestationHash } from './attestation/getAttestationHash.ts'
export {
  type AttestationHashParameters,
  getAttestationTypedData,
} from './attestation/getAttestationTypedData.ts'
export { type Outcome, outcomes } from './attestation/outcome.ts'
export { type AttestorSignature, packAttestations } from './attestation/packAttestations.ts'
export { encodeClaim } from './calls/encodeClaim.ts'
export { type EncodeDepositParameters, encodeDeposit } from './calls/encodeDeposit.ts'
export { encodeOrderCalls } from './calls/encodeOrderCalls.ts'
export { type CosignedWithdrawal, encodeWithdraw } from './calls/encodeWithdraw.ts'
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
export { type CheckOrderBoundsResult, checkOrderBounds } from './order/checkOrderBounds.ts'
export { type DecodePaymasterAndDataResult, decodePaymasterAndData } from './order/decodePaymasterAndData.ts'
export { encodePaymasterAndData } from './order/encodePaymasterAndData.ts'
export { getOrderHash } from './order/getOrderHash.ts'
export { getOrderTypedData, type OrderHashParameters } from './order/getOrderTypedData.ts'
export { isSponsorship } from './order/isSponsorship.ts'
export type { Debit, Order, OrderSigner, UnsignedOrder } from './order/order.ts'
export { decodeOrderMarker, encodeOrderMarker, type OrderMarker } from './order/orderMarker.ts'
export { type PackedOperation, packOperation } from './order/packOperation.ts'
export { signerId } from './order/signerId.ts'
export { stubOperatorSignature } from './order/stubOperatorSignature.ts'
export { maximumSpendable } from './plan/maximumSpendable.ts'
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
export { planOrder } from './plan/planOrder.ts'
export { toDebits } from './plan/toDebits.ts'
export type { Failure } from './result.ts'
export { encodeSettleBatch, type Settling } from './settlement/encodeSettleBatch.ts'
export { type OrderRecord, readOrderRecord } from './settlement/readOrderRecord.ts'
export { type SettledOperation, toSettledOperation } from './settlement/toSettledOperation.ts'
export type { ExpectedOrder } from './verify/expectedOrder.ts'
export {
  type VerifyOrderCallsParameters,
  type VerifyOrderCallsResult,
  verifyOrderCalls,
} from './verify/verifyOrderCalls.ts'
export {
  type OrderField,
  type VerifyOrderOperationParameters,
  type VerifyOrderOperationResult,
  verifyOrderOperation,
} from './verify/verifyOrderOperation.ts'
export { getWithdrawalHash } from './withdrawal/getWithdrawalHash.ts'
export { getWithdrawalTypedData, type WithdrawalHashParameters } from './withdrawal/getWithdrawalTypedData.ts'
export type { Withdrawal } from './withdrawal/withdrawal.ts'
