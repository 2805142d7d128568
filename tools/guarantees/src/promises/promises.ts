import type { PromiseOfQuality, Suite } from './promise.ts'

type Files = Suite['files']
type Rest = Pick<Suite, 'figures' | 'config' | 'prepare'>

const vitest = (folder: string, files: Files, rest: Rest = {}): Suite => ({
  runner: 'vitest',
  package: folder,
  files,
  ...rest,
})
const api = (files: Files, figures: readonly string[] = []) => vitest('apps/api', files, { figures })
const bench = (name: string): Suite => ({
  runner: 'bench',
  package: 'docs',
  files: [`benchmarks.md#${name}`],
})

/** Every promise, with the tests that verify it. `docs/promises.md` has the results of the last run. */
export const promises: readonly PromiseOfQuality[] = [
  {
    id: 1,
    title: 'Nothing lost, nothing twice',
    text: 'The process is killed with SIGKILL at every named step between build and final inclusion, and between an order and its settlement. It is also killed before and after its writes and calls: some of them by default, all of them in the long run. After a restart, each signed operation is on chain exactly once, and none is lost.',
    suites: [
      api(['test/e2e/sigkill.test.ts'], ['kills survived: submissions']),
      api(
        ['test/e2e/sigkill-writes-and-calls.test.ts'],
        ['kills survived: before and after writes and calls'],
      ),
      api(['test/rpc/kill.test.ts']),
      api(['test/passkeys/sigkill.test.ts'], ['kills survived: passkey transactions']),
      api(['test/session-keys/sigkill.test.ts'], ['kills survived: session keys']),
      api(['test/orders/sigkill.test.ts'], ['kills survived: orders']),
      api(['test/e2e/settlement-sigkill.test.ts'], ['kills survived: settlements']),
      api(['test/settlement/top-up.test.ts']),
      api(['src/domain/operations/track/reconcile.test.ts'], ['deaths within one process survived']),
      vitest('packages/bundler', ['src/embedded/crash.test.ts'], {
        figures: ['deaths of the relayer survived'],
      }),
      api(['test/signers/operator.test.ts'], ['requests answered while a signer hung']),
      api(['test/signers/killed.test.ts'], ['kills survived: remote signatures']),
    ],
  },
  {
    id: 2,
    title: 'Retry is safe',
    text: 'The same request with the same Idempotency-Key, or with the same signature, gets the same answer and creates no second operation. Another payload with the same key is rejected with 409.',
    suites: [
      api(['test/idempotency/idempotency.test.ts'], ['mutations answered once over both transports']),
      api(['test/e2e/idempotency.test.ts'], ['kills survived: builds retried with their key']),
      api([
        'src/pipeline/idempotency/claims.test.ts',
        'src/pipeline/idempotency/decisions.test.ts',
        'src/pipeline/idempotency/request-hash.test.ts',
        'test/e2e/bounded-waits.test.ts',
      ]),
    ],
  },
  {
    id: 3,
    title: 'Reorgs',
    text: 'If a reorg removes the block of an operation or a settlement, its status goes back, the identical bytes are sent again, the database converges with the chain, and events report each step in order.',
    suites: [
      api(['src/domain/operations/track/reorg.test.ts'], ['reorgs after inclusion, of depths 1 to 12']),
      api(['test/settlement/reorg.test.ts', 'test/session-keys/reorg.test.ts']),
      vitest('packages/database', ['src/events/rebuild.test.ts']),
      api(['src/domain/events/webhooks/deliver-webhooks.test.ts']),
    ],
  },
  {
    id: 4,
    title: 'Bad networks',
    text: 'If an RPC is down, slow, cut off or silent, or returns false answers, requests end in bounded time with a clear 502, 503 or 504, and no state becomes wrong. The other networks keep working.',
    suites: [
      api(['test/faults/networks.test.ts'], ['kinds of RPC faults', 'requests while a network failed']),
      api(['test/smart-balance/failing-networks.test.ts']),
      api(
        ['test/signers/relayer.test.ts'],
        ['builds that a hanging signer failed in time, while other keys signed'],
      ),
      vitest('packages/networks', [
        'src/create-networks.test.ts',
        'src/faults.test.ts',
        'src/circuit.test.ts',
      ]),
      vitest('packages/bundler', ['src/simulation/simulate-operation.test.ts']),
    ],
  },
  {
    id: 5,
    title: 'Replicas and restarts',
    text: 'Several processes share one PostgreSQL, and some of them are killed: nothing is submitted twice, no lane is used twice, and no deposit is reserved twice. On SIGTERM, a process answers waiting callers and ends in time. Behind a balancer, all replicas are replaced one by one, including by a version with a newer schema, and no caller notices. While the database is unavailable, calls fail with 503, and no restart is needed when it is back. Clock differences have no effect.',
    suites: [
      api(
        ['test/replicas/rolling.test.ts'],
        ['processes replaced under load', 'answers of 500 and above while processes were replaced'],
      ),
      api(['test/replicas/balancer.test.ts']),
      api(['test/e2e/load.test.ts'], ['processes killed under load']),
      api(
        ['test/e2e/replicas.test.ts'],
        ['operations that two replicas submitted at once, each once on chain'],
      ),
      api([
        'test/e2e/settlement-replicas.test.ts',
        'test/smart-balance/concurrency.test.ts',
        'test/e2e/bounded-waits.test.ts',
        'src/transport/http/http-server.test.ts',
      ]),
      vitest('packages/bundler', ['src/embedded/lease.test.ts']),
      api([
        'test/database-outages/database-outages.test.ts',
        'test/database-outages/lost-answers.test.ts',
        'test/clock-skew/clock-skew.test.ts',
      ]),
      vitest('packages/database', ['src/engines/silent-server.test.ts']),
    ],
  },
  {
    id: 6,
    title: 'PGlite',
    text: 'A second process on the directory fails immediately and says why. If a process is killed repeatedly, or its disk is full, the database still opens and has every acknowledged row.',
    suites: [
      api(['test/faults/disk-full.test.ts']),
      api(['test/e2e/second-service.test.ts'], ['time until a second service on one DATA_DIR exited']),
      vitest('packages/database', ['src/engines/open-pglite.test.ts'], {
        figures: ['kills of a process with PGlite open', 'rows acknowledged before them, all found'],
      }),
    ],
  },
  {
    id: 7,
    title: 'Load',
    text: 'Under concurrent reads, builds, submissions by EOA and passkey, and orders, no running process answers 5xx, and memory stays flat. The p99 is printed.',
    suites: [
      api(['test/e2e/load.test.ts'], ['requests answered', 'all requests: p99']),
      // The part that npm test covers: concurrent builds and submissions.
      api(['src/domain/operations/submit/submit-operation.test.ts']),
    ],
  },
  {
    id: 8,
    title: 'WebAuthn',
    text: 'Invalid ceremonies are rejected: the cases of the FIDO conformance list at the HTTP endpoints, reused challenges, and decreasing counters. The vectors of WebAuthn L3 §16 pass.',
    suites: [
      api(['test/passkeys/negative-ceremonies.test.ts'], ['negative ceremonies refused']),
      api(['test/fuzz/ceremonies.test.ts'], ['fuzzed ceremonies']),
      api([
        'test/passkeys/registration.test.ts',
        'test/passkeys/authentication.test.ts',
        'test/passkeys/transaction.test.ts',
        'test/passkeys/w3c-vectors.test.ts',
        'test/passkeys/relying-party.test.ts',
        'test/passkeys/subdomain.test.ts',
        'src/domain/accounts/passkeys/verify-registration.test.ts',
        'src/domain/accounts/passkeys/verify-assertion.test.ts',
      ]),
    ],
  },
  {
    id: 9,
    title: 'Signatures',
    text: 'Every field of an operation is signed: if one changes, the service and EntryPoint reject the operation. Signatures for another network or wallet, and compact, malleable or text-signed ones, are rejected before they reach the chain, each with its own error.',
    suites: [
      api(['test/e2e/changed-operations.test.ts'], ['changed operations, networks and wallets refused']),
      vitest(
        'packages/accounts',
        ['test/contracts.test.ts', 'src/signatures/recover-owner-signature.test.ts'],
        { figures: ['changes to an operation that change its hash'] },
      ),
      api(
        ['test/fuzz/call-data.test.ts'],
        ['fuzzed call data', 'fuzzed call data that was built and verified'],
      ),
      {
        runner: 'mutants',
        package: 'docs',
        files: [
          'mutation-testing.md#accounts',
          'mutation-testing.md#api',
          'mutation-testing.md#client',
          'mutation-testing.md#contracts',
          'mutation-testing.md#session-keys',
          'mutation-testing.md#smart-balance',
        ],
        figures: ['client: mutants noticed by a test'],
      },
    ],
  },
  {
    id: 10,
    title: 'Who may do what',
    text: 'One table defines who may call which procedure, and every cell of it is checked against the running service over both transports. Data that a caller may not read is answered as if it did not exist.',
    suites: [
      api(
        ['test/access/access-table.test.ts'],
        [
          'procedures, each called by five kinds of callers',
          'checked combinations of procedure, caller and transport',
        ],
      ),
      api([
        'src/transport/http/api-keys.test.ts',
        'src/transport/http/publishable-keys.test.ts',
        'src/domain/accounts/callers/require-order-authority.test.ts',
        'src/transport/http/limit-rate.test.ts',
        'src/pipeline/rate-limits/counter.test.ts',
        'src/pipeline/shared-reads.test.ts',
        'test/access/costly-reads.test.ts',
        'test/access/origins.test.ts',
        'test/cli/keys.test.ts',
      ]),
    ],
  },
  {
    id: 11,
    title: 'Bad input',
    text: 'A fuzzer calls every endpoint of the OpenAPI document: no call returns a 5xx or hangs, and every error body matches its schema. Requests that are too large, too deep or too slow are rejected early.',
    suites: [
      api(['test/fuzz/operations.test.ts'], ['fuzz cases run', 'operations reached']),
      api(['test/fuzz/transport.test.ts'], ['raw requests fuzzed']),
      api(['test/fuzz/corpus.test.ts'], ['requests that once broke something']),
      api([
        'src/transport/rest/rest.test.ts',
        'src/transport/trpc/trpc.test.ts',
        'src/transport/http/error-table.test.ts',
      ]),
    ],
  },
  {
    id: 12,
    title: 'Secrets',
    text: 'Every secret is replaced by a canary value, which appears in no log line and in no answer. A key at a remote signer never appears in the memory of the process that uses it.',
    suites: [
      api(['test/secrets/canaries.test.ts'], ['canaries', 'lines of the log searched', 'answers searched']),
      api(['src/platform/log/log.test.ts']),
      api(
        ['test/signers/memory.test.ts'],
        ['keys at a remote signer, searched for in memory', 'heap snapshot searched', 'memory searched'],
      ),
    ],
  },
  {
    id: 13,
    title: 'Contracts',
    text: 'SmartBalance and SessionKeys keep their invariants under calls in any order, and withstand each attack listed in their designs. contract-mutants.md shows which code changes the tests notice.',
    suites: [
      {
        runner: 'forge',
        package: 'packages/onchain',
        files: ['contracts/test/smart-balance', 'contracts/test/session-keys', 'contracts/test/attacks'],
        figures: ['SmartBalanceInvariants: calls', 'SessionKeysInvariants: calls'],
      },
      vitest('packages/smart-balance', ['test/contracts.test.ts']),
      vitest('packages/session-keys', ['test/session.test.ts', 'test/erc7562.test.ts']),
    ],
  },
  {
    id: 14,
    title: 'Build',
    text: 'A build takes one round trip to the chain, whether its account is deployed or not, and a plain build takes two SQL statements. Goal: at most half the time of permissionless on the same chain and bundler.',
    goals: true,
    suites: [
      api(
        ['src/domain/operations/build/round-trips.test.ts'],
        [
          'round trips of a build by a deployed account',
          'round trips of a build by an account that is not deployed',
        ],
      ),
      api(['src/domain/operations/statements.test.ts'], ['SQL statements of a build']),
      bench('build'),
    ],
  },
  {
    id: 15,
    title: 'Inclusion',
    text: 'Time from submission to inclusion, and operations per second through one relayer. Goal: 1.5 times the operations per second of Alto on the same chain, for 1 to 60 concurrent operations.',
    goals: true,
    suites: [
      api(['src/domain/operations/statements.test.ts'], ['SQL statements from a signature to its inclusion']),
      api(
        ['src/domain/operations/submit/coalesced.test.ts'],
        ['SQL statements of 32 operations at once, from their signatures to their inclusion'],
      ),
      api(
        ['src/domain/operations/track/reconcile-cost.test.ts'],
        ['RPC requests of a pass over 2, 100 and 10,000 operations'],
      ),
      bench('inclusion'),
    ],
  },
  {
    id: 16,
    title: 'REST adapter',
    text: 'Goals: at least 85 % of the requests per second of a bare Express handler that does the same parse and query, and more than trpc-to-openapi.',
    goals: true,
    suites: [api(['src/transport/rest/rest.test.ts']), bench('rest')],
  },
  {
    id: 17,
    title: 'Search',
    text: 'No search reads a whole table. Goal: among 1,000,000 users, a search by prefix takes at most three times as long as a look-up of a whole name.',
    goals: true,
    suites: [
      vitest('packages/database', ['src/users/query-plans.test.ts', 'src/users/search-users.test.ts']),
      bench('search'),
    ],
  },
  {
    id: 18,
    title: 'Gas',
    text: 'First and later operations, by EOA and by passkey, never use more gas than the same Safe created by permissionless. An increase over the recorded figures fails the tests.',
    suites: [bench('gas')],
  },
  {
    id: 19,
    title: 'Cost against size',
    text: "A balance takes one concurrent round trip to each network, and reads need no more SQL statements as an account's history grows. Goals: a balance on ten networks takes at most twice as long as on one, and a quote with twenty open orders at most twice as long as with one.",
    goals: true,
    suites: [
      api([
        'test/cost/balance-requests.test.ts',
        'test/cost/idle.test.ts',
        'test/cost/read-statements.test.ts',
      ]),
      bench('orders'),
    ],
  },
  {
    id: 20,
    title: 'A fresh clone',
    text: '`npm start` starts local networks and the service, and prints their addresses. A clone needs no set-up before it: `.ci/run` runs `npm test` without installing anything of the project first.',
    suites: [
      api(['src/app/server.test.ts']),
      vitest('packages/devnet', ['test/start-devnet.test.ts', 'test/supervisor.test.ts']),
    ],
  },
  {
    id: 21,
    title: 'In a browser',
    text: 'The whole passkey journey in Chromium with a virtual authenticator: register, fund, send, spend the combined balance, grant and revoke a session key, sign in again; and recovery without the service.',
    suites: [
      vitest(
        'apps/wallet',
        [
          'e2e/connection.e2e.ts',
          'e2e/first-load.e2e.ts',
          'e2e/payments.e2e.ts',
          'e2e/account.e2e.ts',
          'e2e/smart-balance.e2e.ts',
          'e2e/sessions.e2e.ts',
          'e2e/recovery.e2e.ts',
        ],
        { config: 'vitest.e2e.config.ts', prepare: 'scripts/build-if-stale.ts' },
      ),
    ],
  },
  {
    id: 22,
    title: 'Documents that run',
    text: "The code in the README and in the client's documentation runs. The service does what the documents say, and everything that they name exists.",
    suites: [
      api([
        'test/e2e/readme.test.ts',
        'test/e2e/documents.test.ts',
        'test/preflight/documents.test.ts',
        'test/observability/metrics.test.ts',
        'test/generated.test.ts',
      ]),
      vitest('packages/client', ['test/readme.test.ts']),
      vitest('examples/forced-exit', ['exit.test.ts']),
      vitest('tools/guarantees', ['test/promises.test.ts', 'test/page.test.ts', 'test/clients.test.ts']),
    ],
  },
  {
    id: 23,
    title: 'Nobody can steal',
    text: "Every way to bring an operation to EntryPoint leads to the same settlement, no role has more power than in SECURITY.md's table, and operations that do not pay for themselves have a budget.",
    suites: [
      {
        runner: 'forge',
        package: 'packages/onchain',
        files: [
          'contracts/test/attacks/CollectFailFees.t.sol',
          'contracts/test/attacks/MakeSettlementUneconomic.t.sol',
          'contracts/test/attacks/PrepareGovernanceInSecret.t.sol',
          'contracts/test/attacks/Reenter.t.sol',
          'contracts/test/attacks/SessionApprovalOutlives.t.sol',
          'contracts/test/attacks/SessionApprovesOtherwise.t.sol',
          'contracts/test/attacks/SessionCallsModule.t.sol',
          'contracts/test/attacks/SessionSpendsTwice.t.sol',
          'contracts/test/attacks/SettleTwoBuildsOfOneNonce.t.sol',
          'contracts/test/attacks/StealByHidingTheSignature.t.sol',
          'contracts/test/attacks/UsePowersOfOthers.t.sol',
        ],
      },
      api([
        'test/settlement/settlement.test.ts',
        'test/settlement/contract-watch.test.ts',
        'test/settlement/outflow-cap.test.ts',
        'test/settlement/top-up.test.ts',
        'test/orders/order-policies.test.ts',
      ]),
      vitest('apps/wallet', ['e2e/connection.e2e.ts'], {
        config: 'vitest.e2e.config.ts',
        prepare: 'scripts/build-if-stale.ts',
      }),
    ],
  },
  {
    id: 24,
    title: 'Nobody can lock out or stall',
    text: 'Builds by third parties and wrong signatures do not affect the owner of a wallet: every build of the owner is included, and a wrong signature counts against the rate limit of its sender once for each comparison that it causes.',
    suites: [
      api(['test/hostile/foreign-builds.test.ts']),
      api(
        ['test/hostile/ordinary-use.test.ts'],
        ['calls of 20 people behind one address in one minute, all served'],
      ),
      api(
        ['test/hostile/thousand-builds.test.ts'],
        ["builds of third parties around the owner's build, which was included"],
      ),
      api(
        ['test/hostile/wrong-signatures.test.ts'],
        ['comparisons for one sender of wrong signatures, of 400 requested'],
      ),
      api([
        'src/domain/operations/submit/find-signed-operation.test.ts',
        'src/domain/smart-balance/settlement/tracked-orders.test.ts',
        'src/transport/http/slow-network.test.ts',
        'src/domain/events/webhooks/webhook-target.test.ts',
        'test/access/origins.test.ts',
        'test/access/costly-reads.test.ts',
      ]),
      vitest('packages/bundler', [
        'src/embedded/old-operations.test.ts',
        'src/embedded/reverted-bundles.test.ts',
        'src/embedded/foreign-senders.test.ts',
        'src/embedded/debts.test.ts',
      ]),
      vitest('packages/bundler', ['src/embedded/unpaid-gas.test.ts'], {
        figures: [
          'gas that a relayer loses to known attacks, per cent of what it earns',
          'blocks to the inclusion of honest operations under known attacks, p99 (1 without)',
        ],
      }),
      vitest('packages/networks', ['src/faults.test.ts']),
      vitest('packages/contracts', ['src/primitives/username-refusal.test.ts']),
      vitest('packages/database', ['src/migrations/0013-username-skeletons.test.ts']),
    ],
  },
  {
    id: 25,
    title: 'Nothing grows without end',
    text: 'Deletable data reaches a plateau, every operation reaches a final state, a reconciliation pass costs the same however many operations are pending, and reading events costs the same however many clients listen.',
    suites: [
      api([
        'src/domain/operations/build/purge-unsigned.test.ts',
        'src/domain/operations/track/final-states.test.ts',
        'src/domain/operations/track/reconcile-cost.test.ts',
      ]),
      api(['test/events/account-logs.test.ts'], ['RPC requests per new block while somebody listens']),
      api(['test/hostile/stored-bytes.test.ts'], ['bytes of an account']),
    ],
  },
]
