import {
  type AccountOwner,
  type Call,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  getSafeOperationHash,
  packUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import type {
  Account,
  Address,
  Chain,
  Hash,
  PrivateKeyAccount,
  PublicClient,
  Transport,
  WalletClient,
} from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

/** Enough for the deployment of an account and one call; nobody simulates here. What is not used is not paid. */
const gas = {
  verificationGasLimit: 600_000n,
  callGasLimit: 200_000n,
  preVerificationGas: 60_000n,
} as const

const sumOfGas = gas.verificationGasLimit + gas.callGasLimit + gas.preVerificationGas

export interface Sending {
  readonly publicClient: PublicClient
  readonly payer: WalletClient<Transport, Chain, Account>
  readonly entryPoint: Address
  readonly owner: PrivateKeyAccount
  readonly account: Address
  readonly call: Call
}

/**
 * One call of an account, sent to EntryPoint by the payer: it deposits what the operation may cost for the account, and
 * gets the fee back as the beneficiary.
 *
 * @throws Error when the call reverted
 */
export async function sendOperation(sending: Sending): Promise<Hash> {
  const { publicClient, payer, entryPoint } = sending
  const operation = await prepare(sending)
  await fund(sending, sumOfGas * operation.maxFeePerGas)
  const hash = await payer.writeContract({
    address: entryPoint,
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [[packUserOperation(await sign(sending, operation))], payer.account.address],
    gas: sumOfGas + 200_000n,
  })
  const receipt = await publicClient.waitForTransactionReceipt({ hash })
  const [event] = await publicClient.getContractEvents({
    address: entryPoint,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { sender: sending.account },
    blockHash: receipt.blockHash,
    strict: true,
  })
  if (event?.args.success) return hash
  throw new Error(`The operation failed in ${hash}`)
}

async function prepare({ publicClient, entryPoint, owner, account, call }: Sending): Promise<UserOperation> {
  const [code, nonce, fees] = await Promise.all([
    publicClient.getCode({ address: account }),
    publicClient.readContract({
      address: entryPoint,
      abi: entryPoint07Abi,
      functionName: 'getNonce',
      args: [account, 0n],
    }),
    publicClient.estimateFeesPerGas(),
  ])
  const first: AccountOwner = { kind: 'eoa', address: owner.address }
  return {
    sender: account,
    nonce,
    initCode: code === undefined ? encodeInitCode(first) : '0x',
    callData: encodeCalls([call]),
    ...gas,
    ...fees,
    paymasterAndData: '0x',
  }
}

async function fund({ publicClient, payer, entryPoint, account }: Sending, needed: bigint): Promise<void> {
  const contract = { address: entryPoint, abi: entryPoint07Abi } as const
  const deposit = await publicClient.readContract({ ...contract, functionName: 'balanceOf', args: [account] })
  if (deposit >= needed) return
  const hash = await payer.writeContract({
    ...contract,
    functionName: 'depositTo',
    args: [account],
    value: needed - deposit,
  })
  await publicClient.waitForTransactionReceipt({ hash })
}

async function sign({ payer, entryPoint, owner }: Sending, operation: UserOperation) {
  const validity = { validAfter: 0, validUntil: 0 }
  const hash = getSafeOperationHash(operation, { chainId: payer.chain.id, entryPoint, ...validity })
  const signatures = await owner.sign({ hash })
  return { ...operation, signature: encodeSignature({ ...validity, signatures }) }
}
