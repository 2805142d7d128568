import { computeAccountAddress, defaultDeployment, encodeSignature } from '@lanyard/accounts'
import { type Checkpoint, createBundler } from '@lanyard/bundler'
import { createEoaAccount, type Engine } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { devAccounts, localTransport, startNode } from '@lanyard/devnet'
import { createNetworks, type NetworkConfig, networkConfig } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Logger, pino } from 'pino'
import { createTestClient, type Hex, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { operationFeatures } from '../src/app/operation-features.ts'
import type { Wallet } from '../src/domain/accounts/accounts/kind.ts'
import { toWallet } from '../src/domain/accounts/accounts/wallet.ts'
import { toStoredDeployment } from '../src/domain/accounts/safe/safe-kind.ts'
import { type BuildRequest, verbatimPayer } from '../src/domain/operations/build-request.ts'
import type { OperationDependencies } from '../src/domain/operations/dependencies.ts'
import { buildOperation } from '../src/domain/operations/prepare/build-operation.ts'
import { noScreening } from '../src/domain/operations/screening/screening.ts'
import { eoa } from '../src/domain/operations/signers/eoa.ts'
import { findSignedOperation } from '../src/domain/operations/submit/find-signed-operation.ts'
import { submitOperation } from '../src/domain/operations/submit/submit-operation.ts'
import { createInclusionWatcher } from '../src/domain/operations/track/inclusion-watcher.ts'
import { payerHooks } from '../src/domain/smart-balance/orders/operation-hooks.ts'
import { setSequence } from './set-sequence.ts'

/**
 * With a bundler to which each operation has to be sent, as to a remote one: a signature is written before the bundler
 * has accepted the operation.
 */
export const withSendingBundler = (operations: OperationDependencies): OperationDependencies => ({
  ...operations,
  bundlerFor(chainId) {
    const { check: _, ...bundler } = operations.bundlerFor(chainId)
    return bundler
  },
})

type Owner = ReturnType<typeof privateKeyToAccount>

const relayer = privateKeyToAccount(devAccounts[9]?.privateKey ?? randomPrivateKey())

/** Starts the operation service with its own chain and database. */
export async function startOperations(
  engine: Engine,
  { finality, ...more }: { blockTime?: number; finality?: NetworkConfig['finality'] } = {},
) {
  const node = await startNode(more)
  const rpc = await startRpcProxy(node.rpcUrl)
  const opened = await freshDatabase(engine)
  const database = opened.db
  const networks = createNetworks([
    networkConfig.parse({
      chainId: node.chainId,
      name: 'Test',
      rpcUrls: [rpc.url],
      local: true,
      pollingInterval: 25,
      ...(finality && { finality }),
    }),
  ])
  const network = networks.get(node.chainId)
  const connect = (
    checkpoint: Checkpoint = () => {},
    log: Logger = pino({ level: 'silent' }),
  ): OperationDependencies => {
    const bundler = createBundler(network, {
      database,
      relayers: [relayer],
      checkpoint,
      // Short, so that tests do not wait long for the lease of a dead process or for a resend after a reorg.
      settings: { leaseDuration: 1_000, resendAfter: 300 },
    })
    const bundlerFor = () => bundler
    const noCheckpoint = async () => {}
    return {
      database,
      networks,
      bundlerFor,
      features: operationFeatures,
      screening: noScreening,
      payerHooks: payerHooks({
        policies: [],
        networks,
        metrics: { countPolicyRefusal: () => {} },
        now: () => new Date(),
      }),
      watcher: createInclusionWatcher({
        database,
        networks,
        features: operationFeatures,
        bundlerFor,
        log,
        checkpoint: noCheckpoint,
      }),
      now: () => new Date(),
      log,
      checkpoint: noCheckpoint,
      inclusionTimeout: 15_000,
    }
  }
  const operations = connect()
  const chain = createTestClient({
    mode: 'anvil',
    transport: localTransport(node.rpcUrl),
    pollingInterval: 25,
  }).extend(publicActions)

  /** Creates the wallet of a new EOA. It holds 10 ether by default. */
  async function createWallet(balance = parseEther('10')) {
    const owner = privateKeyToAccount(randomPrivateKey())
    const { account } = await createEoaAccount(database, {
      address: computeAccountAddress({ kind: 'eoa', address: owner.address }),
      eoaAddress: owner.address,
      deployment: toStoredDeployment(defaultDeployment),
      createdAt: new Date(),
    })
    const wallet = toWallet(account)
    if (balance > 0n) await chain.setBalance({ address: wallet.address, value: balance })
    return { wallet, owner }
  }

  const build = (wallet: Wallet, request: Partial<BuildRequest> = {}) =>
    buildOperation(operations, {
      wallet,
      network,
      calls: [{ to: recipient, value: 1n, data: '0x' }],
      payer: verbatimPayer('0x'),
      builtBy: 'test',
      ...request,
    })

  const sign = (owner: Owner, hash: Hex) => owner.signMessage({ message: { raw: hash } })

  async function submit(wallet: Wallet, owner: Owner, signature: Hex, dependencies = operations) {
    const ownersOn = async () => [owner.address]
    const { row, ownerSignature } = await findSignedOperation(
      { wallet, database, ownersOn, acceptsFirstOwner: true },
      eoa,
      signature,
      {},
      {
        builtBy: 'test',
        budget: { charge: async () => {}, refund: async () => {} },
        now: new Date(),
      },
    )
    return submitOperation(
      dependencies,
      row,
      encodeSignature({ validAfter: 0, validUntil: 0, signatures: ownerSignature }),
    )
  }

  async function send(wallet: Wallet, owner: Owner, request: Partial<BuildRequest> = {}) {
    const built = await build(wallet, request)
    return submit(wallet, owner, await sign(owner, built.operationHash))
  }

  const moveLane = (account: Hex, lane: bigint, sequence: bigint): Promise<void> =>
    setSequence(chain, network.config.entryPoint, { account, lane, sequence })

  const readRow = (hash: Hex) =>
    database.selectFrom('operations').selectAll().where('user_op_hash', '=', hash).executeTakeFirstOrThrow()

  return {
    node,
    /** The proxy between the service and the node. Tests call the node directly. */
    rpc,
    network,
    networks,
    chain,
    database,
    opened,
    operations,
    connect,
    createWallet,
    build,
    sign,
    submit,
    send,
    setSequence: moveLane,
    readRow,
    async [Symbol.asyncDispose]() {
      await operations.watcher.close()
      await opened[Symbol.asyncDispose]()
      await rpc[Symbol.asyncDispose]()
      await node.stop()
    },
  }
}

/** An address that no account uses. */
export const recipient: `0x${string}` = '0x00000000000000000000000000000000DeaDBeef'

export type Operations = Awaited<ReturnType<typeof startOperations>>
