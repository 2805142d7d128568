/** @module-tag all */
// @promise 5
import { randomUUID } from 'node:crypto'
import { openDatabase } from '@lanyard/database'
import { freshDatabase, type TestDatabase, testEngines } from '@lanyard/database/testing'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type PostgresProxy, startPostgresProxy } from '@lanyard/testing/fault-proxy'
import { type Address, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postJson } from '../http-service.ts'
import { inclusionsOf } from '../inclusions-of.ts'
import { expectUniqueTransactions } from '../load/expect-once.ts'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'

const network = 31337

/** Statements that take effect before their answer arrives. In the wire protocol, a zero byte ends a statement. */
const answers = /commit\0|\0(?:with|insert into|update|delete from) /

/**
 * Maximum number of attempts of a caller. The loss of one answer must have no effect after its claim has expired.
 */
const maxAttempts = 5

const transactionDetails = [{ targetContractAddress: payee, value: '1', encodedData: '0x' }]

interface Answer {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
  readonly body: any
}

describe.skipIf(!testEngines().includes('postgresql'))('a lost answer of PostgreSQL', () => {
  let direct: TestDatabase
  let proxy: PostgresProxy
  let service: OrderService
  const counts = { lost: 0, refused: 0 }
  beforeAll(async () => {
    direct = await freshDatabase('postgresql')
    proxy = await startPostgresProxy(direct.url ?? '')
    service = await startOrderService({
      chainIds: [network],
      // The text of a named statement is sent only once.
      database: await openDatabase({ url: proxy.databaseUrl, namedStatements: false }),
    })
  })
  afterAll(async () => {
    reportFigure(5, 'lost answers of the database, one at each step', counts.lost)
    reportFigure(5, 'requests that failed, were retried and got the same result', counts.refused)
    await service?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    await direct?.[Symbol.asyncDispose]()
  })

  /** Loses the answer to the statement at this position. */
  async function loseAnswer(position: number) {
    let seen = 0
    await proxy.set({ kind: 'lose-answer', to: (sent) => answers.test(sent) && seen++ === position })
    return { happened: () => seen > position }
  }

  /** Sends a request until it succeeds, and then once more. */
  async function sendUntilRepeated(path: string, body: object): Promise<Answer['body']> {
    const headers = { 'idempotency-key': randomUUID() }
    const post = () => postJson(`${service.service.url}${path}`, body, headers)
    let answer: Answer = await post()
    for (let attempt = 1; answer.status !== 200 && attempt < maxAttempts; attempt++) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
      counts.refused++
      answer = await post()
    }
    expect(answer).toMatchObject({ status: 200 })
    let again: Answer = await post()
    // The lost answer may belong to this request.
    if (again.status === 503) again = await post()
    expect(again).toMatchObject({ status: 200, text: answer.text })
    return answer.body
  }

  const rowsOf = (account: Address) =>
    direct.db
      .selectFrom('operations')
      .select(['state', 'success', 'final'])
      .where('account', '=', account.toLowerCase())
      .execute()

  const expectIncluded = (account: Address) =>
    expect.poll(() => rowsOf(account)).toEqual([expect.objectContaining({ state: 'included' })])

  async function expectOneOperation(account: Address) {
    await expect.poll(() => rowsOf(account)).toEqual([{ state: 'included', success: true, final: true }])
    const events = await inclusionsOf(service.on(network).chain, account)
    expect(events).toHaveLength(1)
  }

  async function expectConsistentRows() {
    const { db } = direct
    const [users, accounts, unfinished, withoutOperations] = await Promise.all([
      db.selectFrom('users').select('id').execute(),
      db.selectFrom('accounts').select('user_id').execute(),
      db.selectFrom('idempotency_keys').select('endpoint').where('state', '<>', 'finished').execute(),
      db
        .selectFrom('relayer_transactions')
        .leftJoin(
          'relayer_transaction_operations as contents',
          'contents.txn_hash',
          'relayer_transactions.txn_hash',
        )
        .select('relayer_transactions.txn_hash')
        .where('contents.txn_hash', 'is', null)
        .execute(),
    ])
    expect(accounts.map(({ user_id }) => user_id).toSorted()).toEqual(users.map(({ id }) => id).toSorted())
    expect({ unfinished, withoutOperations }).toEqual({ unfinished: [], withoutOperations: [] })
    await expectUniqueTransactions(db, service)
  }

  test('behavior: at any position, an EOA caller gets 503, retries with its key, and there is one result', {
    timeout: 600_000,
  }, async () => {
    const accounts: Address[] = []
    for (let position = 0; ; position++) {
      const loss = await loseAnswer(position)
      const owner = privateKeyToAccount(randomPrivateKey())
      const { wallet } = await sendUntilRepeated('/smart-account/create', { eoaAddress: owner.address })
      const walletAddress: Address = wallet.scw_address
      accounts.push(walletAddress)
      await service.on(network).chain.setBalance({ address: walletAddress, value: parseEther('1') })
      const { messageToSign } = await sendUntilRepeated('/smart-account/transaction/build', {
        network: String(network),
        walletAddress,
        transactionDetails,
      })
      const signature = await sign.raw(owner, messageToSign)
      const submitted = await sendUntilRepeated('/smart-account/transaction/submit', {
        walletAddress,
        signature,
      })
      expect(submitted).toMatchObject({ success: true })
      // The bundle and its receipt are written after the answer. Their commits are steps too.
      await expectIncluded(walletAddress)
      await proxy.set({ kind: 'pass' })
      if (!loss.happened()) break
      counts.lost++
    }
    for (const account of accounts) await expectOneOperation(account)
    await expectConsistentRows()
    // Each of the three requests commits a claim, a change and an answer. The bundle and its receipt follow.
    expect(counts.lost).toBeGreaterThan(10)
    expect(counts.refused).toBeGreaterThan(0)
  })

  test('behavior: at any position, a passkey user gets 503, resends the same assertion, and there is one result', {
    tags: ['long'],
    timeout: 600_000,
  }, async () => {
    const accounts: Address[] = []
    for (let position = 0; ; position++) {
      const { username, passkey, address } = await service.createPasskeyUser()
      passkey.counter = 1
      accounts.push(address)
      await service.on(network).chain.setBalance({ address, value: parseEther('1') })
      const loss = await loseAnswer(position)
      const options = await sendUntilRepeated('/v3/webauthn/transaction/generate-options', {
        username,
        network: String(network),
        transactionDetails,
      })
      passkey.counter++
      const assertion = passkey.get(options)
      const submitted = await sendUntilRepeated(
        `/v3/webauthn/transaction/verify?username=${username}`,
        assertion,
      )
      expect(submitted).toMatchObject({ success: true })
      await proxy.set({ kind: 'pass' })
      if (!loss.happened()) break
      counts.lost++
    }
    for (const account of accounts) await expectOneOperation(account)
    await expectConsistentRows()
  })
})
