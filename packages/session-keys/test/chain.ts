import {
  type Call,
  computeAccountAddress,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  getSafeOperationHash,
  getUserOperationHash,
  packUserOperation,
  type SignedUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import {
  canonicalAddresses,
  devAccounts,
  localTransport,
  settlementTokenAddress,
  startNode,
} from '@lanyard/devnet'
import {
  entryPointAbi,
  epochsAddress,
  predictSessionKeysAddress,
  type SessionKeysDeploymentContext,
  safe4337ModuleAbi,
  safeAbi,
  sessionKeysAbi,
  sessionKeysDeployment,
  devTokenAbi as tokenAbi,
} from '@lanyard/onchain'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  hexToNumber,
  parseEventLogs,
  publicActions,
  walletActions,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import {
  decodeSessionState,
  encodeSessionExecute,
  encodeSessionSignature,
  type SessionKey,
  type SessionState,
} from '../src/index.ts'

export const smartBalance: Address = '0x5ba1a4ce00000000000000000000000000000001'

const deploymentContext: SessionKeysDeploymentContext = {
  entryPoint: canonicalAddresses.entryPoint,
  safe4337Module: canonicalAddresses.safe4337Module,
  sharedSigner: canonicalAddresses.safeWebAuthnSharedSigner,
  multiSend: canonicalAddresses.multiSend,
  multiSendCallOnly: canonicalAddresses.multiSendCallOnly,
  smartBalance,
  epochs: epochsAddress,
}

export const sessionKeys = predictSessionKeysAddress(deploymentContext)
export const token = settlementTokenAddress
export const chainId = foundry.id

/** An account's owner: one of the devnet's PUBLIC keys. */
export function ownerAt(index: number): PrivateKeyAccount {
  const account = devAccounts[index]
  if (account === undefined) throw new TypeError('The devnet has funded accounts.')
  return privateKeyToAccount(account.privateKey)
}

interface CallTrace {
  readonly gasUsed: Hex
  readonly error?: string
  readonly calls?: readonly CallTrace[]
}

/** The response of geth's default tracer; only the members that these tests use. */
export interface OpcodeTrace {
  readonly structLogs: readonly {
    readonly op: string
    readonly depth: number
    readonly stack: readonly Hex[]
  }[]
}

/** Signs the SafeOp hash with a session's key. */
export type SignSession = (hash: Hex) => Promise<Hex>

/** Starts a node with SessionKeys on it. Disposing it stops the node. */
export async function startChain(options: { hardfork?: 'prague' } = {}) {
  const node = await startNode(options)
  const bundler = ownerAt(0)
  const client = createTestClient({
    mode: 'anvil',
    account: bundler,
    chain: foundry,
    transport: localTransport(node.rpcUrl),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  const deployed = await client.sendTransaction({
    to: canonicalAddresses.deterministicDeployer,
    data: sessionKeysDeployment(deploymentContext),
  })
  await client.waitForTransactionReceipt({ hash: deployed })

  const read = <const name extends 'getOwners' | 'getThreshold'>(account: Address, functionName: name) =>
    client.readContract({ address: account, abi: safeAbi, functionName })

  async function operationOf(
    account: Address,
    calls: readonly Call[],
    nonceKey = 0n,
  ): Promise<UserOperation> {
    const nonce = await client.readContract({
      address: canonicalAddresses.entryPoint,
      abi: entryPointAbi,
      functionName: 'getNonce',
      args: [account, nonceKey],
    })
    return {
      sender: account,
      nonce,
      initCode: '0x',
      callData: encodeCalls(calls),
      callGasLimit: 1_500_000n,
      verificationGasLimit: 1_500_000n,
      preVerificationGas: 100_000n,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      paymasterAndData: '0x',
    }
  }

  /** anvil's own method; its parameters and result are geth's. */
  const traceCall = <answer>(call: { from: Address; to: Address; data: Hex }, config: object) =>
    client.request<{ Method: 'debug_traceCall'; Parameters: unknown[]; ReturnType: answer }>({
      method: 'debug_traceCall',
      params: [call, 'latest', config],
    })

  const handleOpsData = (operation: SignedUserOperation) =>
    encodeFunctionData({
      abi: entryPointAbi,
      functionName: 'handleOps',
      args: [[packUserOperation(operation)], bundler.address],
    })

  const handleOps = (operation: SignedUserOperation) => ({
    address: canonicalAddresses.entryPoint,
    abi: entryPointAbi,
    functionName: 'handleOps' as const,
    args: [[packUserOperation(operation)], bundler.address] as const,
    gas: 6_000_000n,
  })

  /** Bundles one operation and returns the result according to EntryPoint's events. Throws if `handleOps` reverts. */
  async function submit(operation: SignedUserOperation) {
    const { request } = await client.simulateContract({ ...handleOps(operation), account: bundler })
    const hash = await client.writeContract(request)
    const receipt = await client.waitForTransactionReceipt({ hash })
    const logs = parseEventLogs({ abi: entryPointAbi, logs: receipt.logs })
    const event = logs.find((log) => log.eventName === 'UserOperationEvent')
    const revert = logs.find((log) => log.eventName === 'UserOperationRevertReason')
    return {
      success: event?.args.success,
      userOpHash: event?.args.userOpHash,
      expectedHash: getUserOperationHash(operation, { chainId }),
      gasUsed: event?.args.actualGasUsed,
      revertReason: revert?.args.revertReason,
    }
  }

  async function sessionOf(account: Address, keyId: Hex): Promise<SessionState> {
    const state = await client.readContract({
      address: sessionKeys,
      abi: sessionKeysAbi,
      functionName: 'sessionOf',
      args: [account, keyId],
    })
    return decodeSessionState(state)
  }

  /** An operation of a session without its signature. */
  async function sessionOperation(
    state: SessionState,
    { account, key, calls }: { account: Address; key: SessionKey; calls: readonly Call[] },
  ): Promise<UserOperation> {
    const execute = encodeSessionExecute({ sessionKeys, key, calls })
    return operationOf(account, [execute], state.nonceKey)
  }

  /** Signs with the whole of the session's validity. */
  async function signAsSession(
    operation: UserOperation,
    { session }: SessionState,
    key: SessionKey,
    sign: SignSession,
  ): Promise<SignedUserOperation> {
    const { validAfter, validUntil } = session
    const hash = getSafeOperationHash(operation, { chainId, validAfter, validUntil })
    const signature = await sign(hash)
    return {
      ...operation,
      signature: encodeSessionSignature({ operation, validAfter, validUntil, sessionKeys, key, signature }),
    }
  }

  return {
    client,
    rpcUrl: node.rpcUrl,
    [Symbol.asyncDispose]: () => node.stop(),
    ownersOf: (account: Address) => read(account, 'getOwners') as Promise<readonly Address[]>,
    thresholdOf: (account: Address) => read(account, 'getThreshold') as Promise<bigint>,
    modulesOf: async (account: Address) => {
      const [modules] = await client.readContract({
        address: account,
        abi: safeAbi,
        functionName: 'getModulesPaginated',
        args: ['0x0000000000000000000000000000000000000001', 100n],
      })
      return modules
    },
    balanceOf: (account: Address) =>
      client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [account] }),
    handleOps,
    submit,

    /** Gas that the account's validateUserOp uses, without the transaction's cost of call data. */
    async validationGas(operation: SignedUserOperation): Promise<number> {
      const data = encodeFunctionData({
        abi: safe4337ModuleAbi,
        functionName: 'validateUserOp',
        args: [packUserOperation(operation), getUserOperationHash(operation, { chainId }), 0n],
      })
      const trace = await traceCall<CallTrace>(
        { from: canonicalAddresses.entryPoint, to: operation.sender, data },
        { tracer: 'callTracer' },
      )
      // The proxy's delegatecall to the Safe.
      const [inner] = trace.calls ?? []
      if (trace.error !== undefined || inner === undefined) throw new TypeError('Validation always answers.')
      return hexToNumber(inner.gasUsed)
    },

    /** The opcodes of `handleOps`, with their stacks. */
    traceHandleOps: (operation: SignedUserOperation) =>
      traceCall<OpcodeTrace>(
        { from: bundler.address, to: canonicalAddresses.entryPoint, data: handleOpsData(operation) },
        { disableStorage: true, enableMemory: false },
      ),

    sessionOf,
    sessionOperation,
    signAsSession,

    /** Funds the account of an owner, without deploying it. */
    async fund(owner: PrivateKeyAccount): Promise<Address> {
      const account = computeAccountAddress({ kind: 'eoa', address: owner.address })
      await client.setBalance({ address: account, value: 10n ** 19n })
      const data = encodeFunctionData({
        abi: tokenAbi,
        functionName: 'mint',
        args: [account, 1_000_000_000n],
      })
      const hash = await client.sendTransaction({ to: token, data })
      await client.waitForTransactionReceipt({ hash })
      return account
    },

    /** Submits calls as the account's owner, deploying the account if necessary. */
    async submitAsOwner(owner: PrivateKeyAccount, calls: readonly Call[]) {
      const account = computeAccountAddress({ kind: 'eoa', address: owner.address })
      const isDeployed = (await client.getCode({ address: account })) !== undefined
      const initCode = isDeployed ? '0x' : encodeInitCode({ kind: 'eoa', address: owner.address })
      const operation = { ...(await operationOf(account, calls)), initCode }
      const signatures = await owner.sign({ hash: getSafeOperationHash(operation, { chainId }) })
      return submit({
        ...operation,
        signature: encodeSignature({ validAfter: 0, validUntil: 0, signatures }),
      })
    },

    async now(): Promise<number> {
      return Number((await client.getBlock()).timestamp)
    },
  }
}

export type Chain = Awaited<ReturnType<typeof startChain>>
