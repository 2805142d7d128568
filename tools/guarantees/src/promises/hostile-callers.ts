/** A tested attack by a hostile caller. */
export interface HostileAttempt {
  /** The attack's number. A: it takes money. B: it locks somebody out, or stalls. */
  readonly number: string
  readonly attempt: string
  /** The service that the victim still gets in each of the tests. */
  readonly victim: string
  /** The attack's name in `pnpm bench hostile`. Absent if the attack uses no shared resources. */
  readonly bench?: string
  /** Test files from the root: vitest's, or Solidity for forge. */
  readonly files: readonly [string, ...string[]]
}

const attacks = (...names: [string, ...string[]]) =>
  // map keeps the length
  names.map((name) => `packages/onchain/contracts/test/attacks/${name}.t.sol`) as [string, ...string[]]

/** The chapter "Hostile callers" of docs/promises.md. */
export const hostileAttempts: readonly HostileAttempt[] = [
  {
    number: 'A.1',
    attempt:
      "Hide the owner's signature from settlement: handleAggregatedOps, a forwarding contract, padding",
    victim: 'each debit is collected',
    files: [
      ...attacks('StealByHidingTheSignature', 'MakeSettlementUneconomic'),
      'apps/api/test/settlement/settlement.test.ts',
    ],
  },
  {
    number: 'A.2',
    attempt: 'Prepare governance in secret',
    victim: 'users are told 14 days in advance, and can leave in 7',
    files: [...attacks('PrepareGovernanceInSecret'), 'apps/api/test/settlement/contract-watch.test.ts'],
  },
  {
    number: 'A.3',
    attempt: 'Collect failFees by lowering the cap or removing liquidity',
    victim: 'no failFee is due',
    files: [...attacks('CollectFailFees'), 'apps/api/test/settlement/outflow-cap.test.ts'],
  },
  {
    number: 'A.4',
    attempt: 'Settle two builds of one nonce',
    victim: 'one settlement for each nonce and network',
    files: attacks('SettleTwoBuildsOfOneNonce'),
  },
  {
    number: 'A.5',
    attempt: "Drain the gas deposit with the operator's key",
    victim: "later operations are sponsored; at most an hour's budget is lost",
    files: ['apps/api/test/settlement/top-up.test.ts'],
  },
  {
    number: 'A.6',
    attempt: "Exceed a session key's limits: modules, approvals that outlive it, other approving functions",
    victim: 'approvals end with their operation, and modules stay out of reach',
    files: attacks('SessionCallsModule', 'SessionApprovalOutlives', 'SessionApprovesOtherwise'),
  },
  {
    number: 'A.7',
    attempt: 'Burn gas with orders without debits that revert, from many accounts',
    victim: 'the operator loses at most the budgets of the policy that pays',
    files: ['apps/api/test/orders/order-policies.test.ts'],
  },
  {
    number: 'A.8',
    attempt: 'Use the powers of another role; renounce ownership',
    victim: 'each power stays with its role',
    files: attacks('UsePowersOfOthers'),
  },
  {
    number: 'A.9',
    attempt: 'Re-enter; spend an allowance twice in a later period',
    victim: 'one payment, and one allowance in each period',
    files: attacks('Reenter', 'SessionSpendsTwice'),
  },
  {
    number: 'A.10',
    attempt: 'Rely on a power that SECURITY.md denies',
    victim: 'each row of its table is true on chain',
    files: attacks('UsePowersOfOthers', 'SettleTwoBuildsOfOneNonce', 'CollectFailFees'),
  },
  {
    number: 'A.11',
    attempt: 'Make the wallet later pay for something signed offline',
    victim: 'nothing is paid without a current request',
    files: ['apps/wallet/e2e/connection.e2e.ts'],
  },
  {
    number: 'B.12',
    attempt: "Make an owner's build unsubmittable by 1,000 others",
    victim: "the owner's build is submitted and included",
    bench: 'under builds by third parties',
    files: ['apps/api/test/hostile/foreign-builds.test.ts', 'apps/api/test/hostile/thousand-builds.test.ts'],
  },
  {
    number: 'B.13',
    attempt: 'Stall others with wrong signatures',
    victim: "the owner's signature is found and included",
    bench: 'under wrong signatures',
    files: ['apps/api/test/hostile/wrong-signatures.test.ts'],
  },
  {
    number: 'B.14',
    attempt: 'Hide newer work behind old work, poison a queue, revert on chain continuously',
    victim: 'newer work is done in the same pass',
    bench: 'beside 8 operations',
    files: [
      'apps/api/src/domain/smart-balance/settlement/tracked-orders.test.ts',
      'packages/bundler/src/embedded/old-operations.test.ts',
      'packages/bundler/src/embedded/reverted-bundles.test.ts',
    ],
  },
  {
    number: 'B.15',
    attempt: 'Fill the queue in front of a slow RPC',
    victim: 'an immediate rejection with Retry-After',
    bench: 'under builds on a slow network',
    files: ['apps/api/src/transport/http/slow-network.test.ts', 'packages/networks/src/faults.test.ts'],
  },
  {
    number: 'B.16',
    attempt: 'Register a misleading name',
    victim: 'the paid address is shown',
    files: [
      'packages/contracts/src/primitives/username-refusal.test.ts',
      'packages/database/src/migrations/0013-username-skeletons.test.ts',
    ],
  },
  {
    number: 'B.17',
    attempt: 'Sign in from an origin that is not configured',
    victim: 'configured origins sign in',
    files: ['apps/api/test/access/origins.test.ts'],
  },
  {
    number: 'B.18',
    attempt: 'Request costly reads a thousand times a minute',
    victim: "the victim's own reads are answered",
    bench: 'under costly reads',
    files: ['apps/api/test/access/costly-reads.test.ts'],
  },
]
