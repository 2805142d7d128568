import { encodeCalls, getSafeOperationHash, packUserOperation, type UserOperation } from '@lanyard/accounts'
import { entryPointAbi, sessionKeysAbi } from '@lanyard/onchain'
import {
  decodeSessionState,
  encodeSessionExecute,
  encodeSessionSignature,
  explainRefusal,
  sessionKeyId,
} from '@lanyard/session-keys'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseEventLogs,
  publicActions,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import type { PrivateKeyAccount } from 'viem/accounts'

export interface Theft {
  readonly rpcUrl: string
  readonly chainId: number
  readonly account: Address
  readonly sessionKeys: Address
  /** The stolen session key. */
  readonly key: PrivateKeyAccount
  /** The thief's own account, which sends the transaction. */
  readonly thief: PrivateKeyAccount
  readonly token: Address
  /** Base units that the thief tries to take. */
  readonly amount: bigint
}

export interface Loss {
  /** Base units of the token that reached the thief. */
  readonly stolen: bigint
  /** Wei that the account paid for the attempt. */
  readonly fee: bigint
  /** The rule that reverted it on chain. */
  readonly rule: string | undefined
  /** The most wei that the key can still burn in fees, until the owner revokes it. */
  readonly feesLeft: bigint
}

/** Generous, because the thief pays for what the operation's fee does not cover. */
const gas = { callGasLimit: 500_000n, verificationGasLimit: 500_000n, preVerificationGas: 0n } as const

/** Signs a transfer to the thief with the stolen session key, and sends it to EntryPoint without any service. */
export async function steal(theft: Theft): Promise<Loss> {
  const { rpcUrl, chainId, account, sessionKeys, key: signer, thief, token, amount } = theft
  const chain = createWalletClient({ account: thief, transport: http(rpcUrl) }).extend(publicActions)
  const key = signer.address
  const read = async () =>
    decodeSessionState(
      await chain.readContract({
        ...{ address: sessionKeys, abi: sessionKeysAbi, functionName: 'sessionOf' },
        args: [account, sessionKeyId(key)],
      }),
    )
  const tokensOf = (owner: Address) =>
    chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

  const { session, nonceKey } = await read()
  const nonce = await chain.readContract({
    ...{ address: entryPoint07Address, abi: entryPointAbi, functionName: 'getNonce' },
    args: [account, nonceKey],
  })
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [thief.address, amount],
  })
  const execute = encodeSessionExecute({
    sessionKeys,
    key,
    calls: [{ to: token, value: 0n, data: transfer }],
  })
  const price = session.feePerOperation / (gas.callGasLimit + gas.verificationGasLimit)
  const operation: UserOperation = {
    ...{ sender: account, nonce, initCode: '0x', callData: encodeCalls([execute]), paymasterAndData: '0x' },
    ...{ ...gas, maxFeePerGas: price, maxPriorityFeePerGas: price },
  }
  const { validAfter, validUntil } = session
  const hash = getSafeOperationHash(operation, { chainId, validAfter, validUntil })
  const signature = encodeSessionSignature({
    ...{ operation, validAfter, validUntil, sessionKeys, key },
    signature: await signer.sign({ hash }),
  })

  const before = await tokensOf(thief.address)
  const sent = await chain.writeContract({
    ...{ chain: null, address: entryPoint07Address, abi: entryPointAbi, functionName: 'handleOps' },
    args: [[packUserOperation({ ...operation, signature })], thief.address],
  })
  const { logs } = await chain.waitForTransactionReceipt({ hash: sent })
  const events = parseEventLogs({ abi: entryPointAbi, logs })
  const outcome = events.find((log) => log.eventName === 'UserOperationEvent')
  const revert = events.find((log) => log.eventName === 'UserOperationRevertReason')
  return {
    stolen: (await tokensOf(thief.address)) - before,
    fee: outcome?.args.actualGasCost ?? 0n,
    rule: revert && explainRefusal(revert.args.revertReason)?.rule,
    feesLeft: BigInt((await read()).operationsLeft) * session.feePerOperation,
  }
}
