/** @module-tag all */
import { computeAccountAddress } from '@lanyard/accounts'
import { testEngines } from '@lanyard/database/testing'
import { localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { sql } from 'kysely'
import { createTestClient, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { operationFeatures } from '../../src/app/operation-features.ts'
import { laneCount } from '../../src/domain/operations/lanes.ts'
import { purgeUnsigned } from '../../src/domain/operations/prepare/purge-unsigned.ts'
import {
  type ExplainedDatabase,
  type ExplainedStatement,
  explainedDatabase,
} from '../explained-statements.ts'
import { startHttpService } from '../http-service.ts'
import { restClient } from '../rest.ts'
import { setSequence } from '../set-sequence.ts'
import { growHistory, type HistorySize } from './history.ts'

/** The most rows that one statement may read: twice the last 64 signed operations, plus a margin. */
const maxRows = 200

/** An index of a million rows is four pages deep, and a row is in about twelve indexes. */
const maxPages = 600

const growingTables = [
  ...[
    'operations',
    'relayer_transactions',
    'relayer_transaction_operations',
    'events',
    'sponsorships',
    'orders',
  ],
  'idempotency_keys',
]

type Steps = ReadonlyMap<string, readonly ExplainedStatement[]>

/** Runs one operation from its build to the purge. Its account has a long history, and the service a longer one. */
async function runOperation(size: HistorySize, plans: 'auto' | 'force_generic_plan'): Promise<Steps> {
  let database: ExplainedDatabase | undefined
  await using fixture = await startHttpService({}, {}, async () => {
    database = await explainedDatabase(plans)
    return database
  })
  if (!database) throw new TypeError('Expected the service to open its database')
  const explained = database
  const { node, service } = fixture
  const { post, get } = restClient(fixture.url)
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })
  const owner = privateKeyToAccount(randomPrivateKey())
  const walletAddress = computeAccountAddress({ kind: 'eoa', address: owner.address })
  const answerOf = async (request: ReturnType<typeof get>) => {
    const { status, body } = await request
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  const build = () =>
    answerOf(
      post('/smart-account/transaction/build', {
        network: String(node.chainId),
        walletAddress,
        transactionDetails: [{ targetContractAddress: walletAddress, value: '0', encodedData: '0x' }],
      }),
    )
  const submit = async ({ messageToSign }: { messageToSign: Hex }) => {
    const signature = await owner.signMessage({ message: { raw: messageToSign } })
    return answerOf(post('/smart-account/transaction/submit', { walletAddress, signature }))
  }
  const readStatus = (hash: string) => answerOf(get(`/smart-account/transaction/status?userOpHash=${hash}`))
  const untilFinal = (hash: string) => expect.poll(() => readStatus(hash)).toMatchObject({ final: true })

  await answerOf(post('/smart-account/create', { eoaAddress: owner.address }))
  await chain.setBalance({ address: walletAddress, value: parseEther('10') })
  const first = await submit(await build())
  await untilFinal(first.userOpHash)

  // The nonces on the chain match the history.
  const relayers = await explained.db
    .selectFrom('relayer_transactions')
    .select('relayer')
    .distinct()
    .execute()
  for (const { relayer } of relayers) await chain.setNonce({ address: relayer as Hex, nonce: size.all }) // the column holds 0x and 40 digits
  const { entryPoint } = service.services.networks.get(node.chainId).config
  const sequence = BigInt(Math.ceil(size.account / laneCount))
  for (let lane = 0n; lane < laneCount; lane++)
    await setSequence(chain, entryPoint, { account: walletAddress, lane, sequence })
  await growHistory(explained, size, laneCount)
  explained.take()

  const steps = new Map<string, readonly ExplainedStatement[]>()
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const value = await run()
    steps.set(name, explained.take())
    return value
  }
  const built = await step('build', build)
  const { userOpHash } = await step('submit', () => submit(built))
  await step('status', () => readStatus(userOpHash))
  await step('activity', () => answerOf(get(`/wallet/activity?walletAddress=${walletAddress}`)))
  await step('reconciliation', () => untilFinal(userOpHash))
  await step('purge', () => purgeUnsigned(explained.db, operationFeatures, new Date()))
  // The control: this full scan must be detected.
  await step('scan', () => sql.raw(scanned).execute(explained.db))
  return steps
}

/** Matches no row and scans the whole table. */
const scanned = 'select from operations where value = -1'

const describeStatement = (step: string, { rows, pages, scanned, text }: ExplainedStatement) =>
  `${step}: ${rows} rows, ${pages} pages, full scan of ${scanned.join(', ') || 'nothing'}: ${text.replace(/\s+/g, ' ')}`

const isCostly = ({ rows, pages, scanned }: ExplainedStatement) =>
  rows > maxRows || pages > maxPages || scanned.some((table) => growingTables.includes(table))

/** Expects that no statement reads more than a few rows, however long the history is. */
async function expectCheap(size: HistorySize, plans: 'auto' | 'force_generic_plan'): Promise<void> {
  const steps = await runOperation(size, plans)
  const costly = [...steps].flatMap(([step, statements]) =>
    statements.filter(isCostly).map((statement) => describeStatement(step, statement)),
  )
  const [scan, ...others] = costly.toSorted((a) => (a.includes(scanned) ? -1 : 1))
  expect(scan).toContain('full scan of operations')
  expect(others).toEqual([])

  const textsOf = (step: string) => (steps.get(step) ?? []).map(({ text }) => text).join('\n')
  expect(textsOf('build')).toContain('insert into operations')
  expect(textsOf('submit')).toContain('insert into relayer_transactions')
  expect(textsOf('purge')).toContain('delete from "operations"')
}

describe.skipIf(!testEngines().includes('postgresql'))(
  'rows of a long history that an operation reads',
  () => {
    test('behavior: the bound holds with 20,000 operations of the account and 100,000 in total', () =>
      expectCheap({ account: 20_000, all: 100_000 }, 'auto'))

    test(
      'behavior: the bound holds with generic plans, which named statements keep',
      { tags: ['long'] },
      () => expectCheap({ account: 20_000, all: 100_000 }, 'force_generic_plan'),
    )

    test(
      'behavior: the bound holds with 100,000 operations of the account and 1,000,000 in total',
      { tags: ['long'], timeout: 1_800_000 },
      () => expectCheap({ account: 100_000, all: 1_000_000 }, 'auto'),
    )
  },
)
