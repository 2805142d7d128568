/** @module-tag all */
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
import { expectNoBundleTwice } from '../load/expect-once.ts'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'

const network = 31337

/** Statements of which the database has done what they say before anybody hears so; in the protocol, a zero ends them. */
const answers = /commit\0|\0(?:with|insert into|update|delete from) /

/** Times that a caller asks again: the loss of one answer must not be felt for longer than a claim lasts. */
const maxAttempts = 5

const transactionDetails = [{ targetContractAddress: payee, value: '1', encodedData: '0x' }]

interface Answered {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are examined by the tests, member by member
  readonly body: any
}

describe.skipIf(!testEngines().includes('postgresql'))('an answer of PostgreSQL that is lost', () => {
  let direct: TestDatabase
  let proxy: PostgresProxy
  let service: OrderService
  const counts = { lost: 0, refused: 0 }
  beforeAll(async () => {
    direct = await freshDatabase('postgresql')
    proxy = await startPostgresProxy(direct.url ?? '')
    service = await startOrderService({
      chainIds: [network],
      // The text of a statement that is named is on the wire once only.
      database: await openDatabase({ url: proxy.databaseUrl, namedStatements: false }),
    })
  })
  afterAll(async () => {
    reportFigure(5, 'answers of the database lost, one at each step', counts.lost)
    reportFigure(5, 'requests that were told so, sent again and answered with the one result', counts.refused)
    await service?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    await direct?.[Symbol.asyncDispose]()
  })

  /** Loses the answer to one statement: to that before which so many others come. */
  async function loseAnswer(position: number) {
    let seen = 0
    await proxy.set({ kind: 'lose-answer', to: (sent) => answers.test(sent) && seen++ === position })
    return { happened: () => seen > position }
  }

  /** Sends a request until it is answered, and then again. */
  async function askAgain(path: string, body: object): Promise<Answered['body']> {
    const headers = { 'idempotency-key': randomUUID() }
    const post = () => postJson(`${service.service.url}${path}`, body, headers)
    let answer: Answered = await post()
    for (let attempt = 1; answer.status !== 200 && attempt < maxAttempts; attempt++) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
      counts.refused++
      answer = await post()
    }
    expect(answer).toMatchObject({ status: 200 })
    let again: Answered = await post()
    // The one answer that is lost may be this one's.
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

  async function expectNothingHalfWritten() {
    const { db } = direct
    const [users, accounts, unfinished, leaderless] = await Promise.all([
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
    expect({ unfinished, leaderless }).toEqual({ unfinished: [], leaderless: [] })
    await expectNoBundleTwice(db, service)
  }

  test('behavior: wherever it is, the caller of an EOA hears 503, asks again with its key, and there is one result', {
    timeout: 600_000,
  }, async () => {
    const accounts: Address[] = []
    for (let position = 0; ; position++) {
      const loss = await loseAnswer(position)
      const owner = privateKeyToAccount(randomPrivateKey())
      const { wallet } = await askAgain('/smart-account/create', { eoaAddress: owner.address })
      const walletAddress: Address = wallet.scw_address
      accounts.push(walletAddress)
      await service.on(network).chain.setBalance({ address: walletAddress, value: parseEther('1') })
      const { messageToSign } = await askAgain('/smart-account/transaction/build', {
        network: String(network),
        walletAddress,
        transactionDetails,
      })
      const signature = await sign.raw(owner, messageToSign)
      const submitted = await askAgain('/smart-account/transaction/submit', { walletAddress, signature })
      expect(submitted).toMatchObject({ success: true })
      // The bundle and its receipt are written after the answer: their commits belong to the steps as well.
      await expectIncluded(walletAddress)
      await proxy.set({ kind: 'pass' })
      if (!loss.happened()) break
      counts.lost++
    }
    for (const account of accounts) await expectOneOperation(account)
    await expectNothingHalfWritten()
    // The claim of the key, the change and the answer of each of three requests, the bundle and its receipt.
    expect(counts.lost).toBeGreaterThan(10)
    expect(counts.refused).toBeGreaterThan(0)
  })

  test('behavior: wherever it is, a passkey user hears 503, sends the same assertion again, and there is one result', {
    timeout: 600_000,
  }, async () => {
    const accounts: Address[] = []
    for (let position = 0; ; position++) {
      const { username, passkey, address } = await service.createPasskeyUser()
      passkey.counter = 1
      accounts.push(address)
      await service.on(network).chain.setBalance({ address, value: parseEther('1') })
      const loss = await loseAnswer(position)
      const options = await askAgain('/v3/webauthn/transaction/generate-options', {
        username,
        network: String(network),
        transactionDetails,
      })
      passkey.counter++
      const assertion = passkey.get(options)
      const submitted = await askAgain(`/v3/webauthn/transaction/verify?username=${username}`, assertion)
      expect(submitted).toMatchObject({ success: true })
      await proxy.set({ kind: 'pass' })
      if (!loss.happened()) break
      counts.lost++
    }
    for (const account of accounts) await expectOneOperation(account)
    await expectNothingHalfWritten()
  })
})
