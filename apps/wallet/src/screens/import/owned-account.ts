import {
  encodeEnabling,
  encodeExecTransaction,
  ownerConsentText,
  type SafeState,
  toSafeTransaction,
} from '@lanyard/accounts'
import { verifyBuild, verifyExistingSafe } from '@lanyard/client'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { type Address, concat, type Hex, pad, toHex } from 'viem'
import { trpc } from '../../api/trpc.ts'
import type { Network } from '../../networks/use-networks.ts'
import { submitAndFollow } from '../../operation/submit-and-follow.ts'
import {
  EoaWalletError,
  readClientOf,
  sendFromEoa,
  signHash,
  waitUntilMined,
} from '../../signers/eoa-wallet.ts'
import { signWithInjectedWallet } from '../../signers/injected-wallets.ts'
import type { ImportedEoa } from './imported-eoa.tsx'

/** What the service reads of a Safe on one network. */
export type OwnedOnNetwork = EndpointOutput<typeof endpoints.smartAccount.importSafe>['networks'][number]

/**
 * Reads a Safe on every network, and registers it once one can be used. An owner who never sent a transaction shows the key first.
 *
 * @throws errors of the service, and the wallet's error if the person declines
 */
export async function importOwned(
  { wallet, address }: ImportedEoa,
  safe: Address,
): Promise<readonly OwnedOnNetwork[]> {
  const { networks } = await trpc.smartAccount.importSafe
    .mutate({ walletAddress: safe })
    .catch(async (error) => {
      const text = ownerConsentText({ account: safe, owner: address })
      if (!isAboutOwner(error, address)) throw error
      const signature = (await signWithInjectedWallet(wallet, address, text)) as Hex
      return trpc.smartAccount.importSafe.mutate({
        ...{ walletAddress: safe, consents: [{ owner: address, signature }] },
      })
    })
  return networks
}

/** Whether the service refuses the Safe because nothing shows that this owner has a key. */
function isAboutOwner(error: unknown, owner: Address): boolean {
  const { networks } = Object(Object(error).data) as { networks?: readonly OwnedOnNetwork[] }
  return (networks ?? []).some(({ problems = [] }) =>
    problems.some(({ part, address }) => part === 'owners' && address?.toLowerCase() === owner.toLowerCase()),
  )
}

/**
 * Reads the Safe through the person's own wallet, and not from the service: what they sign follows from that alone.
 *
 * @throws EoaWalletError OTHER_SAFE
 */
async function readOwnSafe(
  { wallet, address }: ImportedEoa,
  safe: Address,
  { chainId, sessionKeys }: Network,
) {
  const client = await readClientOf(wallet, chainId)
  return verifyExistingSafe({
    ...{ client, address: safe, owner: address },
    ...(sessionKeys && { modules: [sessionKeys] }),
  })
}

/** Adds what the Safe lacks by one transaction of its owner, which needs no signature besides. @throws EoaWalletError OTHER_SAFE */
export async function enableModule(eoa: ImportedEoa, safe: Address, network: Network): Promise<void> {
  const read = await readOwnSafe(eoa, safe, network)
  if (read.ok) return
  const { found } = read
  if (found.kind !== 'incomplete' || !found.state.owners.includes(eoa.address))
    throw new EoaWalletError('OTHER_SAFE')
  const hash = await sendFromEoa(eoa.wallet, network.chainId, {
    ...{ from: eoa.address, to: safe, value: 0n },
    data: enablingCall(safe, found.state, eoa.address),
  })
  await waitUntilMined(eoa.wallet, hash)
}

function enablingCall(safe: Address, state: SafeState, owner: Address): Hex {
  const transaction = toSafeTransaction(encodeEnabling(safe, state), state.nonce)
  // The sender of the transaction is the owner: Safe takes that for a signature (r: owner, v: 1).
  return encodeExecTransaction(transaction, concat([pad(owner), pad('0x'), toHex(1, { size: 1 })]))
}

/**
 * Pays from a Safe by an operation that its owner signs.
 *
 * @throws EoaWalletError OTHER_SAFE; BuildVerificationError; errors of the service; the wallet's error if the person declines
 */
export async function payFromOwned(
  eoa: ImportedEoa,
  safe: Address,
  network: Network,
  { to, value }: { readonly to: Address; readonly value: bigint },
) {
  if (!(await readOwnSafe(eoa, safe, network)).ok) throw new EoaWalletError('OTHER_SAFE')
  const call = { targetContractAddress: to, value: String(value), encodedData: '0x' } as const
  const request = { network: String(network.chainId), walletAddress: safe, transactionDetails: [call] }
  const build = await trpc.smartAccount.build.mutate(request)
  const { hash, userOpHash } = verifyBuild({ build, request, owner: { kind: 'account', address: safe } })
  const signature = await signHash(eoa.wallet, eoa.address, hash)
  return submitAndFollow(userOpHash, () =>
    trpc.smartAccount.submit.mutate({ walletAddress: safe, signature, userOpHash }),
  )
}
