/** @module-tag all */
/** @module-tag first */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { raiseAlarms } from '@lanyard/database'
import { freshDatabase, type TestDatabase, testEngines } from '@lanyard/database/testing'
import { devRoles, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import { freePorts, randomPrivateKey } from '@lanyard/testing'
import { sql } from 'kysely'
import { encodeFunctionData, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inviteOperator } from '../../src/domain/operators/manage-operators.ts'
import { openSession } from '../../src/domain/operators/operator-sessions.ts'
import { openBrowser } from '../console/browser.ts'
import { orderChains, payee } from '../orders/order-chains.ts'
import { encodeCbor } from '../passkeys/authenticator.ts'
import { writePolicies } from '../policies-file.ts'
import { type RestClient, restClient } from '../rest.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { hasPrometheus, type Prometheus, startPrometheus } from './prometheus.ts'

/** Where the relayer is drained, the attestor proposed and the policy spent; and where fees rise. */
const calm = 31337
const spiking = 31338

/** What the console's overview says. */
interface Overview {
  readonly status: string
  readonly alerts:
    | readonly { readonly name: string; readonly severity: string; readonly runbook: string }[]
    | 'unanswered'
  readonly concerns: readonly { readonly level: string; readonly title: string }[]
  readonly relayers: readonly {
    readonly network: number
    readonly balance: string
    readonly inFlight: number
  }[]
  readonly budgets: readonly { readonly policy: string; readonly operations: number }[]
}

const stack = new AsyncDisposableStack()
const relayerKey = randomPrivateKey()
const relayer = privateKeyToAccount(relayerKey)
let chains: ReturnType<typeof orderChains>
let prometheus: Prometheus
let consoleOrigin: string
let rest: RestClient
let readOverview: () => Promise<Overview>
let database: TestDatabase
/** Starts a worker at the address that Prometheus reads. */
let startWorker: () => Promise<ServiceProcess>
let worker: ServiceProcess
/** The operation that the policy paid for. */
let sponsored: string
/** Their names. While Prometheus is busy the console says that it did not answer, and asks again. */
const readAlerts = async () => {
  const { alerts } = await readOverview()
  return alerts === 'unanswered' ? [] : alerts.map(({ name }) => name)
}
/** What the processes logged: why a pass or a gauge failed, if an alert fires that should not. */
let logged: () => string
/** What the relayer paid for itself on the network whose fees rise, wei at most. */
let readLoss: () => Promise<bigint>

/** The rules are those of deploy/monitoring; the processes are those of deploy/systemd, with the worker's roles in one. */
describe.skipIf(!hasPrometheus || !testEngines().includes('postgresql'))('the drill', () => {
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-drill-'))
    stack.defer(() => rm(directory, { recursive: true }))
    const devnet = stack.use(await startDevnet({ chainIds: [calm, spiking] }))
    database = stack.use(await freshDatabase('postgresql'))
    chains = orderChains(devnet)
    readLoss = async () => {
      const rows = await database.db
        .selectFrom('relayer_transactions')
        .select('loss')
        .where('network', '=', spiking)
        .execute()
      return rows.reduce((sum, { loss }) => sum + BigInt(loss), 0n)
    }
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    await limitLosses(networksFile)
    for (const chainId of [calm, spiking]) await fundRelayer(chainId, parseEther('100'))

    const ports = await freePorts(5)
    const metrics = { api: ports, worker: ports + 1, console: ports + 2 }
    consoleOrigin = `http://localhost:${ports + 3}`
    const prometheusPort = ports + 4
    const shared = {
      NETWORKS_FILE: networksFile,
      DATABASE_URL: database.url ?? '',
      POLICIES_FILE: writePolicies({
        id: 'campaign',
        budgets: { day: { wei: String(parseEther('1')), operations: 1 } },
      }),
      RELAYER_PRIVATE_KEYS: relayerKey,
      INCLUSION_TIMEOUT: '600',
    }
    const start = async (ROLES: string, job: keyof typeof metrics, more: Record<string, string> = {}) =>
      stack.use(await startServiceProcess({ ...shared, ROLES, METRICS_PORT: String(metrics[job]), ...more }))
    startWorker = () => start('worker,attestor,settler,topUp', 'worker')
    const processes = await Promise.all([
      start('api', 'api'),
      startWorker(),
      start('admin', 'console', {
        CONSOLE_PORT: new URL(consoleOrigin).port,
        CONSOLE_PROMETHEUS_URL: `http://127.0.0.1:${prometheusPort}`,
      }),
    ])
    logged = () => processes.map(({ output }) => output()).join('\n')
    worker = processes[1]
    rest = restClient(processes[0].url)
    prometheus = stack.use(
      await startPrometheus(prometheusPort, {
        'lanyard-api': `127.0.0.1:${metrics.api}`,
        'lanyard-worker': `127.0.0.1:${metrics.worker}`,
        'lanyard-console': `127.0.0.1:${metrics.console}`,
      }),
    )
    const cookie = await database.db.transaction().execute(async (transaction) => {
      const now = new Date()
      const invitation = await inviteOperator(transaction, { name: 'alice', role: 'viewer' }, now)
      const operatorId = invitation?.operator.id ?? ''
      const { token } = await openSession(transaction, {
        operatorId,
        address: '::1',
        userAgent: 'drill',
        now,
      })
      return `lanyard-console=${token}`
    })
    readOverview = async () => {
      await delay(2_000) // pages share one reading for that long
      const response = await fetch(`${consoleOrigin}/trpc/overview.read`, { headers: { cookie } })
      const { result } = (await response.json()) as { result: { data: Overview } } // tRPC's answer
      return result.data
    }
    // The console knows the relayers that have sent something.
    const account = await createAccount(calm)
    expect(await account.operate()).toMatchObject({ status: 200 })
    await prometheus.ready()
  })
  afterAll(() => stack.disposeAsync())

  /** The first alert fires; the earlier ones may still fire, because they look back for some minutes. */
  async function expectOnly(name: string, ...earlier: readonly string[]) {
    const alerts = await prometheus.firing()
    const names = alerts.map((alert) => alert.name)
    expect([name, ...earlier], logged()).toEqual(expect.arrayContaining(names))
    const found = alerts.filter((alert) => alert.name === name)
    expect(found).toHaveLength(1)
    return found
  }
  const now = () => Date.now() / 1000
  const report = (cause: string, alert: string, evaluations: number) =>
    process.stdout.write(`drill: ${cause}: ${alert} after ${evaluations} evaluations\n`)

  test('behavior: while all is well, no alert fires and the console shows no concern', async () => {
    await prometheus.evaluate(10)
    expect(await prometheus.firing(), logged()).toEqual([])
    await expect.poll(readOverview).toMatchObject({ alerts: [], concerns: [] })
  })

  test('behavior: a drained relayer', async () => {
    const since = now()
    await fundRelayer(calm, parseEther('0.001'))
    report('a relayer is drained', 'LanyardRelayerFundsLow', await until('LanyardRelayerFundsLow', since))
    await expectOnly('LanyardRelayerFundsLow')
    await expect.poll(readOverview).toMatchObject({
      alerts: [
        {
          name: 'LanyardRelayerFundsLow',
          severity: 'critical',
          runbook: expect.stringContaining('#lanyardrelayerfundslow'),
        },
      ],
      concerns: [{ level: 'error', title: 'A relayer on Local 1 is nearly empty' }],
      relayers: expect.arrayContaining([
        expect.objectContaining({ network: calm, balance: String(parseEther('0.001')) }),
      ]),
    })
    await fundRelayer(calm, parseEther('100'))
    await prometheus.untilSilent('LanyardRelayerFundsLow')
    await expect.poll(readOverview).toMatchObject({ alerts: [], concerns: [] })
  })

  test('behavior: a policy that runs out', async () => {
    const account = await createAccount(calm)
    const paid = await account.operate({ paymasterData: 'sponsored' })
    expect(paid).toMatchObject({ status: 200 })
    sponsored = paid.body.userOpHash
    const since = now()
    expect(await account.operate({ paymasterData: 'sponsored' })).toMatchObject({
      body: { code: 'PAYMASTER_REFUSED' },
    })
    report('a policy runs out', 'LanyardPolicySpent', await until('LanyardPolicySpent', since))
    const alerts = await expectOnly('LanyardPolicySpent')
    expect(alerts).toMatchObject([{ labels: { policy: 'campaign' } }])
    await expect.poll(readAlerts).toContain('LanyardPolicySpent')
    expect((await readOverview()).budgets).toMatchObject([{ policy: 'campaign', operations: 1 }])
  })

  test('behavior: an attestor that is proposed', async () => {
    const { chain, smartBalance } = chains.on(calm)
    const verifier = await chain.readContract({
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'verifier',
    })
    const since = now()
    await chains.callAs(
      calm,
      devRoles.owner.address,
      verifier,
      encodeFunctionData({ abi: attestorSetAbi, functionName: 'proposeAttestor', args: [payee] }),
    )
    report('an attestor is proposed', 'LanyardGovernance', await until('LanyardGovernance', since))
    const alerts = await expectOnly('LanyardGovernance', 'LanyardPolicySpent')
    expect(alerts).toMatchObject([{ labels: { event: 'AttestorProposed', network: String(calm) } }])
    await expect.poll(readAlerts).toContain('LanyardGovernance')
  })

  test('behavior: fees that rise beyond what a relayer may lose', async () => {
    const [first, second] = await Promise.all([createAccount(spiking), createAccount(spiking)])
    const { chain } = chains.on(spiking)
    await chain.setIntervalMining({ interval: 3_600 })
    const { baseFeePerGas } = await chain.getBlock()
    await chain.setIntervalMining({ interval: 3_600 })
    const inFlight = async () =>
      (await readOverview()).relayers.find(({ network }) => network === spiking)?.inFlight ?? 0
    // Two transactions: the first one holds up the second, so it is replaced after two blocks.
    const waiting = [first.operate()]
    while ((await inFlight()) < 1) {}
    waiting.push(second.operate())
    while ((await inFlight()) < 2) {}
    const since = now()
    await mineAt(parseGwei('5000'))
    report('fees rise', 'LanyardRelayerStuck', await until('LanyardRelayerStuck', since))
    await expectOnly('LanyardRelayerStuck', 'LanyardRelayerLost', 'LanyardGovernance', 'LanyardPolicySpent')
    await expect.poll(readAlerts).toContain('LanyardRelayerStuck')
    expect(await readLoss()).toBeLessThanOrEqual(maxLoss)
    await mineAt(baseFeePerGas ?? 1n)
    await chain.setIntervalMining({ interval: 1 })
    expect(await Promise.all(waiting)).toMatchObject([{ status: 200 }, { status: 200 }])

    async function mineAt(fee: bigint): Promise<void> {
      for (let block = 0; block < 2; block++) {
        await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: fee })
        await chain.mine({ blocks: 1 })
      }
    }
  })

  test('behavior: alerts on what is true fire although the process that looks is replaced', async () => {
    await worker.stop()
    const { chain, smartBalance } = chains.on(calm)
    // While no worker looks: the owner proposes a verifier, …
    await chains.callAs(
      calm,
      devRoles.owner.address,
      smartBalance,
      encodeFunctionData({ abi: smartBalanceAbi, functionName: 'proposeVerifier', args: [payee] }),
    )
    // … and SmartBalance has paid for an operation that this service does not know: its row and the look at its block are gone.
    const { built_at_block } = await database.db
      .deleteFrom('sponsorships')
      .where('user_op_hash', '=', sponsored)
      .returning('built_at_block')
      .executeTakeFirstOrThrow()
    await database.db
      .updateTable('watched_contracts')
      .set({ block_number: built_at_block })
      .where('network', '=', calm)
      .execute()
    // What the process that is gone had found, and no log of a block says again.
    const found = { network: calm, event: '', wei: 0n, block_number: 1, final: true }
    const tomorrow = new Date(Date.now() + 86_400_000)
    await raiseAlarms(database.db, [
      { ...found, kind: 'recovery', log: '0x01:0', topic: '0x01', ends_at: tomorrow },
      { ...found, kind: 'owner-split', log: '0x02:0', topic: '0x02', ends_at: tomorrow },
    ])
    await database.db
      .insertInto('session_warnings')
      .values({
        ...{ account: payee.toLowerCase(), network: calm, key_id: `0x${'1'.repeat(64)}` },
        ...{ type: 'session.emptied', user_op_hash: sponsored, warned_at: new Date() },
      })
      .execute()
    const since = now()
    worker = await startWorker()
    await chain.mine({ blocks: 1 })
    for (const name of [
      'LanyardUnexplainedGas',
      'LanyardRecoveryStarted',
      'LanyardOwnersSplit',
      'LanyardSessionKeyEmptied',
    ])
      report('a process is replaced', name, await until(name, since))
    const governance = () =>
      prometheus.firing().then((alerts) =>
        alerts
          .filter(({ name }) => name === 'LanyardGovernance')
          .map(({ labels }) => labels.event)
          .toSorted(),
      )
    await expect.poll(governance).toEqual(['AttestorProposed', 'VerifierProposed'])
  })

  test('behavior: the ledger of a network stands, whichever worker looks', async () => {
    await worker.stop()
    const { chain } = chains.on(spiking)
    await chain.setIntervalMining({ interval: 3_600 })
    const { number } = await chain.getBlock({ blockTag: 'finalized' })
    // All that is final was read, and it is three hours old.
    await database.db
      .updateTable('ledger_networks')
      .set({ block_number: Number(number), block_at: new Date(Date.now() - 3 * 60 * 60_000) })
      .where('network', '=', spiking)
      .execute()
    const since = now()
    worker = await startWorker()
    report('no block becomes final', 'LanyardLedgerStands', await until('LanyardLedgerStands', since))
    const stands = (await prometheus.firing()).filter(({ name }) => name === 'LanyardLedgerStands')
    expect(stands).toMatchObject([{ labels: { network: String(spiking) } }])
    await chain.setIntervalMining({ interval: 1 })
    await prometheus.untilSilent('LanyardLedgerStands')
  })

  test('behavior: a sign-in with a break-glass passkey', async () => {
    const { passkey, call } = openBrowser(consoleOrigin)
    await database.db.transaction().execute(async (transaction) => {
      const created_at = new Date()
      const person = { name: 'fire-safe', role: 'admin', breakGlass: true } as const
      const invitation = await inviteOperator(transaction, person, created_at)
      await transaction
        .insertInto('operator_passkeys')
        .values({
          ...{ id: passkey.id, operator_id: invitation?.operator.id ?? '', created_at },
          ...{ public_key: encodeCbor(passkey.cosePublicKey()), counter: 0 },
          ...{ backup_eligible: false, transports: '[]' },
        })
        .execute()
    })
    expect((await prometheus.firing()).map(({ name }) => name)).not.toContain('LanyardBreakGlass')
    const since = now()
    const { data } = await call('session.signInOptions')
    const response = passkey.get(data as Parameters<typeof passkey.get>[0])
    expect(await call('session.signIn', { input: { response } })).toMatchObject({ status: 200 })
    report('a break-glass sign-in', 'LanyardBreakGlass', await until('LanyardBreakGlass', since))
    await expect.poll(readAlerts).toContain('LanyardBreakGlass')
  })

  test('behavior: the overview is not healthy while a process is dead', async () => {
    const { rows } = await sql<{ roles: string }>`select roles from processes order by roles`.execute(
      database.db,
    )
    expect(rows.map(({ roles }) => roles)).toEqual(['admin', 'api', 'worker,attestor,settler,topUp'])
    const concerns = async () => (await readOverview()).concerns.map(({ title }) => title)
    expect(await concerns()).not.toContainEqual(expect.stringContaining('role'))
    // As a killed process leaves it.
    await sql`update processes set seen_at = seen_at - interval '2 minutes', id = gen_random_uuid()
      where roles like 'worker%'`.execute(database.db)
    await worker.stop()
    await expect.poll(readOverview).toMatchObject({ status: 'degraded' })
    expect(await concerns()).toContain('No process has the role worker, attestor, settler, topUp')
  })
})

/** wei in an hour. */
const maxLoss = parseEther('0.001')

const until = (name: string, since: number) => prometheus.evaluationsUntil(name, since)

/** A relayer may lose little, so that a spike reaches the limit at once; and anvil's blocks come every second. */
async function limitLosses(path: string): Promise<void> {
  const file = JSON.parse(await readFile(path, 'utf8')) as { networks: object[] }
  const networks = file.networks.map((network) => ({
    ...network,
    blockTime: 1_000,
    relayerLossPerHour: String(maxLoss),
  }))
  await writeFile(path, JSON.stringify({ networks }))
}

const fundRelayer = (chainId: number, value: bigint) =>
  chains.on(chainId).chain.setBalance({ address: relayer.address, value })

/** A deployed account of an EOA with coins. */
async function createAccount(chainId: number) {
  const owner = privateKeyToAccount(randomPrivateKey())
  const created = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  const walletAddress = created.body.wallet.scw_address
  await chains.on(chainId).chain.setBalance({ address: walletAddress, value: parseEther('1000') })

  async function operate(more: object = {}) {
    const build = await rest.post('/smart-account/transaction/build', {
      network: String(chainId),
      walletAddress,
      transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
      ...more,
    })
    if (build.status !== 200) return build
    return rest.post('/smart-account/transaction/submit', {
      walletAddress,
      signature: await owner.signMessage({ message: { raw: build.body.messageToSign } }),
    })
  }
  return { operate }
}
