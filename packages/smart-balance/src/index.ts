export {
  type AttestationHashParameters,
  type AttestorSignature,
  getAttestationHash,
  getAttestationTypedData,
  type Outcome,
  outcomes,
  packAttestations,
} from './attestation.ts'
export {
  type CosignedWithdrawal,
  type EncodeDepositParameters,
  encodeAddSigner,
  encodeCancelExit,
  encodeClaim,
  encodeDeposit,
  encodeFinalizeExit,
  encodeOrderCalls,
  encodeRemoveSigner,
  encodeRequestExit,
  encodeWithdraw,
} from './calls.ts'
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
export {
  type DecodePaymasterAndDataResult,
  decodePaymasterAndData,
} from './order/decode-paymaster-and-data.ts'
export {
  type CheckOrderBoundsResult,
  checkOrderBounds,
  type Debit,
  isSponsorship,
  type Order,
  type OrderSigner,
  type UnsignedOrder,
} from './order/order.ts'
export {
  encodePaymasterAndData,
  getOrderHash,
  getOrderTypedData,
  type OrderHashParameters,
  type PackedOperation,
  packOperation,
  signerId,
  stubOperatorSignature,
} from './order/order-hash.ts'
export { decodeOrderMarker, encodeOrderMarker, type OrderMarker } from './order/order-marker.ts'
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
export { planOrder, toDebits } from './plan/plan-order.ts'
export type { Failure } from './result.ts'
export {
  encodeSettleBatch,
  type OrderRecord,
  readOrderRecord,
  type SettledOperation,
  type Settling,
  toSettledOperation,
} from './settlement.ts'
export {
  decodeTokenFee,
  encodeTokenFee,
  encodeTokenFeeApproval,
  getTokenFeeHash,
  getTokenFeeTypedData,
  maximumTokenFee,
  type TokenFee,
  type UnsignedTokenFee,
} from './token-fee/token-fee.ts'
export {
  type ExpectedOrder,
  type OrderField,
  type VerifyOrderCallsParameters,
  type VerifyOrderCallsResult,
  type VerifyOrderOperationParameters,
  type VerifyOrderOperationResult,
  verifyOrderCalls,
  verifyOrderOperation,
} from './verify-order.ts'
export {
  getWithdrawalHash,
  getWithdrawalTypedData,
  type Withdrawal,
  type WithdrawalHashParameters,
} from './withdrawal.ts'
