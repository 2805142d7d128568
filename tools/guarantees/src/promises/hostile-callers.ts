/** One way in which a caller who means harm was tried. */
export interface HostileAttempt {
  /** As the audit numbered it: A takes money, B locks out or stalls. */
  readonly number: string
  readonly attempt: string
  /** Files that try it, from the root: vitest's, or Solidity for forge. */
  readonly files: readonly [string, ...string[]]
}

const attacks = (...names: [string, ...string[]]) =>
  names.map((name) => `packages/onchain/contracts/test/attacks/${name}.t.sol`) as [string, ...string[]] // map keeps the length

/** The chapter "Hostile callers" of docs/promises.md. */
export const hostileAttempts: readonly HostileAttempt[] = [
  {
    number: 'A.1',
    attempt:
      "Hide the owner's signature from settlement: handleAggregatedOps, a forwarding contract, padding",
    files: [
      ...attacks('StealByHidingTheSignature', 'MakeSettlementUneconomic'),
      'apps/api/test/settlement/settlement.test.ts',
    ],
  },
  {
    number: 'A.2',
    attempt: 'Prepare governance in secret',
    files: [...attacks('PrepareGovernanceInSecret'), 'apps/api/test/settlement/contract-watch.test.ts'],
  },
  {
    number: 'A.3',
    attempt: 'Collect failFees by taking cap or liquidity away',
    files: [...attacks('CollectFailFees'), 'apps/api/test/settlement/outflow-cap.test.ts'],
  },
  { number: 'A.4', attempt: 'Settle two builds of one nonce', files: attacks('SettleTwoBuildsOfOneNonce') },
  {
    number: 'A.5',
    attempt: "Drain the gas deposit with the operator's key",
    files: ['apps/api/test/settlement/top-up.test.ts'],
  },
  {
    number: 'A.6',
    attempt: 'Reach more with a session key: modules, approvals that outlive it, other approving functions',
    files: attacks('SessionCallsModule', 'SessionApprovalOutlives', 'SessionApprovesOtherwise'),
  },
  {
    number: 'A.7',
    attempt: 'Burn gas with orders without debits that revert, from many accounts',
    files: ['apps/api/test/orders/order-gas-budgets.test.ts'],
  },
  {
    number: 'A.8',
    attempt: 'Use powers of another role; renounce ownership',
    files: attacks('UsePowersOfOthers'),
  },
  {
    number: 'A.9',
    attempt: 'Re-enter; spend an allowance twice in a later period',
    files: attacks('Reenter', 'SessionSpendsTwice'),
  },
  {
    number: 'A.11',
    attempt: 'Have the wallet pay later what was signed offline',
    files: ['apps/wallet/e2e/connection.e2e.ts'],
  },
  {
    number: 'B.12',
    attempt: "Make an owner's build unsubmittable by 1,000 others",
    files: ['apps/api/test/hostile/foreign-builds.test.ts', 'apps/api/test/hostile/thousand-builds.test.ts'],
  },
  {
    number: 'B.13',
    attempt: 'Stall others with wrong signatures',
    files: ['apps/api/test/hostile/wrong-signatures.test.ts'],
  },
  {
    number: 'B.14',
    attempt: 'Hide newer work behind old, poison a queue, revert on chain all the time',
    files: [
      'apps/api/src/domain/smart-balance/settlement/tracked-orders.test.ts',
      'packages/bundler/src/embedded/old-operations.test.ts',
      'packages/bundler/src/embedded/reverted-bundles.test.ts',
    ],
  },
  {
    number: 'B.15',
    attempt: 'Fill the queue in front of a slow RPC',
    files: ['apps/api/src/transport/http/slow-network.test.ts', 'packages/networks/src/faults.test.ts'],
  },
  {
    number: 'B.16',
    attempt: 'Take a name that lies',
    files: [
      'packages/contracts/src/primitives/username-refusal.test.ts',
      'packages/database/src/migrations/0013-username-skeletons.test.ts',
    ],
  },
  {
    number: 'B.17',
    attempt: 'Sign in from an origin that is not configured',
    files: ['apps/api/test/access/origins.test.ts'],
  },
  {
    number: 'B.18',
    attempt: 'Ask for costly reads a thousand times a minute',
    files: ['apps/api/test/access/costly-reads.test.ts'],
  },
]
