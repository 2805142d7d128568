import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type AccountOwner,
  type Call,
  computeAccountAddress,
  defaultDeployment,
  delegatedDeployment,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  getSafeOperationHash,
  getUserOperationHash,
  type SignedUserOperation,
  stubSignature,
  toDelegatedAccount,
  toWireUserOperation,
} from '@lanyard/accounts'
import type { Engine, OperationRow, StoredAuthorization } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { devAccounts, localTransport, type StartNodeOptions, startNode } from '@lanyard/devnet'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import {
  type Address,
  createTestClient,
  type Hex,
  type LocalAccount,
  parseAbiItem,
  parseEther,
  parseGwei,
  publicActions,
  walletActions,
} from 'viem'
import { entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Bundler, type BundlerDependencies, createBundler } from '../src/index.ts'

export interface FixtureAccount {
  readonly signer: LocalAccount
  readonly owner: AccountOwner
  readonly address: Address
}

/** An EOA that is its own account. */
export interface DelegatedAccount {
  readonly signer: PrivateKeyAccount
  readonly address: Address
}

export interface DelegatedOptions
  extends Pick<OperationOptions, 'nonce' | 'nonceKey' | 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  /** The nonce of the authorisation. Default: the EOA's own, if it is not delegated yet; null: none. */
  readonly authorizationNonce?: number | null
}

export interface OperationOptions {
  readonly nonceKey?: bigint
  readonly nonce?: bigint
  readonly callGasLimit?: bigint
  readonly verificationGasLimit?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  /** Unix seconds. */
  readonly validAfter?: number
  /** Unix seconds. */
  readonly validUntil?: number
  readonly deployed?: boolean
}

/** A call that changes nothing. */
export const nothing: Call = { to: '0x000000000000000000000000000000000000dEaD', value: 0n, data: '0x' }

const entryPoint = defaultDeployment.entryPoint
const entryPoints = [entryPoint, delegatedDeployment.entryPoint]
const userOperationEvent = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
)

/**
 * A chain, a database, and the operation service's use of both, for one test file. Blocks are mined only with
 * transactions: the price of gas falls with each empty block, and the number of empty blocks depends on the
 * machine.
 */
export type Fixture = Awaited<ReturnType<typeof startFixture>>

/** @param more - extra members of the network's configuration; a function receives the chain's address */
export async function startFixture(
  engine: Engine,
  options: StartNodeOptions = {},
  more: object | ((rpcUrl: string) => Promise<object>) = {},
) {
  const stack = new AsyncDisposableStack()
  const node = stack.use(await startNode({ blockTime: 3_600, ...options }))
  const database = stack.use(await freshDatabase(engine))
  const config = networkConfig.parse({
    chainId: node.chainId,
    name: node.name,
    rpcUrls: [node.rpcUrl],
    local: true,
    pollingInterval: 20,
    ...(typeof more === 'function' ? await more(node.rpcUrl) : more),
  })
  const network = createNetworks([config]).get(node.chainId)
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const relayer = devAccount(0)
  const funder = devAccount(1)

  let minesAtOnce = true
  /** Stops automatic mining: from now on tests mine each block. */
  async function stopMining(): Promise<void> {
    minesAtOnce = false
    await chain.setIntervalMining({ interval: 3_600 })
  }
  /**
   * Waits until what was sent is mined, with automatic mining: anvil responds to a transaction before it is
   * mined.
   */
  async function mined(): Promise<void> {
    while (minesAtOnce && (await chain.getTxpoolStatus()).pending > 0) await setTimeout(5)
  }

  /** With automatic mining, a drive ends once the transactions that it sent are mined. */
  const bundler = (dependencies: Partial<BundlerDependencies> = {}): Bundler => {
    const made = createBundler(network, { database: database.db, relayers: [relayer], ...dependencies })
    return { ...made, drive: () => made.drive().finally(mined) }
  }

  /** The same network with a remote bundler. */
  const remoteBundler = (url: string): Bundler => {
    const remote = networkConfig.parse({ ...config, bundler: { kind: 'remote', url }, rpcTimeout: 5_000 })
    return createBundler(createNetworks([remote]).get(node.chainId), { database: database.db, relayers: [] })
  }

  /** Registers an account as the service does at its creation. */
  async function register(
    owner: AccountOwner,
    { funded = true, address = computeAccountAddress(owner) }: { funded?: boolean; address?: Address } = {},
  ): Promise<Address> {
    const id = randomUUID()
    await database.db
      .insertInto('users')
      .values({ id, kind: owner.kind, username: id, username_key: id, created_at: new Date() })
      .execute()
    await database.db
      .insertInto('accounts')
      .values({
        address: address.toLowerCase(),
        user_id: id,
        eoa_address: owner.kind === 'eoa' ? owner.address.toLowerCase() : null,
        passkey_x: owner.kind === 'passkey' ? owner.x : null,
        passkey_y: owner.kind === 'passkey' ? owner.y : null,
        passkey_verifiers: owner.kind === 'passkey' ? owner.verifiers : null,
        deployment: '{}',
        created_at: new Date(),
      })
      .execute()
    if (funded) await chain.setBalance({ address, value: parseEther('10') })
    return address
  }

  async function account(options: { funded?: boolean } = {}): Promise<FixtureAccount> {
    const signer = privateKeyToAccount(randomPrivateKey())
    const owner: AccountOwner = { kind: 'eoa', address: signer.address }
    return { signer, owner, address: await register(owner, options) }
  }

  async function delegatedAccount(options: { funded?: boolean } = {}): Promise<DelegatedAccount> {
    const signer = privateKeyToAccount(randomPrivateKey())
    const { address } = signer
    await register({ kind: 'eoa', address }, { ...options, address })
    return { signer, address }
  }

  async function authorize(
    { signer }: DelegatedAccount,
    nonce: number,
    address: Address = delegatedDeployment.delegate,
  ): Promise<StoredAuthorization> {
    const { chainId } = node
    const { r, s, yParity = 0 } = await signer.signAuthorization({ chainId, address, nonce })
    return { chainId, address, nonce, r, s, yParity }
  }

  /** Delegates the EOA by a transaction of its own account's, or revokes its delegation (the zero address). */
  async function delegate(account: DelegatedAccount, to: Address = delegatedDeployment.delegate) {
    const nonce = await chain.getTransactionCount({ address: account.address })
    await chain.sendTransaction({
      account: funder,
      chain: null,
      nonce: await chain.getTransactionCount({ address: funder.address }),
      to: funder.address,
      gas: 200_000n,
      ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('5') },
      authorizationList: [await authorize(account, nonce, to)],
    })
    await mined()
  }

  /** An operation of an EOA, estimated and signed. */
  async function buildDelegated(
    bundler: Bundler,
    account: DelegatedAccount,
    calls: readonly Call[],
    options: DelegatedOptions = {},
  ): Promise<SignedUserOperation> {
    const { signer, address } = account
    const kind = toDelegatedAccount(address)
    const code = await chain.getCode({ address })
    const own = code === undefined ? await chain.getTransactionCount({ address }) : null
    const { authorizationNonce = own } = options
    const fees = await network.fees()
    const drafted: SignedUserOperation = {
      sender: address,
      nonce:
        options.nonce ??
        (await chain.readContract({
          address: kind.entryPoint,
          abi: entryPoint08Abi,
          functionName: 'getNonce',
          args: [address, options.nonceKey ?? 0n],
        })),
      initCode: authorizationNonce === null ? '0x' : kind.encodeInitCode(),
      callData: kind.encodeCalls(calls),
      callGasLimit: 0n,
      verificationGasLimit: 0n,
      preVerificationGas: 0n,
      maxFeePerGas: options.maxFeePerGas ?? fees.maxFeePerGas,
      maxPriorityFeePerGas: options.maxPriorityFeePerGas ?? fees.maxPriorityFeePerGas,
      paymasterAndData: '0x',
      entryPoint: kind.entryPoint,
      signature: kind.stubSignature({}),
    }
    const { execution: _, ...gas } = await bundler.estimate({ operation: drafted })
    const operation = { ...drafted, ...gas }
    const signature = await signer.sign({ hash: kind.hashOperation(operation, { chainId: node.chainId }) })
    return {
      ...{ ...operation, signature },
      ...(authorizationNonce === null ? {} : { authorization: await authorize(account, authorizationNonce) }),
    }
  }

  /** An operation without gas limits, with a stub signature. */
  async function draft(
    { owner, address }: Pick<FixtureAccount, 'owner' | 'address'>,
    calls: readonly Call[],
    options: OperationOptions = {},
  ): Promise<SignedUserOperation> {
    const deployed = options.deployed ?? (await chain.getCode({ address })) !== undefined
    const fees = await network.fees()
    return {
      sender: address,
      nonce:
        options.nonce ??
        (await chain.readContract({
          address: entryPoint,
          abi: entryPoint07Abi,
          functionName: 'getNonce',
          args: [address, options.nonceKey ?? 0n],
        })),
      initCode: deployed ? '0x' : encodeInitCode(owner),
      callData: encodeCalls(calls),
      callGasLimit: 0n,
      verificationGasLimit: 0n,
      preVerificationGas: 0n,
      maxFeePerGas: options.maxFeePerGas ?? fees.maxFeePerGas,
      maxPriorityFeePerGas: options.maxPriorityFeePerGas ?? fees.maxPriorityFeePerGas,
      paymasterAndData: '0x',
      signature: stubSignature(owner, options),
    }
  }

  /** An estimated and signed operation. */
  async function build(
    bundler: Bundler,
    account: FixtureAccount,
    calls: readonly Call[],
    options: OperationOptions = {},
  ): Promise<SignedUserOperation> {
    const drafted = await draft(account, calls, options)
    const gas = await bundler.estimate({ operation: drafted })
    const operation = {
      ...drafted,
      callGasLimit: options.callGasLimit ?? gas.callGasLimit,
      verificationGasLimit: options.verificationGasLimit ?? gas.verificationGasLimit,
      preVerificationGas: gas.preVerificationGas,
    }
    return await sign(account, operation, options)
  }

  async function sign(
    { signer }: FixtureAccount,
    operation: SignedUserOperation,
    { validAfter = 0, validUntil = 0 }: OperationOptions = {},
  ): Promise<SignedUserOperation> {
    const hash = getSafeOperationHash(operation, { chainId: node.chainId, validAfter, validUntil })
    const signatures = await signHash(signer, hash)
    return { ...operation, signature: encodeSignature({ validAfter, validUntil, signatures }) }
  }

  const hashOf = (operation: SignedUserOperation): Hex =>
    getUserOperationHash(operation, { chainId: node.chainId })

  /** Writes the row and sends the operation to the bundler, as the service does on submit. */
  async function submit(
    bundler: Bundler,
    operation: SignedUserOperation,
    sentBy: string | null = null,
  ): Promise<Hex> {
    const hash = await store(operation, 'submitting')
    await bundler.deliver(operation, sentBy)
    await database.db
      .updateTable('operations')
      .set({ state: 'submitted', sent_by: sentBy })
      .where('user_op_hash', '=', hash)
      .execute()
    return hash
  }

  async function store(operation: SignedUserOperation, state: 'submitting' | 'submitted'): Promise<Hex> {
    const [hash] = await storeAll([operation], state)
    if (!hash) throw new TypeError('one operation, one hash')
    return hash
  }

  async function storeAll(
    operations: readonly SignedUserOperation[],
    state: 'submitting' | 'submitted',
  ): Promise<Hex[]> {
    const block = Number(await chain.getBlockNumber())
    const rows = operations.map((operation) => rowOf(operation, state, block))
    await database.db.insertInto('operations').values(rows).execute()
    return rows.map(({ user_op_hash }) => user_op_hash)
  }

  function rowOf(operation: SignedUserOperation, state: 'submitting' | 'submitted', block: number) {
    const hash = hashOf(operation)
    const { signature, authorization: _, ...unsigned } = operation
    const authorization = operation.authorization as StoredAuthorization | undefined // `authorize` made it
    return {
      user_op_hash: hash,
      account: operation.sender.toLowerCase(),
      network: node.chainId,
      entry_point: (operation.entryPoint ?? entryPoint).toLowerCase(),
      nonce_key: operation.nonce >> 64n,
      nonce_sequence: BigInt.asUintN(64, operation.nonce),
      user_op: JSON.stringify(toWireUserOperation(unsigned)),
      safe_op_hash: hash,
      valid_after: 0,
      valid_until: 0,
      sign_mode: 'ECDSA',
      value: 0n,
      deploys: operation.initCode !== '0x',
      replaces: null,
      state,
      built_at: new Date(),
      build_expires_at: new Date(Date.now() + 600_000),
      signature,
      eip7702_auth: authorization ?? null,
      signed_at: new Date(),
      signed_at_block: block,
      attempts: 0,
      next_attempt_at: null,
      txn_hash: null,
      block_number: null,
      block_hash: null,
      included_at: null,
      success: null,
      gas_cost: null,
      reason_code: null,
      reason_message: null,
    } as const
  }

  /** The operation's events on chain: exactly one in the normal case. */
  const events = (userOpHash: Hex) =>
    chain.getLogs({ address: entryPoints, event: userOperationEvent, args: { userOpHash }, fromBlock: 0n })

  /** Records inclusions on the chain, as the service does. */
  async function noticeInclusion(): Promise<void> {
    const logs = await chain.getLogs({ address: entryPoints, event: userOperationEvent, fromBlock: 0n })
    const landed = new Map(logs.map((log) => [log.args.userOpHash?.toLowerCase(), log]))
    const rows = await database.db
      .selectFrom('operations')
      .select(['user_op_hash', 'state'])
      .where('state', 'in', ['submitted', 'included'])
      .execute()
    for (const row of rows) {
      const log = landed.get(row.user_op_hash)
      if (!log && row.state === 'submitted') continue
      await database.db
        .updateTable('operations')
        .set(
          log
            ? {
                state: 'included',
                txn_hash: log.transactionHash,
                block_number: Number(log.blockNumber),
                block_hash: log.blockHash,
                success: log.args.success ?? null,
              }
            : { state: 'submitted', txn_hash: null, block_number: null, block_hash: null, success: null },
        )
        .where('user_op_hash', '=', row.user_op_hash)
        .execute()
    }
  }

  const row = async (hash: Hex): Promise<OperationRow> =>
    await database.db
      .selectFrom('operations')
      .selectAll()
      .where('user_op_hash', '=', hash)
      .executeTakeFirstOrThrow()

  const transactions = async () =>
    await database.db
      .selectFrom('relayer_transactions')
      .selectAll()
      .orderBy('nonce')
      .orderBy('created_at')
      .execute()

  return {
    node,
    network,
    database,
    chain,
    relayer,
    funder,
    bundler,
    remoteBundler,
    register,
    account,
    delegatedAccount,
    authorize,
    delegate,
    buildDelegated,
    draft,
    build,
    sign,
    hashOf,
    store,
    storeAll,
    submit,
    events,
    noticeInclusion,
    stopMining,
    mined,
    row,
    transactions,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** One of anvil's public accounts. */
function devAccount(index: number): LocalAccount {
  const account = devAccounts[index]
  if (!account) throw new TypeError(`There is no dev account ${index}`)
  return privateKeyToAccount(account.privateKey)
}

async function signHash(signer: LocalAccount, hash: Hex): Promise<Hex> {
  if (!signer.sign) throw new TypeError('A private key account signs hashes')
  return await signer.sign({ hash })
}
