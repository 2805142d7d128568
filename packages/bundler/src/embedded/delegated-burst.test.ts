/** @module-tag all */
import { delegatedDeployment, type SignedUserOperation, toDelegatedAccount } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { randomAddress, randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type Address, encodeFunctionData, type Hex, parseEther, parseGwei } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DelegatedAccount, type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { requiredPreVerificationGas } from '../bundle-gas.ts'
import type { Bundler } from '../index.ts'

/** Accepts every operation once it has burnt all but 60,000 gas: `JUMPDEST GAS > 60,000 JUMPI(0) RETURN(0, 0x20)`. */
const burnsAndAccepts: Hex = '0x5b61ea605a1160005760206000f3'

/** Burns all gas: `JUMPDEST JUMP(0)`. */
const loops: Hex = '0x5b600056'

const count = 12

/**
 * The owner of a delegated EOA exchanges its code with a transaction of its own, while the bundle is in the pool. Blocks
 * are mined by hand, so the gas is the same in each run.
 */
describe('delegated EOAs whose owner exchanges their code', () => {
  let fixture: Fixture
  let bundler: Bundler
  let relayer: Address
  let time: number
  const [burner, looper] = [randomAddress(), randomAddress()]
  beforeAll(async () => {
    fixture = await startFixture('pglite', {}, async (rpcUrl) => ({
      ...{ accountKinds: ['safe', 'eip7702'], sendRpcUrls: [rpcUrl] },
    }))
    await fixture.stopMining()
    await fixture.chain.setCode({ address: burner, bytecode: burnsAndAccepts })
    await fixture.chain.setCode({ address: looper, bytecode: loops })
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(async () => {
    await fixture.database.db.updateTable('operations').set({ state: 'dropped', final: true }).execute()
    await fixture.database.db.deleteFrom('relayer_losses').execute()
    const account = privateKeyToAccount(randomPrivateKey())
    relayer = account.address
    await fixture.chain.setBalance({ address: relayer, value: parseEther('100') })
    time = Date.now()
    bundler = fixture.bundler({ relayers: [account], now: () => new Date(time) })
  })

  const { entryPoint } = delegatedDeployment

  /** Mines what is in the pool, and lets the service see it. */
  async function nextBlock() {
    await fixture.chain.mine({ blocks: 1 })
    await fixture.noticeInclusion()
    time += 13_000
    await bundler.drive()
  }

  /** Gives each EOA a delegate, with one transaction that comes before the relayer's. */
  async function delegateAll(delegates: readonly (readonly [DelegatedAccount, Address])[]) {
    const authorizationList = await Promise.all(
      delegates.map(async ([account, to]) =>
        fixture.authorize(account, await fixture.chain.getTransactionCount(account), to),
      ),
    )
    return await fixture.chain.sendTransaction({
      ...{ account: fixture.funder, chain: null, to: fixture.funder.address, authorizationList },
      gas: 100_000n + 50_000n * BigInt(delegates.length),
      ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
    })
  }

  /** EOAs that are delegated as they should be, each with a deposit that pays for what its code does. */
  async function freshAccounts(size: number): Promise<DelegatedAccount[]> {
    const accounts: DelegatedAccount[] = []
    for (let index = 0; index < size; index++) {
      const account = await fixture.delegatedAccount()
      accounts.push(account)
      await fixture.chain.sendTransaction({
        ...{ account: fixture.funder, chain: null, to: entryPoint, value: parseEther('1'), gas: 100_000n },
        ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
        data: encodeFunctionData({
          ...{ abi: entryPoint08Abi, functionName: 'depositTo', args: [account.address] },
        }),
      })
    }
    await delegateAll(accounts.map((account) => [account, delegatedDeployment.delegate]))
    await fixture.chain.mine({ blocks: 1 })
    return accounts
  }

  /** Submits an operation with as much gas for its validation as the bundler accepts. */
  async function submitCostly(account: DelegatedAccount, sentBy: string): Promise<Hex | undefined> {
    const built = await fixture.buildDelegated(bundler, account, [nothing])
    for (const verificationGasLimit of [700_000n, 120_000n]) {
      const raised = { ...built, verificationGasLimit }
      const operation = { ...raised, preVerificationGas: requiredPreVerificationGas(raised) + 1_000n }
      const kind = toDelegatedAccount(account.address)
      const hash = kind.hashOperation(operation, { chainId: fixture.network.chainId })
      const submitted = await submit({ ...operation, signature: await account.signer.sign({ hash }) }, sentBy)
      if (submitted) return submitted
    }
    return undefined
  }

  const rejected: string[] = []
  async function submit(operation: SignedUserOperation, sentBy: string): Promise<Hex | undefined> {
    try {
      await bundler.deliver(operation, sentBy)
    } catch (error) {
      rejected.push(error instanceof LanyardError ? `${error.code} ${error.message}` : String(error))
      return undefined
    }
    const hash = await fixture.store(operation, 'submitted')
    await fixture.database.db
      .updateTable('operations')
      .set({ sent_by: sentBy, signed_at: new Date(time) })
      .where('user_op_hash', '=', hash)
      .execute()
    return hash
  }

  const submitHonest = async (account: DelegatedAccount, sentBy: string) => {
    const hash = await submit(await fixture.buildDelegated(bundler, account, [nothing]), sentBy)
    if (!hash) throw new Error(rejected.at(-1))
    return hash
  }

  const isIncluded = async (hash: Hex) => (await fixture.events(hash)).length === 1

  /** The senders of each live bundle, in its order. */
  async function liveBundles(): Promise<string[][]> {
    const rows = await fixture.database.db
      .selectFrom('relayer_transaction_operations as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
      .select(['link.txn_hash', 'operations.account'])
      .where('tx.state', '=', 'live')
      .where('tx.relayer', '=', relayer.toLowerCase())
      .orderBy('link.position')
      .execute()
    return [...Map.groupBy(rows, ({ txn_hash }) => txn_hash).values()].map((bundle) =>
      bundle.map(({ account }) => account),
    )
  }

  /** All but the last of each bundle burn their gas and accept, and the last one fails. */
  async function exchangeCode(accounts: readonly DelegatedAccount[]): Promise<Hex> {
    const last = new Set((await liveBundles()).map((bundle) => bundle.at(-1)))
    return await delegateAll(
      accounts.map((account) => [account, last.has(account.address.toLowerCase()) ? looper : burner]),
    )
  }

  async function lostGas(): Promise<bigint> {
    const lost = (await fixture.transactions()).filter(
      ({ relayer: by, state, block_number }) =>
        by === relayer.toLowerCase() && state === 'lost' && block_number !== null,
    )
    const receipts = await Promise.all(
      lost.map(({ txn_hash }) => fixture.chain.getTransactionReceipt({ hash: txn_hash as Hex })),
    )
    return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  }

  test('behavior: twelve fresh ones cost the relayer one small transaction, and a newcomer elsewhere goes on', async () => {
    const accounts = await freshAccounts(count)
    for (const account of accounts) await submitCostly(account, 'address:203.0.113.7')
    const innocent = await submitHonest(await fixture.delegatedAccount(), 'address:198.51.100.1')
    await bundler.drive()
    const exchange = await exchangeCode(accounts)
    for (let block = 0; block < 4; block++) await nextBlock()
    const [lost, { gasUsed }] = [
      await lostGas(),
      await fixture.chain.getTransactionReceipt({ hash: exchange }),
    ]
    reportFigure(24, 'gas that a relayer loses to twelve fresh EOAs whose code is exchanged', Number(lost))
    console.log(`lost ${lost}, the attacker paid ${gasUsed}: ${JSON.stringify(rejected.slice(0, 2))}`)
    expect(lost).toBeGreaterThan(0n)
    expect(lost).toBeLessThan(300_000n)
    expect(await isIncluded(innocent)).toBe(true)
  })
})
