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
    text: 'The process is killed by SIGKILL at every step that the code itself names, between build and final inclusion, and between an order and its settlement, and before and after each of its writes and calls as the service counts them (some of them at a time, all in the long run); after a restart each signed operation is on the chain once, and none is forgotten.',
    suites: [
      api(['test/e2e/sigkill.test.ts'], ['kills survived: submissions']),
      api(
        ['test/e2e/sigkill-writes-and-calls.test.ts'],
        ['kills survived: before and after writes and calls'],
      ),
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
    text: 'The same request with the same Idempotency-Key, or the same signature, is answered the same and makes no second operation; another payload under the key is 409.',
    suites: [
      api(['test/idempotency/idempotency.test.ts'], ['mutations answered once over both transports']),
      api(['test/e2e/idempotency.test.ts'], ['kills survived: builds tried again with their key']),
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
    text: 'A reorg takes the block of an operation or a settlement: its status goes back, the identical bytes are sent again, the database converges with the chain, and events tell each step in order.',
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
    text: 'An RPC that is down, slow, cut off, silent or lying: bounded time, a clear 502, 503 or 504, no wrong state; the other networks go on.',
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
    text: 'Several processes on one PostgreSQL, some of them killed: no double submission, no lane used twice, no deposit reserved twice. SIGTERM answers who waits and ends in time. Behind a balancer all replicas are replaced in turn, one by a version with a newer schema, and no caller notices. While the database is away calls are 503, and nothing has to be restarted when it is back; clocks that differ change nothing.',
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
        'test/database-away/database-away.test.ts',
        'test/database-away/lost-answers.test.ts',
        'test/clock-skew/clock-skew.test.ts',
      ]),
      vitest('packages/database', ['src/engines/silent-server.test.ts']),
    ],
  },
  {
    id: 6,
    title: 'PGlite',
    text: 'A second process on the directory fails at once and says why; a process that is killed again and again, or whose disk is full, leaves a database that opens, with every acknowledged row.',
    suites: [
      api(['test/faults/disk-full.test.ts']),
      api(['test/e2e/second-service.test.ts'], ['a second service on one DATA_DIR had ended after']),
      vitest('packages/database', ['src/engines/open-pglite.test.ts'], {
        figures: ['kills of a process with PGlite open', 'rows acknowledged before them, all found'],
      }),
    ],
  },
  {
    id: 7,
    title: 'Load',
    text: 'Reads, builds, submissions by EOA and passkey, and orders, all at once: no 5xx from a living process, memory flat, p99 printed.',
    suites: [
      api(['test/e2e/load.test.ts'], ['requests answered', 'all requests: p99']),
      // The part that npm test covers: concurrent builds and submissions.
      api(['src/domain/operations/submit/submit-operation.test.ts']),
    ],
  },
  {
    id: 8,
    title: 'WebAuthn',
    text: 'What an authenticator must not be able to pass off: the cases of the FIDO conformance list against the HTTP endpoints, challenges used twice, counters that go back, the vectors of WebAuthn L3 §16.',
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
    text: 'Every field of an operation is signed: with one changed, the service and EntryPoint refuse it. Another network, another wallet, compact, malleable and text-signed are refused before the chain, each with its own error.',
    suites: [
      api(['test/e2e/changed-operations.test.ts'], ['changed operations, networks and wallets refused']),
      vitest(
        'packages/accounts',
        ['test/contracts.test.ts', 'src/signatures/recoverOwnerSignature.test.ts'],
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
    text: 'One table says who may call which procedure; every cell of it is asked of the running service over both transports. What you may not read answers as what does not exist.',
    suites: [
      api(
        ['test/access/access-table.test.ts'],
        ['procedures, each by five callers', 'cells asked: procedures by callers by transports'],
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
    text: 'The OpenAPI document drives a fuzzer over every endpoint: never a 5xx, never a hang, every error body in its schema. What is too large, too deep or too slow is refused early.',
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
    text: "A canary in every secret's place is in no line of the log and in no answer. A key that is at a remote signer is nowhere in the memory of the process that used it.",
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
    text: 'Invariants of SmartBalance and SessionKeys under calls in any order, and the attacks of their designs one by one. What their tests notice when the code is changed: contract-mutants.md.',
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
    text: 'One round trip to the chain for a build by an account that is deployed, two otherwise, and no more SQL statements than needed. Goal: at most half the time of permissionless on the same chain and bundler.',
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
    text: 'Time from submission to inclusion, and operations per second through one relayer; goal: one and a half times those of Alto on the same chain, from 1 to 60 at once.',
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
    text: 'Search reads no whole table, whatever is looked for. Goal: among 1,000,000 users, the beginning of a name within three times the look-up of a whole one.',
    goals: true,
    suites: [
      vitest('packages/database', ['src/users/query-plans.test.ts', 'src/users/search-users.test.ts']),
      bench('search'),
    ],
  },
  {
    id: 18,
    title: 'Gas',
    text: 'Never above the same Safe made by permissionless, first and later operation, by EOA and passkey; a rise over what is recorded fails the tests.',
    suites: [bench('gas'), api(['test/passkeys/gas.test.ts'])],
  },
  {
    id: 19,
    title: 'Cost against size',
    text: 'A balance is one round trip to each network, all at once, and the SQL of reads does not grow with what an account has done. Goals: a balance on ten networks within twice the time of one, a quote beside twenty open orders within twice that beside one.',
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
    text: '`npm start` starts local networks and the service, and says where they are. That a clone needs no set-up before it is what `.ci/run` shows: it runs `npm test`, and installs nothing of the project before it.',
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
    text: "The README's and the client's code is run; what a document says of the service is what it does; what it names is there.",
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
    text: "Every way to bring an operation to EntryPoint leads to the same settlement, no role has a power beyond SECURITY.md's table, and what does not pay for itself has a budget.",
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
        'test/orders/order-gas-budgets.test.ts',
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
    text: 'Builds by third parties and wrong signatures change nothing for the owner of a wallet: every build of the owner is included, and a wrong signature costs its sender as much as it makes the service compare.',
    suites: [
      api(['test/hostile/foreign-builds.test.ts']),
      api(
        ['test/hostile/thousand-builds.test.ts'],
        ['builds of third parties around one of the owner, who was included'],
      ),
      api(
        ['test/hostile/wrong-signatures.test.ts'],
        ['comparisons that one sender of wrong signatures got, of 400 asked for'],
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
      ]),
      vitest('packages/networks', ['src/faults.test.ts']),
      vitest('packages/contracts', ['src/primitives/username-refusal.test.ts']),
      vitest('packages/database', ['src/migrations/0013-username-skeletons.test.ts']),
    ],
  },
  {
    id: 25,
    title: 'Nothing grows without end',
    text: 'What may be deleted reaches a plateau, every operation reaches a final state, and a pass of reconciliation costs the same whatever is outstanding, as does a reader of events whoever listens.',
    suites: [
      api([
        'src/domain/operations/build/purge-unsigned.test.ts',
        'src/domain/operations/track/final-states.test.ts',
        'src/domain/operations/track/reconcile-cost.test.ts',
      ]),
      api(['test/events/account-logs.test.ts'], ['RPC requests per new block while somebody listens']),
    ],
  },
]
