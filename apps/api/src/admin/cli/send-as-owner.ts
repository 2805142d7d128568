import type { Network } from '@lanyard/networks'
import { attestorSetAbi, settledNonce, smartBalanceAbi } from '@lanyard/onchain'
import {
  type Address,
  BaseError,
  decodeErrorResult,
  erc20Abi,
  formatEther,
  type Hash,
  type Hex,
  isHex,
  keccak256,
  RpcRequestError,
} from 'viem'
import { recordOutsideTransaction } from './cli-audit.ts'
import { CliError } from './cli-error.ts'
import { confirm } from './confirm.ts'
import type { SendOptions } from './options.ts'
import type { Output } from './output.ts'
import type { Owner, OwnerClient } from './owner.ts'
import { callLines, type OwnerCall, writeSafeBatch } from './safe-batch.ts'

interface SendRequest {
  readonly network: Network
  readonly owner: Owner
  readonly output: Output
  readonly options: Pick<SendOptions, 'dryRun' | 'yes' | 'batch'>
}

/** The result of a call; what was not sent has no hash. */
export interface SentCall {
  readonly description: string
  readonly to: Address
  /** wei */
  readonly value: bigint
  readonly data: Hex
  readonly transactionHash?: Hash
}

/**
 * Shows the calls and asks for confirmation, then simulates, sends and awaits each of them; a dry run only
 * simulates. If a later call fails, the earlier ones remain sent, and the output has reported them. Every
 * call has its nonce before the first is sent, so that two concurrent runs never do anything twice.
 *
 * @throws CliError `WOULD_REVERT` before the call is sent, `REVERTED`, `DECLINED`; DeploymentError
 * `TRANSACTIONS_PENDING`
 */
export async function sendAsOwner(request: SendRequest, calls: readonly OwnerCall[]): Promise<SentCall[]> {
  const { network, owner, output, options } = request
  if (calls.length === 0) return []
  const { client } = owner
  if (!client || options.dryRun) return prepare(request, calls)
  const { address } = owner.account
  const firstNonce = await network.call((client) => settledNonce(client, address))
  for (const { description, value } of calls)
    output.progress(`  ${description}${value ? ` (${formatEther(value)} of the native coin)` : ''}`)
  const count = calls.length === 1 ? 'this transaction' : `these ${calls.length} transactions`
  await confirm(`Send ${count} on ${network.config.name} (${network.chainId}) as ${address}`, options)
  await recordOwnerCalls('owner.send', network, address, calls)
  const sent: SentCall[] = []
  for (const [index, call] of calls.entries()) {
    await assertSucceeds(network, address, call)
    const transactionHash = await send(request, client, call, firstNonce + index)
    await recordOutsideTransaction({
      act: 'owner.sent',
      subject: transactionHash,
      after: { description: call.description },
    })
    output.say(`Done: ${call.description} (${transactionHash})`)
    sent.push({ ...toSent(call), transactionHash })
  }
  return sent
}

/** Longer call data is deployed code. Its hash is enough: the chain has the rest. */
const maxRecordedData = 2_000

/** Records what is about to be sent, so that a command that dies has left a trace of it. */
export const recordOwnerCalls = (
  act: 'owner.send' | 'owner.propose',
  { chainId }: Pick<Network, 'chainId'>,
  from: Address,
  calls: readonly OwnerCall[],
): Promise<void> =>
  recordOutsideTransaction({
    act,
    subject: from,
    after: {
      network: chainId,
      calls: calls.map(({ description, to, value = 0n, data }) => ({
        ...{ description, to, value },
        ...(data.length > maxRecordedData ? { dataHash: keccak256(data) } : { data }),
      })),
    },
  })

const toSent = ({ description, to, data, value = 0n }: OwnerCall): SentCall => ({
  description,
  to,
  value,
  data,
})

/** Simulates the calls and shows them; for a multisig, it also writes the file that its people load. */
async function prepare(request: SendRequest, calls: readonly OwnerCall[]): Promise<SentCall[]> {
  const { network, owner, output } = request
  for (const call of calls) {
    await assertSucceeds(network, owner.account.address, call)
    output.say(`Would ${call.description}`)
  }
  await offer(request, calls)
  return calls.map(toSent)
}

/** Shows `to`, `value` and `data` of calls that are not sent here, and writes them to a file for a multisig. */
export async function offer(
  { network: { chainId }, owner, output, options }: SendRequest,
  calls: readonly OwnerCall[],
): Promise<void> {
  for (const line of callLines(calls)) output.say(line)
  if (owner.client || options.dryRun || calls.length === 0) return
  const path = options.batch ?? `safe-batch-${chainId}.json`
  await writeSafeBatch(path, { chainId, safe: owner.account.address, calls, createdAt: new Date() })
  await recordOwnerCalls('owner.propose', { chainId }, owner.account.address, calls)
  output.say(
    `Nothing was sent. Load ${path} in the Transaction Builder of the Safe ${owner.account.address}.`,
  )
}

function send(
  { network, output }: SendRequest,
  owner: OwnerClient,
  { description, to, data, value = 0n }: OwnerCall,
  nonce: number,
): Promise<Hash> {
  return network.call(async (client) => {
    const hash = await owner.sendTransaction({ chain: client.chain ?? null, to, data, value, nonce })
    output.progress(`  … ${description} ${hash}`)
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new CliError('REVERTED', `Reverted: ${description} (${hash})`)
    return hash
  })
}

async function assertSucceeds(
  network: Network,
  from: Address,
  { description, to, data, value = 0n }: OwnerCall,
): Promise<void> {
  try {
    await network.call((client) => client.call({ account: from, to, data, value }))
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    throw new CliError('WOULD_REVERT', `Cannot ${description}: ${reasonOf(error)}`, { cause: error })
  }
}

/** The contract's own error if its ABI contains it. */
function reasonOf(error: BaseError): string {
  const cause = error.walk((inner) => inner instanceof RpcRequestError)
  if (!(cause instanceof RpcRequestError) || !isHex(cause.data)) return error.shortMessage
  try {
    const { errorName, args = [] } = decodeErrorResult({
      abi: [...smartBalanceAbi, ...attestorSetAbi, ...erc20Abi],
      data: cause.data,
    })
    return `${errorName}(${args.join(', ')})`
  } catch {
    return error.shortMessage
  }
}
