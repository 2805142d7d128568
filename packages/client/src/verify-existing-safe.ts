import {
  inspectSafe,
  isKnownSafe,
  type SafeInspection,
  type SafeState,
  safeStateReads,
} from '@lanyard/accounts'
import { type Address, type Hex, isAddressEqual, type PublicClient } from 'viem'

export interface VerifyExistingSafeParameters {
  /** An RPC that you trust, of the network in question: not the service. */
  readonly client: PublicClient
  /** The Safe. */
  readonly address: Address
  /** The owner that signs. */
  readonly owner: Address
  /** Modules that the account may have besides Safe4337Module, such as `ownership` of `GET /networks`. Default: none */
  readonly modules?: readonly Address[] | undefined
}

export type VerifyExistingSafeResult =
  | { readonly ok: true; readonly state: SafeState }
  | { readonly ok: false; readonly found: SafeInspection | { readonly kind: 'other-owner' } }

/**
 * Checks from the chain that an address is a Safe 1.4.1 or 1.5.0 which this owner controls alone, with no module, guard or
 * handler that is not known here. The address of an imported account follows from nothing, so this check takes the place of
 * recomputing it. Do it before the first deposit on a network, and after a change of owners or modules.
 *
 * @throws viem's errors if the RPC does not answer
 */
export async function verifyExistingSafe({
  client,
  address,
  owner,
  modules = [],
}: VerifyExistingSafeParameters): Promise<VerifyExistingSafeResult> {
  // One block for all reads: the parts belong together.
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  const [code, slot0] = await Promise.all([
    client.getCode({ address, blockNumber }),
    client.getStorageAt({ address, slot: '0x0', blockNumber }),
  ])
  const answers = isKnownSafe({ code, slot0 })
    ? await Promise.all(
        safeStateReads.map(
          (data): Promise<Hex | undefined> =>
            client.call({ to: address, data, blockNumber }).then((answer) => answer.data),
        ),
      )
    : []
  const found = inspectSafe({ code, slot0, answers }, modules)
  if (found.kind !== 'ready') return { ok: false, found }
  if (!found.state.owners.some((one) => isAddressEqual(one, owner)))
    return { ok: false, found: { kind: 'other-owner' } }
  return { ok: true, state: found.state }
}
