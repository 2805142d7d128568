/*
 * The protocol's constants, equal to those of packages/onchain/contracts/smart-balance/Constants.sol. Times
 * are in seconds, amounts in 6-decimal units of the settlement token.
 */

/** M, MAX_VALIDITY: the longest time from a claim to its order's validUntil. */
export const maxValidity = 600

/** W, SETTLEMENT_WINDOW: how long after its validUntil an order may be settled. */
export const settlementWindow = 561_600

/** MAX_SETTLEMENT_LEAD: how far ahead the validUntil of an order may be when it is settled. */
export const maxSettlementLead = 3_600

/** PAUSE_BUDGET: how long settlement can be paused in any `pausePeriod`. */
export const pauseBudget = 129_600

/** PAUSE_PERIOD. */
export const pausePeriod = 1_209_600

/**
 * EXIT_DELAY: how long an exit waits; longer than the settlement of anything that the account owes can take.
 */
export const exitDelay = 604_800

/** SIGNER_REMOVAL_DELAY: how long a removed signer remains valid. */
export const signerRemovalDelay = 86_400

/**
 * PROPOSAL_NOTICE: how long before it takes effect a change of the verifier, its attestors or their threshold
 * is announced.
 */
export const proposalNotice = 1_209_600

/** PROPOSAL_LIFETIME: how long after its notice a proposal can be executed. */
export const proposalLifetime = 604_800

/**
 * MAX_FLAT_FEE: maximum charge of an order beyond 1 % of the lent amount, and maximum sum of its failFees.
 */
export const maxFlatFee = 100_000_000n

/**
 * PROBE_GAS: the part of `minimumPostOpGas` in which postOp probes the token. It is used only if an operation
 * fails.
 */
export const probeGas = 80_000n

/** MIN_POST_OP_GAS: postOp's most expensive path is the failure, which estimators do not see. */
export const minimumPostOpGas = 120_000n

/** MAX_SIGNATURE_LENGTH: maximum length of the signature of an operation with an order, bytes. */
export const maxSignatureLength = 2_048

/** The number of debits is one byte of `paymasterAndData` (PaymasterData.sol). */
export const maxDebits = 255

/** `signerUntil` of a signer that is pinned without expiry: the maximum uint48 (Signers.sol). */
export const pinned = 2n ** 48n - 1n
