import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  pad,
  slice,
  toEventSelector,
} from 'viem'
import { readClientOf } from '../../signers/eoa-wallet.ts'
import type { ImportedEoa } from './imported-eoa.tsx'

/** A token that another address may take from this one. */
interface Approval {
  readonly chainId: number
  readonly token: Address
  readonly spender: Address
}

const approvalTopic = toEventSelector('Approval(address,address,uint256)')

/** Any contract can emit events that name the address. */
const maxUnknown = 30

/**
 * The approvals of ERC-20 tokens that are in force, read through the person's own wallet: by all events of the address, and then by
 * what each token says today. Of tokens that the wallet does not list, only the newest are read.
 *
 * @param isListed - for the address of a token
 * @throws the wallet's error if the person declines, or its RPC gives out no events that are so old
 */
export async function readApprovals(
  { wallet, address }: Pick<ImportedEoa, 'wallet' | 'address'>,
  chainId: number,
  isListed: (token: Address) => boolean,
): Promise<readonly Approval[]> {
  const client = await readClientOf(wallet, chainId)
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ fromBlock: '0x0', toBlock: 'latest', topics: [approvalTopic, pad(address)] }],
  })
  // An NFT has a fourth topic. It moves with its approval for this one piece gone.
  const pairs = new Map(
    logs.toReversed().flatMap(({ address: token, topics }) => {
      const spender = topics.length === 3 && topics[2] ? getAddress(slice(topics[2], 12)) : undefined
      return spender
        ? [[`${token} ${spender}`.toLowerCase(), { token: getAddress(token), spender }] as const]
        : []
    }),
  )
  const all = [...pairs.values()]
  const listed = all.filter(({ token }) => isListed(token))
  const unknown = all.filter(({ token }) => !isListed(token))
  const found = await Promise.all(
    [...listed, ...unknown.slice(0, maxUnknown)].map(async ({ token, spender }) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [address, spender] })
      const answer = await client.call({ to: token, data }).catch(() => undefined)
      return isPositive(answer?.data) ? [{ chainId, token, spender }] : []
    }),
  )
  return found.flat()
}

function isPositive(data: Hex | undefined): boolean {
  try {
    return decodeFunctionResult({ abi: erc20Abi, functionName: 'allowance', data: data ?? '0x' }) > 0n
  } catch {
    return false // no token
  }
}
