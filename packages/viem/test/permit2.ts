import { readFileSync } from 'node:fs'
import type { startChain } from '@lanyard/accounts/testing'
import { type Address, concat, type Hex, parseAbi } from 'viem'

type Client = Awaited<ReturnType<typeof startChain>>['client']

/** The same on every network. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature)',
  'error InvalidNonce()',
  'error InvalidSignatureLength()',
])

interface Permit {
  readonly permitted: { readonly token: Address; readonly amount: bigint }
  readonly nonce: bigint
  readonly deadline: bigint
}

/**
 * Deploys the canonical Permit2. Its address follows from its creation code (NOTICE.md names the source), so
 * other bytes would get another address.
 */
export async function deployPermit2(client: Client) {
  const deterministicDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
  const salt: Hex = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'
  // the file contains hex
  const initCode = readFileSync(new URL('./permit2-init-code.hex', import.meta.url), 'utf8').trim() as Hex
  const hash = await client.sendTransaction({ to: deterministicDeployer, data: concat([salt, initCode]) })
  await client.waitForTransactionReceipt({ hash })
  const code = await client.getCode({ address: permit2Address })
  if (code === undefined) throw new TypeError('permit2-init-code.hex is not the creation code of Permit2')
}

/** The message that the owner of the tokens signs, with `client` as the spender. */
export const permitTypedData = (client: Client, permit: Permit) =>
  ({
    domain: { name: 'Permit2', chainId: client.chain.id, verifyingContract: permit2Address },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    message: { ...permit, spender: client.account.address },
  }) as const

/**
 * Transfers the permitted amount to `client`. Throws the revert of Permit2 or of the account that it calls.
 */
export async function permitTransferFrom(
  client: Client,
  { permit, from, to, signature }: { permit: Permit; from: Address; to: Address; signature: Hex },
) {
  const { request } = await client.simulateContract({
    address: permit2Address,
    abi,
    functionName: 'permitTransferFrom',
    args: [permit, { to, requestedAmount: permit.permitted.amount }, from, signature],
  })
  const hash = await client.writeContract(request)
  await client.waitForTransactionReceipt({ hash })
}
